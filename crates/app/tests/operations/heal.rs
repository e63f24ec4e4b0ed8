//! Each kind of trouble that the service repairs, caused first.

use app::{
    App,
    alert::Cause,
    heal::{HealAction, HealOutcome},
    health::Surroundings,
    jobs::delivery::{DeliveryOptions, Dispatcher},
};
use domain::moment::Moment;
use serde_json::json;
use store::{Tx, job, route_count, shared_count::SharedCount};
use test_case::test_case;
use testkit::{Engine, Intruder, TestApp, TestOptions};

const MINUTE: i64 = 60_000;

/// How much an action repaired in one round.
async fn healed(app: &App, action: HealAction) -> u64 {
    let done = app.heal().await.unwrap();
    let (_, outcome, count) = done.into_iter().find(|(of, _, _)| *of == action).unwrap();
    assert_ne!(outcome, HealOutcome::Failed);
    count
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn leases_of_dead_processes_are_taken_back(engine: Engine) {
    let app = TestApp::on(engine).await;
    app.app.register_jobs().await.unwrap();
    let now = app.clock.now();
    let claim = move |tx: &mut Tx<'_>| job::claim_now(tx, "retention", "dead", now.plus_seconds(60), now);
    assert!(app.app.db.platform().bookkeep(claim).await.unwrap());
    assert_eq!(healed(&app.app, HealAction::ExpiredLeases).await, 0, "it may still live");
    app.clock.advance(MINUTE + 1);
    assert_eq!(healed(&app.app, HealAction::ExpiredLeases).await, 1);
    let reports = app.app.job_reports().await.unwrap();
    let state = reports.into_iter().find(|report| report.job.name == "retention").unwrap().state.unwrap();
    assert!(state.next_run_at <= app.clock.now() && state.running_since.is_none());
    assert_eq!(state.consecutive_failures, 1);
    // The result is reported on every node.
    let report = &app.app.heal_reports().await.unwrap()[0];
    assert_eq!((report.action, report.runs, report.healed), (HealAction::ExpiredLeases, 2, 1));
    assert_eq!(report.last_outcome, Some(HealOutcome::Healed));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overgrown_log_is_cut_back() {
    fn small(around: Surroundings) -> Surroundings {
        Surroundings { large_log: 100_000, ..around }
    }
    let app = TestApp::with(Engine::Sqlite, TestOptions { around: small, ..TestOptions::default() }).await;
    // A reader with an old snapshot prevents the log from being reused.
    let mut reader = Intruder::at(&app.scratch.location);
    reader.run("BEGIN; SELECT COUNT(*) FROM tenants;");
    fill_log(&app.app, 150_000).await;
    reader.run("ROLLBACK");
    assert_eq!(healed(&app.app, HealAction::WriteAheadLog).await, 1);
    assert!(app.app.db.write_ahead_log().unwrap() < 100_000);
    assert_eq!(healed(&app.app, HealAction::WriteAheadLog).await, 0);
}

/// Writes until the write-ahead log has so many bytes.
async fn fill_log(app: &App, bytes: u64) {
    let mut minute = 0;
    while app.db.write_ahead_log().unwrap() < bytes {
        minute += 1;
        let write = move |tx: &mut Tx<'_>| {
            for route in 0..50 {
                let route = format!("/{route:0>200}");
                let count = route_count::RouteCount { route, requests: 1, errors: 0 };
                route_count::add(tx, Moment::from_millis(testkit::START + minute), &count)?;
            }
            Ok::<_, store::Error>(())
        };
        app.db.platform().bookkeep(write).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_connections_are_opened_again() {
    let app = TestApp::on(Engine::Postgres).await;
    healed(&app.app, HealAction::StoreConnections).await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    assert!(Intruder::at(&app.scratch.location).count(cut) > 0);
    assert!(healed(&app.app, HealAction::StoreConnections).await >= 1);
    app.tenant("works").await;
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn rows_past_their_time_are_deleted(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await.with("idempotency-key", "once");
    client.post("/api/v1/programmes", &json!({ "name": "P", "framework": "dora" })).await.expect(201);
    assert_eq!(healed(&app.app, HealAction::ExpiredRows).await, 0);
    app.clock.advance(25 * 60 * MINUTE);
    assert!(healed(&app.app, HealAction::ExpiredRows).await >= 1);
    assert_eq!(app.app.prune_idempotency().await.unwrap(), 0, "it is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stuck_delivery_is_released() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let webhook = json!({ "name": "W", "channel": "slack", "events": ["finding.created"],
                          "url": "https://hooks.slack.com/services/T/B/x" });
    client.post("/api/v1/webhooks", &webhook).await.expect(201);
    client.post("/api/v1/findings", &json!({ "title": "F", "severity": "high" })).await.expect(201);
    let mut dispatcher = Dispatcher::new(app.app.clone(), DeliveryOptions::default());
    dispatcher.fan_out().await.unwrap();
    assert_eq!(dispatcher.claim().await.unwrap().len(), 1);
    // The worker dies, and the lease at the destination is lost with it: no worker would ever check again.
    let forget = "UPDATE destinations SET lease_token = NULL, lease_until = NULL, ready_at = NULL";
    assert_eq!(Intruder::at(&app.scratch.location).count(forget), 1);
    app.clock.advance(10 * MINUTE);
    let mut heir = Dispatcher::new(app.app.clone(), DeliveryOptions::default());
    assert_eq!(heir.claim().await.unwrap().len(), 0, "stuck");
    assert_eq!(healed(&app.app, HealAction::StuckDeliveries).await, 1);
    assert_eq!(heir.claim().await.unwrap().len(), 1, "released");
    assert_eq!(healed(&app.app, HealAction::StuckDeliveries).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn low_space_is_answered_by_pruning_and_an_alert() {
    fn full(around: Surroundings) -> Surroundings {
        Surroundings { low_disk: u64::MAX, ..around }
    }
    let app = TestApp::with(Engine::Sqlite, TestOptions { around: full, ..TestOptions::default() }).await;
    let tenant = app.tenant("north").await;
    app.app.reload_catalogue().await.unwrap().unwrap();
    let sample = app.app.job("health-sample").unwrap();
    for _ in 0..3 {
        app.app.run_job(sample).await.unwrap();
        app.clock.advance(60 * MINUTE);
    }
    let log = app.app.db.write_ahead_log().unwrap();
    assert!(log > 0);
    assert!(healed(&app.app, HealAction::DiskSpace).await >= 1);
    assert!(app.app.db.write_ahead_log().unwrap() < log);
    let alerts = app.app.work.alerts(&tenant.caller).await.unwrap();
    let shown = |cause: &Cause| matches!(cause, Cause::ServiceImpaired { check, .. } if check == "disk");
    assert!(alerts.iter().any(|alert| shown(&alert.cause)), "{alerts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_rate_limit_store_is_reached_again_and_that_is_reported() {
    // A proxy to Redis that can be cut: connections are forwarded to the real one.
    let redis = std::env::var("TIDEWALL_TEST_REDIS").expect("scripts/test starts a Redis and names it");
    let redis = redis.trim_start_matches("redis://").trim_end_matches('/').to_owned();
    let way = Way::open(&redis).await;
    let shared_count = Some(SharedCount::new(&format!("redis://{}/", way.address)).unwrap());
    let app = TestApp::with(Engine::Sqlite, TestOptions { shared_count, ..TestOptions::default() }).await.app;
    assert_eq!(healed(&app, HealAction::LimitStoreConnection).await, 0, "nothing is lost yet");

    let address = way.cut().await;
    let done = app.heal().await.unwrap();
    assert!(done.contains(&(HealAction::LimitStoreConnection, HealOutcome::Failed, 0)), "{done:?}");
    let _way = Way::open_at(address, &redis).await;
    let since = std::time::Instant::now();
    while healed_now(&app).await == 0 {
        assert!(since.elapsed() < std::time::Duration::from_secs(5), "not reached again");
    }
    let reports = app.heal_reports().await.unwrap();
    let report =
        reports.into_iter().find(|report| report.action == HealAction::LimitStoreConnection).unwrap();
    assert_eq!((report.healed, report.last_outcome), (1, Some(HealOutcome::Healed)));
}

async fn healed_now(app: &App) -> u64 {
    let done = app.heal().await.unwrap();
    done.into_iter().find(|(of, _, _)| *of == HealAction::LimitStoreConnection).unwrap().2
}

/// Connections to a server that can all be broken at once.
struct Way {
    address: std::net::SocketAddr,
    accepting: tokio::task::JoinHandle<()>,
}

impl Way {
    async fn open(server: &str) -> Self {
        Self::open_at("127.0.0.1:0".parse().unwrap(), server).await
    }

    async fn open_at(address: std::net::SocketAddr, server: &str) -> Self {
        let listener = tokio::net::TcpListener::bind(address).await.unwrap();
        let (address, server) = (listener.local_addr().unwrap(), server.to_owned());
        let accepting = tokio::spawn(async move {
            let mut under_way = tokio::task::JoinSet::new();
            while let Ok((mut near, _)) = listener.accept().await {
                let mut far = tokio::net::TcpStream::connect(&server).await.unwrap();
                under_way.spawn(async move { tokio::io::copy_bidirectional(&mut near, &mut far).await });
            }
        });
        Self { address, accepting }
    }

    /// Stops listening and closes all connections.
    async fn cut(self) -> std::net::SocketAddr {
        self.accepting.abort();
        let _ = self.accepting.await;
        self.address
    }
}
