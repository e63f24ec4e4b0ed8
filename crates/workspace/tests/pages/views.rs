//! Saved views above a list, the view that a list opens with, and the choice of columns, without a script.

use domain::user::Role;
use serde_json::{Value, json};
use testkit::Client;

use crate::{House, browser::Browser};

const FINDINGS: &str = "/workspace/findings";

async fn key(house: &House) -> Client {
    house.test.client(&house.test.key(&house.north, "read,write").await)
}

async fn made(client: &Client, path: &str, body: Value) -> String {
    client.post(path, &body).await.expect(201).data()["id"].as_str().unwrap().to_owned()
}

async fn findings(house: &House) {
    let client = key(house).await;
    for (title, severity) in [("Console open", "high"), ("Old cipher", "low")] {
        made(&client, "/api/v1/findings", json!({ "title": title, "severity": severity })).await;
    }
}

/// Saves what the list shows at an address, and returns the address of the view.
async fn save(browser: &mut Browser, list: &str, fields: &[(&str, &str)]) -> String {
    let done = browser.submit(list, "/workspace/views", fields).await.expect(303);
    done.location().strip_suffix("&done=view-saved").unwrap().to_owned()
}

#[tokio::test]
async fn a_view_is_saved_opened_and_deleted_above_its_list() {
    let house = House::new().await;
    findings(&house).await;
    let mut author = house.signed_in(Role::Contributor).await;
    let list = format!("{FINDINGS}?severity=high&owner=&sort=due&offset=0");
    let view = save(&mut author, &list, &[("view_name", "High <ones>"), ("view_shared", "1")]).await;
    assert!(view.starts_with(&format!("{FINDINGS}?severity=high&sort=due&view=viw_")), "{view}");
    author
        .get(&format!("{view}&done=view-saved"))
        .await
        .expect(200)
        .shows("The view is saved.")
        .shows("High &lt;ones&gt;")
        .shows("Console open")
        .lacks("Old cipher");
    author.get(FINDINGS).await.expect(200).shows("Old cipher").shows("High &lt;ones&gt;");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&view).await.expect(200).shows("High &lt;ones&gt;").lacks("Old cipher").lacks("Delete view");
    viewer.get("/workspace/controls").await.expect(200).lacks("High &lt;ones&gt;");
    let id = view.rsplit('=').next().unwrap().to_owned();
    let delete = format!("/workspace/views/{id}/delete");
    viewer.submit(&view, &delete, &[]).await.expect(403);
    let done = author.submit(&view, &delete, &[]).await.expect(303);
    assert_eq!(done.location(), format!("{FINDINGS}?view=all&done=view-deleted"));
    author.get(FINDINGS).await.expect(200).lacks("High &lt;ones&gt;");
}

#[tokio::test]
async fn a_list_opens_with_the_start_view_of_the_person_and_of_no_other() {
    let house = House::new().await;
    findings(&house).await;
    let mut author = house.signed_in(Role::Contributor).await;
    let fields = [("view_name", "Mine"), ("view_shared", "1"), ("view_start", "1")];
    let view = save(&mut author, &format!("{FINDINGS}?severity=low"), &fields).await;
    let opened = author.get(FINDINGS).await.expect(303);
    assert_eq!(opened.location(), view);
    author.get(&view).await.expect(200).shows("Old cipher").lacks("Console open");
    author.get(&format!("{FINDINGS}?view=all")).await.expect(200).shows("Console open");
    author.get("/workspace/risks").await.expect(200);
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(FINDINGS).await.expect(200).shows("Console open");
}

#[tokio::test]
async fn a_view_without_a_name_is_refused_and_a_viewer_shares_none() {
    let house = House::new().await;
    findings(&house).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    let list = format!("{FINDINGS}?severity=high");
    let refused = viewer.submit(&list, "/workspace/views", &[("view_name", " ")]).await.expect(422);
    refused.shows("severity=high").shows("must not be empty");
    let fields = [("view_name", "Ours"), ("view_shared", "1")];
    viewer.submit(&list, "/workspace/views", &fields).await.expect(403);
    viewer.get(FINDINGS).await.expect(200).lacks("view_shared").lacks("Ours");
    save(&mut viewer, &list, &[("view_name", "Only mine")]).await;
    viewer.get(FINDINGS).await.expect(200).shows("Only mine");
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get(FINDINGS).await.expect(200).lacks("Only mine");
}

#[tokio::test]
async fn the_reader_chooses_and_orders_the_columns_of_a_list() {
    let house = House::new().await;
    let client = key(&house).await;
    made(&client, "/api/v1/controls", json!({ "title": "Alarm", "owner": "Anna Weber" })).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    let heads = |page: &str| {
        let head = page.split("<thead").nth(1).unwrap().split("</thead>").next().unwrap();
        let at = |word: &str| head.find(&format!(">{word}<"));
        (at("Control"), at("Owner"), at("Status"), at("Interval"))
    };
    let every = viewer.get("/workspace/controls").await.expect(200);
    let (name, owner, status, cadence) = heads(&every.body);
    assert!(name < status && status < owner && owner < cadence && cadence.is_some(), "{}", every.body);
    let some = viewer.get("/workspace/controls?columns=owner,status,unknown,owner").await.expect(200);
    let (name, owner, status, cadence) = heads(&some.body);
    assert!(name.is_some() && name < owner && owner < status && cadence.is_none(), "{}", some.body);
    let some = some.shows("Alarm").shows("Anna Weber").shows("Show Interval").shows("Hide Owner");
    some.shows("name=\"columns\" value=\"owner,status,unknown,owner\"");
    // Without a column that exists all are shown.
    let none = viewer.get("/workspace/controls?columns=unknown").await.expect(200);
    assert!(heads(&none.body).3.is_some());
    let list = "/workspace/controls?columns=owner&status=planned";
    let view = save(&mut viewer, list, &[("view_name", "Owners")]).await;
    assert!(view.starts_with("/workspace/controls?status=planned&columns=owner&view="), "{view}");
    assert!(heads(&viewer.get(&view).await.expect(200).body).2.is_none());
}
