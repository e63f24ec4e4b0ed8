//! Changes at one node take effect at the others within a second: keys, limits of the analysis, webhooks, records.

use std::time::{Duration, Instant};

use http::Method;
use serde_json::{Value, json};

use super::{
    cluster::{Cluster, GENEROUS},
    rounds,
    service::client,
};

const SECOND: Duration = Duration::from_secs(1);

/// How long after a change the last of the other nodes shows it.
async fn shown_everywhere<F: Future<Output = bool>>(
    changed_at: usize,
    shown: impl Fn(usize) -> F,
) -> Duration {
    let since = Instant::now();
    for node in (0..3).filter(|node| *node != changed_at) {
        while !shown(node).await {
            assert!(since.elapsed() < 10 * SECOND, "node {node} never shows it");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    since.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_at_one_node_holds_at_the_others_within_a_second() {
    let cluster = Cluster::start(&GENEROUS);
    let webhook = json!({ "name": "W", "channel": "email", "url": "mailto:ict@bank.example",
                          "events": ["finding.created"] });
    let webhook = cluster.send(0, Method::POST, "/api/v1/webhooks", &webhook).await;
    let webhook = format!("/api/v1/webhooks/{}", webhook["id"].as_str().unwrap());
    let mut slowest = [Duration::ZERO; 4];
    for round in 0..rounds(4, 100) {
        let at = round % 3;
        slowest[0] = slowest[0].max(revoke(&cluster, at).await);
        slowest[1] = slowest[1].max(change_a_threshold(&cluster, at, round).await);
        slowest[2] = slowest[2].max(switch(&cluster, at, &webhook, round % 2 == 1).await);
        slowest[3] = slowest[3].max(add_a_finding(&cluster, at).await);
    }
    println!("key, threshold, webhook and list followed on all nodes within {slowest:?}");
    assert!(slowest.iter().all(|took| *took <= SECOND), "{slowest:?}");
}

async fn revoke(cluster: &Cluster, at: usize) -> Duration {
    let made = cluster.send(at, Method::POST, "/api/v1/keys", &json!({ "name": "short-lived" })).await;
    let key = client(made["key"].as_str().unwrap());
    let status = async |node| key.get(cluster.url(node, "/api/v1/findings")).send().await.unwrap().status();
    // Every node has used it and has it in its cache.
    for node in 0..3 {
        assert_eq!(status(node).await, 200);
    }
    let path = format!("/api/v1/keys/{}", made["id"].as_str().unwrap());
    cluster.send(at, Method::DELETE, &path, &Value::Null).await;
    assert_eq!(status(at).await, 401, "at once where it was revoked");
    shown_everywhere(at, async |node| status(node).await == 401).await
}

async fn change_a_threshold(cluster: &Cluster, at: usize, round: usize) -> Duration {
    const PATH: &str = "/api/v1/concentration-risk/thresholds";
    let wanted = json!(10 + round % 80);
    let read = async |node| cluster.get(node, PATH).await["data"]["provider_concentration_pct"].take();
    for node in 0..3 {
        read(node).await;
    }
    let changed =
        cluster.send(at, Method::PATCH, PATH, &json!({ "provider_concentration_pct": wanted })).await;
    assert_eq!(changed["provider_concentration_pct"], wanted);
    shown_everywhere(at, async |node| read(node).await == wanted).await
}

async fn switch(cluster: &Cluster, at: usize, webhook: &str, on: bool) -> Duration {
    cluster.send(at, Method::PATCH, webhook, &json!({ "active": on })).await;
    shown_everywhere(at, async |node| cluster.get(node, webhook).await["data"]["active"] == on).await
}

/// Lists are cached; a cached one must not outlive the change.
async fn add_a_finding(cluster: &Cluster, at: usize) -> Duration {
    let total = async |node| cluster.get(node, "/api/v1/findings").await["meta"]["total"].as_u64().unwrap();
    let before = total(0).await;
    for node in 0..3 {
        total(node).await;
    }
    let finding = json!({ "title": "Restore not rehearsed", "severity": "high" });
    cluster.send(at, Method::POST, "/api/v1/findings", &finding).await;
    shown_everywhere(at, async |node| total(node).await == before + 1).await
}
