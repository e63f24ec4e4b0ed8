use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use crate::routes::api::v1::ict_arrangements::{created, of};

const PATH: &str = "/api/v1/concentration-risk/rates";
const ANALYZE: &str = "/api/v1/concentration-risk/analyze";
const LATEST: &str = "/api/v1/concentration-risk/latest";

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn kept_rates_are_used_unless_the_request_brings_its_own(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let mut dollars = of("C-1", "Isar AG", 1000);
    dollars["annual_cost"]["currency"] = json!("USD");
    created(&owner, &dollars).await;
    created(&owner, &of("C-2", "Alster AG", 1000)).await;
    let none = json!({ "currency": null, "valid_on": null, "rates": {}, "updated_at": null });
    assert_eq!(owner.get(PATH).await.expect(200).data(), none);
    owner.post(ANALYZE, &json!({})).await.expect(422);

    let body = json!({ "valid_on": "2026-11-13", "rates": { "USD": "0.5", "GBP": "1.2" } });
    let kept = owner.put(PATH, &body).await.expect(200).data();
    assert_eq!((&kept["currency"], &kept["valid_on"]), (&json!("EUR"), &json!("2026-11-13")));
    assert_eq!(owner.get(PATH).await.expect(200).data(), kept);
    let analysed = owner.post(ANALYZE, &json!({})).await.expect(201).data();
    assert_eq!(analysed["total"], 1500);
    let used = json!([{ "currency": "USD", "rate": "0.5", "valid_on": "2026-11-13" }]);
    assert_eq!(analysed["rates"], used, "only what the register needs");
    assert_eq!((&analysed["stale"], &analysed["stale_reasons"]), (&json!(false), &json!([])));

    let own = owner.post(ANALYZE, &json!({ "rates": { "USD": "2" } })).await.expect(201).data();
    assert_eq!(own["total"], 3000);
    assert_eq!(own["rates"], json!([{ "currency": "USD", "rate": "2", "valid_on": null }]));
    // Rates in another currency than they lead to would be wrong, so they are not used.
    owner.post(ANALYZE, &json!({ "currency": "CHF" })).await.expect(422);
    assert_eq!(owner.put(PATH, &json!({ "rates": {} })).await.expect(200).data(), none);
}

#[tokio::test]
async fn wrong_rates_are_named_and_nothing_is_kept() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (body, field) in [
        (json!({}), "rates"),
        (json!({ "rates": { "USD": "a lot" } }), "rates.USD"),
        (json!({ "rates": { "XXX": "1" } }), "rates.XXX"),
        (json!({ "rates": { "EUR": "2" } }), "rates.EUR"),
        (json!({ "rates": { "USD": "1" }, "valid_on": "2099-01-01" }), "valid_on"),
        (json!({ "rates": { "USD": "1" }, "valid_on": "soon" }), "valid_on"),
    ] {
        let refused = owner.put(PATH, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{body}: {refused}");
    }
    assert_eq!(owner.get(PATH).await.expect(200).data()["rates"], json!({}));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_analysis_says_what_has_changed_since(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let isar = created(&owner, &of("C-1", "Isar AG", 1000)).await;
    let mut dollars = of("C-2", "Alster AG", 1000);
    dollars["annual_cost"]["currency"] = json!("USD");
    created(&owner, &dollars).await;
    owner.put(PATH, &json!({ "rates": { "USD": "0.5" } })).await.expect(200);
    owner.post(ANALYZE, &json!({})).await.expect(201);
    let reasons = async || owner.get(LATEST).await.expect(200).data()["stale_reasons"].clone();
    assert_eq!(reasons().await, json!([]));
    let thresholds = "/api/v1/concentration-risk/thresholds";
    owner.patch(thresholds, &json!({ "provider_concentration_pct": 90 })).await.expect(200);
    assert_eq!(reasons().await, json!(["thresholds"]));
    owner.put(PATH, &json!({ "rates": { "USD": "0.6" } })).await.expect(200);
    assert_eq!(reasons().await, json!(["thresholds", "rates"]));
    let id = isar["id"].as_str().unwrap();
    owner.delete(&format!("/api/v1/ict-arrangements/{id}")).await.expect(204);
    assert_eq!(reasons().await, json!(["register", "thresholds", "rates"]));
    owner.post(ANALYZE, &json!({})).await.expect(201);
    assert_eq!(reasons().await, json!([]));
    assert_eq!(owner.get(LATEST).await.expect(200).data()["stale"], false);
}
