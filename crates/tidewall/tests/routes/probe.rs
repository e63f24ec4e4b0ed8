//! The cross-tenant probe: whoever asks for another tenant's record is answered as if it did not exist.

use http::Method;
use serde_json::{Value, json};
use testkit::{Answer, Client, TestApp};

use super::openapi::operations;

/// Stands in every text of tenant B, and must never leave B.
const CANARY: &str = "canary-of-tenant-b";

/// How B gets a record whose id fills a path parameter: the path up to the parameter, where to create, and what.
fn samples() -> Vec<(&'static str, &'static str, Value)> {
    let webhook = json!({
        "name": CANARY, "channel": "slack", "events": ["finding.created"],
        "url": format!("https://hooks.slack.com/services/T/B/{CANARY}"),
    });
    let arrangement = json!({
        "reference": CANARY, "provider": { "name": CANARY, "country": "DE", "sector": CANARY },
        "service": CANARY, "service_type": "S17", "technology": CANARY, "region": CANARY,
        "substitutability": "hard", "starts_on": "2026-01-01",
        "annual_cost": { "amount": 1, "currency": "EUR" },
    });
    vec![
        ("/api/v1/ict-arrangements/", "/api/v1/ict-arrangements", arrangement),
        ("/api/v1/webhooks/", "/api/v1/webhooks", webhook),
        ("/api/v1/keys/", "/api/v1/keys", json!({ "name": CANARY })),
    ]
}

/// Routes whose parameter names no tenant's record.
const SHARED: &[&str] = &[];

async fn send(client: &Client, method: &str, path: &str) -> Answer {
    let body = ["POST", "PUT", "PATCH"].contains(&method).then(|| "{}".to_owned());
    client.send(method.parse::<Method>().unwrap(), path, body).await
}

/// Everything about an answer that could tell one case from another.
fn fingerprint(answer: &Answer) -> (u16, Vec<(String, String)>, String) {
    let volatile = ["x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "date"];
    let headers = answer.headers.iter().filter(|(name, _)| !volatile.contains(&name.as_str()));
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    (answer.status.as_u16(), headers.collect(), String::from_utf8_lossy(&answer.body).into_owned())
}

#[tokio::test]
async fn foreign_records_are_answered_like_missing_ones_and_stay_untouched() {
    let app = TestApp::new().await;
    let attacker = app.owner("a").await;
    let victim = app.owner("b").await;
    let mut ids = Vec::new();
    for (prefix, collection, body) in samples() {
        let created = victim.post(collection, &body).await.expect(201).data();
        ids.push((prefix, created["id"].as_str().unwrap().to_owned()));
    }
    let before = snapshot(&victim).await;
    for (method, path, _) in operations() {
        if !path.contains('{') || SHARED.contains(&path.as_str()) {
            continue;
        }
        let sample = ids.iter().find(|(prefix, _)| path.starts_with(prefix));
        let (prefix, id) = sample.unwrap_or_else(|| panic!("{method} {path} has no sample in the probe"));
        let rest = path[prefix.len()..].split_once('/').map_or(String::new(), |(_, rest)| format!("/{rest}"));
        // The last digit changed: the right shape, but no record.
        let last = if id.ends_with('0') { '1' } else { '0' };
        let missing = format!("{}{last}", &id[..id.len() - 1]);
        let foreign = send(&attacker, &method, &format!("{prefix}{id}{rest}")).await;
        let absent = send(&attacker, &method, &format!("{prefix}{missing}{rest}")).await;
        assert_eq!(fingerprint(&foreign), fingerprint(&absent), "{method} {path}");
        assert_eq!(foreign.status.as_u16(), 404, "{method} {path}");
    }
    assert_eq!(snapshot(&victim).await, before, "nothing of B may change");
}

#[tokio::test]
async fn no_list_of_one_tenant_shows_another() {
    let app = TestApp::new().await;
    let attacker = app.owner("a").await;
    let victim = app.owner("b").await;
    for (_, collection, body) in samples() {
        victim.post(collection, &body).await.expect(201);
    }
    for (method, path, _) in operations() {
        if method != "GET" || path.contains('{') {
            continue;
        }
        for query in ["", "?limit=500", &format!("?search={CANARY}"), &format!("?q={CANARY}")] {
            let answer = attacker.get(&format!("{path}{query}")).await;
            assert!(
                !answer.to_string().contains(CANARY) || path == "/api/v2/search",
                "{path}{query}: {answer}"
            );
        }
    }
}

/// Everything B can see of itself.
async fn snapshot(victim: &Client) -> Vec<Value> {
    let mut seen = Vec::new();
    for (_, collection, _) in samples() {
        seen.push(victim.get(collection).await.expect(200).json());
    }
    seen
}
