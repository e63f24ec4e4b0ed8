//! The announcements of an incident's clocks, and the monthly comparison of root causes.

use domain::event::EventKind;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::{super::seed::events, opened};

const HOUR: i64 = 3_600_000;

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn every_stage_is_announced_before_it_is_due(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    let (address, _) = opened(&owner, &json!({ "facts": { "malicious_access": true } })).await;
    let said = async || {
        app.app.raise_deadlines().await.unwrap();
        let all = events(&app, &tenant.caller).await.into_iter();
        let near = all.filter(|(kind, _, data)| {
            *kind == EventKind::DeadlineApproaching && data["incident"].is_object()
        });
        let texts = near.map(|(_, _, data)| {
            let deadline = &data["deadline"];
            [&deadline["regime"], &deadline["stage"], &deadline["due_at"], &deadline["lead"]]
                .map(|part| part.as_str().unwrap().to_owned())
                .join(" ")
        });
        texts.collect::<Vec<_>>()
    };
    assert_eq!(said().await, Vec::<String>::new(), "{engine:?}");
    app.clock.advance(12 * HOUR);
    let latest = "dora initial 2026-11-15T14:00:00Z 12h";
    assert_eq!(said().await, [latest], "the classification is owed within a day of awareness");
    owner.post(&format!("{address}/classify"), &json!({})).await.expect(200);
    let soon = "dora initial 2026-11-15T06:00:00Z 4h";
    assert_eq!(said().await, [latest, soon]);
    assert_eq!(said().await, [latest, soon], "once");
    let sent = json!({ "incomplete": true });
    owner.post(&format!("{address}/reports/dora/initial/submitted"), &sent).await.expect(200);
    app.clock.advance(61 * HOUR);
    assert_eq!(said().await, [latest, soon, "dora intermediate 2026-11-18T02:00:00Z 12h"]);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn incidents_with_the_same_cause_are_proposed_as_a_series(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.owner("north").await, app.owner("south").await);
    let facts = |cause: &str| json!({ "root_cause": cause, "facts": { "critical_services": true, "malicious_access": false } });
    let (first, incident) = opened(&north, &facts("Expired certificate")).await;
    let (second, _) = opened(&north, &facts("expired certificate ")).await;
    let (other, _) = opened(&north, &facts("Power")).await;
    let (theirs, _) = opened(&south, &facts("Expired certificate")).await;
    assert_eq!(app.app.resilience.propose_recurring_incidents().await.unwrap(), 2, "{engine:?}");
    assert_eq!(app.app.resilience.propose_recurring_incidents().await.unwrap(), 0);
    let group = async |address: &str| -> Value {
        let client = if address == theirs { &south } else { &north };
        client.get(address).await.expect(200).data()["recurring_group"].clone()
    };
    assert_eq!(group(&first).await, incident["id"]);
    assert_eq!(group(&second).await, incident["id"]);
    assert_eq!((group(&other).await, group(&theirs).await), (json!(null), json!(null)));
    north.patch(&second, &json!({ "root_cause": "Power" })).await.expect(200);
    app.app.resilience.propose_recurring_incidents().await.unwrap();
    assert_eq!(group(&first).await, json!(null));
    assert_eq!(group(&second).await, group(&other).await);
}

#[tokio::test]
async fn microenterprises_and_entities_of_the_simplified_framework_need_not_compare() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for _ in 0..2 {
        let facts = json!({ "critical_services": true, "malicious_access": false });
        opened(&owner, &json!({ "root_cause": "Expired certificate", "facts": facts })).await;
    }
    assert_eq!(
        app.app.resilience.propose_recurring_incidents().await.unwrap(),
        2,
        "what is not known excludes nothing"
    );
    let micro = json!({ "entity_kind": "insurance-undertaking", "size": "micro" });
    owner.patch("/api/v1/profile", &micro).await.expect(200);
    assert_eq!(app.app.resilience.propose_recurring_incidents().await.unwrap(), 2, "taken back");
    let list = owner.get("/api/v1/incidents").await.expect(200).json();
    assert_eq!(list["data"][0]["recurring_group"], json!(null));
    owner.patch("/api/v1/profile", &json!({ "size": "large" })).await.expect(200);
    assert_eq!(app.app.resilience.propose_recurring_incidents().await.unwrap(), 2);
}
