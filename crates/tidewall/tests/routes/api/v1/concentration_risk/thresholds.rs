use insta::assert_json_snapshot;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

const PATH: &str = "/api/v1/concentration-risk/thresholds";

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn get_answers_the_defaults_until_they_are_changed(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let untouched = owner.get(PATH).await.expect(200).json();
    insta::allow_duplicates! {
        assert_json_snapshot!(untouched, @r#"
        {
          "data": {
            "enabled": true,
            "provider_concentration_pct": 25,
            "regional_concentration_pct": 50,
            "review_frequency_days": 365,
            "sector_concentration_pct": 40,
            "technology_concentration_pct": 33,
            "updated_at": null
          }
        }
        "#);
    }
    let change = json!({ "provider_concentration_pct": 30, "enabled": "0" });
    let changed = owner.patch(PATH, &change).await.expect(200).json();
    insta::allow_duplicates! {
        assert_json_snapshot!(changed, @r#"
        {
          "data": {
            "enabled": false,
            "provider_concentration_pct": 30,
            "regional_concentration_pct": 50,
            "review_frequency_days": 365,
            "sector_concentration_pct": 40,
            "technology_concentration_pct": 33,
            "updated_at": "2026-11-14T14:00:00Z"
          }
        }
        "#);
    }
    assert_eq!(owner.get(PATH).await.data()["provider_concentration_pct"], 30);
}

#[tokio::test]
async fn patch_takes_every_bound_and_nothing_beyond() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let percentages =
        ["provider", "sector", "regional", "technology"].map(|name| format!("{name}_concentration_pct"));
    for field in &percentages {
        for good in [json!(1), json!(100), json!(1.0), json!(33)] {
            owner.patch(PATH, &json!({ field: good })).await.expect(200);
        }
        for bad in [
            json!(0),
            json!(101),
            json!(-1),
            json!(1.5),
            json!("25"),
            json!(null),
            json!(true),
            json!([1]),
            json!(1e300),
        ] {
            let refused = owner.patch(PATH, &json!({ field: bad })).await.expect(422).json();
            assert!(refused["error"].as_str().unwrap().starts_with(field.as_str()), "{refused}");
            assert!(refused["details"][field][0].is_string(), "{refused}");
        }
    }
    for (days, status) in [(29, 422), (30, 200), (730, 200), (731, 422)] {
        owner.patch(PATH, &json!({ "review_frequency_days": days })).await.expect(status);
    }
    for (value, status) in [
        (json!(true), 200),
        (json!(false), 200),
        (json!(0), 200),
        (json!(1), 200),
        (json!("0"), 200),
        (json!("1"), 200),
        (json!(2), 422),
        (json!("true"), 422),
        (json!(""), 422),
        (Value::Null, 422),
    ] {
        owner.patch(PATH, &json!({ "enabled": value })).await.expect(status);
    }
}

#[tokio::test]
async fn a_wrong_field_stores_nothing_of_the_others() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let mixed = json!({ "provider_concentration_pct": 10, "sector_concentration_pct": 0 });
    assert_json_snapshot!(owner.patch(PATH, &mixed).await.expect(422).json(), @r#"
    {
      "code": "validation_failed",
      "details": {
        "sector_concentration_pct": [
          "must be a whole number from 1 to 100"
        ]
      },
      "error": "sector_concentration_pct must be a whole number from 1 to 100"
    }
    "#);
    assert_eq!(owner.get(PATH).await.data()["provider_concentration_pct"], 25);
}

#[tokio::test]
async fn an_empty_object_changes_nothing_and_unknown_fields_are_ignored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let before = owner.get(PATH).await;
    for body in [json!({}), json!({ "colour": "blue" })] {
        let answer = owner.patch(PATH, &body).await.expect(200);
        assert_eq!(answer.json(), before.json());
        assert_eq!(answer.header("etag"), before.header("etag"));
    }
}
