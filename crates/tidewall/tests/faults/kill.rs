//! `kill -9` under write load: acknowledged writes are there afterwards, with their audit entry and their event,
//! exactly once.

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{
    is_full, rounds,
    service::{Service, client},
};

const WRITERS: usize = 32;

/// The writers' knowledge: each request's key, and the id in its response, if there was one.
#[derive(Default)]
struct Ledger {
    acknowledged: Mutex<Vec<(String, String)>>,
    unanswered: Mutex<Vec<String>>,
    next: AtomicUsize,
}

fn body(key: &str) -> Value {
    json!({ "title": key, "severity": "low" })
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
    let mut service = Service::new();
    let key = service.verb(&["key", "create", "--tenant", "north", "--permissions", "write"]);
    let url = service.url("/api/v1/findings");
    let ledger = Arc::new(Ledger::default());
    let client = client(&key);
    let mut starts = Vec::new();
    for round in 0..rounds(15, 1000) {
        starts.push(service.start());
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
    starts.push(service.start());

    // A client without a response sends again, with the same key.
    let unanswered = std::mem::take(&mut *ledger.unanswered.lock().unwrap());
    for some in unanswered.chunks(WRITERS) {
        join_all(some.iter().map(async |key| {
            let id = create(&client, &url, key).await.expect("answered now");
            ledger.acknowledged.lock().unwrap().push((key.clone(), id));
        }))
        .await;
    }
    let stored = all_findings(&client, &url).await;
    let acknowledged = ledger.acknowledged.lock().unwrap().clone();
    assert_eq!(stored.len(), acknowledged.len(), "one record for each request, whatever was resent");
    for (key, id) in &acknowledged {
        assert!(stored.contains(&(id.clone(), key.clone())), "{key} was acknowledged and is lost");
    }
    service.kill();
    assert!(!is_full() || acknowledged.len() >= 50_000, "only {} writes: no load", acknowledged.len());
    the_store_is_sound(&service, &acknowledged);
    let last = starts[starts.len() - 1];
    starts.sort_unstable();
    let (middle, slowest) = (starts[starts.len() / 2], starts[starts.len() - 1]);
    println!(
        "{} acknowledged, {} resent, none lost; {} kills, ready after {middle:?} (the middle one), {slowest:?} at most, \
         {last:?} after the last",
        acknowledged.len(),
        unanswered.len(),
        starts.len() - 1,
    );
    // On a busy machine one start may have to wait for the disk; the full size is run on an idle one.
    let judged = if is_full() { slowest } else { middle };
    assert!(judged <= Duration::from_secs(2), "ready only after {judged:?}");
}

async fn all_findings(client: &reqwest::Client, url: &str) -> HashSet<(String, String)> {
    let mut all = HashSet::new();
    loop {
        let page = client.get(format!("{url}?limit=500&offset={}", all.len())).send().await.unwrap();
        let page: Value = page.json().await.unwrap();
        let items = page["data"].as_array().unwrap();
        if items.is_empty() {
            return all;
        }
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        all.extend(items.iter().map(|item| (text(&item["id"]), text(&item["title"]))));
    }
}

fn the_store_is_sound(service: &Service, acknowledged: &[(String, String)]) {
    service.verb(&["audit", "verify"]);
    let export = service.verb(&["audit", "export", "--tenant", "north"]);
    let audited: HashSet<String> = export
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|entry| entry["action"] == "finding.created")
        .map(|entry| entry["subject"].as_str().unwrap().to_owned())
        .collect();
    assert!(acknowledged.iter().all(|(_, id)| audited.contains(id)), "a write without its audit entry");
    let store = rusqlite::Connection::open(service.data_dir().join("tidewall.db")).unwrap();
    let integrity: String = store.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(integrity, "ok");
    let broken: i64 =
        store.query_row("SELECT COUNT(*) FROM pragma_foreign_key_check", [], |row| row.get(0)).unwrap();
    assert_eq!(broken, 0);
    let mut events = store.prepare("SELECT subject FROM events WHERE kind = 'finding.created'").unwrap();
    let output: Vec<String> =
        events.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(output.len(), acknowledged.len(), "an event for each, and none without");
    let output: HashSet<String> = output.into_iter().collect();
    assert!(acknowledged.iter().all(|(_, id)| output.contains(id)), "a write without its event");
}
