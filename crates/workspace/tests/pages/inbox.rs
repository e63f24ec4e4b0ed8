//! The inbox: what concerns the reader, and how they want to be notified.

use domain::user::Role;
use serde_json::json;

use crate::House;

#[tokio::test]
async fn what_is_assigned_rings_the_bell_until_it_is_opened() {
    let house = House::new().await;
    house.add(&house.north, "ben@north.example", Role::Contributor).await;
    let key = house.test.client(&house.test.key(&house.north, "read,write").await);
    let finding = json!({ "title": "Console open", "severity": "high", "owner": "ben@north.example" });
    let finding = key.post("/api/v1/findings", &finding).await.expect(201).data();
    let mut ben = house.browser().signed_in("ben@north.example", crate::PASSWORD).await;
    let page = ben.get("/workspace").await.expect(200).shows("Inbox, 1 unread");
    assert!(page.body.contains("bell-count"), "the bell shows the number");
    let page = ben.get("/workspace/inbox").await.expect(200);
    let page = page.shows("Console open").shows("assigned to you").shows("badge note\">unread");
    let notice = page.between("href=\"/workspace/inbox/ntc_", "\"").to_owned();
    let opened = ben.get(&format!("/workspace/inbox/ntc_{notice}")).await.expect(303);
    assert_eq!(opened.location(), format!("/workspace/findings/{}", finding["id"].as_str().unwrap()));
    ben.get("/workspace/inbox").await.shows("Inbox, 0 unread").lacks("badge note\">unread");

    let mut other = house.signed_in(Role::Manager).await;
    other.get(&format!("/workspace/inbox/ntc_{notice}")).await.expect(404);
    other.get("/workspace/inbox").await.expect(200).shows("Nothing yet");
}

#[tokio::test]
async fn a_person_chooses_what_comes_by_mail() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let path = "/workspace/inbox";
    let fields =
        [("assigned", "never"), ("due_soon", "at_once"), ("hour", "18"), ("statutory_clock", "never")];
    browser.submit(path, "/workspace/inbox/choices", &fields).await.expect(303);
    let page = browser.get(path).await.expect(200).shows("value=\"18\" selected");
    let assigned = page.between("name=\"assigned\"", "</select>");
    assert!(assigned.contains("value=\"never\" selected"), "{assigned}");
    page.lacks("name=\"statutory_clock\"");
}
