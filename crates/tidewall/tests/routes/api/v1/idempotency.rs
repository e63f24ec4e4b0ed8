//! `Idempotency-Key`: a request that is sent twice is done once.

use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

const HOOKS: &str = "/api/v1/webhooks";

fn hook(name: &str) -> serde_json::Value {
    json!({ "name": name, "channel": "email", "url": "mailto:a@bank.example", "events": ["finding.created"] })
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_same_request_is_answered_again_word_for_word(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let client = owner.with("idempotency-key", "order-1");
    let first = client.post(HOOKS, &hook("once")).await.expect(201);
    app.clock.advance(23 * 3_600_000);
    let again = client.post(HOOKS, &hook("once")).await.expect(201);
    assert_eq!(first.header("idempotency-replayed"), None);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(
        (again.body, again.headers["location"].clone()),
        (first.body, first.headers["location"].clone())
    );
    assert_eq!(owner.get(HOOKS).await.json()["meta"]["total"], 1);
    // After a day the key is free again.
    app.clock.advance(2 * 3_600_000);
    assert_eq!(client.post(HOOKS, &hook("once")).await.expect(201).header("idempotency-replayed"), None);
}

#[tokio::test]
async fn another_body_or_route_under_the_same_key_is_refused() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let client = owner.with("idempotency-key", "order-1");
    client.post(HOOKS, &hook("a")).await.expect(201);
    let refused = client.post(HOOKS, &hook("b")).await.expect(422);
    assert!(refused.error().contains("Idempotency-Key was used for another request"), "{refused}");
    client.post("/api/v1/keys", &json!({ "name": "a" })).await.expect(422);
    // Another tenant's keys are its own.
    app.owner("south").await.with("idempotency-key", "order-1").post(HOOKS, &hook("b")).await.expect(201);
}

#[tokio::test]
async fn a_refused_request_is_not_remembered() {
    let app = TestApp::new().await;
    let client = app.owner("north").await.with("idempotency-key", "k");
    client.post(HOOKS, &hook("")).await.expect(422);
    client.post(HOOKS, &hook("good")).await.expect(201);
}

#[tokio::test]
async fn a_new_key_is_replayed_with_its_secret() {
    let app = TestApp::new().await;
    let client = app.owner("north").await.with("idempotency-key", "k");
    let first = client.post("/api/v1/keys", &json!({ "name": "ci" })).await.expect(201);
    let again = client.post("/api/v1/keys", &json!({ "name": "ci" })).await.expect(201);
    assert_eq!(first.body, again.body);
    app.client(again.data()["key"].as_str().unwrap()).get(HOOKS).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_answer_is_given_again_only_to_its_caller(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let mut secrets = Vec::new();
    for _ in 0..2 {
        let manager = app.client(&app.key(&tenant, "manage_keys").await).with("idempotency-key", "k");
        let created = manager.post("/api/v1/keys", &json!({ "name": "ci" })).await.expect(201);
        assert_eq!(created.header("idempotency-replayed"), None);
        secrets.push(created.data()["key"].clone());
    }
    assert_ne!(secrets[0], secrets[1]);
}

#[tokio::test]
async fn the_key_must_be_sane() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (key, status) in
        [("x".repeat(255), 201), ("x".repeat(256), 422), (String::new(), 422), ("ä".into(), 422)]
    {
        owner.with("idempotency-key", &key).post(HOOKS, &hook("x")).await.expect(status);
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn racing_requests_with_one_key_create_one_record(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let client = owner.with("idempotency-key", "race");
    let racers = (0..8).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { client.post(HOOKS, &hook("once")).await.expect(201).body })
    });
    let mut bodies = Vec::new();
    for racer in racers.collect::<Vec<_>>() {
        bodies.push(racer.await.unwrap());
    }
    assert!(bodies.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(owner.get(HOOKS).await.json()["meta"]["total"], 1);
}
