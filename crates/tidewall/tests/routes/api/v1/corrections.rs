//! What was recorded as sent, submitted or performed is corrected, never silently changed.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

const HOUR: i64 = 3_600_000;

fn correction(field: &str, value: &Value) -> Value {
    json!({ "field": field, "value": value, "reason": "As the receipt says" })
}

fn initial(incident: &Value) -> &Value {
    let reports = incident["reports"].as_array().unwrap();
    reports.iter().find(|report| report["regime"] == "dora" && report["stage"] == "initial").unwrap()
}

/// A major incident whose initial report is recorded as sent.
async fn sent(client: &Client) -> (String, Value) {
    let new = json!({ "title": "Card payments down", "facts": { "malicious_access": true } });
    let made = client.post("/api/v1/incidents", &new).await.expect(201).data();
    let address = format!("/api/v1/incidents/{}", made["id"].as_str().unwrap());
    client.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    let body = json!({ "incomplete": true, "reference": "BA-1" });
    let sent = client.post(&format!("{address}/reports/dora/initial/submitted"), &body).await.expect(200);
    (address, sent.data())
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_report_recorded_as_sent_is_corrected_and_the_first_value_is_kept(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let (address, incident) = sent(&owner).await;
    let by = incident["filed"][0]["recorded_by"].as_str().unwrap().to_owned();
    assert!(by.starts_with("key_"), "{engine:?} {by}");
    app.clock.advance(HOUR);
    let to = format!("{address}/reports/dora/initial/corrections");
    let after = owner.post(&to, &correction("reference", &json!("BA-4712"))).await.expect(200).data();
    assert_eq!(after["filed"][0]["reference"], "BA-4712");
    let kept = &after["corrections"][0];
    assert_eq!((&kept["first_value"], &kept["value"]), (&json!("BA-1"), &json!("BA-4712")));
    assert_eq!((&kept["recorded_by"], &kept["corrected_by"]), (&json!(by), &json!(by)));
    assert_eq!((&kept["reason"], &kept["place"]), (&json!("As the receipt says"), &json!("dora/initial/1")));
    let at = json!("2026-11-14T14:30:00Z");
    let after = owner.post(&to, &correction("submitted_at", &at)).await.expect(200).data();
    assert_eq!(initial(&after)["submitted_at"], at);
    let log = owner.get("/api/v1/audit?kind=incidents").await.expect(200).json();
    assert_eq!(log["data"][0]["action"], "incident.corrected");
    assert_eq!(log["data"][0]["detail"]["submitted_at"], json!(["2026-11-14T14:00:00Z", at]));
    let step = after["history"].as_array().unwrap().last().unwrap();
    assert_eq!(step["note"], "As the receipt says");
}

#[tokio::test]
async fn a_stamp_taken_back_starts_the_clock_again() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, incident) = sent(&owner).await;
    assert_eq!(initial(&incident)["state"], "submitted");
    let to = format!("{address}/reports/dora/initial/corrections");
    let after = owner.post(&to, &correction("submitted", &json!(false))).await.expect(200).data();
    assert_eq!(initial(&after)["submitted_at"], Value::Null);
    assert_ne!(initial(&after)["state"], "submitted");
    assert_eq!(after["filed"], json!([]));
    assert_eq!(after["corrections"][0]["first_value"], "2026-11-14T14:00:00Z");
    owner.post(&to, &correction("submitted", &Value::Null)).await.expect(422);
    let again = json!({ "incomplete": true });
    owner.post(&format!("{address}/reports/dora/initial/submitted"), &again).await.expect(200);
}

#[tokio::test]
async fn a_correction_without_a_reason_or_of_another_field_is_refused() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = sent(&owner).await;
    let to = format!("{address}/reports/dora/initial/corrections");
    for (body, field) in [
        (json!({ "field": "reference", "value": "A" }), "reason"),
        (json!({ "field": "reference", "value": "A", "reason": " " }), "reason"),
        (json!({ "field": "content", "value": "A", "reason": "No" }), "field"),
        (json!({ "field": "reference", "reason": "No" }), "value"),
        (correction("reference", &json!("BA-1")), "value"),
        (correction("submitted", &json!(true)), "value"),
        (correction("submitted_at", &json!("2026-11-14T13:00:00Z")), "value"),
        (correction("submitted_at", &json!("2026-11-15T13:00:00Z")), "value"),
        (correction("receipt", &json!("evd_01k9x14js0e00000000000000a")), "value"),
    ] {
        let refused = owner.post(&to, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{body}: {refused}");
    }
    let other = format!("{address}/reports/dora/final/corrections");
    let refused = owner.post(&other, &correction("reference", &json!("A"))).await.expect(422).error();
    assert_eq!(refused, "stage is not recorded as sent, so there is nothing to correct");
}

