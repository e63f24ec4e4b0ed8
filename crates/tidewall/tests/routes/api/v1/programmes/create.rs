use insta::assert_json_snapshot;
use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::PROGRAMMES;

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn answers_201_with_the_record_and_its_address(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let body = json!({
        "name": "Payments 2027", "framework": "dora", "description": "All payment systems",
        "owner": "Head of IT risk", "starts_on": "2027-01-01", "ends_on": "2027-12-31",
        "functions": ["Payments", "Cards", "Payments"], "note": "Approved by the board", "unknown": true,
    });
    let answer = owner.post(PROGRAMMES, &body).await.expect(201);
    insta::allow_duplicates! {
        assert_json_snapshot!(answer.scrubbed(&["/data/id", "/data/history/0/by"]), @r#"
        {
          "data": {
            "archived_at": null,
            "created_at": "2026-11-14T14:00:00Z",
            "description": "All payment systems",
            "ends_on": "2027-12-31",
            "findings": {
              "by_severity": {
                "critical": 0,
                "high": 0,
                "info": 0,
                "low": 0,
                "medium": 0
              },
              "open": 0,
              "total": 0
            },
            "framework": "dora",
            "functions": [
              "Payments",
              "Cards"
            ],
            "history": [
              {
                "at": "2026-11-14T14:00:00Z",
                "by": "…",
                "from": null,
                "note": "Approved by the board",
                "to": "planned"
              }
            ],
            "id": "…",
            "name": "Payments 2027",
            "owner": "Head of IT risk",
            "starts_on": "2027-01-01",
            "status": "planned",
            "test_cases": {
              "by_status": {
                "blocked": 0,
                "cancelled": 0,
                "draft": 0,
                "failed": 0,
                "in_progress": 0,
                "passed": 0,
                "ready": 0
              },
              "total": 0
            },
            "updated_at": "2026-11-14T14:00:00Z"
          }
        }
        "#);
    }
    let address = answer.header("location").unwrap().to_owned();
    let read = owner.get(&address).await.expect(200);
    assert_eq!(read.json(), answer.json());
    assert!(read.header("etag").is_some());
}

#[tokio::test]
async fn only_name_and_framework_are_required() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    assert_json_snapshot!(owner.post(PROGRAMMES, &json!({})).await.expect(422).json(), @r#"
    {
      "code": "validation_failed",
      "details": {
        "framework": [
          "is required"
        ],
        "name": [
          "is required"
        ]
      },
      "error": "framework is required; name is required"
    }
    "#);
    let least = json!({ "name": "P", "framework": "nis2" });
    let created = owner.post(PROGRAMMES, &least).await.expect(201).data();
    assert_eq!(created["status"], "planned");
    for empty in ["description", "owner", "starts_on", "ends_on"] {
        assert!(created[empty].is_null() && created.as_object().unwrap().contains_key(empty), "{empty}");
    }
}

#[tokio::test]
async fn wrong_values_are_refused_by_field() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (field, value) in [
        ("name", json!(null)),
        ("name", json!(7)),
        ("name", json!(" ")),
        ("name", json!("x".repeat(256))),
        ("framework", json!("DORA")),
        ("framework", json!("soc-2")),
        ("status", json!("active")),
        ("status", json!(null)),
        ("description", json!("x".repeat(10_001))),
        ("description", json!(["a"])),
        ("owner", json!("a\nb")),
        ("starts_on", json!("2027-02-30")),
        ("starts_on", json!("1.1.2027")),
        ("ends_on", json!("2026-12-31")),
        ("functions", json!("Payments")),
        ("functions", json!([1])),
        ("functions", json!(["", "x"])),
        ("functions", json!(vec!["x"; 201])),
    ] {
        let mut body = json!({ "name": "P", "framework": "dora", "starts_on": "2027-01-01" });
        body[field] = value.clone();
        let refused = owner.post(PROGRAMMES, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{field} = {value}: {refused}");
    }
    assert_eq!(owner.get(PROGRAMMES).await.json()["meta"]["total"], 0, "nothing may be stored");
}
