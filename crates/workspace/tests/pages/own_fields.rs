//! Own fields: defined in the settings, filled in on the pages and in the forms of records, and found in their lists.

use domain::user::Role;
use serde_json::{Value, json};
use testkit::Client;

use crate::{House, PASSWORD, browser::Browser};

const FIELDS: &str = "/workspace/settings/own-fields";

async fn key(house: &House) -> Client {
    house.test.client(&house.test.key(&house.north, "read,write,manage_keys").await)
}

/// An administrator of another institution.
async fn stranger(house: &House) -> Browser {
    let south = house.test.tenant("south").await;
    house.add(&south, "admin@south.example", Role::Administrator).await;
    house.browser().signed_in("admin@south.example", PASSWORD).await
}

async fn define(client: &Client, body: Value) -> String {
    client.post("/api/v1/custom-fields", &body).await.expect(201).data()["id"].as_str().unwrap().to_owned()
}

/// A choice, a number and a flag of findings.
async fn three(client: &Client) -> [String; 3] {
    let region = json!({ "kind": "finding", "type": "choice", "label": "Region", "label_de": "Gebiet",
        "choices": ["North", "South <b>"] });
    let cost = json!({ "kind": "finding", "type": "number", "label": "Cost" });
    let flag = json!({ "kind": "finding", "type": "flag", "label": "Outsourced" });
    [define(client, region).await, define(client, cost).await, define(client, flag).await]
}