#[tokio::test]
async fn a_receipt_is_kept_with_the_report() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = sent(&owner).await;
    let receipt = json!({ "title": "Receipt", "url": "https://authority.example/receipt/1" });
    let receipt = owner.post("/api/v1/evidence", &receipt).await.expect(201).data();
    let to = format!("{address}/reports/dora/initial/corrections");
    let after = owner.post(&to, &correction("receipt", &receipt["id"])).await.expect(200).data();
    assert_eq!(after["filed"][0]["receipt"], receipt["id"]);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_filed_stage_of_the_cra_is_corrected_by_both_routes_and_taken_back(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let report = super::cra::reports::create(&owner, "severe_incident").await;
    let address = format!("/api/v1/cra/reports/{}", report["id"].as_str().unwrap());
    let sent = json!({ "status": "early_warning_sent", "submission_reference": "CSIRT-1" });
    owner.patch(&address, &sent).await.expect(200);
    let to = format!("{address}/stages/early_warning/corrections");
    let after = owner.post(&to, &correction("reference", &json!("CSIRT-2"))).await.expect(200).data();
    assert_eq!(after["stages"]["early_warning"]["reference"], "CSIRT-2", "{engine:?}");
    let by_patch = json!({ "stages": { "early_warning": { "reference": "CSIRT-3" } }, "note": "Mistyped" });
    let after = owner.patch(&address, &by_patch).await.expect(200).data();
    let kept = after["corrections"].as_array().unwrap();
    let values: Vec<_> = kept.iter().map(|each| (&each["first_value"], &each["value"])).collect();
    assert_eq!(values, [(&json!("CSIRT-1"), &json!("CSIRT-2")), (&json!("CSIRT-2"), &json!("CSIRT-3"))]);
    assert!(kept[0]["recorded_by"].as_str().unwrap().starts_with("key_"), "{kept:?}");
    owner.patch(&address, &json!({ "status": "notification_sent" })).await.expect(200);
    let early = owner.post(&to, &correction("submitted", &Value::Null)).await.expect(422).json();
    assert!(early["details"]["value"].is_array(), "{early}");
    let to = format!("{address}/stages/notification/corrections");
    let after = owner.post(&to, &correction("submitted", &Value::Null)).await.expect(200).data();
    assert_eq!(after["status"], "early_warning_sent");
    assert_eq!(after["stages"]["notification"]["submitted_at"], Value::Null);
    assert_eq!(after["stages"]["notification"]["state"], "pending");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_intermediate_report_is_corrected_with_a_reason_only(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let report = super::cra::reports::create(&owner, "severe_incident").await;
    let address = format!("/api/v1/cra/reports/{}", report["id"].as_str().unwrap());
    let sent = json!({ "interim_requested_at": "2026-11-14T13:30:00Z",
        "interim_submitted_at": "2026-11-14T13:45:00Z", "interim_reference": "CSIRT-7" });
    owner.patch(&address, &sent).await.expect(200);
    let mut other = json!({ "interim_submitted_at": "2026-11-14T13:40:00Z", "interim_reference": "CSIRT-8" });
    let refused = owner.patch(&address, &other).await.expect(422).json();
    assert!(refused["details"]["interim_submitted_at"].is_array(), "{engine:?}: {refused}");
    other["note"] = json!("As the receipt says");
    let after = owner.patch(&address, &other).await.expect(200).data();
    assert_eq!(after["interim"]["reference"], "CSIRT-8");
    let kept = after["corrections"].as_array().unwrap();
    let values: Vec<_> = kept.iter().map(|each| (&each["field"], &each["first_value"])).collect();
    let (at, first) = (json!("2026-11-14T13:45:00Z"), json!("CSIRT-7"));
    assert_eq!(values, [(&json!("submitted_at"), &at), (&json!("reference"), &first)], "{engine:?}");
    assert!(kept[0]["recorded_by"].as_str().unwrap().starts_with("key_"), "{kept:?}");
    assert_eq!((&kept[0]["place"], &kept[0]["reason"]), (&json!("interim"), &other["note"]));
    // The answer to another request is no correction.
    let again = json!({ "interim_requested_at": "2026-11-14T13:50:00Z",
        "interim_submitted_at": "2026-11-14T13:55:00Z", "interim_reference": "CSIRT-9" });
    let after = owner.patch(&address, &again).await.expect(200).data();
    assert_eq!(after["corrections"].as_array().unwrap().len(), 2);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_performance_is_corrected_and_the_next_day_follows(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let new = json!({ "title": "Restore test", "status": "implemented", "cadence": "monthly" });
    let made = owner.post("/api/v1/controls", &new).await.expect(201).data();
    let address = format!("/api/v1/controls/{}", made["id"].as_str().unwrap());
    owner.post(&format!("{address}/performed"), &json!({ "on": "2026-11-14" })).await.expect(200);
    let to = format!("{address}/performances/1/corrections");
    let after = owner.post(&to, &correction("on", &json!("2026-11-04"))).await.expect(200).data();
    assert_eq!(
        (&after["last_performed_on"], &after["next_due_on"]),
        (&json!("2026-11-04"), &json!("2026-12-04"))
    );
    assert_eq!(after["corrections"][0]["first_value"], "2026-11-14", "{engine:?}");
    owner.post(&to, &correction("note", &json!("Restored"))).await.expect(200);
    let listed = owner.get(&format!("{address}/performances")).await.expect(200).json();
    assert_eq!(listed["data"][0]["note"], "Restored");
    assert_eq!(listed["data"][0]["number"], 1);
    owner
        .post(&format!("{address}/performances/2/corrections"), &correction("note", &json!("x")))
        .await
        .expect(404);
}
