use serde_json::json;
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{PATH, created, of, sample};

async fn references(owner: &Client, query: &str) -> Vec<String> {
    let data = owner.get(&format!("{PATH}?{query}")).await.expect(200).data();
    data.as_array().unwrap().iter().map(|each| each["reference"].as_str().unwrap().to_owned()).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn filters_search_and_order(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    created(&owner, &sample()).await;
    let mut other = of("B-7", "Süd Netze AG", 900);
    other["functions"] = json!([]);
    other["substitutability"] = json!("easy");
    other["service_type"] = json!("S11");
    other["starts_on"] = json!("2020-01-01");
    other["ends_on"] = json!("2025-12-31");
    created(&owner, &other).await;
    for (query, expected) in [
        ("", &["B-7", "C-2026-001"][..]),
        ("sort=-annual_cost", &["C-2026-001", "B-7"]),
        ("sort=-created_at", &["B-7", "C-2026-001"]),
        ("search=SUD", &["B-7"]),
        ("search=netze%20s%C3%BCd", &["B-7"]),
        ("search=nordlicht%20cor", &["C-2026-001"]),
        ("search=payments", &["C-2026-001"]),
        ("search=%25", &[]),
        ("search=etze", &[]),
        ("critical=true", &["C-2026-001"]),
        ("critical=false", &["B-7"]),
        ("service_type=S11", &["B-7"]),
        ("substitutability=hard", &["C-2026-001"]),
        ("active_on=2025-12-31", &["B-7"]),
        ("active_on=2026-01-01", &["C-2026-001"]),
        ("provider=S%C3%BCd%20Netze%20AG", &["B-7"]),
        ("limit=1&offset=1", &["C-2026-001"]),
    ] {
        assert_eq!(references(&owner, query).await, expected, "{engine:?} {query}");
    }
}

#[tokio::test]
async fn wrong_filters_name_the_allowed_values() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for query in ["service_type=S20", "substitutability=x", "critical=maybe", "active_on=today", "sort=cost"]
    {
        let field = query.split('=').next().unwrap();
        let refused = owner.get(&format!("{PATH}?{query}")).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{refused}");
    }
}
