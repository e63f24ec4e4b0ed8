//! Three nodes over one PostgreSQL and one Redis, and what happens when a part goes away.

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{
    rounds,
    servers::{Postgres, Redis},
    service::Service,
};

const PATIENCE: Duration = Duration::from_secs(5);

struct Cluster {
    nodes: Vec<Service>,
    client: reqwest::Client,
    redis: Redis,
    postgres: Postgres,
}

impl Cluster {
    fn start(settings: &[(&str, &str)]) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (postgres, redis) = (Postgres::start(), Redis::start());
        let (database, count) = (postgres.url(), redis.url());
        let mut all =
            vec![("TIDEWALL_DATABASE_URL", database.as_str()), ("TIDEWALL_REDIS_URL", count.as_str())];
        all.extend_from_slice(settings);
        let mut nodes: Vec<Service> = (0..3).map(|_| Service::with(&all)).collect();
        nodes[0].verb(&["tenant", "create", "north", "--name", "North Bank"]);
        let key = nodes[0].verb(&["key", "create", "--tenant", "north", "--permissions", "write"]);
        // All nodes seal secrets with one key file.
        let secret = std::fs::read(nodes[0].data_dir().join("secret.key")).unwrap();
        for node in &nodes[1..] {
            std::fs::create_dir_all(node.data_dir()).unwrap();
            std::fs::write(node.data_dir().join("secret.key"), &secret).unwrap();
        }
        for node in &mut nodes {
            node.start();
        }
        let bearer = format!("Bearer {}", key.trim()).parse().unwrap();
        let headers = [(http::header::AUTHORIZATION, bearer)].into_iter().collect();
        let client = reqwest::Client::builder()
            .default_headers(headers)
            .no_proxy()
            .timeout(Duration::from_secs(10))
            .build()
            .unwrap();
        Self { nodes, client, redis, postgres }
    }

    fn url(&self, node: usize, path: &str) -> String {
        format!("http://{}{path}", self.nodes[node].address)
    }

    async fn status(&self, node: usize, path: &str) -> u16 {
        self.client.get(self.url(node, path)).send().await.unwrap().status().as_u16()
    }

    /// Waits until every node answers a read, and says how long that took.
    async fn healthy_again(&self) -> Duration {
        let started = Instant::now();
        for node in 0..self.nodes.len() {
            while self.status(node, "/api/v1/webhooks").await != 200 {
                assert!(started.elapsed() < Duration::from_secs(30), "node {node} does not come back");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        started.elapsed()
    }
}

/// Writers spread over the nodes, and what became of their requests.
#[derive(Default)]
struct Load {
    stop: AtomicBool,
    next: AtomicUsize,
    acknowledged: Mutex<Vec<(String, String)>>,
    /// Requests without an answer: the connection broke, or the node said 503.
    open: Mutex<Vec<String>>,
    /// Anything but 201 and 503 with `Retry-After`.
    wrong: Mutex<Vec<String>>,
}

impl Load {
    fn start(cluster: &Cluster, writers: usize) -> (Arc<Self>, Vec<JoinHandle<()>>) {
        let load = Arc::new(Self::default());
        let tasks = (0..writers).map(|writer| {
            let (load, client) = (Arc::clone(&load), cluster.client.clone());
            let url = cluster.url(writer % cluster.nodes.len(), "/api/v1/webhooks");
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
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Answer::Wrong(what) => self.wrong.lock().unwrap().push(what),
            }
        }
    }

    async fn end(&self, tasks: Vec<JoinHandle<()>>) {
        self.stop.store(true, Ordering::Release);
        for task in tasks {
            task.await.unwrap();
        }
        let wrong = self.wrong.lock().unwrap();
        assert!(wrong.is_empty(), "{} odd answers, the first: {}", wrong.len(), wrong[0]);
    }

    /// Sends again what got no answer, then compares what is stored with what was promised.
    async fn nothing_is_lost(&self, cluster: &Cluster, node: usize) -> usize {
        let url = cluster.url(node, "/api/v1/webhooks");
        let open = std::mem::take(&mut *self.open.lock().unwrap());
        for key in open {
            match create(&cluster.client, &url, &key).await {
                Answer::Created(id) => self.acknowledged.lock().unwrap().push((key, id)),
                _ => panic!("{key} is not answered although everything is back"),
            }
        }
        let mut stored = HashSet::new();
        loop {
            let page =
                cluster.client.get(format!("{url}?limit=500&offset={}", stored.len())).send().await.unwrap();
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
        503 if retry => Answer::Later,
        _ => Answer::Wrong(format!("{status} {text}")),
    }
}

const GENEROUS: [(&str, &str); 2] =
    [("TIDEWALL_LIMITS__V1__STANDARD", "1000000"), ("TIDEWALL_LIMITS__V1__BURST", "1000000")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_killed_under_load_takes_nothing_with_it() {
    let mut cluster = Cluster::start(&GENEROUS);
    let (load, tasks) = Load::start(&cluster, 12);
    for round in 0..rounds(3, 50) {
        tokio::time::sleep(Duration::from_millis(400)).await;
        let node = round % 3;
        cluster.nodes[node].kill();
        tokio::time::sleep(Duration::from_millis(200)).await;
        cluster.nodes[node].start();
    }
    load.end(tasks).await;
    let written = load.nothing_is_lost(&cluster, 1).await;
    println!("{written} writes acknowledged while nodes were killed, none lost");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgresql_stopped_hard_and_restarted_loses_nothing_and_needs_no_restart_here() {
    let mut cluster = Cluster::start(&GENEROUS);
    let (load, tasks) = Load::start(&cluster, 12);
    let mut slowest = Duration::ZERO;
    for _ in 0..rounds(5, 100) {
        tokio::time::sleep(Duration::from_millis(300)).await;
        cluster.postgres.crash();
        tokio::time::sleep(Duration::from_millis(300)).await;
        cluster.postgres.resume();
        slowest = slowest.max(cluster.healthy_again().await);
    }
    load.end(tasks).await;
    let written = load.nothing_is_lost(&cluster, 0).await;
    assert!(cluster.nodes.iter_mut().all(Service::is_running), "a node gave up");
    assert!(slowest <= PATIENCE, "healthy only {slowest:?} after PostgreSQL was back");
    println!("{written} writes acknowledged, healthy at most {slowest:?} after PostgreSQL was back");
}

/// One key asked over all nodes at once: how many were served, and whether anything failed.
async fn burst(cluster: &Cluster, requests: usize) -> (usize, usize) {
    let (mut served, mut refused) = (0, 0);
    for request in 0..requests {
        match cluster.status(request % 3, "/api/v1/webhooks").await {
            200 => served += 1,
            429 => refused += 1,
            other => panic!("request {request} was answered with {other}"),
        }
    }
    (served, refused)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_hold_over_all_nodes_and_survive_a_lost_redis() {
    let mut cluster = Cluster::start(&[
        ("TIDEWALL_LIMITS__V1__STANDARD", "60"),
        ("TIDEWALL_LIMITS__V1__BURST", "60"),
        ("TIDEWALL_LIMITS__V1__EXCEEDANCES", "1000"),
    ]);
    assert_eq!(burst(&cluster, 90).await, (60, 30), "one count for three nodes");
    for round in 0..rounds(1, 7) {
        cluster.redis.flush();
        let (served, _) = burst(&cluster, 30).await;
        assert_eq!(served, 30, "round {round}: a flushed count starts again");

        cluster.redis.freeze();
        let (served, _) = burst(&cluster, 12).await;
        assert!(served <= 12, "round {round}: frozen");
        cluster.redis.thaw();

        cluster.redis.kill();
        let (served, refused) = burst(&cluster, 240).await;
        assert!(served <= 180, "round {round}: each node holds its own limit, {served} were served");
        assert!(refused >= 60, "round {round}: {refused} were refused");
        cluster.redis.restart();
        let back = Instant::now();
        // The new Redis knows nothing, so a node that uses it serves again at once.
        for node in 0..3 {
            while cluster.status(node, "/api/v1/webhooks").await != 200 {
                assert!(back.elapsed() <= PATIENCE, "round {round}: node {node} still counts alone");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        println!("round {round}: Redis used again {:?} after it was back", back.elapsed());
    }
}
