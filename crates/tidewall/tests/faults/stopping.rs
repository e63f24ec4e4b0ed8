//! The service is stopped under load: accepted requests are answered.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::json;

use super::{
    rounds,
    service::{Service, client},
};

#[derive(Default)]
struct Tally {
    stop: AtomicBool,
    answered: AtomicUsize,
    written: AtomicUsize,
    failed: Mutex<Vec<String>>,
}

/// Sends requests until the listener is closed.
async fn ask(tally: Arc<Tally>, client: reqwest::Client, url: String, write: bool) {
    while !tally.stop.load(Ordering::Acquire) {
        let request = if write {
            client.post(&url).json(&json!({ "title": "Found in the evening", "severity": "low" }))
        } else {
            client.get(format!("{url}?limit=20"))
        };
        match request.send().await {
            Ok(answer) if answer.status().is_success() => {
                // A truncated response is a failure too.
                match answer.bytes().await {
                    Ok(_) => tally.answered.fetch_add(1, Ordering::AcqRel),
                    Err(error) => return tally.failed.lock().unwrap().push(format!("{error:?}")),
                };
                tally.written.fetch_add(usize::from(write), Ordering::AcqRel);
            }
            Ok(answer) => return tally.failed.lock().unwrap().push(answer.status().to_string()),
            // The request was never sent: the client would use another node.
            Err(error) if error.is_connect() => return,
            Err(error) => return tally.failed.lock().unwrap().push(format!("{error:?}")),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_end_under_load_fails_no_request_in_flight() {
    let mut service = Service::new();
    let key = service.verb(&["key", "create", "--tenant", "north", "--permissions", "write"]);
    let (tally, url) = (Arc::new(Tally::default()), service.url("/api/v1/findings"));
    let mut slowest = Duration::ZERO;
    let ends = rounds(10, 200);
    for round in 0..ends {
        service.start();
        let client = client(&key);
        let askers: Vec<_> = (0..24)
            .map(|asker| tokio::spawn(ask(Arc::clone(&tally), client.clone(), url.clone(), asker % 2 == 0)))
            .collect();
        tokio::time::sleep(Duration::from_millis(150 + (round as u64 * 37) % 200)).await;
        service.signal("TERM");
        let (status, took) = service.ended().await;
        assert!(status.success(), "{status}: {}", service.log());
        slowest = slowest.max(took);
        for asker in askers {
            tokio::time::timeout(Duration::from_secs(20), asker)
                .await
                .expect("everybody is answered")
                .unwrap();
        }
    }
    let (answered, failed) = (tally.answered.load(Ordering::Acquire), tally.failed.lock().unwrap().clone());
    assert!(failed.is_empty(), "{} of {answered} failed, the first: {}", failed.len(), failed[0]);
    assert!(slowest <= Duration::from_secs(10), "ended only after {slowest:?}");
    assert!(answered > ends * 24, "only {answered} requests: no load");

    service.start();
    let list: serde_json::Value =
        client(&key).get(format!("{url}?limit=1")).send().await.unwrap().json().await.unwrap();
    let written = tally.written.load(Ordering::Acquire);
    assert_eq!(list["meta"]["total"], written, "everything acknowledged is there, and nothing else");
    println!("{ends} ends under load: {answered} requests answered, 0 failed, ended within {slowest:?}");
}
