//! A new version takes over node by node, and a version that is too old refuses to start.
//!
//! The rule for migrations makes the first possible: a released schema is only extended, so a running node continues
//! over a store that a newer one has migrated. Starting is different: a version that does not know every migration of
//! the store refuses.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use store::sql::{Location, migrate};
use test_case::test_case;
use testkit::{Engine, Intruder, Scratch};

use super::{
    cluster::{Cluster, GENEROUS},
    figure, rounds,
    service::Service,
};

/// A migration as a later version might have it, and its entry in the history.
const LATER: &str = "ALTER TABLE findings ADD COLUMN later TEXT;
    CREATE TABLE later (id TEXT PRIMARY KEY, note TEXT);
    INSERT INTO migrations (name, applied_at) VALUES ('9999_later', 0)";

/// Clients that know all nodes and use the next when one does not accept the request.
pub(super) struct Clients {
    stop: AtomicBool,
    answered: AtomicUsize,
    /// Findings that were created, among the answered.
    created: AtomicUsize,
    failed: Mutex<Vec<String>>,
}

impl Clients {
    pub(super) fn start(cluster: &Cluster, count: usize) -> (Arc<Self>, Vec<tokio::task::JoinHandle<()>>) {
        let clients = Arc::new(Self {
            stop: AtomicBool::new(false),
            answered: AtomicUsize::new(0),
            created: AtomicUsize::new(0),
            failed: Mutex::default(),
        });
        let urls: Vec<String> = (0..3).map(|node| cluster.url(node, "/api/v1/findings")).collect();
        let tasks = (0..count).map(|number| {
            let (clients, client, urls) = (Arc::clone(&clients), cluster.client.clone(), urls.clone());
            tokio::spawn(async move {
                let mut at = number;
                while !clients.stop.load(Ordering::Acquire) {
                    clients.ask(&client, &urls, &mut at, number % 3 == 0).await;
                }
            })
        });
        let tasks = tasks.collect();
        (clients, tasks)
    }

    /// One request, at the node that answered last or the first after it that accepts it.
    async fn ask(&self, client: &reqwest::Client, urls: &[String], at: &mut usize, write: bool) {
        for _ in 0..urls.len() {
            let url = &urls[*at % urls.len()];
            let request = if write {
                client.post(url).json(&json!({ "title": "Found during the upgrade", "severity": "low" }))
            } else {
                client.get(format!("{url}?limit=5"))
            };
            match request.send().await {
                Ok(answer) if answer.status().is_success() => {
                    self.answered.fetch_add(1, Ordering::AcqRel);
                    self.created.fetch_add(usize::from(write), Ordering::AcqRel);
                    return;
                }
                // The node refuses new work, or there is no listener: nothing was done.
                Ok(answer) if answer.status() == 503 && answer.headers().contains_key("retry-after") => {}
                Err(error) if error.is_connect() => {}
                Ok(answer) => self.failed.lock().unwrap().push(answer.status().to_string()),
                Err(error) => self.failed.lock().unwrap().push(format!("{error:?}")),
            }
            *at += 1;
        }
        self.failed.lock().unwrap().push("no node took it".to_owned());
    }

    pub(super) fn answered(&self) -> usize {
        self.answered.load(Ordering::Acquire)
    }