async fn finding(client: &Client, custom: Value) -> String {
    let body = json!({ "title": "Console open", "severity": "high", "custom": custom });
    client.post("/api/v1/findings", &body).await.expect(201).data()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_administrator_defines_orders_renames_and_removes_fields() {
    let house = House::new().await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    administrator.get("/workspace/settings").await.expect(200).shows(FIELDS);
    administrator.get(FIELDS).await.expect(200).shows("Findings").shows("Tasks").shows("kind=arrangement");
    let page = format!("{FIELDS}?kind=finding");
    administrator.get(&page).await.expect(200).shows("No own fields yet").shows("Define a field");
    let new = format!("{FIELDS}/new?kind=finding");
    let bad = [("kind", "finding"), ("label", " "), ("type", "choice"), ("choices", ""), ("key", "Bad Key")];
    let refused = administrator.submit(&new, FIELDS, &bad).await.expect(422);
    refused.shows("Bad Key").shows("different choices").shows("href=\"#label\"");
    let region = [
        ("kind", "finding"),
        ("label", "Region"),
        ("label_de", "Gebiet"),
        ("type", "choice"),
        ("choices", "North\nSouth"),
    ];
    let made = administrator.submit(&new, FIELDS, &region).await.expect(303);
    assert_eq!(made.location(), format!("{page}&done=created"));
    for label in ["<b>Cost</b>", "Since"] {
        let field = [("kind", "finding"), ("label", label), ("type", "number")];
        administrator.submit(&new, FIELDS, &field).await.expect(303);
    }
    let shown = administrator.get(&format!("{page}&done=created")).await.expect(200);
    let shown = shown.shows("The field is defined.").shows("&lt;b&gt;Cost&lt;/b&gt;").shows("North, South");
    shown.shows("Move Since up").lacks("Move Since down").lacks("Move Region up");

    let client = key(&house).await;
    let fields = client.get("/api/v1/custom-fields?kind=finding").await.expect(200).data();
    let address = |place: usize| format!("{FIELDS}/{}", fields[place]["id"].as_str().unwrap());
    let moved = administrator.submit(&page, &format!("{}/move", address(2)), &[("place", "1")]).await;
    assert_eq!(moved.expect(303).location(), format!("{page}&done=moved"));
    let keys = client.get("/api/v1/custom-fields?kind=finding").await.expect(200).data();
    assert_eq!(keys[0]["label"], "Since");

    let change = [("label", "Area"), ("label_de", ""), ("choices", "North\nEast")];
    administrator.submit(&address(0), &address(0), &change).await.expect(303);
    administrator.get(&page).await.expect(200).shows("Area").shows("North, East").lacks("North, South");

    // A field without values is deleted, one with values archived and restored.
    administrator.get(&address(1)).await.expect(200).shows("No record has anything in it.");
    let gone = administrator.submit(&address(1), &format!("{}/delete", address(1)), &[]).await.expect(303);
    assert_eq!(gone.location(), format!("{page}&done=deleted"));
    finding(&client, json!({ "region": "North" })).await;
    administrator.get(&address(0)).await.expect(200).shows("keep what they have in it");
    let kept = administrator.submit(&address(0), &format!("{}/delete", address(0)), &[]).await.expect(303);
    assert_eq!(kept.location(), format!("{page}&done=archived"));
    administrator.get(&page).await.expect(200).shows("archived");
    let back = administrator.submit(&address(0), &format!("{}/restore", address(0)), &[]).await.expect(303);
    assert_eq!(back.location(), format!("{page}&done=restored"));
}

#[tokio::test]
async fn others_read_the_fields_and_another_institution_does_not() {
    let house = House::new().await;
    let client = key(&house).await;
    let [region, ..] = three(&client).await;
    let page = format!("{FIELDS}?kind=finding");
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get(&page).await.expect(200).shows("Region").lacks("Define a field").lacks("Move ");
    manager.get(&format!("{FIELDS}/{region}")).await.expect(403);
    manager.submit(&page, &format!("{FIELDS}/{region}/delete"), &[]).await.expect(403);
    let mut stranger = stranger(&house).await;
    stranger.get(&page).await.expect(200).lacks("Region");
    stranger.get(&format!("{FIELDS}/{region}")).await.expect(404);
    stranger.submit(&page, &format!("{FIELDS}/{region}/delete"), &[]).await.expect(404);
    stranger.get(&format!("{FIELDS}?kind=approval")).await.expect(404);
}

#[tokio::test]
async fn the_page_of_a_record_shows_its_own_fields_and_changes_them() {
    let house = House::new().await;
    let client = key(&house).await;
    let plain = finding(&client, json!({})).await;
    let mut author = house.signed_in(Role::Contributor).await;
    let page = format!("/workspace/findings/{plain}");
    author.get(&page).await.expect(200).lacks("Own fields");
    three(&client).await;
    author.get(&page).await.expect(200).shows("Own fields").shows("Change own fields");
    let form = format!("/workspace/records/{plain}/own-fields");
    let sent = [("custom.region", "South <b>"), ("custom.cost", "12,5"), ("custom.outsourced", "true")];
    let done = author.submit(&page, &form, &sent).await.expect(303);
    assert_eq!(done.location(), format!("{page}?done=filled-in#own-fields"));
    let shown = author.get(&format!("{page}?done=filled-in")).await.expect(200);
    shown.shows("The own fields are saved.").shows("South &lt;b&gt;").shows("12.5").shows("Region</span>");
    let api = client.get(&format!("/api/v1/findings/{plain}")).await.expect(200).data();
    assert_eq!(api["custom"], json!({ "cost": 12.5, "outsourced": true, "region": "South <b>" }));

    let refused = author.submit(&page, &form, &[("custom.cost", "many")]).await.expect(422);
    refused.shows("href=\"#custom.cost\"").shows("Cost").shows("many").shows("must be a number");
    let stale = [("seen", "\"old\""), ("custom.cost", "7")];
    author.submit(&page, &form, &stale).await.expect(409).shows("value=\"7\"");
    author.submit(&page, &form, &[("custom.cost", "")]).await.expect(303);
    let api = client.get(&format!("/api/v1/findings/{plain}")).await.expect(200).data();
    assert_eq!(api["custom"], json!({ "outsourced": true, "region": "South <b>" }));

    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&page).await.expect(200).shows("Own fields").lacks("Change own fields");
    viewer.submit(&page, &form, &[("custom.cost", "1")]).await.expect(403);
    let mut stranger = stranger(&house).await;
    stranger.submit("/workspace/findings", &form, &[("custom.cost", "1")]).await.expect(404);
}

