use domain::event::EventKind;
use insta::assert_json_snapshot;
use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, FINDINGS, at, events};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn from_discovery_to_closure_with_proof(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    let address = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
    for (status, note) in [
        ("in_progress", json!("Ticket 4711")),
        ("resolved", json!(null)),
        ("closed", json!("Retested by the red team")),
        ("open", json!("It is back")),
    ] {
        app.clock.advance(3_600_000);
        owner.patch(&address, &json!({ "status": status, "note": note })).await.expect(200);
    }
    let mut seen = owner.get(&address).await.expect(200).data();
    for step in seen["history"].as_array_mut().unwrap() {
        step["by"] = json!("…");
    }
    insta::allow_duplicates! {
        assert_json_snapshot!(seen["history"], @r#"
        [
          {
            "at": "2026-11-14T14:00:00Z",
            "by": "…",
            "from": null,
            "note": null,
            "to": "open"
          },
          {
            "at": "2026-11-14T15:00:00Z",
            "by": "…",
            "from": "open",
            "note": "Ticket 4711",
            "to": "in_progress"
          },
          {
            "at": "2026-11-14T16:00:00Z",
            "by": "…",
            "from": "in_progress",
            "note": null,
            "to": "resolved"
          },
          {
            "at": "2026-11-14T17:00:00Z",
            "by": "…",
            "from": "resolved",
            "note": "Retested by the red team",
            "to": "closed"
          },
          {
            "at": "2026-11-14T18:00:00Z",
            "by": "…",
            "from": "closed",
            "note": "It is back",
            "to": "open"
          }
        ]
        "#);
    }
    assert_eq!(seen["closed_at"], json!(null), "it is open again");
    let kinds: Vec<_> = events(&app, &tenant.caller).await.into_iter().map(|(kind, ..)| kind).collect();
    let changed = EventKind::FindingStatusChanged;
    assert_eq!(kinds, [EventKind::FindingCreated, changed, changed, changed, changed]);
}

#[tokio::test]
async fn the_open_list_follows_the_state() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
    let total = async || owner.get(FINDINGS).await.json()["meta"]["total"].clone();
    for (status, open) in
        [("in_progress", 1), ("resolved", 1), ("closed", 0), ("open", 1), ("false_positive", 0)]
    {
        seed::moved(&owner, &address, &[status]).await;
        assert_eq!(total().await, open, "{status}");
        owner.get(&address).await.expect(200);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_people_closing_at_once_one_is_reported(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    for conditional in [false, true] {
        let address = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
        seed::moved(&owner, &address, &["in_progress", "resolved"]).await;
        let etag = owner.get(&address).await.header("etag").unwrap().to_owned();
        let closer = if conditional { owner.with("if-match", &etag) } else { owner.clone() };
        let racers = (0..4).map(|_| {
            let (closer, address) = (closer.clone(), address.clone());
            tokio::spawn(async move { closer.patch(&address, &json!({ "status": "closed" })).await })
        });
        let mut statuses = Vec::new();
        for racer in racers.collect::<Vec<_>>() {
            let answer = racer.await.unwrap();
            if answer.status.as_u16() == 422 {
                assert_eq!(answer.error(), "status is already closed; from closed a finding can go to open");
            }
            statuses.push(answer.status.as_u16());
        }
        statuses.sort_unstable();
        let lost = if conditional { 412 } else { 422 };
        assert_eq!(statuses, [200, lost, lost, lost]);
        let history = owner.get(&address).await.data()["history"].as_array().unwrap().len();
        assert_eq!(history, 4, "one closure in the history");
    }
}

#[tokio::test]
async fn a_foreign_finding_cannot_be_seen_changed_or_deleted() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let neighbour = app.owner("south").await;
    let address = at(FINDINGS, &seed::finding(&neighbour, &json!({})).await);
    owner.get(&address).await.expect(404);
    owner.patch(&address, &json!({ "title": "Mine" })).await.expect(404);
    owner.delete(&address).await.expect(404);
    assert_eq!(neighbour.get(&address).await.data()["title"], "Admin console reachable");
}

#[tokio::test]
async fn the_audit_log_says_what_changed_and_verifies() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    let address = at(FINDINGS, &seed::finding(&owner, &json!({})).await);
    owner.patch(&address, &json!({ "severity": "low", "description": "x".repeat(5000) })).await.expect(200);
    owner.delete(&address).await.expect(204);
    let chain = tenant.caller.tenant().to_string();
    let entries = app.app.operations.audit_after(&chain, 0).await.unwrap();
    let output: Vec<_> =
        entries.iter().rev().take(2).map(|row| (row.entry.action.as_str(), &row.entry.detail)).collect();
    assert_eq!(output[0].0, "finding.deleted");
    let expected = json!({ "description": [null, "(5000 characters)"], "severity": ["high", "low"] });
    assert_eq!(output[1], ("finding.changed", &expected.to_string()));
    assert!(app.app.operations.verify_audit(&chain, None).await.unwrap().outcome.is_ok());
}