    /// Stops them. None of their requests may have failed; returns how many findings they created.
    pub(super) async fn end(&self, tasks: Vec<tokio::task::JoinHandle<()>>) -> usize {
        self.stop.store(true, Ordering::Release);
        for task in tasks {
            task.await.unwrap();
        }
        let (failed, answered) = (self.failed.lock().unwrap(), self.answered());
        assert!(failed.is_empty(), "{} of {answered} failed, the first: {}", failed.len(), failed[0]);
        self.created.load(Ordering::Acquire)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_are_exchanged_one_by_one_and_no_request_fails() {
    let mut cluster = Cluster::start(&GENEROUS);
    let (clients, tasks) = Clients::start(&cluster, 8);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut exchanged = 0;
    for _ in 0..rounds(1, 20) {
        for node in 0..3 {
            // The old program stops, the new one starts, the other nodes serve records of both.
            cluster.nodes[node].signal("TERM");
            let (status, took) = cluster.nodes[node].ended().await;
            assert!(status.success() && took < Duration::from_secs(10), "{status} after {took:?}");
            cluster.nodes[node].start();
            exchanged += 1;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
    // A newer version migrates the store under the running nodes.
    let database = cluster.database();
    tokio::task::spawn_blocking(move || Intruder::at(&database).run(LATER)).await.unwrap();
    let before = clients.answered();
    tokio::time::sleep(Duration::from_secs(1)).await;
    clients.end(tasks).await;
    let answered = clients.answered();
    assert!(answered > before + 20, "the running nodes go on over the newer schema");
    println!("{exchanged} nodes exchanged under load, {answered} requests answered, none failed");

    // But the old version is not started again on it.
    let refused = cluster.nodes[0].try_verb(&["tenant", "list"]);
    is_refused_in_one_line(&refused, "9999_later");
}

/// Refused because of this migration, which the program does not know.
pub(super) fn is_refused_in_one_line(output: &std::process::Output, unknown: &str) {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "one line: {said}");
    assert!(said.starts_with("tidewall: ") && said.contains(unknown), "{said}");
    assert!(said.contains("use the newer version"), "the remedy: {said}");
    assert!(output.stdout.is_empty());
}

/// A service on a store of this engine that does not exist yet, and the server of the store.
pub(super) fn store(engine: Engine) -> (Service, Scratch) {
    let scratch = Scratch::unmigrated(engine);
    let service = match &scratch.location {
        Location::File { .. } => Service::with(&[]),
        Location::Server { url, .. } => Service::with(&[("TIDEWALL_DATABASE_URL", url)]),
    };
    (service, scratch)
}

pub(super) fn location(service: &Service, scratch: &Scratch) -> Location {
    match &scratch.location {
        Location::File { .. } => Location::File { path: service.data_dir().join("tidewall.db"), readers: 1 },
        server @ Location::Server { .. } => server.clone(),
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
fn an_old_program_refuses_a_newer_store_whatever_it_is_asked(engine: Engine) {
    let (service, scratch) = store(engine);
    service.verb(&["tenant", "create", "north", "--name", "North Bank"]);
    Intruder::at(&location(&service, &scratch)).run(LATER);
    for verb in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["migrate"],
        &["tenant", "list"],
        &["key", "create", "--tenant", "north"],
        &["audit", "verify"],
        &["job", "list"],
    ] {
        is_refused_in_one_line(&service.try_verb(verb), "9999_later");
    }
}

/// How many migrations the store lacks. A program that was killed before it created one leaves no store.
fn outstanding(service: &Service, known: usize) -> usize {
    let status = service.try_verb(&["migrate", "--status", "--json"]);
    if String::from_utf8_lossy(&status.stderr).contains("there is no store") {
        return known;
    }
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    status["outstanding"].as_array().unwrap().len()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
fn a_migration_that_is_killed_half_way_leaves_all_of_it_or_nothing(engine: Engine) {
    let whole = {
        let (service, _scratch) = store(engine);
        let begun = std::time::Instant::now();
        service.verb(&["migrate"]);
        begun.elapsed()
    };
    let (kills, known) = (u32::try_from(rounds(10, 100)).unwrap(), migrate::known().count());
    let mut undone = 0;
    for kill in 0..kills {
        let (service, _scratch) = store(engine);
        // A little beyond the end, so that some kills come too late.
        let pause = whole * (2 * kill + 1) * 13 / (20 * kills);
        service.killed_after(&["migrate"], pause);
        let outstanding = outstanding(&service, known);
        assert!([0, known].contains(&outstanding), "half a schema: {outstanding} of {known} are outstanding");
        undone += usize::from(outstanding > 0);
        // The next start continues from there.
        service.verb(&["migrate"]);
        service.verb(&["tenant", "create", "north", "--name", "North Bank"]);
    }
    figure(format_args!(
        "{engine:?}: {kills} migrations killed, {undone} before their end; every store whole"
    ));
}
