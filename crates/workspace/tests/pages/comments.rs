//! Comments on the pages of records, without a script.

use domain::user::Role;
use serde_json::{Value, json};
use testkit::Client;

use crate::{House, PASSWORD, browser::Browser, reports::text};

async fn key(house: &House) -> Client {
    house.test.client(&house.test.key(&house.north, "read,write").await)
}

async fn made(client: &Client, path: &str, body: Value) -> String {
    client.post(path, &body).await.expect(201).data()["id"].as_str().unwrap().to_owned()
}

async fn finding(house: &House) -> String {
    let body = json!({ "title": "Console open", "severity": "high" });
    made(&key(house).await, "/api/v1/findings", body).await
}

/// Writes a comment on the page of a record and returns its id.
async fn write(browser: &mut Browser, page: &str, id: &str, fields: &[(&str, &str)]) -> String {
    let done = browser.submit(page, &format!("/workspace/records/{id}/comments"), fields).await.expect(303);
    let (address, comment) = done.location().split_once('#').unwrap();
    assert_eq!(address, format!("{page}?done=commented"));
    comment.to_owned()
}

#[tokio::test]
async fn every_page_of_a_record_takes_comments_and_can_be_watched() {
    let house = House::new().await;
    let client = key(&house).await;
    let arrangement = json!({
        "reference": "V-1", "provider": { "name": "Cloud AG", "country": "DE", "sector": "IT" },
        "service": "Hosting", "service_type": "S17", "technology": "Cloud", "region": "Frankfurt",
        "substitutability": "hard", "starts_on": "2026-01-01",
        "annual_cost": { "amount": 100, "currency": "EUR" },
    });
    let arrangement = made(&client, "/api/v1/ict-arrangements", arrangement).await;
    let provider = client.get("/api/v1/providers").await.expect(200).data()[0]["id"].clone();
    let provider = provider.as_str().unwrap();
    let review = made(&client, &format!("/api/v1/providers/{provider}/reviews"), json!({})).await;
    let programme =
        made(&client, "/api/v1/programmes", json!({ "name": "Tests", "framework": "dora" })).await;
    let test = json!({ "programme_id": programme, "title": "Restore", "test_type": "tlpt" });
    let risk =
        json!({ "title": "Fire", "category": "physical", "inherent": { "likelihood": 1, "impact": 1 } });
    let run =
        json!({ "scenario": "drill-ransomware-core-banking", "planned_for": "2027-03-18", "title": "Drill" });
    let cra = json!({ "kind": "severe_incident", "product": { "name": "App" }, "title": "Breach",
        "severity": "high", "aware_at": "2026-11-13T13:00:00Z" });
    let cells = json!({ "c0010": "529900TIDEWALLBANK74", "c0020": "North Bank AG", "c0030": "eba_GA:DE" });
    made(&client, "/api/v1/register/B_01.01/rows", json!({ "cells": cells })).await;
    let evidence = json!({ "title": "Report", "url": "https://example.com/r" });
    let reviews = format!("providers/{provider}/reviews");
    let grave = made(&client, "/api/v1/findings", json!({ "title": "Old cipher", "severity": "high" })).await;
    let asked = json!({ "subject": grave, "action": "false_positive", "reason": "Not ours" });
    let mut viewer = house.signed_in(Role::Viewer).await;
    // Viewers see no trainings but their own.
    let people = client.get("/api/v1/people").await.expect(200).data();
    let own = people.as_array().unwrap().iter().find(|one| one["role"] == "viewer").unwrap()["id"].clone();
    let course = json!({ "title": "Course", "people": [own], "due_on": "2026-12-01" });
    let course = client.post("/api/v1/trainings", &course).await.expect(201).data()[0]["id"].clone();
    let records = [
        ("ict-arrangements", arrangement),
        ("programmes", programme),
        ("findings", finding(&house).await),
        ("test-cases", made(&client, "/api/v1/test-cases", test).await),
        ("risks", made(&client, "/api/v1/risks", risk).await),
        ("drill-runs", made(&client, "/api/v1/drill-runs", run).await),
        ("cra-reports", made(&client, "/api/v1/cra/reports", cra).await),
        ("evidence", made(&client, "/api/v1/evidence", evidence).await),
        ("incidents", made(&client, "/api/v1/incidents", json!({ "title": "Outage" })).await),
        ("controls", made(&client, "/api/v1/controls", json!({ "title": "Alarm" })).await),
        ("functions", made(&client, "/api/v1/functions", json!({ "name": "Payments" })).await),
        (
            "own-frameworks",
            made(&client, "/api/v1/own-frameworks", json!({ "key": "own", "title": "Own" })).await,
        ),
        ("work/tasks", made(&client, "/api/v1/tasks", json!({ "title": "Call" })).await),
        ("register/filings", made(&client, "/api/v1/register/filings", json!({})).await),
        ("providers", provider.to_owned()),
        (reviews.as_str(), review),
        ("approvals", made(&client, "/api/v1/approvals", asked).await),
        ("trainings", course.as_str().unwrap().to_owned()),
        (
            "evidence-requests",
            made(&client, "/api/v1/evidence-requests", json!({ "text": "Plan", "due_on": "2026-12-01" }))
                .await,
        ),
    ];
    assert_eq!(records.len(), app::records::KINDS.len(), "every kind has a page here");
    for (list, id) in &records {
        let page = format!("/workspace/{list}/{id}");
        viewer.get(&page).await.expect(200).shows("No comments yet").shows(">Watch</button>");
        let comment = write(&mut viewer, &page, id, &[("text", "Who <decides>?")]).await;
        let shown =
            viewer.get(&page).await.expect(200).shows("Who &lt;decides&gt;?").lacks("No comments yet");
        assert!(shown.body.contains(&format!("id=\"{comment}\"")), "{list}");
        let watch = format!("/workspace/records/{id}/watch");
        let done = viewer.submit(&page, &watch, &[]).await.expect(303);
        assert_eq!(done.location(), format!("{page}?done=watched#comments"));
        viewer.get(&page).await.shows("Stop watching");
        viewer.submit(&page, &format!("/workspace/records/{id}/unwatch"), &[]).await.expect(303);
        viewer.get(&page).await.shows(">Watch</button>");
        let opened = viewer.get(&format!("/workspace/comments/{comment}")).await.expect(303);
        assert_eq!(opened.location(), format!("{page}?comments=all#{comment}"), "{list}");
    }
}

