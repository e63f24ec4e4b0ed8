//! Records with history are archived, never deleted, and a past state shows what was there.

use serde_json::{Value, json};
use testkit::{Client, Engine, TestApp};

use crate::routes::openapi::operations;

const DAY: i64 = 24 * 3_600_000;

/// A list, a new record of it, and a change.
fn kinds() -> Vec<(&'static str, Value, Value)> {
    vec![
        (
            "/api/v1/risks",
            json!({ "title": "Outage", "category": "availability",
                    "inherent": { "likelihood": 4, "impact": 4 }, "residual": { "likelihood": 2, "impact": 3 } }),
            json!({ "title": "Outage of both sites" }),
        ),
        (
            "/api/v1/controls",
            json!({ "title": "Restore test" }),
            json!({ "title": "Restore test of payments" }),
        ),
        ("/api/v1/functions", json!({ "name": "Payments" }), json!({ "owner": "Dana Weber" })),
        (
            "/api/v1/evidence",
            json!({ "title": "Restore log", "url": "https://example.com/log", "keep_until": "2026-11-14" }),
            json!({ "title": "Restore log of May" }),
        ),
        (
            "/api/v1/own-frameworks",
            json!({ "key": "house-it", "title": "House rules" }),
            json!({ "title": "House rules of IT" }),
        ),
    ]
}

async fn made(client: &Client, path: &str, new: &Value) -> String {
    let made = client.post(path, new).await.expect(201).data();
    format!("{path}/{}", made["id"].as_str().unwrap())
}

async fn total(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200).json()["meta"]["total"].clone()
}

#[tokio::test]
async fn a_record_with_history_is_archived_where_it_would_be_deleted() {
    for engine in Engine::BOTH {
        for (path, new, change) in kinds() {
            let app = TestApp::on(engine).await;
            let owner = app.owner("north").await;
            let address = made(&owner, path, &new).await;
            owner.patch(&address, &change).await.expect(200);
            app.clock.advance(DAY);
            owner.delete(&address).await.expect(204);
            let kept = owner.get(&address).await.expect(200).data();
            assert_eq!(kept["archived_at"], "2026-11-15T14:00:00Z", "{engine:?} {path}");
            assert_eq!(total(&owner, path).await, 0, "{engine:?} {path}");
            assert_eq!(total(&owner, &format!("{path}?archived=true")).await, 1, "{engine:?} {path}");
            assert_eq!(total(&owner, &format!("{path}?archived=all")).await, 1, "{engine:?} {path}");
            assert_eq!(total(&owner, &format!("{path}?as_of=2026-11-14")).await, 1, "{engine:?} {path}");
            assert_eq!(total(&owner, &format!("{path}?as_of=2026-11-15")).await, 0, "{engine:?} {path}");
            let refused = owner.patch(&address, &new).await.expect(422).error();
            assert!(refused.contains("restore it before changing it"), "{path}: {refused}");
            owner.delete(&address).await.expect(422);
            owner.post(&format!("{address}/restore"), &json!({})).await.expect(200);
            assert_eq!(total(&owner, path).await, 1, "{engine:?} {path}");
            owner.post(&format!("{address}/archive"), &json!({})).await.expect(200);
            assert_eq!(total(&owner, path).await, 0, "{engine:?} {path}");
        }
    }
}

#[tokio::test]
async fn a_record_never_used_is_deleted_and_still_there_in_the_past() {
    for engine in Engine::BOTH {
        for (path, new, _) in kinds() {
            let app = TestApp::on(engine).await;
            let owner = app.owner("north").await;
            let address = made(&owner, path, &new).await;
            app.clock.advance(DAY);
            owner.delete(&address).await.expect(204);
            owner.get(&address).await.expect(404);
            assert_eq!(total(&owner, &format!("{path}?archived=all")).await, 0, "{engine:?} {path}");
            assert_eq!(total(&owner, &format!("{path}?as_of=2026-11-14")).await, 1, "{engine:?} {path}");
        }
    }
}

#[tokio::test]
async fn a_control_that_was_performed_and_a_risk_once_accepted_are_never_lost() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = made(&owner, "/api/v1/controls", &json!({ "title": "Restore test" })).await;
    owner.post(&format!("{address}/performed"), &json!({ "on": "2026-11-01" })).await.expect(200);
    owner.delete(&address).await.expect(204);
    let performed = owner.get(&format!("{address}/performances")).await.expect(200).json();
    assert_eq!(performed["data"][0]["on"], "2026-11-01");
    owner.post(&format!("{address}/performed"), &json!({})).await.expect(422);
    let log = owner.get("/api/v1/audit?kind=controls").await.expect(200).json();
    assert_eq!(log["data"][0]["action"], "control.archived");
}

#[tokio::test]
async fn an_incident_is_archived_once_it_is_closed() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = made(&owner, "/api/v1/incidents", &json!({ "title": "False alarm" })).await;
    let early = owner.post(&format!("{address}/archive"), &json!({})).await.expect(422).error();
    assert!(early.contains("close it before archiving it"), "{early}");
    owner.patch(&address, &json!({ "status": "not_an_incident" })).await.expect(200);
    owner.post(&format!("{address}/archive"), &json!({})).await.expect(200);
    assert_eq!(total(&owner, "/api/v1/incidents").await, 0);
    owner.post(&format!("{address}/restore"), &json!({})).await.expect(200);
}

#[tokio::test]
async fn a_past_state_is_shown_or_refused_and_never_ignored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let mut shown = 0;
    for (method, path, operation) in operations() {
        if method != "GET" || !path.starts_with("/api/v1/") || path.contains('{') {
            continue;
        }
        let knows =
            operation["parameters"].as_array().into_iter().flatten().any(|one| one["name"] == "as_of");
        let answer = owner.get(&format!("{path}?as_of=2026-06-30")).await;
        if knows {
            answer.expect(200);
            shown += 1;
        } else if answer.status.as_u16() != 403 {
            let refused = answer.expect(422).json();
            let said = refused["details"]["as_of"][0].as_str().unwrap_or_default().to_owned();
            assert!(said.contains("it works at /api/v1/"), "{path}: {refused}");
        }
    }
    assert!(shown >= 14, "{shown} lists are too few");
}
