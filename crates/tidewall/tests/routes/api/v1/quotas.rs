//! The quotas of an institution.

use app::quota::Quotas;
use serde_json::json;
use testkit::{Engine, TestApp, TestOptions};

const HOOKS: &str = "/api/v1/webhooks";

async fn with(quotas: Quotas) -> TestApp {
    TestApp::with(Engine::Sqlite, TestOptions { quotas, ..TestOptions::default() }).await
}

#[tokio::test]
async fn one_webhook_more_than_allowed_is_refused_with_the_remedy() {
    let app = with(Quotas { webhooks: Some(2), ..Quotas::default() }).await;
    let owner = app.owner("north").await;
    let hook = json!({ "name": "x", "channel": "email", "url": "mailto:a@bank.example", "events": ["finding.created"] });
    let first = owner.post(HOOKS, &hook).await.expect(201).data();
    owner.post(HOOKS, &hook).await.expect(201);
    let refused = owner.post(HOOKS, &hook).await.expect(422);
    assert!(refused.error().contains("quotas.webhooks"), "{refused}");
    app.owner("south").await.post(HOOKS, &hook).await.expect(201);
    owner.delete(&format!("{HOOKS}/{}", first["id"].as_str().unwrap())).await.expect(204);
    owner.post(HOOKS, &hook).await.expect(201);
}

#[tokio::test]
async fn keys_that_work_are_counted_and_others_are_not() {
    let app = with(Quotas { keys: Some(2), ..Quotas::default() }).await;
    let owner = app.owner("north").await;
    let key = json!({ "name": "x", "expires_at": "2026-11-14T15:00:00Z" });
    owner.post("/api/v1/keys", &key).await.expect(201);
    let refused = owner.post("/api/v1/keys", &key).await.expect(422);
    assert!(refused.error().contains("quotas.keys"), "{refused}");
    app.clock.advance(3_600_000);
    owner.post("/api/v1/keys", &json!({ "name": "x" })).await.expect(201);
}
