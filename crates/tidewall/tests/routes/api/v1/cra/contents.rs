//! `/api/v1/cra/reports`: the contents of the stages, entered once and kept when a stage is filed.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::{
    super::seed::at,
    reports::{REPORTS, create},
};

fn point<'d>(data: &'d Value, stage: &str, field: &str) -> &'d Value {
    let points = data["contents"][stage].as_array().unwrap();
    points.iter().find(|point| point["field"] == field).unwrap()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn contents_are_entered_once_and_do_not_change_after_filing(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = at(REPORTS, &create(&owner, "severe_incident").await);
    let before = owner.get(&address).await.expect(200).data();
    assert_eq!(point(&before, "notification", "assessment")["missing"], true, "{engine:?}");
    let wrong = json!({ "contents": { "weather": "Rain" } });
    let refused = owner.patch(&address, &wrong).await.expect(422).json();
    assert!(refused["details"]["contents.weather"].is_array(), "{refused}");
    let entered = json!({ "contents": {
        "suspected_malicious": "Yes, by a former employee", "assessment": "Tokens of 40 clients leaked.",
    } });
    owner.patch(&address, &entered).await.expect(200);
    owner.patch(&address, &json!({ "status": "early_warning_sent" })).await.expect(200);
    let changed = json!({ "contents": { "suspected_malicious": "No", "assessment": null } });
    let after = owner.patch(&address, &changed).await.expect(200).data();
    let filed = &point(&after, "early_warning", "suspected_malicious")["value"];
    assert_eq!(filed, "Yes, by a former employee", "{engine:?}: what was filed is kept");
    assert_eq!(point(&after, "notification", "assessment")["value"], json!(null));
}

#[tokio::test]
async fn a_report_of_an_incident_has_the_contents_of_the_incident() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let incident = json!({
        "title": "Tokens in the log", "regimes": ["cra"], "description": "Tokens are written to a log.",
        "detected_at": "2026-11-14T13:00:00Z", "facts": { "product_security": true },
    });
    let opened = owner.post("/api/v1/incidents", &incident).await.expect(201);
    let incident = opened.header("location").unwrap().to_owned();
    let asked = json!({ "product": { "name": "Gateway" }, "severity": "high" });
    let made = owner.post(&format!("{incident}/cra-report"), &asked).await.expect(201);
    let report = made.header("location").unwrap().to_owned();
    // Entered at the report, it is the incident's; entered at the incident, it is the report's.
    let entered = json!({ "contents": { "assessment": "Tokens of 40 clients." } });
    owner.patch(&report, &entered).await.expect(200);
    let at_incident = owner.get(&format!("{incident}/reports/cra/notification")).await.expect(200).data();
    let fields = at_incident["fields"].as_array().unwrap();
    let assessment = fields.iter().find(|field| field["field"] == "assessment").unwrap();
    assert_eq!(assessment["value"], "Tokens of 40 clients.");
    let values = json!({ "report_values": { "cra.measures_taken": "Tokens were revoked." } });
    owner.patch(&incident, &values).await.expect(200);
    let shown = owner.get(&report).await.expect(200).data();
    assert_eq!(point(&shown, "notification", "measures_taken")["value"], "Tokens were revoked.");
    assert_eq!(point(&shown, "notification", "nature")["value"], "Tokens are written to a log.");
}

#[tokio::test]
async fn evidence_can_be_attached_to_a_report() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let report = create(&owner, "severe_incident").await;
    let evidence = json!({ "title": "Receipt of the CSIRT", "url": "https://csirt.example/4711" });
    let made = owner.post("/api/v1/evidence", &evidence).await.expect(201);
    let address = made.header("location").unwrap().to_owned();
    let id = at(REPORTS, &report).rsplit('/').next().unwrap().to_owned();
    let link = json!({ "type": "cra_report", "id": id });
    let linked = owner.post(&format!("{address}/links"), &link).await.expect(200).data();
    assert_eq!(linked["links"], json!([{ "type": "cra_report", "id": id }]));
}
