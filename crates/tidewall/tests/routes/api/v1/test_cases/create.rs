use insta::assert_json_snapshot;
use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, TEST_CASES};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn answers_201_with_the_record_and_its_address(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({ "starts_on": "2026-11-01" })).await;
    let body = json!({
        "programme_id": programme["id"], "title": "Failover of the payment engine", "priority": "critical",
        "test_type": "scenario_based_test", "objective": "Recovery within two hours", "assignee": "Platform team",
        "steps": ["Stop the primary site", "Wait for the standby"], "expected_result": "Payments go on",
        "due_on": "2026-12-01", "measures": ["measure-testing-scenario-exercises"], "evidence": ["Protocol 12"],
    });
    let answer = owner.post(TEST_CASES, &body).await.expect(201);
    insta::allow_duplicates! {
        let scrubbed = answer.scrubbed(&["/data/id", "/data/programme_id", "/data/history/0/by"]);
        assert_json_snapshot!(scrubbed, @r#"
        {
          "data": {
            "actual_result": null,
            "archived_at": null,
            "assignee": "Platform team",
            "controls": [],
            "created_at": "2026-11-14T14:00:00Z",
            "due_on": "2026-12-01",
            "evidence": [
              "Protocol 12"
            ],
            "executed_at": null,
            "expected_result": "Payments go on",
            "findings": {
              "open": 0,
              "total": 0
            },
            "functions": [],
            "history": [
              {
                "at": "2026-11-14T14:00:00Z",
                "by": "…",
                "from": null,
                "note": null,
                "to": "draft"
              }
            ],
            "id": "…",
            "measures": [
              "measure-testing-scenario-exercises"
            ],
            "objective": "Recovery within two hours",
            "priority": "critical",
            "programme_id": "…",
            "status": "draft",
            "steps": [
              "Stop the primary site",
              "Wait for the standby"
            ],
            "test_type": "scenario_based_test",
            "title": "Failover of the payment engine",
            "updated_at": "2026-11-14T14:00:00Z"
          }
        }
        "#);
    }
    let address = answer.header("location").unwrap().to_owned();
    assert_eq!(owner.get(&address).await.expect(200).json(), answer.json());
}

#[tokio::test]
async fn wrong_values_are_refused_by_field() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({ "starts_on": "2026-11-01" })).await;
    assert_json_snapshot!(owner.post(TEST_CASES, &json!({})).await.expect(422).json()["details"], @r#"
    {
      "programme_id": [
        "is required"
      ],
      "test_type": [
        "is required"
      ],
      "title": [
        "is required"
      ]
    }
    "#);
    for (field, value) in [
        ("title", json!("")),
        ("test_type", json!("pentest")),
        ("priority", json!("urgent")),
        ("priority", json!(null)),
        ("status", json!("passed")),
        ("due_on", json!("2026-10-31")),
        ("due_on", json!("soon")),
        ("executed_at", json!("2026-11-15T00:00:00Z")),
        ("executed_at", json!("2026-11-14")),
        ("measures", json!(["no-such-measure"])),
        ("steps", json!([""])),
        ("evidence", json!({})),
        ("note", json!("x".repeat(10_001))),
    ] {
        let mut body = json!({ "programme_id": programme["id"], "title": "T", "test_type": "tlpt" });
        body[field] = value.clone();
        let refused = owner.post(TEST_CASES, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{field} = {value}: {refused}");
    }
    assert_eq!(owner.get(TEST_CASES).await.json()["meta"]["total"], 0, "nothing may be stored");
}

#[tokio::test]
async fn a_foreign_programme_is_answered_like_none_at_all() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let neighbour = app.owner("south").await;
    let foreign = seed::programme(&neighbour, &json!({})).await;
    let mut answers = Vec::new();
    let missing = json!("prg_00000000000000000000000000");
    for id in [foreign["id"].clone(), missing, json!("x"), json!("")] {
        let body = json!({ "programme_id": id, "title": "T", "test_type": "tlpt" });
        answers.push(owner.post(TEST_CASES, &body).await.expect(422).json());
    }
    assert_eq!(answers[0]["error"], "programme_id must be the id of one of your programmes");
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_functions_of_a_test_are_those_of_its_programme(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({ "functions": ["Cards", "Payments"] })).await;
    let made = owner.get("/api/v1/functions?search=cards").await.expect(200).json();
    let body = |functions: serde_json::Value| json!({ "programme_id": programme["id"], "title": "Restore", "test_type": "tlpt", "functions": functions });
    let named = owner.post(TEST_CASES, &body(json!([made["data"][0]["id"], " payments"]))).await.expect(201);
    assert_eq!(named.data()["functions"], json!(["Cards", "Payments"]), "by id and by name on {engine:?}");
    let refused = owner.post(TEST_CASES, &body(json!(["Cards", "Lending"]))).await.expect(422).json();
    let sentence = refused["details"]["functions"][0].as_str().unwrap();
    assert!(sentence.contains("item 2 must be a function of the test's programme"), "{sentence}");
    let silent = seed::test_case(&owner, &programme, &json!({})).await;
    assert_eq!(silent["functions"], json!([]), "which of two is not guessed");
    let single = seed::programme(&owner, &json!({ "functions": ["Lending"] })).await;
    assert_eq!(seed::test_case(&owner, &single, &json!({})).await["functions"], json!(["Lending"]));
    let none = seed::test_case(&owner, &single, &json!({ "functions": [] })).await;
    assert_eq!(none["functions"], json!([]));
}
