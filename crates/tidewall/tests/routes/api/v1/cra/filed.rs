//! `/api/v1/cra/reports`: the record of a filing, its correction, and that filed reports are kept.

use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::{
    super::seed::{at, pluck},
    reports::{HOUR, REPORTS, create, sample},
};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_filing_has_its_own_time_and_reference(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = at(REPORTS, &create(&owner, "severe_incident").await);
    app.clock.advance(30 * HOUR);
    let filed = json!({
        "status": "early_warning_sent", "submitted_at": "2026-11-15T10:00:00+01:00",
        "submission_reference": "CSIRT-4711",
    });
    let stage = owner.patch(&address, &filed).await.expect(200).data()["stages"]["early_warning"].clone();
    assert_eq!(stage["submitted_at"], "2026-11-15T09:00:00Z");
    assert_eq!(stage["recorded_at"], "2026-11-15T20:00:00Z");
    assert_eq!((&stage["reference"], &stage["state"]), (&json!("CSIRT-4711"), &json!("submitted")));
    for (body, field) in [
        (json!({ "status": "notification_sent", "submitted_at": "2026-11-16T09:00:00Z" }), "submitted_at"),
        (json!({ "status": "notification_sent", "submitted_at": "2026-11-14T12:59:59Z" }), "submitted_at"),
        (json!({ "submitted_at": "2026-11-15T09:00:00Z" }), "submitted_at"),
        (json!({ "submission_reference": "x" }), "submission_reference"),
        (json!({ "stages": { "notification": { "reference": "x" } }, "note": "y" }), "stages.notification"),
        (json!({ "stages": { "early_warning": { "reference": "x" } } }), "stages.early_warning"),
        (json!({ "stages": { "early_warning": { "reference": 7 } } }), "stages.early_warning.reference"),
        (json!({ "stages": [] }), "stages"),
    ] {
        let refused = owner.patch(&address, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{body}: {refused}");
    }
    let correction = json!({
        "stages": { "early_warning": { "submitted_at": "2026-11-15T15:00:00Z" } }, "note": "As the receipt says",
    });
    let corrected = owner.patch(&address, &correction).await.expect(200).data();
    let stage = &corrected["stages"]["early_warning"];
    assert_eq!((&stage["state"], &stage["reference"]), (&json!("submitted_late"), &json!("CSIRT-4711")));
    assert_eq!(stage["recorded_at"], "2026-11-15T20:00:00Z");
    let last = corrected["history"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["from"], &last["to"]), (&json!("early_warning_sent"), &json!("early_warning_sent")));
    assert_eq!(last["note"], "As the receipt says");
    assert_eq!(owner.get(&address).await.data()["stages"], corrected["stages"]);
}

#[tokio::test]
async fn the_start_of_the_clocks_and_the_corrective_measure_are_asked_for_in_time() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = at(REPORTS, &create(&owner, "exploited_vulnerability").await);
    let earlier = json!({ "aware_at": "2026-11-14T12:00:00Z", "note": "The first mail came earlier" });
    let corrected = owner.patch(&address, &earlier).await.expect(200).data();
    assert_eq!(corrected["stages"]["early_warning"]["due_at"], "2026-11-15T12:00:00Z");
    for status in ["early_warning_sent", "notification_sent"] {
        owner.patch(&address, &json!({ "status": status })).await.expect(200);
    }
    let again = json!({ "aware_at": "2026-11-14T11:00:00Z", "note": "Again" });
    let refused = owner.patch(&address, &again).await.expect(422).error();
    assert_eq!(refused, "aware_at cannot be changed once a stage is filed");
    let last = json!({ "status": "final_report_sent" });
    let refused = owner.patch(&address, &last).await.expect(422).json();
    assert!(refused["details"]["corrective_measure_at"].is_array(), "{refused}");
    let last = json!({ "status": "final_report_sent", "corrective_measure_at": "2026-11-14T13:30:00Z" });
    owner.patch(&address, &last).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn what_was_filed_is_archived_never_deleted(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let report = create(&owner, "severe_incident").await;
    let address = at(REPORTS, &report);
    owner.patch(&address, &json!({ "status": "early_warning_sent" })).await.expect(200);
    let refused = owner.delete(&address).await.expect(422).error();
    assert_eq!(refused, "report has a filed stage and cannot be deleted: archive it");
    let etag = owner.get(&address).await.header("etag").unwrap().to_owned();
    let archive = format!("{address}/archive");
    owner.with("if-match", "\"old\"").post(&archive, &json!({})).await.expect(412);
    let archived = owner.with("if-match", &etag).post(&archive, &json!({})).await.expect(200).data();
    assert_eq!(archived["archived_at"], "2026-11-14T14:00:00Z");
    assert_eq!(owner.get(&address).await.expect(200).data(), archived);
    owner.post(&archive, &json!({})).await.expect(422);
    let refused = owner.patch(&address, &json!({ "title": "New" })).await.expect(422).error();
    assert_eq!(refused, "report is archived: restore it before changing it");
    owner.delete(&address).await.expect(422);
    create(&owner, "exploited_vulnerability").await;
    for (query, count) in [("", 1), ("archived=false", 1), ("archived=true", 1), ("archived=all", 2)] {
        let page = owner.get(&format!("{REPORTS}?{query}")).await.expect(200).json();
        assert_eq!(page["meta"]["total"], count, "{query}");
        let shows = pluck(&page, "id").contains(&report["id"].as_str().unwrap().to_owned());
        assert_eq!(shows, ["archived=true", "archived=all"].contains(&query), "{query}");
    }
    owner.get(&format!("{REPORTS}?archived=x")).await.expect(422);
    // Its clocks are stopped.
    app.clock.advance(72 * HOUR);
    let alerts = owner.get("/api/v2/alerts?search=cra").await.expect(200).to_string();
    assert!(!alerts.contains(report["id"].as_str().unwrap()), "{alerts}");
    let restore = format!("{address}/restore");
    let restored = owner.post(&restore, &json!({})).await.expect(200).data();
    assert_eq!(restored["archived_at"], json!(null));
    owner.post(&restore, &json!({})).await.expect(422);
    let alerts = owner.get("/api/v2/alerts?search=cra").await.expect(200).to_string();
    assert!(alerts.contains(report["id"].as_str().unwrap()), "{alerts}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_report_is_linked_with_a_finding_of_its_own_tenant(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let sample_finding = json!({ "title": "Leak", "severity": "high" });
    let finding = owner.post("/api/v1/findings", &sample_finding).await.expect(201).data()["id"].clone();
    let foreign = app.owner("south").await;
    let other = foreign.post("/api/v1/findings", &sample_finding).await.expect(201).data()["id"].clone();
    let mut body = sample("severe_incident");
    for wrong in [other, json!("x"), json!(7)] {
        body["finding_id"] = wrong.clone();
        let refused = owner.post(REPORTS, &body).await.expect(422).json();
        assert!(refused["details"]["finding_id"].is_array(), "{wrong}: {refused}");
    }
    body["finding_id"] = finding.clone();
    let report = owner.post(REPORTS, &body).await.expect(201).data();
    assert_eq!(report["finding_id"], finding);
    owner.delete(&at("/api/v1/findings", &json!({ "id": finding }))).await.expect(204);
    assert_eq!(owner.get(&at(REPORTS, &report)).await.expect(200).data()["finding_id"], json!(null));
}