#[tokio::test]
async fn the_forms_of_records_have_the_own_fields_of_their_kind() {
    let house = House::new().await;
    let client = key(&house).await;
    let new = "/workspace/findings/new";
    let mut author = house.signed_in(Role::Contributor).await;
    author.get(new).await.expect(200).lacks("Own fields");
    three(&client).await;
    author.get(new).await.expect(200).shows("Own fields").shows("name=\"custom.region\"");
    author.get("/workspace/test-cases/new").await.expect(200).lacks("custom.region");
    let bad = [("title", ""), ("severity", "high"), ("custom.cost", "many"), ("custom.region", "South <b>")];
    let refused = author.submit(new, "/workspace/findings", &bad).await.expect(422);
    refused.shows("href=\"#custom.cost\"").shows("value=\"many\"").shows("selected>South &lt;b&gt;");
    let good =
        [("title", "Old cipher"), ("severity", "high"), ("custom.cost", "3"), ("custom.region", "North")];
    let made = author.submit(new, "/workspace/findings", &good).await.expect(303);
    let page = made.location().split('?').next().unwrap().to_owned();
    author.get(&page).await.expect(200).shows("North");
    let edit = format!("{page}/edit");
    author.get(&edit).await.expect(200).shows("selected>North").shows("value=\"3\"");
    let change = [("title", "Old cipher"), ("severity", "high"), ("custom.cost", "4"), ("custom.region", "")];
    author.submit(&edit, &page, &change).await.expect(303);
    let id = page.rsplit('/').next().unwrap();
    let api = client.get(&format!("/api/v1/findings/{id}")).await.expect(200).data();
    assert_eq!(api["custom"], json!({ "cost": 4 }));
}

#[tokio::test]
async fn lists_and_their_files_show_and_filter_own_fields() {
    let house = House::new().await;
    let client = key(&house).await;
    three(&client).await;
    finding(&client, json!({ "region": "North", "cost": 12.5, "outsourced": false })).await;
    let body = json!({ "title": "Old cipher", "severity": "low", "custom": { "region": "South <b>" } });
    client.post("/api/v1/findings", &body).await.expect(201);
    let mut reader = house.signed_in(Role::Viewer).await;
    let list = "/workspace/findings";
    reader.get(list).await.expect(200).shows("Show Region").lacks(">Region</span></th>");
    let chosen = reader.get(&format!("{list}?columns=severity,custom.region,custom.cost")).await.expect(200);
    chosen.shows(">12.5<").shows("South &lt;b&gt;");
    let north = reader.get(&format!("{list}?custom.region=north")).await.expect(200);
    north.shows("Console open").lacks("Old cipher").shows("name=\"custom.region\"");
    // A number is found however it is written, and more fields than a list takes are said, not ignored.
    let typed = reader.get(&format!("{list}?custom.cost=12,50")).await.expect(303);
    assert_eq!(typed.location(), format!("{list}?custom.cost=12.5"));
    reader.get(typed.location()).await.expect(200).shows("Console open").lacks("Old cipher");
    let many = format!("{list}?custom.cost=12.5&custom.region=North&custom.outsourced=false");
    let many = reader.get(&many).await.expect(200).shows("at most 2 own fields at once");
    many.lacks("Console open").lacks("Old cipher");
    reader
        .get(&format!("{list}?custom.region=West"))
        .await
        .expect(200)
        .shows("Nothing matches these filters");
    let file = reader.fetch(&format!("{list}.csv?custom.cost=12.5")).await.expect(200);
    let text = String::from_utf8(file.bytes.clone()).unwrap();
    let mut lines = text.lines();
    assert!(lines.next().unwrap().ends_with("custom.region,custom.cost,custom.outsourced"), "{text}");
    assert!(lines.next().unwrap().ends_with("North,12.5,false") && lines.next().is_none(), "{text}");
    let view = [
        ("view_list", "findings"),
        ("view_query", "custom.region=North&columns=custom.cost"),
        ("view_name", "North"),
    ];
    reader.submit(list, "/workspace/views", &view).await.expect(303);
    let mut german = reader.with("accept-language", "de");
    german
        .get(&format!("{list}?columns=custom.region,custom.cost"))
        .await
        .expect(200)
        .shows("Gebiet")
        .shows(">12,5<");
}
