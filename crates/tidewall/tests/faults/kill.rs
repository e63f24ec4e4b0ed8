//! `kill -9` under write load: what was acknowledged is there afterwards, with its audit entry, exactly once.

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};

use super::{rounds, service::Service};

const WRITERS: usize = 32;

/// What the writers know: each request's key, and the id it was answered with, if it was.
#[derive(Default)]
struct Ledger {
    acknowledged: Mutex<Vec<(String, String)>>,
    unanswered: Mutex<Vec<String>>,
    next: AtomicUsize,
}

fn body(key: &str) -> Value {
    json!({ "name": key, "channel": "email", "url": "mailto:ict@bank.example", "events": ["finding.created"] })
}

async fn create(client: &reqwest::Client, url: &str, key: &str) -> Option<String> {
    let request =
        client.post(url).header("idempotency-key", key).json(&body(key)).timeout(Duration::from_secs(10));
    let answer = request.send().await.ok()?;
    assert_eq!(answer.status().as_u16(), 201);
    let record: Value = answer.json().await.ok()?;
    Some(record["data"]["id"].as_str().unwrap().to_owned())
}

async fn write_until(stop: Arc<AtomicBool>, ledger: Arc<Ledger>, client: reqwest::Client, url: String) {
    while !stop.load(Ordering::Acquire) {
        let key = format!("k{}", ledger.next.fetch_add(1, Ordering::AcqRel));
        match create(&client, &url, &key).await {
            Some(id) => ledger.acknowledged.lock().unwrap().push((key, id)),
            None => ledger.unanswered.lock().unwrap().push(key),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost() {
    // The client's TLS is not used here but wants its provider all the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut service = Service::new();
    let key = service.verb(&["key", "create", "--tenant", "north", "--permissions", "write"]);
    let authorisation = format!("Bearer {}", key.trim());
    let url = format!("http://{}/api/v1/webhooks", service.address);
    let ledger = Arc::new(Ledger::default());
    let headers = [(http::header::AUTHORIZATION, authorisation.parse().unwrap())].into_iter().collect();
    let client = reqwest::Client::builder().default_headers(headers).no_proxy().build().unwrap();
    let mut slowest = Duration::ZERO;
    for round in 0..rounds(50, 1000) {
        slowest = slowest.max(service.start());
        let stop = Arc::new(AtomicBool::new(false));
        let writers: Vec<_> = (0..WRITERS)
            .map(|_| {
                tokio::spawn(write_until(Arc::clone(&stop), Arc::clone(&ledger), client.clone(), url.clone()))
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(50 + (round as u64 * 37) % 150)).await;
        service.kill();
        stop.store(true, Ordering::Release);
        for writer in writers {
            writer.await.unwrap();
        }
    }
    slowest = slowest.max(service.start());
    assert!(slowest <= Duration::from_secs(2), "ready only after {slowest:?}");

    // Whoever got no answer sends again, with the same key.
    let unanswered = std::mem::take(&mut *ledger.unanswered.lock().unwrap());
    for key in &unanswered {
        let id = create(&client, &url, key).await.expect("answered now");
        ledger.acknowledged.lock().unwrap().push((key.clone(), id));
    }
    let stored = all_webhooks(&client, &url).await;
    let acknowledged = ledger.acknowledged.lock().unwrap().clone();
    assert_eq!(stored.len(), acknowledged.len(), "one record for each request, whatever was resent");
    for (key, id) in &acknowledged {
        assert!(stored.contains(&(id.clone(), key.clone())), "{key} was acknowledged and is lost");
    }
    service.kill();
    println!(
        "{} acknowledged, {} resent, ready after at most {slowest:?}",
        acknowledged.len(),
        unanswered.len()
    );
    the_store_is_sound(&service, &acknowledged);
}

async fn all_webhooks(client: &reqwest::Client, url: &str) -> HashSet<(String, String)> {
    let mut all = HashSet::new();
    loop {
        let page = client.get(format!("{url}?limit=500&offset={}", all.len())).send().await.unwrap();
        let page: Value = page.json().await.unwrap();
        let items = page["data"].as_array().unwrap();
        if items.is_empty() {
            return all;
        }
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        all.extend(items.iter().map(|item| (text(&item["id"]), text(&item["name"]))));
    }
}

fn the_store_is_sound(service: &Service, acknowledged: &[(String, String)]) {
    service.verb(&["audit", "verify"]);
    let export = service.verb(&["audit", "export", "--tenant", "north"]);
    let audited: HashSet<String> = export
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|entry| entry["action"] == "webhook.created")
        .map(|entry| entry["subject"].as_str().unwrap().to_owned())
        .collect();
    assert!(acknowledged.iter().all(|(_, id)| audited.contains(id)), "a write without its audit entry");
    let store = rusqlite::Connection::open(service.data_dir().join("tidewall.db")).unwrap();
    let integrity: String = store.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(integrity, "ok");
    let broken: i64 =
        store.query_row("SELECT COUNT(*) FROM pragma_foreign_key_check", [], |row| row.get(0)).unwrap();
    assert_eq!(broken, 0);
}
