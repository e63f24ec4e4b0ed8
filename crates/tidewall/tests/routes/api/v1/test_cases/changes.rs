use domain::event::EventKind;
use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, TEST_CASES, at, events};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn reaching_a_result_stamps_it_and_each_move_is_one_event(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "write").await);
    let programme = seed::programme(&owner, &json!({})).await;
    let test_case = seed::test_case(&owner, &programme, &json!({})).await;
    let address = at(TEST_CASES, &test_case);
    seed::moved(&owner, &address, &["ready", "in_progress"]).await;
    app.clock.advance(3_600_000);
    let failed = json!({ "status": "failed", "actual_result": "Took four hours" });
    assert_eq!(owner.patch(&address, &failed).await.data()["executed_at"], "2026-11-14T15:00:00Z");
    app.clock.advance(3_600_000);
    seed::moved(&owner, &address, &["in_progress"]).await;
    assert_eq!(owner.get(&address).await.data()["executed_at"], "2026-11-14T15:00:00Z");
    let passed = json!({ "status": "passed", "executed_at": "2026-11-14T15:30:00+01:00" });
    assert_eq!(owner.patch(&address, &passed).await.data()["executed_at"], "2026-11-14T14:30:00Z");
    // A change without a transition raises no event.
    owner.patch(&address, &json!({ "evidence": ["Log"] })).await.expect(200);
    owner.patch(&address, &json!({ "status": "cancelled" })).await.expect(422);

    let events = events(&app, &tenant.caller).await;
    let output: Vec<_> = events
        .iter()
        .map(|(kind, subject, data)| {
            assert_eq!(
                (*kind, subject.as_str()),
                (EventKind::TestCaseStatusChanged, test_case["id"].as_str().unwrap())
            );
            assert_eq!(data["test_case"]["title"], "Failover of the payment engine");
            let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
            (word(&data["previous_status"]), word(&data["test_case"]["status"]))
        })
        .collect();
    let expected = [
        ("draft", "ready"),
        ("ready", "in_progress"),
        ("in_progress", "failed"),
        ("failed", "in_progress"),
        ("in_progress", "passed"),
    ];
    assert_eq!(output, expected.map(|(from, to)| (from.to_owned(), to.to_owned())));
}

#[tokio::test]
async fn stays_in_its_programme() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({})).await;
    let other = seed::programme(&owner, &json!({})).await;
    let address = at(TEST_CASES, &seed::test_case(&owner, &programme, &json!({})).await);
    owner.patch(&address, &json!({ "programme_id": programme["id"] })).await.expect(200);
    let refused = owner.patch(&address, &json!({ "programme_id": other["id"] })).await.expect(422).error();
    assert!(refused.starts_with("programme_id cannot be changed"), "{refused}");
}
