//! Alerts exist as long as their cause: breached limits, failing webhooks, an impaired service.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, Intruder, TestApp};

async fn alerts(client: &Client) -> Vec<Value> {
    client.get("/api/v2/alerts").await.expect(200).data().as_array().unwrap().clone()
}

fn of_type<'a>(alerts: &'a [Value], kind: &str) -> Vec<&'a Value> {
    alerts.iter().filter(|alert| alert["type"] == kind).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn breached_limits_are_alerts_of_their_tenant(engine: Engine) {
    let app = TestApp::on(engine).await;
    app.app.reload_catalogue().await.unwrap().unwrap();
    let (client, other) = (app.owner("north").await, app.owner("south").await);
    assert!(of_type(&alerts(&client).await, "limit_breached").is_empty());
    let arrangement = json!({
        "reference": "A-1", "provider": { "name": "Cloud AG", "country": "DE", "sector": "Cloud" },
        "service": "Hosting", "service_type": "S17", "technology": "Kubernetes", "region": "EU",
        "substitutability": "hard", "starts_on": "2026-01-01",
        "annual_cost": { "amount": 100, "currency": "EUR" },
    });
    client.post("/api/v1/ict-arrangements", &arrangement).await.expect(201);
    client.post("/api/v1/concentration-risk/analyze", &json!({})).await.expect(201);
    let found = alerts(&client).await;
    let breaches = of_type(&found, "limit_breached");
    assert_eq!(breaches.len(), 4, "{found:?}");
    let titles: Vec<_> = breaches.iter().map(|alert| alert["title"].as_str().unwrap()).collect();
    assert!(titles.contains(&"Cloud AG stands at 100 %, above the provider limit of 25 %"), "{titles:?}");
    assert!(of_type(&alerts(&other).await, "limit_breached").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_webhook_is_an_alert_until_it_works_again() {
    let app = TestApp::new().await;
    app.app.reload_catalogue().await.unwrap().unwrap();
    let client = app.owner("north").await;
    let webhook = json!({ "name": "Ops", "channel": "slack", "events": ["finding.created"],
                          "url": "https://hooks.slack.com/services/T/B/x" });
    client.post("/api/v1/webhooks", &webhook).await.expect(201);
    let mut intruder = Intruder::at(&app.scratch.location);
    let titles = async || {
        let found = alerts(&client).await;
        of_type(&found, "webhook_failing").iter().map(|alert| alert["title"].to_string()).collect::<Vec<_>>()
    };
    assert!(titles().await.is_empty());
    intruder.run("UPDATE webhooks SET failing_since = 1");
    assert_eq!(titles().await, ["\"The webhook Ops is failing\""]);
    intruder.run("UPDATE webhooks SET active = 0, switched_off_at = 2");
    assert_eq!(
        titles().await,
        ["\"The webhook Ops was switched off because its destination takes nothing\""]
    );
    intruder.run("UPDATE webhooks SET active = 1, switched_off_at = NULL, failing_since = NULL");
    assert!(titles().await.is_empty());
}
