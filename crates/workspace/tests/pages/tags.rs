//! Tags on the pages of records, and lists by a tag, without a script.

use domain::user::Role;
use serde_json::{Value, json};
use testkit::Client;

use crate::House;

async fn key(house: &House) -> Client {
    house.test.client(&house.test.key(&house.north, "read,write").await)
}

async fn made(client: &Client, path: &str, body: Value) -> String {
    client.post(path, &body).await.expect(201).data()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn tags_are_changed_on_the_page_of_a_record_and_lead_to_those_alike() {
    let house = House::new().await;
    let client = key(&house).await;
    let one = made(&client, "/api/v1/findings", json!({ "title": "Console open", "severity": "high" })).await;
    made(&client, "/api/v1/findings", json!({ "title": "Old cipher", "severity": "low" })).await;
    let mut author = house.signed_in(Role::Contributor).await;
    author.get("/workspace/findings").await.expect(200).lacks("name=\"tag\"");
    let page = format!("/workspace/findings/{one}");
    author.get(&page).await.expect(200).shows("No tags yet.");
    let form = format!("/workspace/records/{one}/tags");
    let done = author.submit(&page, &form, &[("tags", "Audit 2026, <b>DORA</b>")]).await.expect(303);
    assert_eq!(done.location(), format!("{page}?done=tagged#tags"));
    author
        .get(&format!("{page}?done=tagged"))
        .await
        .expect(200)
        .shows("The tags are saved.")
        .shows("&lt;b&gt;DORA&lt;/b&gt;")
        .shows("href=\"/workspace/findings?tag=Audit+2026\"")
        .shows("Tags</span>");
    let list = author.get("/workspace/findings?tag=audit+2026").await.expect(200);
    list.shows("Console open").shows("name=\"tag\"").lacks("Old cipher");
    author.get("/workspace/findings?tag=unused").await.expect(200).shows("Nothing matches these filters");
    let file = author.fetch("/workspace/findings.csv?tag=audit+2026").await.expect(200);
    let text = String::from_utf8(file.bytes.clone()).unwrap();
    assert!(
        text.contains("Console open") && !text.contains("Old cipher"),
        "the file has what the list shows: {text}"
    );
}

#[tokio::test]
async fn tags_that_are_refused_stay_in_the_form() {
    let house = House::new().await;
    let id = made(&key(&house).await, "/api/v1/controls", json!({ "title": "Alarm" })).await;
    let mut manager = house.signed_in(Role::Manager).await;
    let (page, form) = (format!("/workspace/controls/{id}"), format!("/workspace/records/{id}/tags"));
    let long = "x".repeat(41);
    let refused = manager.submit(&page, &form, &[("tags", &format!("fine, {long}"))]).await.expect(422);
    refused.shows(&long).shows("must be at most 40 characters long");
    manager.get(&page).await.expect(200).shows("No tags yet.");
    manager.get("/workspace/controls").await.expect(200).lacks("name=\"tag\"");
}

#[tokio::test]
async fn a_reader_sees_tags_and_cannot_change_them() {
    let house = House::new().await;
    let client = key(&house).await;
    let id = made(&client, "/api/v1/controls", json!({ "title": "Alarm" })).await;
    client.put(&format!("/api/v1/controls/{id}/tags"), &json!({ "tags": ["fire"] })).await.expect(200);
    let mut viewer = house.signed_in(Role::Viewer).await;
    let page = format!("/workspace/controls/{id}");
    viewer.get(&page).await.expect(200).shows(">fire</a>").lacks("Change tags");
    viewer.submit(&page, &format!("/workspace/records/{id}/tags"), &[("tags", "")]).await.expect(403);
    viewer.get("/workspace/controls?tag=fire").await.expect(200).shows("Alarm");
    // A contributor writes only controls of their own.
    let mut contributor = house.signed_in(Role::Contributor).await;
    contributor.get(&page).await.expect(200).lacks("Change tags");
    let form = format!("/workspace/records/{id}/tags");
    contributor.submit(&page, &form, &[("tags", "")]).await.expect(403);
}
