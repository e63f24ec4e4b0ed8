use axum::body::Body;
use http::{Request, header};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use crate::routes::api::v1::ict_arrangements::{PATH as ARRANGEMENTS, created, of, with};

const PATH: &str = "/api/v1/concentration-risk";

/// The worked example of the documentation.
async fn example(owner: &Client) {
    let page = include_str!("../../../../../../../docs/concentration.md");
    let table = page.split("```csv\n").nth(1).unwrap().split("```").next().unwrap();
    let request = Request::post(format!("{ARRANGEMENTS}/import")).header(header::CONTENT_TYPE, "text/csv");
    owner.request(request.body(Body::from(table)).unwrap()).await.expect(200);
}

fn question() -> Value {
    json!({ "rates": { "USD": "0.80" }, "as_of": "2026-11-14" })
}

async fn analysed(owner: &Client, body: &Value) -> Value {
    owner.post(&format!("{PATH}/analyze"), body).await.expect(201).data()
}

fn names(entries: &Value) -> Vec<(&str, f64)> {
    let entries = entries.as_array().unwrap().iter();
    entries.map(|entry| (entry["name"].as_str().unwrap(), entry["share_pct"].as_f64().unwrap())).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_worked_example_comes_out_as_documented(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    example(&owner).await;
    let result = analysed(&owner, &question()).await;
    assert_eq!(
        (&result["arrangements"], &result["providers"], &result["total"], &result["currency"]),
        (&json!(6), &json!(4), &json!(100_000_000), &json!("EUR"))
    );
    assert_eq!((&result["level"], &result["next_review_on"]), (&json!("critical"), &json!("2027-11-14")));
    assert_eq!(result["breaches"], 6);
    let provider = &result["dimensions"][0];
    assert_eq!((&provider["hhi"], &provider["threshold_pct"]), (&json!(3450), &json!(25)));
    assert_eq!(
        names(&provider["entries"]),
        [
            ("Isar Software GmbH", 40.0),
            ("Nordlicht Cloud SE", 40.0),
            ("Baltic Cloud Oy", 15.0),
            ("Alster Netze AG", 5.0)
        ]
    );
    assert_eq!(provider["entries"][3]["critical_functions_pct"], 33.33);
    assert_eq!(result["common_nodes"][0]["name"], "Rhein Rechenzentrum GmbH");
    assert_eq!(result["places"][1]["third_country_pct"], 15);
    assert_eq!(result["critical_functions"]["by_substitutability"]["impossible"], 1);
    let latest = owner.get(&format!("{PATH}/latest")).await.expect(200);
    assert_eq!(latest.data(), result);
    let etag = latest.header("etag").unwrap().to_owned();
    owner.with("if-none-match", &etag).get(&format!("{PATH}/latest")).await.expect(304);
}

#[tokio::test]
async fn providers_can_be_seen_as_groups_and_entries_in_slices() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    example(&owner).await;
    analysed(&owner, &question()).await;
    let groups = owner.get(&format!("{PATH}/latest?by=group")).await.expect(200).data();
    assert_eq!(names(&groups["dimensions"][0]["entries"])[0], ("Polar Holding Oyj", 55.0));
    assert_eq!(groups["dimensions"][1]["dimension"], "sector");
    let slice = owner.get(&format!("{PATH}/latest?limit=1&offset=2")).await.expect(200).data();
    assert_eq!(names(&slice["dimensions"][0]["entries"]), [("Baltic Cloud Oy", 15.0)]);
    assert_eq!(slice["dimensions"][0]["entries_total"], 4);
    let breaches =
        owner.get(&format!("{PATH}/breaches?by=group&dimension=provider")).await.expect(200).data();
    assert_eq!(names(&breaches), [("Polar Holding Oyj", 55.0), ("Isar Software GmbH", 40.0)]);
    owner.get(&format!("{PATH}/latest?by=country")).await.expect(422);
    owner.get(&format!("{PATH}/breaches?dimension=colour")).await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn breaches_are_listed_and_remember_since_when(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    example(&owner).await;
    let before = owner.get(&format!("{PATH}/breaches")).await.expect(200).json();
    assert_eq!((&before["data"], &before["meta"]["total"]), (&json!([]), &json!(0)));
    let first = analysed(&owner, &question()).await;
    app.clock.advance(60_000);
    owner.patch(&format!("{PATH}/thresholds"), &json!({ "sector_concentration_pct": 39 })).await.expect(200);
    let second = analysed(&owner, &question()).await;
    assert_eq!(first["thresholds"]["sector_concentration_pct"], 40);
    assert_eq!(second["thresholds"]["sector_concentration_pct"], 39);
    let breaches = owner.get(&format!("{PATH}/breaches")).await.expect(200).data();
    let breaches = breaches.as_array().unwrap();
    assert_eq!(breaches.len() as u64, second["breaches"].as_u64().unwrap());
    let of = |name: &str| breaches.iter().find(|breach| breach["name"] == name).unwrap();
    let old = of("Cloud");
    assert_eq!((&old["dimension"], &old["severity"]), (&json!("sector"), &json!("critical")));
    assert_eq!(
        (&old["share_pct"], &old["threshold_pct"], &old["excess_pct"]),
        (&json!(55), &json!(39), &json!(16))
    );
    assert_eq!(old["first_detected_at"], first["analysed_at"]);
    assert_eq!(old["detected_at"], second["analysed_at"]);
    assert_eq!(old["arrangements"].as_array().unwrap().len(), 3);
    let new = of("Software");
    assert_eq!(new["first_detected_at"], second["analysed_at"]);
    let history = owner.get(&format!("{PATH}/analyses")).await.expect(200).json();
    assert_eq!(history["meta"]["total"], 2);
    assert_eq!(history["data"][0]["id"], second["id"]);
    assert_eq!(history["data"][1]["breaches"], first["breaches"]);
}

#[tokio::test]
async fn what_cannot_be_analysed_is_said_and_nothing_is_kept() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let analyze = format!("{PATH}/analyze");
    owner.get(&format!("{PATH}/latest")).await.expect(404);
    let empty = owner.send(http::Method::POST, &analyze, None).await.expect(422).json();
    assert!(empty["details"]["register"].is_array(), "{empty}");
    created(&owner, &with("/annual_cost/currency", json!("USD"))).await;
    created(&owner, &of("C-2", "Isar AG", 5)).await;
    for (body, field) in [
        (json!({}), "rates"),
        (json!({ "rates": { "USD": 0.9 } }), "rates"),
        (json!({ "rates": { "USD": "0" } }), "rates.USD"),
        (json!({ "rates": { "EUR": "2", "USD": "1" } }), "rates.EUR"),
        (json!({ "basis": "price" }), "basis"),
        (json!({ "scope": "some" }), "scope"),
        (json!({ "as_of": "2020-01-01" }), "as_of"),
        (json!({ "as_of": "yesterday" }), "as_of"),
        (json!({ "currency": "???" }), "currency"),
    ] {
        let refused = owner.post(&analyze, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{body}: {refused}");
    }
    owner.get(&format!("{PATH}/latest")).await.expect(404);
    for basis in ["arrangements", "critical_functions"] {
        let result = analysed(&owner, &json!({ "basis": basis })).await;
        assert_eq!((&result["basis"], &result["currency"]), (&json!(basis), &json!(null)));
    }
    let converted = analysed(&owner, &json!({ "rates": { "USD": "0.5" } })).await;
    assert_eq!(converted["total"], 6_250_005);
}

#[tokio::test]
async fn with_thresholds_switched_off_nothing_breaches() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    created(&owner, &of("C-1", "Isar AG", 5)).await;
    owner.patch(&format!("{PATH}/thresholds"), &json!({ "enabled": false })).await.expect(200);
    let result = analysed(&owner, &json!({})).await;
    assert_eq!((&result["enabled"], &result["breaches"]), (&json!(false), &json!(0)));
    assert_eq!(result["dimensions"][0]["entries"][0]["breach"], false);
}