#[tokio::test]
async fn a_person_is_mentioned_by_choice_or_by_name_and_finds_the_comment_in_the_inbox() {
    let house = House::new().await;
    let ben = house.add(&house.north, "ben@north.example", Role::Contributor).await;
    house.add(&house.north, "carla@north.example", Role::Viewer).await;
    let id = finding(&house).await;
    let page = format!("/workspace/findings/{id}");
    let mut author = house.signed_in(Role::Auditor).await;
    let chosen = ben.id.to_string();
    let fields = [("text", "@carla, is this right?"), ("mentions", chosen.as_str())];
    write(&mut author, &page, &id, &fields).await;
    author.get(&page).await.shows("Mentions ben, carla");
    for name in ["ben", "carla"] {
        let mut browser = house.browser().signed_in(&format!("{name}@north.example"), PASSWORD).await;
        let inbox = browser.get("/workspace/inbox").await.expect(200).shows("you are mentioned");
        let notice = inbox.between("href=\"/workspace/inbox/ntc_", "\"").to_owned();
        let opened = browser.get(&format!("/workspace/inbox/ntc_{notice}")).await.expect(303);
        assert_eq!(opened.location(), format!("{page}#comments"), "{name}");
    }
}

#[tokio::test]
async fn a_comment_is_changed_then_withdrawn_and_resolved_by_those_who_may() {
    let house = House::new().await;
    let id = finding(&house).await;
    let page = format!("/workspace/findings/{id}");
    let mut viewer = house.signed_in(Role::Viewer).await;
    let comment = write(&mut viewer, &page, &id, &[("text", "Seegurkensalat")]).await;
    let address = format!("/workspace/comments/{comment}");
    let changed = viewer.submit(&page, &address, &[("text", "Seegurkensuppe")]).await.expect(303);
    assert_eq!(changed.location(), format!("{page}?done=comment-changed#{comment}"));
    viewer.get(&page).await.shows("Seegurkensuppe").shows("changed ");
    let mut contributor = house.signed_in(Role::Contributor).await;
    contributor.get(&page).await.lacks(&format!("{address}/withdraw"));
    contributor.submit(&page, &address, &[("text", "Mine now")]).await.expect(403);
    contributor.submit(&page, &format!("{address}/withdraw"), &[]).await.expect(403);
    contributor.submit(&page, &format!("{address}/resolve"), &[]).await.expect(303);
    contributor.get(&page).await.shows("Resolved").shows("resolved by contributor");
    house.pass(15 * 60);
    let late = viewer.submit(&page, &address, &[("text", "Too late")]).await.expect(409);
    late.shows("write another one");
    viewer.get(&page).await.shows("Withdraw comment");
    viewer.submit(&page, &format!("{address}/withdraw"), &[]).await.expect(303);
    for browser in [&mut viewer, &mut contributor] {
        browser.get(&page).await.shows("This comment was withdrawn.").lacks("Seegurken");
        browser.get("/workspace/search?q=seegurkensuppe").await.expect(200).lacks(&address);
    }
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get(&page).await.shows("Seegurkensuppe").shows("others do not see this text");
    let past = manager.get(&page).await;
    past.shows("Comment written")
        .shows("Comment changed")
        .shows("Comment resolved")
        .shows("Comment withdrawn");
}

