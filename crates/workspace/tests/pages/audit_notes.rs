//! Working notes of auditors: seen by auditors alone, until their author releases one as a comment.

use std::io::{Cursor, Read as _};

use domain::user::Role;
use serde_json::json;

use crate::{House, PASSWORD, browser::Browser, reports::text};

const SECRET: &str = "Quallenverdacht";

async fn person(house: &House, name: &str, role: Role) -> Browser {
    let email = format!("{name}@north.example");
    house.add(&house.north, &email, role).await;
    house.browser().signed_in(&email, PASSWORD).await
}

/// The id of the first note on the page of a record.
async fn note_on(auditor: &mut Browser, page: &str) -> String {
    let shown = auditor.get(page).await.expect(200);
    format!("/workspace/notes/nte_{}", shown.between("/workspace/notes/nte_", "/"))
}

#[tokio::test]
async fn a_note_is_seen_by_auditors_alone_until_its_author_releases_it() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write,manage_keys").await);
    let mut auditor = person(&house, "rita", Role::Auditor).await;
    let mut colleague = person(&house, "karl", Role::Auditor).await;
    let mut manager = person(&house, "mara", Role::Manager).await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    let mut viewer = person(&house, "vera", Role::Viewer).await;
    let finding = json!({ "title": "Weak cipher", "severity": "low", "owner": "mara" });
    let finding = client.post("/api/v1/findings", &finding).await.expect(201).data()["id"].clone();
    let id = finding.as_str().unwrap();
    let page = format!("/workspace/findings/{id}");
    manager.submit(&page, &format!("/workspace/records/{id}/watch"), &[]).await.expect(303);
    let events_before = client.get("/api/v1/events").await.expect(200).data();

    let write = format!("/workspace/records/{id}/notes");
    auditor.submit(&page, &write, &[("text", "")]).await.expect(422);
    auditor.submit(&page, &write, &[("text", SECRET)]).await.expect(303);
    auditor.get(&page).await.expect(200).shows(SECRET).shows("Release");
    colleague.get(&page).await.expect(200).shows(SECRET).lacks("/release");
    let note = note_on(&mut auditor, &page).await;

    for (who, browser) in
        [("manager", &mut manager), ("administrator", &mut administrator), ("viewer", &mut viewer)]
    {
        let shown = browser.get(&page).await.expect(200);
        assert!(!shown.body.contains(SECRET) && !shown.body.contains("nte_"), "{who}: page and history");
        assert!(!shown.body.contains("Working notes"), "{who}");
        browser.get(&format!("/workspace/search?q={SECRET}")).await.expect(200).lacks("Weak cipher");
        browser.get("/workspace/inbox").await.expect(200).lacks("new comment");
        let log = browser.get("/workspace/audit").await;
        assert!(!log.body.contains("comment.") && !log.body.contains("commented on"), "{who}: {}", log.body);
        assert!(!log.body.contains(SECRET) && !log.body.contains("nte_"), "{who}: audit log");
        let csv = browser.get("/workspace/findings.csv").await.expect(200);
        assert!(!csv.body.contains(SECRET), "{who}: export");
        let pdf = text(browser, &format!("{page}.pdf?comments=true")).await;
        assert!(pdf.contains("Weak cipher") && !pdf.contains(SECRET), "{who}: report");
        browser.submit(&page, &write, &[("text", "Mine")]).await.expect(403);
        browser.submit(&page, &format!("{note}/release"), &[]).await.expect(403);
        browser.submit(&page, &format!("{note}/delete"), &[]).await.expect(403);
    }
    let comments = client.get(&format!("/api/v1/findings/{id}/comments")).await.expect(200);
    assert_eq!(comments.data(), json!([]));
    assert_eq!(client.get("/api/v1/events").await.expect(200).data(), events_before, "no event");
    let audit = client.get("/api/v1/audit?limit=500").await.expect(200);
    assert!(!audit.to_string().contains("nte_") && !audit.to_string().contains("comment.added"), "{audit}");
    let hits = client.get(&format!("/api/v2/search?q={SECRET}")).await.expect(200);
    assert!(!hits.to_string().contains(id), "{hits}");
    // Another auditor reads it, and only its author releases it.
    colleague.submit(&page, &format!("{note}/release"), &[]).await.expect(403);
    auditor.get("/workspace/search?q=quallenverdacht").await.lacks("Weak cipher");

    auditor.submit(&page, &format!("{note}/release"), &[]).await.expect(303);
    for browser in [&mut auditor, &mut manager, &mut administrator, &mut viewer] {
        browser.get(&page).await.expect(200).shows(SECRET).shows("rita").lacks("nte_");
    }
    manager.get("/workspace/inbox").await.shows("Weak cipher").shows("new comment");
    manager.get(&format!("/workspace/search?q={SECRET}")).await.expect(200).shows("Weak cipher");
    let comments = client.get(&format!("/api/v1/findings/{id}/comments")).await.expect(200).data();
    assert_eq!((&comments[0]["text"], &comments[0]["author"]["name"]), (&json!(SECRET), &json!("rita")));
    auditor.submit(&page, &format!("{note}/release"), &[]).await.expect(404);
}

#[tokio::test]
async fn a_note_is_not_in_a_bundle_and_can_be_deleted_by_its_author() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write,manage_keys").await);
    let mut auditor = house.signed_in(Role::Auditor).await;
    let risk =
        json!({ "title": "Fire", "category": "physical", "inherent": { "likelihood": 1, "impact": 1 } });
    let id = client.post("/api/v1/risks", &risk).await.expect(201).data()["id"].clone();
    let id = id.as_str().unwrap();
    let page = format!("/workspace/risks/{id}");
    let write = format!("/workspace/records/{id}/notes");
    auditor.submit(&page, &write, &[("text", SECRET)]).await.expect(303);
    let bundle = client.post("/api/v1/bundles", &json!({ "as_of": "2026-11-14" })).await.expect(202).data();
    let bundle = format!("/api/v1/bundles/{}", bundle["id"].as_str().unwrap());
    let mut state = json!(null);
    for _ in 0..600 {
        Box::pin(house.test.app.bundle.make_bundles()).await.unwrap();
        state = client.get(&bundle).await.expect(200).data()["state"].clone();
        if state == "made" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(state, "made");
    let bytes = client.get(&format!("{bundle}/content")).await.expect(200).body;
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes.to_vec())).unwrap();
    let mut has_risk = false;
    for place in 0..archive.len() {
        let (mut file, mut content) = (archive.by_index(place).unwrap(), Vec::new());
        file.read_to_end(&mut content).unwrap();
        let content = String::from_utf8_lossy(&content);
        has_risk |= content.contains(id);
        assert!(!content.contains(SECRET) && !content.contains("nte_0"), "part {place} has the note");
    }
    assert!(has_risk, "the record itself is in the bundle");
    let note = note_on(&mut auditor, &page).await;
    auditor.submit(&page, &format!("{note}/delete"), &[]).await.expect(303);
    auditor.get(&page).await.expect(200).lacks(SECRET);
    // An unchanged record without comments is still deleted, not archived.
    auditor.submit(&page, &write, &[("text", SECRET)]).await.expect(303);
    client.delete(&format!("/api/v1/risks/{id}")).await.expect(204);
    client.get(&format!("/api/v1/risks/{id}")).await.expect(404);
}