#[tokio::test]
async fn an_analysis_asked_for_twice_with_one_key_is_made_once() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    created(&owner, &of("C-1", "Isar AG", 5)).await;
    let once = owner.with("idempotency-key", "quarter-4");
    let first = once.post(&format!("{PATH}/analyze"), &json!({})).await.expect(201);
    let second = once.post(&format!("{PATH}/analyze"), &json!({})).await.expect(201);
    assert_eq!(first.body, second.body);
    assert_eq!(owner.get(&format!("{PATH}/analyses")).await.json()["meta"]["total"], 1);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_tenant_chooses_the_currency_of_its_results(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    created(&owner, &of("C-1", "Isar AG", 500)).await;
    assert_eq!(analysed(&owner, &json!({})).await["currency"], "EUR");
    app.app.people.set_currency(&tenant.caller, "CHF".parse().unwrap()).await.unwrap();
    let refused = owner.post(&format!("{PATH}/analyze"), &json!({})).await.expect(422).json();
    assert!(refused["details"]["rates"][0].as_str().unwrap().contains("CHF"), "{refused}");
    let result = analysed(&owner, &json!({ "rates": { "EUR": "0.95" } })).await;
    assert_eq!((&result["currency"], &result["total"]), (&json!("CHF"), &json!(475)));
}
