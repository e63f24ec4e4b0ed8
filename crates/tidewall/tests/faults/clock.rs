//! Nodes whose clocks are an hour off: they use the database's time, so only their health reports it.
//!
//! The fault is the machine's, not a setting: the C library's clock is replaced under the running program.

use std::time::{Duration, Instant};

use app::clock::Clock;
use domain::moment::Moment;
use http::{Method, header};
use serde_json::{Value, json};
use testkit::{ChatSink, Reply};

use super::{cluster::Cluster, service::client};

const HOUR: i64 = 3_600_000;
/// The tolerance for a busy machine and a query.
const CLOSE: i64 = 3_000;
/// The first node is right, the second ahead, the third behind.
const OFF: [i64; 3] = [0, HOUR, -HOUR];

pub(super) fn wrong_clock(node: usize) -> Vec<(&'static str, String)> {
    if OFF[node] == 0 { Vec::new() } else { clock_off_by(OFF[node] / 1000) }
}

/// The environment that replaces the wall clock of a process by one that is this far off.
pub(crate) fn clock_off_by(seconds: i64) -> Vec<(&'static str, String)> {
    replaced_clock([("FAKETIME", format!("{seconds:+}s"))])
}

/// The environment that replaces the wall clock of a process, and leaves the monotonic one alone.
pub(super) fn replaced_clock(
    by: impl IntoIterator<Item = (&'static str, String)>,
) -> Vec<(&'static str, String)> {
    let libraries = std::fs::read_dir("/usr/lib").unwrap().map(|entry| entry.unwrap().path());
    let mut preload = libraries.map(|folder| folder.join("faketime/libfaketime.so.1"));
    let preload = preload.find(|path| path.exists()).expect("scripts/test installs libfaketime");
    let all = [
        ("LD_PRELOAD", preload.display().to_string()),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        // Locks shared between processes are not needed here and leave files behind.
        ("FAKETIME_DISABLE_SHM", "1".to_owned()),
    ];
    all.into_iter().chain(by).collect()
}

fn now() -> i64 {
    Clock::system().now().millis()
}

#[track_caller]
fn is_close(what: &str, output: &Value) {
    let output: Moment = output.as_str().unwrap_or_else(|| panic!("{what}: {output}")).parse().unwrap();
    let off = output.millis() - now();
    assert!(off.abs() < CLOSE, "{what} is {off} ms off");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_an_hour_off_harm_nobody() {
    let sink = ChatSink::start().await;
    let settings = [
        ("TIDEWALL_LIMITS__V1__STANDARD", "60"),
        ("TIDEWALL_LIMITS__V1__BURST", "60"),
        ("TIDEWALL_LIMITS__V1__EXCEEDANCES", "1000"),
        ("TIDEWALL_OUTBOUND__DEV_DESTINATIONS", sink.origin.as_str()),
    ];
    let cluster = Cluster::start_each(&settings, wrong_clock);
    the_fault_is_there_and_health_says_so(&cluster).await;
    keys_live_as_long_as_they_should(&cluster).await;
    limits_are_one_count(&cluster).await;
    sessions_hold_on_every_node(&cluster).await;
    deadlines_are_judged_alike(&cluster).await;
    messages_are_tried_again_when_they_should_be(&cluster, &sink).await;
    jobs_run_in_the_present(&cluster).await;
    println!(
        "two of three nodes an hour off: keys, limits, sessions, deadlines, deliveries and jobs unharmed"
    );
}

async fn the_fault_is_there_and_health_says_so(cluster: &Cluster) {
    for (node, off) in OFF.into_iter().enumerate() {
        let answer = cluster.client.get(cluster.url(node, "/api/ping")).send().await.unwrap();
        let machine = answer.headers()[header::DATE].to_str().unwrap().to_owned();
        let machine = jiff::fmt::rfc2822::parse(&machine).unwrap().timestamp();
        let machine_off = machine.as_second() * 1000 - now() - off;
        assert!(machine_off.abs() < CLOSE, "the machine of node {node} is another {machine_off} ms off");
        let ping: Value = answer.json().await.unwrap();
        is_close("ping", &ping["at"]);
        let health = cluster.get(node, "/api/health-detailed").await;
        let checks = health["checks"].as_array().unwrap();
        let clock = checks.iter().find(|check| check["name"] == "clock").unwrap();
        assert_eq!(clock["status"], if off == 0 { "ok" } else { "degraded" }, "node {node}: {clock}");
    }
}

async fn keys_live_as_long_as_they_should(cluster: &Cluster) {
    let new = |life| {
        cluster.nodes[1].verb(&["key", "create", "--tenant", "north", "--expires-in", life]).trim().to_owned()
    };
    let (half_an_hour, moment) = (client(&new("30m")), client(&new("2s")));
    let made = Instant::now();
    for node in 0..3 {
        let url = cluster.url(node, "/api/v1/findings");
        assert_eq!(half_an_hour.get(&url).send().await.unwrap().status(), 200, "node {node}");
    }
    tokio::time::sleep(Duration::from_secs(2).saturating_sub(made.elapsed())).await;
    for node in 0..3 {
        let url = cluster.url(node, "/api/v1/findings");
        while moment.get(&url).send().await.unwrap().status() != 401 {
            assert!(made.elapsed() < Duration::from_secs(5), "an expired key still works at node {node}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

async fn limits_are_one_count(cluster: &Cluster) {
    // A machine that stands still for a quarter of a second makes a node count for itself for a while, which lets more
    // requests pass. Nodes that never share a count let all 90 pass each time.
    let mut served = Vec::new();
    while served.last() != Some(&60) {
        assert!(served.len() < 5, "served of 90 requests with a limit of 60: {served:?}");
        served.push(served_of_90(cluster).await);
        assert!(
            served.iter().all(|served| *served >= 60),
            "a request within the limit was refused: {served:?}"
        );
    }
}

async fn served_of_90(cluster: &Cluster) -> usize {
    let key = client(&cluster.nodes[2].verb(&["key", "create", "--tenant", "north"]));
    let mut served = 0;
    for request in 0..90 {
        let answer = key.get(cluster.url(request % 3, "/api/v1/webhooks")).send().await.unwrap();
        served += usize::from(answer.status() == 200);
        if let Some(retry) = answer.headers().get(header::RETRY_AFTER) {
            let retry: u64 = retry.to_str().unwrap().parse().unwrap();
            assert!((1..=60).contains(&retry), "wait {retry} s");
        }
    }
    served
}

async fn sessions_hold_on_every_node(cluster: &Cluster) {
    cluster.nodes[0].person_as("ada@north.example", "correct horse battery staple", "manager");
    let form = "email=ada%40north.example&password=correct+horse+battery+staple";
    for signed_in_at in 0..3 {
        let sign_in = cluster.client.post(cluster.url(signed_in_at, "/workspace/sign-in"));
        let sign_in = sign_in.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form);
        let answer = sign_in.send().await.unwrap();
        assert_eq!(answer.status(), 303, "{}", answer.text().await.unwrap());
        let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        for node in [0, 1, 2, 0] {
            let page = cluster.client.get(cluster.url(node, "/workspace")).header(header::COOKIE, &cookie);
            let status = page.send().await.unwrap().status();
            assert_eq!(status, 200, "signed in at node {signed_in_at}, asked at node {node}");
        }
    }
}

async fn deadlines_are_judged_alike(cluster: &Cluster) {
    // The early warning is due 24 hours after becoming aware: half an hour from now.
    let aware_at = Moment::from_millis(now() - 47 * HOUR / 2);
    let report = json!({
        "kind": "severe_incident", "product": { "name": "Core" }, "title": "Outage", "severity": "high",
        "aware_at": aware_at,
    });
    for made_at in 0..3 {
        let made = cluster.send(made_at, Method::POST, "/api/v1/cra/reports", &report).await;
        is_close("created_at", &made["created_at"]);
        let path = format!("/api/v1/cra/reports/{}", made["id"].as_str().unwrap());
        for node in 0..3 {
            let seen = &cluster.get(node, &path).await["data"];
            assert_eq!(seen["stages"]["early_warning"]["state"], "due_soon", "node {node}: {seen}");
        }
    }
}

async fn messages_are_tried_again_when_they_should_be(cluster: &Cluster, sink: &ChatSink) {
    let webhook = json!({ "name": "W", "channel": "slack", "events": ["finding.created"],
                          "url": sink.url("/chat") });
    cluster.send(0, Method::POST, "/api/v1/webhooks", &webhook).await;
    sink.next("/chat", [Reply::Status(500)]);
    let begun = Instant::now();
    let finding = json!({ "title": "F", "severity": "high" });
    cluster.send(1, Method::POST, "/api/v1/findings", &finding).await;
    while sink.count() < 2 {
        assert!(begun.elapsed() < Duration::from_secs(20), "{} messages came", sink.count());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // The second try comes after five seconds, give or take a fifth, on whichever node.
    assert!(begun.elapsed() > Duration::from_millis(3900), "tried again after {:?}", begun.elapsed());
    for node in 0..3 {
        cluster.send(node, Method::POST, "/api/v1/findings", &finding).await;
    }
    while sink.count() < 5 {
        assert!(begun.elapsed() < Duration::from_secs(40), "{} messages came", sink.count());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(sink.count(), 5, "nothing is sent twice");
}

async fn jobs_run_in_the_present(cluster: &Cluster) {
    for node in 0..3 {
        let jobs = cluster.get(node, "/api/cron/info").await["jobs"].take();
        for job in jobs.as_array().unwrap() {
            for moment in ["last_run_at", "next_run_at"] {
                let Some(output) = job[moment].as_str() else { continue };
                let output: Moment = output.parse().unwrap();
                let ahead = output.millis() - now();
                let in_order = if moment == "last_run_at" { ahead < CLOSE } else { ahead > -HOUR / 60 };
                assert!(in_order, "{moment} is {ahead} ms from now: {job}");
            }
            assert_eq!(job["consecutive_failures"], 0, "{job}");
        }
    }
}
