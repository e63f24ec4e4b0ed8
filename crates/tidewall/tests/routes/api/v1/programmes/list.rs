use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::super::seed::{self, PROGRAMMES, at, pluck};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn filters_combine_and_orders_are_what_they_say(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    for (name, framework, start, end) in [
        ("beta", "dora", json!("2027-01-01"), json!("2027-02-01")),
        ("Alpha", "dora", json!(null), json!(null)),
        ("gamma", "cra", json!("2026-01-01"), json!("2028-01-01")),
    ] {
        let fields = json!({ "name": name, "framework": framework, "starts_on": start, "ends_on": end });
        let programme = seed::programme(&owner, &fields).await;
        if name != "gamma" {
            seed::moved(&owner, &at(PROGRAMMES, &programme), &["active"]).await;
        }
    }
    for (query, names) in [
        ("", vec!["gamma", "Alpha", "beta"]),
        ("sort=created_at", vec!["beta", "Alpha", "gamma"]),
        ("sort=name", vec!["Alpha", "beta", "gamma"]),
        ("sort=-name", vec!["gamma", "beta", "Alpha"]),
        ("sort=starts_on", vec!["gamma", "beta", "Alpha"]),
        ("sort=-ends_on", vec!["Alpha", "gamma", "beta"]),
        ("framework=dora", vec!["Alpha", "beta"]),
        ("framework=dora&status=active&sort=name", vec!["Alpha", "beta"]),
        ("framework=cra&status=active", vec![]),
        ("status=planned", vec!["gamma"]),
        ("search=GAM", vec!["gamma"]),
        ("search=dora&sort=name", vec!["Alpha", "beta"]),
        ("search=nothing", vec![]),
        ("search=%21%3F", vec![]),
        ("search=%20", vec!["gamma", "Alpha", "beta"]),
        ("unknown=1&limit=1", vec!["gamma"]),
    ] {
        let page = owner.get(&format!("{PROGRAMMES}?{query}")).await.expect(200).json();
        assert_eq!(pluck(&page, "name"), names, "{query}");
    }
}

#[tokio::test]
async fn a_programme_has_any_framework_of_the_catalogue() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let named = |framework: &str| serde_json::json!({ "name": "Cloud", "framework": framework });
    owner.post(PROGRAMMES, &named("bsi-c5")).await.expect(201);
    let page = owner.get(&format!("{PROGRAMMES}?framework=bsi-c5")).await.expect(200).json();
    assert_eq!(pluck(&page, "framework"), ["bsi-c5"]);
    let refused = owner.post(PROGRAMMES, &named("sox")).await.expect(422).error();
    assert!(refused.starts_with("framework must be one of dora, marisk, iso-27001, cra, nis2"), "{refused}");
    let refused = owner.post(PROGRAMMES, &named("BSI C5")).await.expect(422).error();
    assert!(refused.starts_with("framework must be the id of a framework"), "{refused}");
}

#[tokio::test]
async fn a_wrong_filter_names_the_right_values() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (query, says) in [
        ("status=open", "status must be one of planned, active, on_hold, completed, archived"),
        ("framework=", "framework must be one of dora, marisk, iso-27001, cra, nis2"),
        ("framework=sox", "framework must be one of dora, marisk, iso-27001, cra, nis2, bsi-c5"),
        ("sort=owner", "sort must be one of -created_at, created_at, name, -name"),
    ] {
        let refused = owner.get(&format!("{PROGRAMMES}?{query}")).await.expect(422).error();
        assert!(refused.starts_with(says), "{refused}");
    }
    let long = "x".repeat(201);
    owner.get(&format!("{PROGRAMMES}?search={long}")).await.expect(422);
}
