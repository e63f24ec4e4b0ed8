//! The pages of evidence.

use app::evidence::{EvidenceRules, Storage};
use domain::user::Role;
use testkit::{Engine, ObjectFault, ObjectServer, TestApp, TestOptions};

use crate::{House, records::create};

const LIST: &str = "/workspace/evidence";

#[tokio::test]
async fn a_file_is_uploaded_from_a_finding_shown_and_downloaded() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get(LIST).await.expect(200).shows("No evidence yet");
    let fields = [("title", "No restore since March"), ("severity", "high")];
    let finding = create(&mut browser, "/workspace/findings", &fields).await;
    let id = finding.rsplit('/').next().unwrap();
    let upload = format!("{LIST}/new?type=finding&id={id}");
    browser.get(&finding).await.shows("Upload evidence").shows(&upload.replace('&', "&amp;"));
    browser.get(&upload).await.expect(200).shows("It will be attached to: Finding");

    let fields = [("type", "finding"), ("id", id), ("valid_until", "2026-11-20"), ("title", "Restore log")];
    let made = browser.upload(LIST, &fields, "restored 1.8 TB").await.expect(303);
    assert_eq!(made.location(), format!("{finding}#evidence-links"), "back to the record it came from");
    let page = browser.get(&finding).await;
    let evidence = format!("{LIST}/{}", page.between(&format!("href=\"{LIST}/evd_"), "\"").to_owned());
    let evidence = evidence.replace(&format!("{LIST}/"), &format!("{LIST}/evd_"));
    let page = browser.get(&evidence).await.expect(200);
    page.shows("Restore log").shows("Expires soon").shows(id).shows("SHA-256");
    browser.get(&finding).await.shows("Restore log");
    browser.get(&format!("{LIST}?state=expiring")).await.shows("Restore log");
    browser.get(&format!("{LIST}?state=expired")).await.lacks("Restore log");
    let file = browser.fetch(&format!("{evidence}/content")).await.expect(200);
    assert_eq!(file.bytes, b"restored 1.8 TB");
    assert!(file.headers["content-disposition"].to_str().unwrap().starts_with("attachment;"));
    assert_eq!(file.headers["x-content-type-options"], "nosniff");

    browser.get(&evidence).await.lacks("/delete\"");
    let refused = browser.submit(&evidence, &format!("{evidence}/delete"), &[]).await.expect(422);
    refused.shows("must be kept until");
    let unlinked = [("type", "finding"), ("id", id)];
    browser.submit(&evidence, &format!("{evidence}/unlink"), &unlinked).await.expect(303);
    browser.get(&evidence).await.shows("Not attached to any record");
    let evidence_id = evidence.rsplit('/').next().unwrap();
    let attach = [("type", "finding"), ("id", id), ("evidence", evidence_id)];
    browser.submit(&finding, &format!("{LIST}/attach"), &attach).await.expect(303);
    browser.get(&finding).await.shows("Restore log");
    let wrong = [("type", "finding"), ("id", "fnd_1")];
    let refused = browser.submit(&evidence, &format!("{evidence}/links"), &wrong).await.expect(422);
    refused.shows("“fnd_1” is none of your records");
    let csv = browser.fetch("/workspace/evidence.csv").await.expect(200);
    assert!(String::from_utf8(csv.bytes).unwrap().contains("Restore log"));
}

#[tokio::test]
async fn kinds_are_grouped_and_those_that_a_requirement_expects_come_first() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = browser.get(&format!("{LIST}/new?type=assessment&id=dora-art-05-02-a")).await.expect(200);
    let first = page.body.find("<optgroup label=\"Expected here\"").expect("expected kinds");
    let second = page.body.find("<optgroup label=\"Document\"").expect("groups");
    assert!(first < second, "expected kinds come first");
    let page =
        browser.get(&format!("{LIST}/new")).await.lacks("Expected here").shows("<optgroup label=\"Log\"");
    // The provision is a hint: the institution alone knows why it keeps what it keeps.
    page.shows("for example MaRisk AT 6").lacks("value=\"MaRisk");
}

#[tokio::test]
async fn an_address_is_evidence_too_and_can_be_changed() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let nothing = browser.upload(LIST, &[("title", "x")], "").await.expect(422);
    nothing.shows("must not be empty");
    let hidden = browser.get(&format!("{LIST}/new")).await.hidden();
    let mut fields: Vec<_> = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.extend([("title", "Report"), ("url", "https://example.com/report")]);
    let made = browser.upload_named(LIST, &fields, "", "").await.expect(303);
    let evidence = made.location().strip_suffix("?done=created").unwrap().to_owned();
    browser.get(&evidence).await.shows("https://example.com/report").lacks("Download");
    let changed =
        [("title", "Report 2026"), ("url", "https://example.com/2026"), ("keep_until", "2035-01-01")];
    browser.submit(&format!("{evidence}/edit"), &evidence, &changed).await.expect(303);
    browser.get(&evidence).await.shows("Report 2026").shows("1 Jan 2035");
    let shorter = [("title", "Report"), ("url", "https://example.com/2026"), ("keep_until", "2027-01-01")];
    let refused = browser.submit(&format!("{evidence}/edit"), &evidence, &shorter).await.expect(422);
    refused.shows("can only be moved to a later day");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&evidence).await.expect(200).lacks("/unlink").lacks("/delete");
}

#[tokio::test]
async fn evidence_under_retention_offers_the_archive_and_no_deletion() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let mut made = Vec::new();
    for keep_until in ["2035-01-01", "2026-11-14"] {
        let body =
            serde_json::json!({ "title": "Log", "url": "https://example.com/l", "keep_until": keep_until });
        let evidence = client.post("/api/v1/evidence", &body).await.expect(201).data();
        made.push(format!("{LIST}/{}", evidence["id"].as_str().unwrap()));
    }
    house.test.clock.advance(24 * 3_600_000);
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get(&made[0]).await.lacks(&format!("{}/delete", made[0])).shows(&format!("{}/archive", made[0]));
    browser.submit(&made[0], &format!("{}/archive", made[0]), &[]).await.expect(303);
    browser.get(&made[1]).await.shows(&format!("{}/delete", made[1]));
    browser.submit(&made[1], &format!("{}/delete", made[1]), &[]).await.expect(303);
}

#[tokio::test]
async fn a_bucket_that_is_away_is_explained_on_the_page() {
    let server = ObjectServer::start().await;
    let evidence = EvidenceRules { storage: Storage::Bucket, ..EvidenceRules::default() };
    let options = TestOptions { evidence, bucket: Some(server.settings()), ..TestOptions::default() };
    let house = House::of(TestApp::with(Engine::Sqlite, options).await, "http://127.0.0.1:8080").await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let made = browser.upload(LIST, &[("title", "Restore log")], "restored").await.expect(303);
    let content = format!("{}/content", made.location().strip_suffix("?done=created").unwrap());
    assert_eq!(browser.fetch(&content).await.expect(200).bytes, b"restored");
    for method in ["PUT", "GET"] {
        server.always(method, Some(ObjectFault::Status(500)));
    }
    let refused = browser.upload(LIST, &[("title", "Another")], "other bytes").await.expect(503);
    refused.shows("Files cannot be stored or opened right now").shows("No stored file is lost");
    browser.get(&content).await.expect(503).shows("Files cannot be stored or opened right now");
    browser.get(LIST).await.expect(200).shows("Restore log").lacks("Another");
}