#[tokio::test]
async fn what_was_written_is_kept_when_it_is_refused() {
    let house = House::new().await;
    let id = finding(&house).await;
    let page = format!("/workspace/findings/{id}");
    let mut browser = house.signed_in(Role::Contributor).await;
    let comments = format!("/workspace/records/{id}/comments");
    let long = format!("Begin{}", "x".repeat(4000));
    let refused = browser.submit(&page, &comments, &[("text", &long)]).await.expect(422);
    refused.shows("must be at most 4000 characters long").shows(&long).shows(&page);
    browser.submit(&page, &comments, &[("text", " ")]).await.expect(422).shows("must not be empty");
    browser.get(&page).await.shows("No comments yet");
}

#[tokio::test]
async fn an_archived_record_shows_its_comments_and_takes_none() {
    let house = House::new().await;
    let client = key(&house).await;
    let control = made(&client, "/api/v1/controls", json!({ "title": "Alarm" })).await;
    let page = format!("/workspace/controls/{control}");
    let mut manager = house.signed_in(Role::Manager).await;
    write(&mut manager, &page, &control, &[("text", "Retire it?")]).await;
    client.post(&format!("/api/v1/controls/{control}/archive"), &json!({})).await.expect(200);
    let comments = format!("/workspace/records/{control}/comments");
    manager.get(&page).await.shows("Retire it?").lacks(&comments);
    manager.submit(&page, &comments, &[("text", "Now")]).await.expect(422).shows("is archived");
}

#[tokio::test]
async fn the_search_opens_the_record_at_the_comment() {
    let house = House::new().await;
    let id = finding(&house).await;
    let page = format!("/workspace/findings/{id}");
    let mut browser = house.signed_in(Role::Viewer).await;
    let comment = write(&mut browser, &page, &id, &[("text", "Ask about the Seegurkensalat")]).await;
    let found = browser.get("/workspace/search?q=seegurkensalat").await.expect(200);
    let found =
        found.shows("Comments").shows("Console open").shows(&format!("/workspace/comments/{comment}"));
    drop(found);
    browser.get("/workspace/search?q=seegurkensalat&type=comment").await.expect(200).shows("Console open");
}

