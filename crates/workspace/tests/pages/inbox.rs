//! The inbox: what concerns the reader, and how they want to be notified.

use app::api_key::{KeyRequest, NewKey};
use domain::{moment::Moment, permission::Permissions, text::Name, user::Role};
use serde_json::json;

use crate::{House, PASSWORD, browser::Browser};

/// Opens the newest notice and returns where it leads.
async fn opened(browser: &mut Browser) -> String {
    let page = browser.get("/workspace/inbox").await.expect(200);
    let notice = page.between("href=\"/workspace/inbox/ntc_", "\"").to_owned();
    browser.get(&format!("/workspace/inbox/ntc_{notice}")).await.expect(303).location().to_owned()
}

#[tokio::test]
async fn what_is_assigned_rings_the_bell_until_it_is_opened() {
    let house = House::new().await;
    house.add(&house.north, "ben@north.example", Role::Contributor).await;
    let key = house.test.client(&house.test.key(&house.north, "read,write").await);
    let finding = json!({ "title": "Console open", "severity": "high", "owner": "ben@north.example" });
    let finding = key.post("/api/v1/findings", &finding).await.expect(201).data();
    let mut ben = house.browser().signed_in("ben@north.example", PASSWORD).await;
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

#[tokio::test]
async fn overdue_work_rings_the_bell_and_leads_to_the_record() {
    let house = House::new().await;
    house.add(&house.north, "contributor@north.example", Role::Contributor).await;
    let key = house.test.client(&house.test.key(&house.north, "read,write").await);
    let finding = json!({
        "title": "Console open", "severity": "high", "owner": "manager", "due_on": "2026-11-15",
    });
    let finding = key.post("/api/v1/findings", &finding).await.expect(201).data();
    let path = format!("/api/v1/findings/{}", finding["id"].as_str().unwrap());
    key.patch(&path, &json!({ "owner": "contributor" })).await.expect(200);
    key.patch(
        "/api/v1/assessments/dora-art-05-02-a",
        &json!({ "owner": "contributor", "due_on": "2026-11-14" }),
    )
    .await
    .expect(200);
    house.pass(2 * 24 * 60 * 60);
    house.test.app.notify_of_days().await.unwrap();
    house.test.app.notify_of_days().await.unwrap();
    let mut browser = house.browser().signed_in("contributor@north.example", PASSWORD).await;
    let page = browser.get("/workspace/inbox").await.expect(200);
    assert_eq!(page.body.matches(">overdue<").count(), 2, "{}", page.body);
    let page = page.shows(finding["reference"].as_str().unwrap());
    let mut leads = Vec::new();
    for notice in page.body.split("href=\"/workspace/inbox/ntc_").skip(1).take(2) {
        let id = notice.split('"').next().unwrap();
        let there = browser.get(&format!("/workspace/inbox/ntc_{id}")).await.expect(303);
        leads.push(there.location().to_owned());
    }
    leads.sort();
    let finding = format!("/workspace/findings/{}", finding["id"].as_str().unwrap());
    assert_eq!(leads, ["/workspace/assessments/dora/dora-art-05-02-a", &finding]);
}

#[tokio::test]
async fn the_answers_of_a_provider_reach_its_owner_and_no_one_else() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    house.add(&house.north, "ben@north.example", Role::Contributor).await;
    let page = crate::providers::provider(&house).await;
    let key = house.test.client(&house.test.key(&house.north, "read,write").await);
    let provider = page.rsplit('/').next().unwrap();
    key.patch(&format!("/api/v1/providers/{provider}"), &json!({ "owner": "ben" })).await.expect(200);
    let begun = manager.submit(&page, &format!("{page}/reviews"), &[("questions", "all")]).await.expect(303);
    let review = begun.location().split('?').next().unwrap().to_owned();
    let sent = manager.submit(&review, &format!("{review}/send"), &[]).await.expect(200);
    let link = format!("/due-diligence/{}", sent.between("/due-diligence/", "<"));
    let mut guest = house.browser();
    guest.open(&link).await.expect(200);
    let mut ben = house.browser().signed_in("ben@north.example", PASSWORD).await;
    guest.post(&link, &[("answer-question-exit-plan", "no")]).await.expect(303);
    ben.get("/workspace/inbox").await.lacks("the provider has answered");
    guest.post(&link, &[("name", "Kim Roth"), ("submit", "1")]).await.expect(303);
    ben.get("/workspace/inbox").await.shows("the provider has answered").shows("Nordlicht");
    assert_eq!(opened(&mut ben).await, review);
    manager.get("/workspace/inbox").await.lacks("the provider has answered");
}

