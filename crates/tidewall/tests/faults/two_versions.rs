//! The previous version and this one on one store: the middle of an upgrade without downtime.
//!
//! The previous version is the program before the newest migration. `scripts/test --full` builds it from the
//! repository's own history and names it in `TIDEWALL_TEST_BEFORE`.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use http::Method;
use serde_json::{Value, json};
use store::sql::migrate;
use testkit::ChatSink;

use super::{
    cluster::{Cluster, GENEROUS},
    figure,
    service::this_version,
    there_and_back::{extends, lists},
    upgrade::{Clients, is_refused_in_one_line},
};

const FINDINGS: &str = "/api/v1/findings";

/// The program of the previous version; building it takes too long for every test run.
pub(super) fn version_before() -> PathBuf {
    let named = std::env::var_os("TIDEWALL_TEST_BEFORE").map(PathBuf::from);
    named.expect(
        "this test needs the program of the version before in TIDEWALL_TEST_BEFORE: run scripts/test --full, which \
         builds it",
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_size_the_version_before_and_this_one_serve_one_store_together() {
    let before = version_before();
    let sink = ChatSink::start().await;
    let mut settings = GENEROUS.to_vec();
    settings.push(("TIDEWALL_LIMITS__V2__STANDARD", "1000000"));
    settings.push(("TIDEWALL_OUTBOUND__DEV_DESTINATIONS", &sink.origin));
    let (mut cluster, demo) = Cluster::with_demo(&before, &settings);
    let records = lists(&cluster.nodes[0], &demo).await;
    let new = new_migrations(&mut cluster, &before);
    let webhook =
        json!({ "name": "W", "channel": "slack", "url": sink.url("/all"), "events": ["finding.created"] });
    cluster.send(0, Method::POST, "/api/v1/webhooks", &webhook).await;

    let (clients, tasks) = Clients::start(&cluster, 6);
    let mut made = records_follow(&cluster, "oldoldold").await;
    for (node, mixture) in ["newoldold", "newnewold", "newnewnew"].into_iter().enumerate() {
        cluster.nodes[node].signal("TERM");
        assert!(cluster.nodes[node].ended().await.0.success());
        cluster.nodes[node].program = this_version();
        // The first of them migrates the store under the nodes that run.
        cluster.nodes[node].start();
        let answered = clients.answered();
        made += records_follow(&cluster, mixture).await;
        assert!(clients.answered() > answered, "requests are answered meanwhile");
    }
    made += clients.end(tasks).await;

    let total = cluster.get(0, &format!("{FINDINGS}?status=all&limit=1")).await["meta"]["total"].take();
    assert_eq!(total, json!(made), "every acknowledged finding, and no other");
    for (list, upgraded) in lists(&cluster.nodes[0], &demo).await {
        extends(&records[list], &upgraded, list);
    }
    all_are_notified(&sink, made).await;
    cluster.nodes[0].verb(&["audit", "verify"]);
    cluster.nodes[0].program = before;
    is_refused_in_one_line(&cluster.nodes[0].try_verb(&["tenant", "list"]), &new[0]);
    figure(format_args!(
        "upgraded over {} node by node: {} requests answered, none failed, {made} findings, each notified once",
        new.join(" and "),
        clients.answered()
    ));
}

/// The migrations that this version would apply to the store of the previous version.
fn new_migrations(cluster: &mut Cluster, before: &Path) -> Vec<String> {
    cluster.nodes[0].program = this_version();
    let status: Value = cluster.nodes[0].verb(&["migrate", "--status", "--json"]).parse().unwrap();
    cluster.nodes[0].program = before.into();
    let new = status["outstanding"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned());
    let new: Vec<String> = new.collect();
    assert_eq!(
        new.last().map(String::as_str),
        migrate::known().last(),
        "a version before the newest migration"
    );
    new
}

/// A record created at any node is read, listed and searched at every node; so is its change. Returns their number.
async fn records_follow(cluster: &Cluster, mixture: &str) -> usize {
    for at in 0..3 {
        let (first, second) = (format!("{mixture}first{at}"), format!("{mixture}second{at}"));
        let finding = json!({ "title": format!("Found {first}"), "severity": "high" });
        let made = cluster.send(at, Method::POST, FINDINGS, &finding).await;
        let id = made["id"].as_str().unwrap();
        for node in 0..3 {
            follows(cluster, node, id, &first, 1).await;
        }
        let change = json!({ "title": format!("Found {second}"), "severity": "low" });
        cluster.send((at + 1) % 3, Method::PATCH, &format!("{FINDINGS}/{id}"), &change).await;
        for node in 0..3 {
            follows(cluster, node, id, &second, 1).await;
            follows(cluster, node, id, &first, 0).await;
        }
    }
    3
}

/// Waits until a node finds so many records by a word, in the list and in the search over everything.
async fn follows(cluster: &Cluster, node: usize, id: &str, word: &str, times: usize) {
    let since = Instant::now();
    let found = async |path: String| {
        let answer = cluster.get(node, &path).await;
        let records = answer["data"].as_array().unwrap();
        records.iter().filter(|record| record["id"] == json!(id)).count()
    };
    loop {
        let listed = found(format!("{FINDINGS}?search={word}")).await;
        let searched = found(format!("/api/v2/search?q={word}%20")).await;
        if (listed, searched) == (times, times) {
            return;
        }
        assert!(
            since.elapsed() < Duration::from_secs(5),
            "node {node} finds {word} {listed} times in the list and {searched} times by search, not {times} times"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until the destination has received that many findings, each once, from whichever node.
async fn all_are_notified(sink: &ChatSink, findings: usize) {
    let since = Instant::now();
    loop {
        let output: Vec<String> = sink.messages().iter().flat_map(testkit::Message::events).collect();
        let different: HashSet<&String> = output.iter().collect();
        assert_eq!(different.len(), output.len(), "a finding was notified twice");
        if output.len() == findings {
            return;
        }
        assert!(since.elapsed() < Duration::from_mins(5), "{} of {findings} were notified", output.len());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