#[tokio::test]
async fn a_pdf_has_comments_only_when_asked_and_never_a_withdrawn_text() {
    let house = House::new().await;
    let id = finding(&house).await;
    let page = format!("/workspace/findings/{id}");
    let mut browser = house.signed_in(Role::Manager).await;
    write(&mut browser, &page, &id, &[("text", "Seegurkensalat")]).await;
    let gone = write(&mut browser, &page, &id, &[("text", "Quallenfischer")]).await;
    house.pass(15 * 60);
    browser.submit(&page, &format!("/workspace/comments/{gone}/withdraw"), &[]).await.expect(303);
    browser.get(&page).await.shows(&format!("{page}.pdf?comments=true"));
    let plain = text(&mut browser, &format!("{page}.pdf")).await;
    assert!(!plain.contains("Seegurkensalat"), "{plain}");
    let whole = text(&mut browser, &format!("{page}.pdf?comments=true")).await;
    assert!(whole.contains("Seegurkensalat") && whole.contains("Withdrawn"), "{whole}");
    assert!(!whole.contains("Quallenfischer"), "{whole}");
}

#[tokio::test]
async fn no_file_for_an_authority_has_a_comment() {
    let house = House::new().await;
    let client = key(&house).await;
    let incident = json!({ "title": "Outage", "facts": { "malicious_access": true } });
    let incident = made(&client, "/api/v1/incidents", incident).await;
    client.post(&format!("/api/v1/incidents/{incident}/classify"), &json!({})).await.expect(200);
    let page = format!("/workspace/incidents/{incident}");
    let mut browser = house.signed_in(Role::Manager).await;
    write(&mut browser, &page, &incident, &[("text", "Seegurkensalat")]).await;
    for file in [format!("{page}.pdf"), format!("{page}/reports/dora/initial.pdf")] {
        let shown = text(&mut browser, &format!("{file}?comments=true")).await;
        assert!(!shown.contains("Seegurkensalat"), "{file}: {shown}");
    }
    let report = client.get(&format!("/api/v1/incidents/{incident}/reports/dora/initial")).await.expect(200);
    assert!(!report.to_string().contains("Seegurkensalat"), "{report}");
}

#[tokio::test]
async fn the_search_hides_comments_on_the_trainings_of_others() {
    let house = House::new().await;
    let anna = house.add(&house.north, "anna@north.example", Role::Contributor).await;
    let client = key(&house).await;
    let course = json!({ "title": "Course", "people": [anna.id.to_string()], "due_on": "2026-12-01" });
    let course = client.post("/api/v1/trainings", &course).await.expect(201).data()[0]["id"].clone();
    let id = course.as_str().unwrap();
    let page = format!("/workspace/trainings/{id}");
    let mut manager = house.signed_in(Role::Manager).await;
    let comment = write(&mut manager, &page, id, &[("text", "Ask her about the Seegurkensalat")]).await;
    let (found, search) = (format!("/workspace/comments/{comment}"), "/workspace/search?q=seegurkensalat");
    let mut own = house.browser().signed_in("anna@north.example", PASSWORD).await;
    let mut auditor = house.signed_in(Role::Auditor).await;
    for reader in [&mut manager, &mut own, &mut auditor] {
        reader.get(search).await.expect(200).shows(&found);
    }
    for role in [Role::Viewer, Role::Contributor] {
        let mut other = house.signed_in(role).await;
        for address in [search.to_owned(), format!("{search}&type=comment")] {
            other.get(&address).await.expect(200).lacks(&found).lacks("Seegurkensalat</mark>");
        }
        other.get(&found).await.expect(404);
        other.get(&page).await.expect(404);
    }
}
