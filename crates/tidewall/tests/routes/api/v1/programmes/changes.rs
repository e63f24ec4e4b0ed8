use insta::assert_json_snapshot;
use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, FINDINGS, PROGRAMMES, TEST_CASES, at};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn what_is_sent_is_changed_and_every_move_is_remembered(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({ "owner": "A", "ends_on": "2027-06-30" })).await;
    let address = at(PROGRAMMES, &programme);
    app.clock.advance(60_000);
    let started = json!({ "status": "active", "note": "Kick-off held", "owner": null });
    owner.patch(&address, &started).await.expect(200);
    app.clock.advance(60_000);
    let changed = owner.patch(&address, &json!({ "status": "on_hold" })).await.expect(200).data();
    assert_eq!((&changed["owner"], &changed["ends_on"]), (&json!(null), &json!("2027-06-30")));
    assert_eq!(changed["updated_at"], "2026-11-14T14:02:00Z");
    let mut history = changed["history"].clone();
    for step in history.as_array_mut().unwrap() {
        assert!(step["by"].as_str().unwrap().starts_with("key_"));
        step["by"] = json!("…");
    }
    insta::allow_duplicates! {
        assert_json_snapshot!(history, @r#"
        [
          {
            "at": "2026-11-14T14:00:00Z",
            "by": "…",
            "from": null,
            "note": null,
            "to": "planned"
          },
          {
            "at": "2026-11-14T14:01:00Z",
            "by": "…",
            "from": "planned",
            "note": "Kick-off held",
            "to": "active"
          },
          {
            "at": "2026-11-14T14:02:00Z",
            "by": "…",
            "from": "active",
            "note": null,
            "to": "on_hold"
          }
        ]
        "#);
    }
    assert_eq!(owner.get(&address).await.data(), changed);
}

#[tokio::test]
async fn a_change_that_changes_nothing_leaves_no_trace() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({})).await;
    let address = at(PROGRAMMES, &programme);
    let before = owner.get(&address).await;
    app.clock.advance(60_000);
    for same in [json!({}), json!({ "name": "Payments 2027" }), json!({ "description": null })] {
        let after = owner.patch(&address, &same).await.expect(200);
        assert_eq!((after.json(), after.header("etag")), (before.json(), before.header("etag")));
    }
}

#[tokio::test]
async fn an_end_before_the_start_is_refused_whichever_of_them_moves() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let dated = json!({ "starts_on": "2027-01-01", "ends_on": "2027-12-31" });
    let address = at(PROGRAMMES, &seed::programme(&owner, &dated).await);
    for wrong in [json!({ "ends_on": "2026-12-31" }), json!({ "starts_on": "2028-01-01" })] {
        let refused = owner.patch(&address, &wrong).await.expect(422).json();
        assert!(refused["details"]["ends_on"].is_array(), "{refused}");
    }
    owner.patch(&address, &json!({ "ends_on": null, "starts_on": "2028-01-01" })).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn counts_what_belongs_to_it_and_is_not_deleted_while_it_does(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({})).await;
    let other = seed::programme(&owner, &json!({ "name": "Other" })).await;
    let test_case = seed::test_case(&owner, &programme, &json!({})).await;
    seed::test_case(&owner, &other, &json!({})).await;
    seed::moved(&owner, &at(TEST_CASES, &test_case), &["ready"]).await;
    // One through its test case, one directly, one that was only linked before.
    let through = seed::finding(&owner, &json!({ "test_case_id": test_case["id"] })).await;
    assert_eq!(through["programme_id"], programme["id"]);
    let direct = json!({ "programme_id": programme["id"], "severity": "low" });
    let direct = seed::finding(&owner, &direct).await;
    seed::moved(&owner, &at(FINDINGS, &direct), &["false_positive"]).await;
    let address = at(PROGRAMMES, &programme);
    let seen = owner.get(&address).await.data();
    insta::allow_duplicates! {
        assert_json_snapshot!(json!([seen["test_cases"], seen["findings"]]), @r#"
        [
          {
            "by_status": {
              "blocked": 0,
              "cancelled": 0,
              "draft": 0,
              "failed": 0,
              "in_progress": 0,
              "passed": 0,
              "ready": 1
            },
            "total": 1
          },
          {
            "by_severity": {
              "critical": 0,
              "high": 1,
              "info": 0,
              "low": 1,
              "medium": 0
            },
            "open": 1,
            "total": 2
          }
        ]
        "#);
    }
    let listed = owner.get(PROGRAMMES).await.json()["data"][1].clone();
    assert_eq!((&listed["test_cases"], &listed["findings"]), (&seen["test_cases"], &seen["findings"]));

    let refused = owner.delete(&address).await.expect(422);
    assert_eq!(
        refused.error(),
        "programme has test cases (1) or findings (2): delete them first, or archive the programme"
    );
    let refused = owner.delete(&at(TEST_CASES, &test_case)).await.expect(422);
    assert_eq!(refused.error(), "test_case has findings (1): delete them or clear their test_case_id first");
    // Findings with decisions are kept, but can be moved to another programme.
    owner.delete(&at(FINDINGS, &direct)).await.expect(422);
    owner.patch(&at(FINDINGS, &direct), &json!({ "programme_id": null })).await.expect(200);
    for address in [at(FINDINGS, &through), at(TEST_CASES, &test_case), address] {
        owner.delete(&address).await.expect(204);
        owner.get(&address).await.expect(404);
        owner.delete(&address).await.expect(404);
    }
    assert_eq!(owner.get(PROGRAMMES).await.json()["meta"]["total"], 1);
    assert_eq!(owner.get(&at(PROGRAMMES, &other)).await.data()["test_cases"]["total"], 1);
}
