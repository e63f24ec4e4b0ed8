//! What an incident is linked with: measures of the institution, and the report under the CRA that keeps its limits.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{INCIDENTS, opened, report};

const CRA_REPORTS: &str = "/api/v1/cra/reports";

async fn control(client: &Client, title: &str) -> Value {
    client.post("/api/v1/controls", &json!({ "title": title })).await.expect(201).data()["id"].clone()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn measures_are_linked_by_id_and_unknown_ones_are_refused(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.owner("north").await, app.owner("south").await);
    let (ours, theirs) = (control(&north, "Certificates are watched").await, control(&south, "x").await);
    for wrong in [theirs, json!("ctl_01k9x14js0e00000000000000a"), json!("C-0001")] {
        let body = json!({ "title": "x", "controls": [ours, wrong] });
        let refused = north.post(INCIDENTS, &body).await.expect(422).json();
        let said = &refused["details"]["controls"][0];
        assert_eq!(said, "item 2 is no control of this institution", "{engine:?}");
    }
    let (address, incident) = opened(&north, &json!({ "controls": [ours, ours] })).await;
    assert_eq!(incident["controls"], json!([ours]));
    assert_eq!(north.get(&address).await.expect(200).data()["controls"], json!([ours]));
    let freed = north.patch(&address, &json!({ "controls": [] })).await.expect(200).data();
    assert_eq!(freed["controls"], json!([]));
    let version = north.get(&format!("{address}/versions/1")).await.expect(200).data();
    assert_eq!(version["record"]["controls"], json!([ours]));
    // A control that is deleted later does not keep an incident from being changed.
    north.patch(&address, &json!({ "controls": [ours] })).await.expect(200);
    north.delete(&format!("/api/v1/controls/{}", ours.as_str().unwrap())).await.expect(204);
    let kept = north.patch(&address, &json!({ "title": "Still there" })).await.expect(200).data();
    assert_eq!(kept["controls"], json!([ours]));
}

#[tokio::test]
async fn providers_are_named_freely_or_by_an_id_that_is_there() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (_, incident) = opened(&owner, &json!({ "providers": ["Nordlicht Cloud SE"] })).await;
    assert_eq!(incident["providers"], json!(["Nordlicht Cloud SE"]));
    for wrong in ["prv_01k9x14js0e00000000000000a", "prv_none"] {
        let body = json!({ "title": "x", "providers": ["Nordlicht Cloud SE", wrong] });
        let refused = owner.post(INCIDENTS, &body).await.expect(422).json();
        assert_eq!(refused["details"]["providers"][0], "item 2 is no provider of this institution");
    }
}

fn product_event() -> Value {
    json!({
        "title": "Tokens in the log", "regimes": ["dora", "cra"], "owner": "Dana Weber",
        "description": "Session tokens are written to a log", "aware_at": "2026-11-14T13:00:00Z",
        "detected_at": "2026-11-14T13:00:00Z",
        "facts": { "product_security": true, "member_states": ["DE", "AT"] },
    })
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn one_request_makes_the_report_of_a_product_which_then_keeps_its_limits(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.owner("north").await, app.owner("south").await);
    let (address, incident) = opened(&north, &product_event()).await;
    assert_eq!(report(&incident, "cra", "early_warning")["state"], "pending", "{engine:?}");
    let start = format!("{address}/cra-report");
    let refused = north.post(&start, &json!({})).await.expect(422).json();
    let fields: Vec<&String> = refused["details"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["product.name", "severity"], "what an incident cannot know");
    let asked = json!({ "product": { "name": "Gateway" }, "severity": "high" });
    south.post(&start, &asked).await.expect(404);
    let made = north.post(&start, &asked).await.expect(201);
    let at = made.header("location").unwrap().to_owned();
    let made = made.data();
    assert_eq!(at, format!("{CRA_REPORTS}/{}", made["id"].as_str().unwrap()));
    let taken = ["kind", "title", "description", "aware_at", "owner", "status"].map(|name| &made[name]);
    let expected = [
        "severe_incident",
        "Tokens in the log",
        "Session tokens are written to a log",
        "2026-11-14T13:00:00Z",
        "Dana Weber",
        "draft",
    ];
    assert_eq!(taken.map(|value| value.as_str().unwrap()), expected);
    assert_eq!((&made["member_states"], &made["incident_id"]), (&json!(["DE", "AT"]), &incident["id"]));

    let linked = north.get(&address).await.expect(200).data();
    assert_eq!(linked["cra_report_id"], made["id"]);
    let warning = report(&linked, "cra", "early_warning");
    assert_eq!((&warning["state"], &warning["due_at"]), (&json!("not_due"), &json!(null)));
    let because = "is kept at the CRA report that belongs to this incident, with its limit";
    assert_eq!(warning["due_because"], because);
    let tasks = north.get("/api/v1/tasks").await.expect(200).json();
    let types: Vec<&Value> = tasks["data"].as_array().unwrap().iter().map(|task| &task["type"]).collect();
    assert_eq!(types, [&json!("cra_report"); 2], "early warning and notification, each once");
    let list = north.get(CRA_REPORTS).await.expect(200).json();
    assert_eq!(list["data"][0]["incident_id"], incident["id"]);
    let twice = north.post(&start, &asked).await.expect(422).json();
    assert!(twice["details"]["cra_report_id"].is_array(), "{twice}");
    let kept = north.delete(&at).await.expect(422).json();
    assert!(kept["details"]["report"][0].as_str().unwrap().contains("incident"), "{kept}");
    north.patch(&address, &json!({ "cra_report_id": null })).await.expect(200);
    let free = north.get(&address).await.expect(200).data();
    assert_eq!(report(&free, "cra", "early_warning")["state"], "pending", "the clock is its own again");
    north.delete(&at).await.expect(204);
}

