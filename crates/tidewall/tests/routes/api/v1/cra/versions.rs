//! `/api/v1/cra/reports/{id}/versions`: what a report was before each change; and its owner.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::{
    super::seed::{at, pluck},
    reports::{REPORTS, create, sample},
};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn every_change_keeps_the_version_before(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = at(REPORTS, &create(&owner, "severe_incident").await);
    app.clock.advance(60_000);
    owner.patch(&address, &json!({ "title": "Leak of tokens" })).await.expect(200);
    owner.patch(&address, &json!({ "title": "Leak of tokens" })).await.expect(200);
    let filed = json!({ "status": "early_warning_sent", "submission_reference": "CSIRT-4711" });
    owner.patch(&address, &filed).await.expect(200);
    owner.post(&format!("{address}/archive"), &json!({})).await.expect(200);
    let versions = owner.get(&format!("{address}/versions")).await.expect(200).json();
    assert_eq!(versions["meta"]["total"], 4, "{versions}");
    let of = |field: &str| -> Vec<Value> {
        let all = versions["data"].as_array().unwrap();
        all.iter().map(|version| version["record"][field].clone()).collect()
    };
    assert_eq!(of("title"), ["Leak of tokens", "Leak of tokens", "Leak of tokens", "Remote code execution"]);
    assert_eq!(of("status"), ["early_warning_sent", "early_warning_sent", "draft", "draft"]);
    assert_eq!(of("early_warning")[1]["reference"], "CSIRT-4711");
    assert_eq!(of("early_warning")[2], json!(null));
    assert_eq!(of("archived_at")[0], "2026-11-14T14:01:00Z");
    assert_eq!(of("archived_at")[1], json!(null));
    assert_eq!(versions["data"][3]["until"], "2026-11-14T14:01:00Z");
    let first = owner.get(&format!("{address}/versions/1")).await.expect(200).data();
    assert_eq!(first, versions["data"][3]);
    owner.get(&format!("{address}/versions/5")).await.expect(404);
    let other = app.owner("south").await;
    other.get(&format!("{address}/versions")).await.expect(404);
    other.get(&format!("{address}/versions/1")).await.expect(404);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_report_has_an_owner_that_the_list_can_be_filtered_by(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    create(&owner, "severe_incident").await;
    let mut body = sample("exploited_vulnerability");
    body["owner"] = json!("Dana Weber");
    let report = owner.post(REPORTS, &body).await.expect(201).data();
    assert_eq!(report["owner"], "Dana Weber");
    let page = owner.get(&format!("{REPORTS}?owner=Dana%20Weber")).await.expect(200).json();
    assert_eq!(pluck(&page, "id"), [report["id"].as_str().unwrap()]);
    let page = owner.get(&format!("{REPORTS}?search=weber")).await.expect(200).json();
    assert_eq!(page["meta"]["total"], 1);
    let address = at(REPORTS, &report);
    let freed = owner.patch(&address, &json!({ "owner": null })).await.expect(200).data();
    assert_eq!(freed["owner"], json!(null));
    let refused = owner.patch(&address, &json!({ "owner": "x".repeat(256) })).await.expect(422).json();
    assert!(refused["details"]["owner"].is_array(), "{refused}");
}
