//! Three nodes over one PostgreSQL and one Redis, and the failure of each part.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use http::Method;
use serde_json::Value;
use store::sql::Location;
use tokio::task::JoinHandle;

use super::{
    load::{Load, PATH},
    rounds,
    servers::{Postgres, Redis},
    service::{Service, client, this_version, write_private},
};

const PATIENCE: Duration = Duration::from_secs(5);

pub(super) struct Cluster {
    pub(super) nodes: Vec<Service>,
    /// Shows a key of the tenant `north` with every permission.
    pub(super) client: reqwest::Client,
    pub(super) redis: Redis,
    postgres: Postgres,
}

impl Cluster {
    pub(super) fn start(settings: &[(&str, &str)]) -> Self {
        Self::start_each(settings, |_| Vec::new())
    }

    /// With settings of its own for each node.
    pub(super) fn start_each(
        settings: &[(&str, &str)],
        own: impl Fn(usize) -> Vec<(&'static str, String)>,
    ) -> Self {
        Self::over(Postgres::start(), &this_version(), settings, own)
    }

    /// All nodes of this version of the program, over a store with the records of the demo. Returns the key of the demo, too.
    pub(super) fn with_demo(program: &Path, settings: &[(&str, &str)]) -> (Self, String) {
        let mut key = String::new();
        let begin = |first: &mut Service| {
            [key, ..] = first.start_demo();
            first.kill();
        };
        let cluster = Self::begun(Postgres::start(), program, settings, (|_| Vec::new(), begin));
        (cluster, key)
    }

    /// The same over this server.
    pub(super) fn over(
        postgres: Postgres,
        program: &Path,
        settings: &[(&str, &str)],
        own: impl Fn(usize) -> Vec<(&'static str, String)>,
    ) -> Self {
        Self::begun(postgres, program, settings, (own, |_: &mut Service| {}))
    }

    /// `begin` does something with the first node before there is an institution.
    fn begun(
        postgres: Postgres,
        program: &Path,
        settings: &[(&str, &str)],
        (own, begin): (impl Fn(usize) -> Vec<(&'static str, String)>, impl FnOnce(&mut Service)),
    ) -> Self {
        let redis = Redis::start();
        let (database, count) = (postgres.url(), redis.url());
        let mut all =
            vec![("TIDEWALL_DATABASE_URL", database.as_str()), ("TIDEWALL_REDIS_URL", count.as_str())];
        all.extend_from_slice(settings);
        let mut nodes: Vec<Service> = (0..3).map(|_| Service::with(&all)).collect();
        for node in &mut nodes {
            program.clone_into(&mut node.program);
        }
        begin(&mut nodes[0]);
        nodes[0].verb(&["tenant", "create", "north", "--name", "North Bank"]);
        let key =
            nodes[0].verb(&["key", "create", "--tenant", "north", "--permissions", "write,manage_keys"]);
        // All nodes seal secrets with one key file.
        let secret = std::fs::read(nodes[0].data_dir().join("secret.key")).unwrap();
        for node in &nodes[1..] {
            std::fs::create_dir_all(node.data_dir()).unwrap();
            write_private(&node.data_dir().join("secret.key"), &secret);
        }
        for (number, node) in nodes.iter_mut().enumerate() {
            for (name, value) in own(number) {
                node.set(name, &value);
            }
            node.start();
        }
        Self { nodes, client: client(&key), redis, postgres }
    }

    pub(super) fn url(&self, node: usize, path: &str) -> String {
        self.nodes[node].url(path)
    }

    pub(super) async fn get(&self, node: usize, path: &str) -> Value {
        let answer = self.client.get(self.url(node, path)).send().await.unwrap();
        let (status, text) = (answer.status(), answer.text().await.unwrap());
        assert!(status.is_success(), "{path} at node {node}: {status} {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Sends a change and returns the record as it is then.
    pub(super) async fn send(&self, node: usize, method: Method, path: &str, body: &Value) -> Value {
        let answer = self.client.request(method, self.url(node, path)).json(body).send().await.unwrap();
        let (status, text) = (answer.status(), answer.text().await.unwrap());
        assert!(status.is_success(), "{path} at node {node}: {status} {text}");
        serde_json::from_str::<Value>(&text).unwrap_or_default()["data"].take()
    }

    /// Writers spread over the nodes.
    pub(super) fn load(&self, writers: usize) -> (Arc<Load>, Vec<JoinHandle<()>>) {
        let urls: Vec<String> = (0..self.nodes.len()).map(|node| self.url(node, PATH)).collect();
        Load::start(&self.client, &urls, writers)
    }

    /// The address of the database, as the nodes know it.
    pub(super) fn database(&self) -> Location {
        Location::Server { url: self.postgres.url(), connections: 1 }
    }

    async fn status(&self, node: usize, path: &str) -> u16 {
        self.client.get(self.url(node, path)).send().await.unwrap().status().as_u16()
    }

    /// The remaining requests that a node reports.
    async fn remaining(&self, node: usize) -> u32 {
        let answer = self.client.get(self.url(node, "/api/v1/webhooks")).send().await.unwrap();
        answer.headers()["x-ratelimit-remaining"].to_str().unwrap().parse().unwrap()
    }

    /// Waits until every node answers a read, and returns how long that took.
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

pub(super) const GENEROUS: [(&str, &str); 2] =
    [("TIDEWALL_LIMITS__V1__STANDARD", "1000000"), ("TIDEWALL_LIMITS__V1__BURST", "1000000")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_killed_under_load_takes_nothing_with_it() {
    let mut cluster = Cluster::start(&GENEROUS);
    let (load, tasks) = cluster.load(12);
    for round in 0..rounds(3, 50) {
        tokio::time::sleep(Duration::from_millis(400)).await;
        let node = round % 3;
        cluster.nodes[node].kill();
        tokio::time::sleep(Duration::from_millis(200)).await;
        cluster.nodes[node].start();
    }
    load.end(tasks).await;
    let written = load.nothing_is_lost(&cluster.client, &cluster.url(1, PATH)).await;
    println!("{written} writes acknowledged while nodes were killed, none lost");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgresql_stopped_hard_and_restarted_loses_nothing_and_needs_no_restart_here() {
    let mut cluster = Cluster::start(&GENEROUS);
    let (load, tasks) = cluster.load(12);
    let mut recoveries = Vec::new();
    for _ in 0..rounds(5, 100) {
        tokio::time::sleep(Duration::from_millis(300)).await;
        cluster.postgres.crash();
        tokio::time::sleep(Duration::from_millis(300)).await;
        cluster.postgres.resume();
        recoveries.push(cluster.healthy_again().await);
    }
    load.end(tasks).await;
    let written = load.nothing_is_lost(&cluster.client, &cluster.url(0, PATH)).await;
    assert!(cluster.nodes.iter_mut().all(Service::is_running), "a node gave up");
    recoveries.sort_unstable();
    let (middle, slowest) = (recoveries[recoveries.len() / 2], recoveries[recoveries.len() - 1]);
    println!(
        "{written} writes acknowledged, none lost; PostgreSQL stopped {} times, healthy {middle:?} (the middle one) and \
         at most {slowest:?} after it was back",
        recoveries.len()
    );
    assert!(slowest <= PATIENCE, "healthy only {slowest:?} after PostgreSQL was back");
}

/// One key used on all nodes at once: how many requests were served, and how many failed.
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
        let frozen = Instant::now();
        // No request waits for it longer than half a second, and no key gets more than each node allows.
        while frozen.elapsed() < Duration::from_secs(rounds(1, 60) as u64) {
            let (asked, (served, _)) = (Instant::now(), burst(&cluster, 3).await);
            assert!(served <= 3 && asked.elapsed() < Duration::from_secs(4), "round {round}: frozen");
        }
        cluster.redis.thaw();

        cluster.redis.kill();
        let (served, refused) = burst(&cluster, 240).await;
        assert!(served <= 180, "round {round}: each node holds its own limit, {served} were served");
        assert!(refused >= 60, "round {round}: {refused} were refused");
        cluster.redis.restart();
        let back = Instant::now();
        // The new Redis has no counts, so a node that uses it reports nearly the whole limit; its own count is nearly
        // full, though old requests may have left the window.
        for node in 0..3 {
            while cluster.remaining(node).await < 50 {
                assert!(back.elapsed() <= PATIENCE, "round {round}: node {node} still counts alone");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        println!("round {round}: Redis used again {:?} after it was back", back.elapsed());
    }
}
