//! The page of audit bundles.

use std::time::Duration;

use domain::user::Role;
use testkit::{Engine, StampServer, TestApp, TestOptions};

use crate::House;

const BUNDLES: &str = "/workspace/bundles";

#[tokio::test]
async fn an_auditor_asks_for_a_bundle_and_downloads_it() {
    let house = House::new().await;
    let mut auditor = house.signed_in(Role::Auditor).await;
    auditor.get("/workspace").await.expect(200).shows("href=\"/workspace/bundles\"");
    auditor.get(BUNDLES).await.expect(200).shows("No bundles yet").shows("Public key for checking");
    let wish = [("as_of", "2026-11-13"), ("from", ""), ("framework", "dora")];
    auditor.submit(BUNDLES, BUNDLES, &wish).await.expect(303);
    let mut page = auditor.get(BUNDLES).await.expect(200);
    for _ in 0..600 {
        if page.body.contains("/content\"") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        page = auditor.get(BUNDLES).await.expect(200);
    }
    let link = page.body.split('"').find(|part| part.starts_with(BUNDLES) && part.ends_with("/content"));
    let file = auditor.fetch(link.expect("the bundle was never made")).await;
    assert_eq!(file.status, 200);
    assert!(file.bytes.starts_with(b"PK"), "an archive");
    // Administrators delete it.
    auditor.get(BUNDLES).await.lacks("/delete\"");
    let mut administrator = house.signed_in(Role::Administrator).await;
    let delete = link.expect("the bundle was never made").replace("/content", "/delete");
    auditor.submit(BUNDLES, &delete, &[]).await.expect(403);
    let deleted = administrator.submit(BUNDLES, &delete, &[]).await.expect(303);
    administrator.get(deleted.location()).await.shows("The bundle is deleted.").shows("No bundles yet");
    // Days to come are refused where they are typed.
    let wish = [("as_of", "2027-11-13"), ("from", ""), ("framework", "")];
    auditor.submit(BUNDLES, BUNDLES, &wish).await.expect(422).shows("must not be in the future");
}

#[tokio::test]
async fn the_time_stamp_of_a_bundle_is_shown() {
    let authority = StampServer::start().await;
    let options = TestOptions { stamps: Some(authority.url.clone()), ..TestOptions::default() };
    let test = TestApp::with(Engine::Sqlite, options).await;
    let house = House::of(test, "http://127.0.0.1:8080").await;
    let mut auditor = house.signed_in(Role::Auditor).await;
    let wish = [("as_of", "2026-11-13"), ("from", ""), ("framework", "dora")];
    auditor.submit(BUNDLES, BUNDLES, &wish).await.expect(303);
    for _ in 0..600 {
        if auditor.get(BUNDLES).await.expect(200).body.contains("/content\"") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    auditor.get(BUNDLES).await.expect(200).shows("/content\"").shows("Time stamp: ");
}

#[tokio::test]
async fn a_viewer_and_a_contributor_see_no_bundles() {
    let house = House::new().await;
    for role in [Role::Viewer, Role::Contributor] {
        let mut browser = house.signed_in(role).await;
        browser.get("/workspace").await.expect(200).lacks("href=\"/workspace/bundles\"");
        browser.get(BUNDLES).await.expect(403);
    }
}