#[tokio::test]
async fn a_stage_is_recorded_at_the_incident_and_its_report_together() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = opened(&owner, &product_event()).await;
    let values = json!({ "report_values": { "cra.suspected_malicious": "No" } });
    owner.patch(&address, &values).await.expect(200);
    let sent = json!({ "reference": "CSIRT-1", "at": "2026-11-14T13:30:00Z" });
    owner.post(&format!("{address}/reports/cra/early_warning/submitted"), &sent).await.expect(200);
    // What was sent before the report was made counts as filed there.
    let asked = json!({ "product": { "name": "Gateway" }, "severity": "high" });
    let made = owner.post(&format!("{address}/cra-report"), &asked).await.expect(201).data();
    assert_eq!(made["status"], "early_warning_sent");
    let stages = &made["stages"];
    assert_eq!(stages["early_warning"]["submitted_at"], "2026-11-14T13:30:00Z");
    assert_eq!(stages["early_warning"]["reference"], "CSIRT-1");
    assert_eq!(stages["notification"]["due_at"], "2026-11-17T13:00:00Z");
    let sent = json!({ "reference": "CSIRT-2", "incomplete": true });
    let after = owner.post(&format!("{address}/reports/cra/notification/submitted"), &sent).await;
    assert_eq!(report(&after.expect(200).data(), "cra", "notification")["state"], "submitted");
    let at = format!("{CRA_REPORTS}/{}", made["id"].as_str().unwrap());
    let filed = owner.get(&at).await.expect(200).data();
    assert_eq!(filed["status"], "notification_sent");
    assert_eq!(filed["stages"]["notification"]["reference"], "CSIRT-2");
}

#[tokio::test]
async fn a_report_that_is_there_is_linked_and_belongs_to_one_incident() {
    let app = TestApp::new().await;
    let (north, south) = (app.owner("north").await, app.owner("south").await);
    let body = json!({
        "kind": "severe_incident", "product": { "name": "Gateway" }, "title": "Leak", "severity": "high",
        "aware_at": "2026-11-14T13:00:00Z",
    });
    let ours = north.post(CRA_REPORTS, &body).await.expect(201).data()["id"].clone();
    let theirs = south.post(CRA_REPORTS, &body).await.expect(201).data()["id"].clone();
    let (first, _) = opened(&north, &json!({ "cra_report_id": ours })).await;
    for (wrong, message) in [
        (theirs, "is no CRA report of this institution"),
        (json!("cra_01k9x14js0e00000000000000a"), "is no CRA report of this institution"),
        (json!("Leak"), "is no CRA report of this institution"),
        (ours.clone(), "belongs to the incident I-2026-0001 already: remove it there first"),
    ] {
        let body = json!({ "title": "x", "cra_report_id": wrong });
        let refused = north.post(INCIDENTS, &body).await.expect(422).json();
        assert_eq!(refused["details"]["cra_report_id"][0], message, "{wrong}");
    }
    let same = north.patch(&first, &json!({ "cra_report_id": ours })).await.expect(200).data();
    assert_eq!(same["cra_report_id"], ours);
}

#[tokio::test]
async fn a_report_under_the_cra_needs_its_own_scope() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = opened(&owner, &product_event()).await;
    let asked = json!({ "product": { "name": "Gateway" }, "severity": "high" });
    for (scopes, status) in
        [(json!(["incidents:write"]), 403), (json!(["incidents:write", "cra:write"]), 201)]
    {
        let fields = json!({ "name": "scoped", "permissions": ["write"], "scopes": scopes });
        let key = owner.post("/api/v1/keys", &fields).await.expect(201).data()["key"].clone();
        let key = app.client(key.as_str().unwrap());
        key.post(&format!("{address}/cra-report"), &asked).await.expect(status);
    }
}
