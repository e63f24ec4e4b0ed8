use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

use crate::routes::api::v1::ict_arrangements::{PATH as ARRANGEMENTS, created, of};

const PATH: &str = "/api/v1/concentration-risk/simulate";

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn signing_changing_and_ending_are_compared_and_nothing_is_kept(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let isar = created(&owner, &of("C-1", "Isar AG", 100)).await;
    let alster = created(&owner, &of("C-2", "Alster AG", 300)).await;
    let before = owner.get(ARRANGEMENTS).await.json();
    let body = json!({
        "sign": [of("C-3", "Weser AG", 500)],
        "change": [{ "id": isar["id"], "annual_cost": { "amount": 500 } }],
        "end": [alster["id"]],
    });
    let result = owner.post(PATH, &body).await.expect(200).data();
    assert_eq!((&result["before"]["total"], &result["after"]["total"]), (&json!(400), &json!(1000)));
    assert_eq!(result["before"]["id"], json!(null));
    let difference = &result["difference"];
    assert_eq!(
        (&difference["total"], &difference["arrangements"], &difference["providers"]),
        (&json!(600), &json!(0), &json!(0))
    );
    let entries = difference["dimensions"][0]["entries"].as_array().unwrap();
    let change = |name: &str| -> &Value { entries.iter().find(|entry| entry["name"] == name).unwrap() };
    assert_eq!(change("Alster AG")["difference_pct"], -75);
    assert_eq!(
        (&change("Weser AG")["before_pct"], &change("Weser AG")["after_pct"]),
        (&json!(null), &json!(50))
    );
    assert!(
        difference["new_breaches"]
            .as_array()
            .unwrap()
            .contains(&json!({ "dimension": "provider", "name": "Weser AG" }))
    );
    assert_eq!(owner.get(ARRANGEMENTS).await.json(), before);
    owner.get("/api/v1/concentration-risk/latest").await.expect(404);
}

#[tokio::test]
async fn wrong_changes_are_named() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let isar = created(&owner, &of("C-1", "Isar AG", 100)).await;
    let id = isar["id"].as_str().unwrap();
    let absent = "arr_01m7emchyte48szc58gy1ergfp";
    for (body, field) in [
        (json!({}), "changes"),
        (json!({ "sign": [{}] }), "sign.0.reference"),
        (json!({ "sign": {} }), "sign"),
        (json!({ "change": [{ "region": "x" }] }), "change.0.id"),
        (json!({ "change": [{ "id": absent }] }), "change.0.id"),
        (json!({ "end": [absent] }), "changes"),
        (json!({ "end": ["x"] }), "end"),
        (json!({ "end": [id, id] }), "changes"),
        (json!({ "change": [{ "id": id, "annual_cost": { "amount": 0 } }] }), "annual_cost.amount"),
    ] {
        let refused = owner.post(PATH, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{body}: {refused}");
    }
}
