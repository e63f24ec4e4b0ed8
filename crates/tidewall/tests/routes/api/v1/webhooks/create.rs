use insta::assert_json_snapshot;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::{PATH, sample, with};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn answers_201_with_the_record_and_its_address(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let answer = owner.post(PATH, &sample()).await.expect(201);
    insta::allow_duplicates! {
        assert_json_snapshot!(answer.scrubbed(&["/data/id"]), @r#"
        {
          "data": {
            "active": true,
            "channel": "slack",
            "confirmed": true,
            "created_at": "2026-11-14T14:00:00Z",
            "events": [
              "finding.created",
              "deadline.approaching"
            ],
            "failing": false,
            "id": "…",
            "last_delivery": null,
            "name": "ICT risk",
            "updated_at": "2026-11-14T14:00:00Z",
            "url": "https://hooks.slack.com/services/T000/B000/secret"
          }
        }
        "#);
    }
    let address = answer.header("location").unwrap().to_owned();
    assert_eq!(owner.get(&address).await.expect(200).json(), answer.json());
}

#[tokio::test]
async fn every_field_is_required() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    assert_json_snapshot!(owner.post(PATH, &json!({})).await.expect(422).json(), @r#"
    {
      "code": "validation_failed",
      "details": {
        "channel": [
          "is required"
        ],
        "events": [
          "is required"
        ],
        "name": [
          "is required"
        ],
        "url": [
          "is required"
        ]
      },
      "error": "channel is required; events is required; name is required; url is required"
    }
    "#);
}

#[tokio::test]
async fn names_are_counted_in_characters() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (name, status) in [
        ("x".repeat(255), 201),
        ("ü".repeat(255), 201),
        ("🌊".repeat(255), 201),
        ("x".repeat(256), 422),
        ("x".repeat(10_000), 422),
        (String::new(), 422),
        ("   ".into(), 422),
        ("a\u{0}b".into(), 422),
        ("a\nb".into(), 422),
    ] {
        owner.post(PATH, &with("name", json!(name))).await.expect(status);
    }
}

#[tokio::test]
async fn wrong_values_are_refused_by_field() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let long_url = format!("https://hooks.slack.com/services/{}", "x".repeat(480));
    for (field, value) in [
        ("name", json!(7)),
        ("name", Value::Null),
        ("channel", json!("Slack")),
        ("channel", json!("sms")),
        ("channel", json!(1)),
        ("url", json!("not a url")),
        ("url", json!("http://hooks.slack.com/services/T/B/x")),
        ("url", json!("https://hooks.slack.com.evil.example/services/T/B/x")),
        ("url", json!("https://127.0.0.1/services/T/B/x")),
        ("url", json!("https://user@hooks.slack.com/services/T/B/x")),
        ("url", json!("https://hooks.slack.com:8443/services/T/B/x")),
        ("url", json!("https://hooks.slack.com/workflows/T/A/x")),
        ("url", json!(long_url)),
        ("events", json!([])),
        ("events", json!("finding.created")),
        ("events", json!(["finding.deleted"])),
        ("events", json!([1])),
        ("events", Value::Null),
        ("active", json!(false)),
        ("active", json!("maybe")),
    ] {
        let refused = owner.post(PATH, &with(field, value.clone())).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{field} = {value}: {refused}");
    }
    let total = owner.get(PATH).await.expect(200).json()["meta"]["total"].clone();
    assert_eq!(total, 0, "nothing may be stored");
}

#[tokio::test]
async fn a_true_active_is_harmless_and_each_channel_has_its_destinations() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    owner.post(PATH, &with("active", json!(true))).await.expect(201);
    let teams = "https://default0123.ab.environment.api.powerplatform.com:443/powerautomate/automations/direct/\
                 workflows/1/triggers/manual/paths/invoke?api-version=1&sig=abc";
    for (channel, url) in
        [("teams", teams), ("email", "mailto:ict-risk@bank.example"), ("slack", "http://127.0.0.1:9000/hook")]
    {
        let mut body = with("channel", json!(channel));
        body["url"] = json!(url);
        owner.post(PATH, &body).await.expect(201);
    }
}
