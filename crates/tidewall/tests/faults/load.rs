//! Writers that continue whatever happens, and a comparison of the store with the acknowledged writes.

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
use tokio::task::JoinHandle;

/// The written records: cheap, audited, and listed in full.
pub(super) const PATH: &str = "/api/v1/webhooks";

/// Writers, and the outcome of their requests.
#[derive(Default)]
pub(super) struct Load {
    stop: AtomicBool,
    next: AtomicUsize,
    acknowledged: Mutex<Vec<(String, String)>>,
    /// Requests without a result: the connection broke, or the node returned 503.
    open: Mutex<Vec<String>>,
    /// Anything but 201 and a proper 503.
    wrong: Mutex<Vec<String>>,
}

impl Load {
    /// Starts writers, spread over the addresses.
    pub(super) fn start(
        client: &reqwest::Client,
        urls: &[String],
        writers: usize,
    ) -> (Arc<Self>, Vec<JoinHandle<()>>) {
        let load = Arc::new(Self::default());
        let tasks = (0..writers).map(|writer| {
            let (load, client, url) = (Arc::clone(&load), client.clone(), urls[writer % urls.len()].clone());
            tokio::spawn(async move { load.write(client, url).await })
        });
        let tasks = tasks.collect();
        (load, tasks)
    }

    async fn write(&self, client: reqwest::Client, url: String) {
        while !self.stop.load(Ordering::Acquire) {
            let key = format!("k{}", self.next.fetch_add(1, Ordering::AcqRel));
            match create(&client, &url, &key).await {
                Answer::Created(id) => self.acknowledged.lock().unwrap().push((key, id)),
                Answer::None | Answer::Later => {
                    self.open.lock().unwrap().push(key);
                    tokio::time::sleep(Duration::from_millis(150)).await;
                }
                Answer::Wrong(what) => self.wrong.lock().unwrap().push(what),
            }
        }
    }

    /// How many requests were refused with 503 so far.
    pub(super) fn put_off(&self) -> usize {
        self.open.lock().unwrap().len()
    }

    pub(super) fn acknowledged(&self) -> usize {
        self.acknowledged.lock().unwrap().len()
    }

    pub(super) async fn end(&self, tasks: Vec<JoinHandle<()>>) {
        self.stop.store(true, Ordering::Release);
        for task in tasks {
            task.await.unwrap();
        }
        let wrong = self.wrong.lock().unwrap();
        assert!(wrong.is_empty(), "{} odd answers, the first: {}", wrong.len(), wrong[0]);
    }

    /// Repeats requests without a response, then compares the store with the acknowledged writes.
    pub(super) async fn nothing_is_lost(&self, client: &reqwest::Client, url: &str) -> usize {
        let open = std::mem::take(&mut *self.open.lock().unwrap());
        for some in open.chunks(16) {
            join_all(some.iter().map(async |key| {
                let id = created_in_the_end(client, url, key).await;
                self.acknowledged.lock().unwrap().push((key.clone(), id));
            }))
            .await;
        }
        let mut stored = HashSet::new();
        loop {
            let page = client.get(format!("{url}?limit=500&offset={}", stored.len())).send().await.unwrap();
            let page: Value = page.json().await.unwrap();
            let items = page["data"].as_array().unwrap();
            if items.is_empty() {
                break;
            }
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            stored.extend(items.iter().map(|item| (text(&item["name"]), text(&item["id"]))));
        }
        let acknowledged = self.acknowledged.lock().unwrap();
        for promised in acknowledged.iter() {
            assert!(stored.contains(promised), "{promised:?} was acknowledged and is lost");
        }
        assert_eq!(stored.len(), acknowledged.len(), "one record for each request, whatever was resent");
        acknowledged.len()
    }
}

enum Answer {
    Created(String),
    Later,
    None,
    Wrong(String),
}

/// Repeats a request as its client would: a connection that broke before may be found out only when it is used.
async fn created_in_the_end(client: &reqwest::Client, url: &str, key: &str) -> String {
    for _ in 0..100 {
        match create(client, url, key).await {
            Answer::Created(id) => return id,
            Answer::None | Answer::Later => tokio::time::sleep(Duration::from_millis(150)).await,
            Answer::Wrong(what) => panic!("{key}: {what}"),
        }
    }
    panic!("{key} is not answered although everything is back");
}

async fn create(client: &reqwest::Client, url: &str, key: &str) -> Answer {
    let body = json!({ "name": key, "channel": "email", "url": "mailto:ict@bank.example", "events": ["finding.created"] });
    let Ok(answer) = client.post(url).header("idempotency-key", key).json(&body).send().await else {
        return Answer::None;
    };
    let (status, retry) = (answer.status().as_u16(), answer.headers().contains_key("retry-after"));
    let Ok(text) = answer.text().await else { return Answer::None };
    match status {
        201 => {
            let record: Value = serde_json::from_str(&text).unwrap();
            Answer::Created(record["data"]["id"].as_str().unwrap().to_owned())
        }
        503 if retry => {
            let said: Value = serde_json::from_str(&text).unwrap_or_default();
            if said["error"].is_string() { Answer::Later } else { Answer::Wrong(text) }
        }
        _ => Answer::Wrong(format!("{status} {text}")),
    }
}
