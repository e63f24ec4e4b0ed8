use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use super::{PATH, sample, with};

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn pages_are_stable_and_beyond_the_end_empty(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    for number in 0..7 {
        owner.post(PATH, &with("name", json!(format!("hook {number}")))).await.expect(201);
    }
    let page = owner.get(&format!("{PATH}?limit=3&offset=5")).await.expect(200).json();
    let names: Vec<_> = page["data"].as_array().unwrap().iter().map(|hook| &hook["name"]).collect();
    assert_eq!(names, ["hook 5", "hook 6"]);
    assert_eq!(page["meta"], json!({ "count": 2, "total": 7, "limit": 3, "offset": 5, "next_cursor": null }));
    let beyond = owner.get(&format!("{PATH}?offset=99999999999999999999")).await.expect(200).json();
    assert_eq!((&beyond["data"], &beyond["meta"]["total"]), (&json!([]), &json!(7)));
}

#[tokio::test]
async fn limit_and_offset_follow_the_rules_of_every_list() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (query, limit) in
        [("", 50), ("?limit=500", 500), ("?limit=501", 500), ("?limit=18446744073709551616", 500)]
    {
        let answer = owner.get(&format!("{PATH}{query}")).await.expect(200).json();
        assert_eq!(answer["meta"]["limit"], limit, "{query}");
    }
    for query in ["limit=0", "limit=-1", "limit=1.5", "limit=x", "limit=", "offset=-1", "offset=x"] {
        owner.get(&format!("{PATH}?{query}")).await.expect(422);
    }
}

#[tokio::test]
async fn keys_without_write_do_not_see_the_secret_part() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let writer = app.client(&app.key(&tenant, "write").await);
    let reader = app.client(&app.key(&tenant, "read").await);
    let created = writer.post(PATH, &sample()).await.expect(201);
    let address = created.header("location").unwrap();
    for path in [PATH, address] {
        // In both orders, so that neither sees a page kept for the other.
        for _ in 0..2 {
            assert!(writer.get(path).await.to_string().contains("/services/T000/B000/secret"));
            let seen = reader.get(path).await.to_string();
            assert!(seen.contains("https://hooks.slack.com/***") && !seen.contains("secret"), "{seen}");
        }
    }
}
