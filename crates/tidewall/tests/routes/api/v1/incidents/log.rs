//! The log of an incident, and the voluntary notice of a threat.

use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::opened;

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn lines_are_added_latest_first_and_stay_with_their_tenant(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.owner("north").await, app.owner("south").await);
    let (address, _) = opened(&north, &json!({})).await;
    let log = format!("{address}/log");
    let line = json!({ "kind": "call", "text": "Called the CISO", "at": "2026-11-14T13:30:00Z" });
    let added = north.post(&log, &line).await.expect(201).data();
    assert_eq!((&added["kind"], &added["at"]), (&json!("call"), &json!("2026-11-14T13:30:00Z")));
    assert_eq!(added["recorded_at"], "2026-11-14T14:00:00Z", "{engine:?}");
    north.post(&log, &json!({ "text": "Switched to the second site" })).await.expect(201);
    let lines = north.get(&log).await.expect(200).json();
    assert_eq!(lines["meta"]["total"], 2);
    assert_eq!(lines["data"][0]["text"], "Switched to the second site");
    assert_eq!(lines["data"][0]["kind"], "note");
    assert!(lines["data"][1]["author"].as_str().unwrap().starts_with("key_"));
    let page = north.get(&format!("{log}?limit=1&offset=1")).await.expect(200).json();
    assert_eq!(page["data"][0]["text"], "Called the CISO");
    let refused = north.post(&log, &json!({ "kind": "gossip", "at": "2027-01-01T00:00:00Z" })).await;
    let refused = refused.expect(422).json();
    let fields: Vec<&String> = refused["details"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["at", "kind", "text"]);
    south.get(&log).await.expect(404);
    south.post(&log, &line).await.expect(404);
}

#[tokio::test]
async fn a_threat_notice_is_filled_sent_once_and_frozen() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = opened(&owner, &json!({ "description": "A botnet scans the portal" })).await;
    let notice = format!("{address}/threat-notice");
    let refused = owner.post(&notice, &json!({})).await.expect(422).json();
    let said = refused["details"]["incomplete"][0].as_str().unwrap();
    assert!(said.contains("threat_1, threat_2") && !said.contains("threat_13"), "{said}");
    let unknown = json!({ "values": { "dora.threat_21": "x" }, "incomplete": true });
    owner.post(&notice, &unknown).await.expect(422);
    let body = json!({ "values": { "dora.threat_16": "active" }, "incomplete": true, "reference": "T-1" });
    let sent = owner.post(&notice, &body).await.expect(200).data();
    assert_eq!((&sent["reference"], &sent["submitted_at"]), (&json!("T-1"), &json!("2026-11-14T14:00:00Z")));
    let fields = sent["fields"].as_array().unwrap();
    assert_eq!(fields.len(), 20);
    assert_eq!(
        (&fields[12]["value"], &fields[15]["value"]),
        (&json!("A botnet scans the portal"), &json!("active"))
    );
    owner.post(&notice, &body).await.expect(422);
    owner.patch(&address, &json!({ "description": "Something else" })).await.expect(200);
    let frozen = owner.get(&format!("{address}/reports/dora/threat_notice")).await.expect(200).data();
    assert_eq!(frozen["fields"][12]["value"], "A botnet scans the portal");
}

#[tokio::test]
async fn what_was_sent_is_shown_as_it_was_sent() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let facts = json!({ "facts": { "malicious_access": true, "costs": { "staff": 150_000 } } });
    let (address, _) = opened(&owner, &facts).await;
    owner.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    let initial = format!("{address}/reports/dora/initial");
    owner.patch(&address, &json!({ "report_values": { "1.2": "Example Bank AG" } })).await.expect(200);
    let before = owner.get(&format!("{initial}?format=json")).await.expect(200).json();
    owner.post(&format!("{initial}/submitted"), &json!({ "incomplete": true })).await.expect(200);
    let changed = json!({ "report_values": { "1.2": "Another Bank AG" }, "facts": { "currency": "CHF" } });
    owner.patch(&address, &changed).await.expect(200);
    assert_eq!(owner.get(&format!("{initial}?format=json")).await.expect(200).json(), before);
    let content = owner.get(&initial).await.expect(200).data();
    assert_eq!(content["submitted_at"], "2026-11-14T14:00:00Z");
    assert_eq!(content["fields"][1]["value"], "Example Bank AG");
}