#[tokio::test]
async fn an_import_gives_one_notice_to_each_new_owner_and_none_to_the_importer() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    house.add(&house.north, "ben@north.example", Role::Contributor).await;
    let file = "title,severity,owner\nOne,high,ben\nTwo,low,ben\nThree,low,manager\n";
    let import = "/workspace/findings/import";
    let fields = [("step", "import"), ("source", "Red team")];
    manager.upload(import, &fields, file).await.expect(200);
    let mut ben = house.browser().signed_in("ben@north.example", PASSWORD).await;
    let page = ben
        .get("/workspace/inbox")
        .await
        .shows("import finished")
        .shows("Red team: 2")
        .shows("Inbox, 1 unread");
    page.lacks("assigned to you");
    assert_eq!(opened(&mut ben).await, "/workspace/findings");
    manager.get("/workspace/inbox").await.lacks("import finished");
}

#[tokio::test]
async fn a_key_that_ends_soon_reaches_the_administrators() {
    let house = House::new().await;
    house.add(&house.north, "manager@north.example", Role::Manager).await;
    house.add(&house.north, "anna@north.example", Role::Administrator).await;
    let app = &house.test.app;
    let end = Moment::from_millis(testkit::START).plus_seconds(60 * 24 * 60 * 60);
    let request = KeyRequest::new(Name::parse("Reporting").unwrap(), Permissions::READ_ONLY).until(Some(end));
    let id = |new: &NewKey| new.record.prefix.clone();
    app.people.create_key(&house.north.caller, request, None, Box::new(id)).await.unwrap();
    house.pass(50 * 24 * 60 * 60);
    app.people.notice_ending_keys().await.unwrap();
    app.people.notice_ending_keys().await.unwrap();
    let mut anna = house.browser().signed_in("anna@north.example", PASSWORD).await;
    anna.get("/workspace/inbox").await.shows("Reporting").shows("API key expires").shows("Inbox, 1 unread");
    assert_eq!(opened(&mut anna).await, "/workspace/api-keys");
    let mut manager = house.browser().signed_in("manager@north.example", PASSWORD).await;
    manager.get("/workspace/inbox").await.lacks("Reporting").shows("Inbox, 0 unread");
}

#[tokio::test]
async fn what_is_due_soon_expires_or_runs_under_a_clock_reaches_the_inbox_of_its_owner_once() {
    let house = House::new().await;
    house.add(&house.north, "ben@north.example", Role::Contributor).await;
    house.add(&house.north, "cara@north.example", Role::Contributor).await;
    let key = house.test.client(&house.test.key(&house.north, "read,write").await);
    for (path, body) in [
        (
            "/api/v1/findings",
            json!({ "title": "Console open", "severity": "low", "owner": "ben", "due_on": "2026-11-20" }),
        ),
        ("/api/v1/tasks", json!({ "title": "Call", "owner": "ben", "due_on": "2026-11-20" })),
        (
            "/api/v1/evidence",
            json!({
                "title": "Certificate", "url": "https://example.com/c", "owner": "ben",
                "valid_until": "2026-11-20",
            }),
        ),
        (
            "/api/v1/cra/reports",
            json!({
                "kind": "severe_incident", "product": { "name": "App" }, "title": "Leak", "severity": "high",
                "aware_at": "2026-11-14T13:00:00Z", "owner": "ben",
            }),
        ),
    ] {
        key.post(path, &body).await.expect(201);
    }
    house.pass(20 * 60 * 60);
    for _ in 0..2 {
        house.test.app.raise_deadlines().await.unwrap();
        house.test.app.notify_of_days().await.unwrap();
    }
    let mut ben = house.browser().signed_in("ben@north.example", PASSWORD).await;
    let inbox = ben.get("/workspace/inbox").await.expect(200);
    for (reason, count) in [(">due soon<", 2), (">evidence expires<", 1), (">statutory report due<", 1)] {
        assert_eq!(inbox.body.matches(reason).count(), count, "{reason}: {}", inbox.body);
    }
    let mut cara = house.browser().signed_in("cara@north.example", PASSWORD).await;
    cara.get("/workspace/inbox").await.shows("Nothing yet");
}
