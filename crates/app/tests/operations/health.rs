//! Health is measured: failures are reported within the timeout, and so are recoveries.

use std::time::{Duration, Instant};

use app::health::{Grain, HealthReport, Surroundings};
use domain::{health::HealthStatus, page::PageRequest};
use store::shared_count::SharedCount;
use test_case::test_case;
use testkit::{Engine, Intruder, TestApp, TestOptions};

const MINUTE: i64 = 60_000;
/// The configured timeout, and some time for a busy machine.
const SOON: Duration = Duration::from_millis(3500);

fn status(report: &HealthReport, name: &str) -> HealthStatus {
    report.checks.iter().find(|check| check.name == name).unwrap().status
}

fn detail<'r>(report: &'r HealthReport, name: &str) -> &'r str {
    &report.checks.iter().find(|check| check.name == name).unwrap().detail
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn a_sound_service_is_well_and_says_what_it_measured(engine: Engine) {
    let app = TestApp::on(engine).await;
    let report = app.app.operations.health().await;
    assert_eq!(report.status, HealthStatus::Fine, "{:?}", report.checks);
    let names: Vec<_> = report.checks.iter().map(|check| check.name).collect();
    assert_eq!(names, ["store", "queue", "scheduler", "mail", "disk", "memory", "rate_limit_store"]);
    let numbers = &report.numbers;
    assert!(numbers.store.unwrap() > Duration::ZERO);
    assert!(numbers.database_size.unwrap() > 0 && numbers.memory.unwrap() > 0);
    assert!(numbers.volume.unwrap().free > 0);
    assert_eq!((numbers.queue_depth, numbers.queue_age), (Some(0), Some(Duration::ZERO)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_takes_no_writes_shows_and_recovers() {
    let app = TestApp::new().await;
    let mut intruder = Intruder::at(&app.scratch.location);
    intruder.run("BEGIN IMMEDIATE");
    let asked = Instant::now();
    let report = app.app.operations.health().await;
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
    assert_eq!(report.status, HealthStatus::Degraded);
    assert!(detail(&report, "store").starts_with("reads work; no answer to a write"), "{:?}", report.checks);
    // Calls during the failure are answered at once.
    let again = Instant::now();
    assert_eq!(app.app.operations.health().await.status, HealthStatus::Degraded);
    assert!(again.elapsed() < Duration::from_secs(1), "{:?}", again.elapsed());
    intruder.run("ROLLBACK");
    well_again(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_shows_and_recovers() {
    let app = TestApp::on(Engine::Postgres).await;
    let mut intruder = Intruder::at(&app.scratch.location);
    intruder.run("BEGIN; LOCK TABLE signals IN ACCESS EXCLUSIVE MODE");
    let asked = Instant::now();
    let report = app.app.operations.health().await;
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
    assert_eq!(report.status, HealthStatus::Down);
    assert!(detail(&report, "store").starts_with("no answer to a read"), "{:?}", report.checks);
    drop(intruder);
    well_again(&app).await;
}

async fn well_again(app: &TestApp) {
    let since = Instant::now();
    while app.app.operations.health().await.status != HealthStatus::Fine {
        assert!(since.elapsed() < Duration::from_secs(10), "{:?}", app.app.operations.health().await.checks);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_else_is_wrong_impairs_the_service() {
    fn cramped(around: Surroundings) -> Surroundings {
        Surroundings { low_disk: u64::MAX, ..around }
    }
    // There is no server on that port.
    let shared_count = Some(SharedCount::new("redis://127.0.0.1:1/").unwrap());
    let options = TestOptions { around: cramped, shared_count, ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let report = app.app.operations.health().await;
    assert_eq!(report.status, HealthStatus::Degraded);
    assert_eq!(status(&report, "rate_limit_store"), HealthStatus::Down);
    assert_eq!(status(&report, "disk"), HealthStatus::Degraded);
    assert_eq!(detail(&report, "rate_limit_store"), "cannot be reached; each node counts for itself");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn history_survives_a_restart_and_is_thinned_to_hours(engine: Engine) {
    let app = TestApp::on(engine).await;
    let job = app.app.job("health-sample").unwrap();
    for _ in 0..70 {
        app.app.run_job(job).await.unwrap();
        app.clock.advance(MINUTE);
    }
    let page = |limit, offset| PageRequest::new(Some(limit), Some(offset)).unwrap();
    let minutes = app.app.operations.health_history(Grain::Minute, page(2, 1)).await.unwrap();
    assert_eq!((minutes.total, minutes.items.len()), (70, 2));
    assert_eq!(minutes.items[0].row.at.to_string(), "2026-11-14T15:08:00Z");
    // The other jobs do not run here, which is reported.
    assert_eq!(minutes.items[0].status, HealthStatus::Degraded);
    assert_eq!(minutes.items[0].troubles, ["scheduler"]);
    // Another process over the same store, a day later.
    app.clock.advance(24 * 60 * MINUTE);
    let options = TestOptions { clock: Some(app.clock.clone()), ..TestOptions::default() };
    let later = app.beside(options).await;
    assert_eq!(later.operations.health_history(Grain::Minute, page(5, 0)).await.unwrap().total, 0);
    later.run_job(later.job("auto-heal").unwrap()).await.unwrap();
    let hours = later.operations.health_history(Grain::Hour, page(5, 0)).await.unwrap();
    assert_eq!(hours.total, 1, "the second hour is not over a day old yet");
    assert_eq!(hours.items[0].row.at.to_string(), "2026-11-14T14:00:00Z");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_the_store_was_away_shows_in_the_history() {
    let app = TestApp::new().await;
    let mut intruder = Intruder::at(&app.scratch.location);
    intruder.run("BEGIN IMMEDIATE");
    assert!(app.app.operations.sample_health().await.is_err());
    intruder.run("ROLLBACK");
    well_again(&app).await;
    app.clock.advance(MINUTE);
    app.app.run_job(app.app.job("health-sample").unwrap()).await.unwrap();
    let samples =
        app.app.operations.health_history(Grain::Minute, PageRequest::default()).await.unwrap().items;
    let seen: Vec<_> = samples.iter().map(|sample| (sample.status, sample.troubles.join(","))).collect();
    assert_eq!(seen, [(HealthStatus::Fine, String::new()), (HealthStatus::Degraded, "store".into())]);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn the_disk_report_knows_how_fast_the_store_grows(engine: Engine) {
    let app = TestApp::on(engine).await;
    let first = app.app.operations.disk_report().await.unwrap();
    assert_eq!(first.growth_per_day, None);
    app.app.run_job(app.app.job("health-sample").unwrap()).await.unwrap();
    app.clock.advance(120 * MINUTE);
    std::fs::create_dir(app.scratch.dir.path().join("exports")).unwrap();
    std::fs::write(app.scratch.dir.path().join("exports/a.csv"), [0; 1234]).unwrap();
    let report = app.app.operations.disk_report().await.unwrap();
    assert_eq!(report.exports, 1234);
    assert!(report.database > 10_000 && report.growth_per_day.is_some());
    assert_eq!(report.write_ahead_log.is_some(), engine == Engine::Sqlite);
}
