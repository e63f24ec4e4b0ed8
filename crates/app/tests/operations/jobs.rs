//! Jobs run once, on one node, within their time, and missed runs are made up for.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use app::{
    App, Error,
    jobs::{Job, JobState, Scheduler},
};
use domain::job::JobOutcome;
use test_case::test_case;
use testkit::{Engine, TestApp, TestOptions};

const HOUR: i64 = 60 * 60 * 1000;

/// A job that counts its runs.
fn counting(count: &Arc<AtomicU32>) -> Job {
    let count = Arc::clone(count);
    let work = move |_: App| {
        let count = Arc::clone(&count);
        async move {
            count.fetch_add(1, Ordering::SeqCst);
            // Long enough for another node to try.
            tokio::time::sleep(Duration::from_millis(50)).await;
            Ok("counted".to_owned())
        }
    };
    Job::new("count", "Counts", "0 * * * *", work).unwrap()
}

async fn with_job(engine: Engine, job: Job) -> TestApp {
    let app = TestApp::with(engine, TestOptions { jobs: vec![job], ..TestOptions::default() }).await;
    app.app.register_jobs().await.unwrap();
    app
}

async fn state(app: &App) -> JobState {
    app.job_reports().await.unwrap().remove(0).state.unwrap()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn runs_missed_while_nobody_was_there_are_made_up_for_once(engine: Engine) {
    let count = Arc::default();
    let app = with_job(engine, counting(&count)).await;
    assert!(app.app.run_due_jobs().await.unwrap().is_empty(), "nothing is due yet");
    app.clock.advance(5 * HOUR + 1);
    assert_eq!(state(&app.app).await.lag, Duration::from_millis(4 * 60 * 60 * 1000 + 1));
    assert_eq!(app.app.run_due_jobs().await.unwrap().len(), 1);
    assert!(app.app.run_due_jobs().await.unwrap().is_empty());
    assert_eq!(count.load(Ordering::SeqCst), 1);
    let state = state(&app.app).await;
    assert_eq!((state.last_outcome, state.runs, state.lag), (Some(JobOutcome::Done), 1, Duration::ZERO));
    assert_eq!(state.next_run_at.to_string(), "2026-11-14T20:00:00Z");
    assert_eq!(state.last_detail, "counted");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn of_several_nodes_one_runs_a_job(engine: Engine) {
    let count = Arc::default();
    let app = with_job(engine, counting(&count)).await;
    let options = || TestOptions {
        jobs: vec![counting(&count)],
        clock: Some(app.clock.clone()),
        ..TestOptions::default()
    };
    let (second, third) = (app.beside(options()).await, app.beside(options()).await);
    for hours in 1..=5 {
        app.clock.advance(HOUR);
        let (one, two, three) =
            tokio::join!(app.app.run_due_jobs(), second.run_due_jobs(), third.run_due_jobs());
        assert_eq!(one.unwrap().len() + two.unwrap().len() + three.unwrap().len(), 1);
        assert_eq!(count.load(Ordering::SeqCst), hours);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_hangs_fails_or_panics_is_written_down_and_does_not_stop_the_next() {
    let turn = Arc::new(AtomicU32::new(0));
    let work = move |_: App| {
        let turn = turn.fetch_add(1, Ordering::SeqCst);
        async move {
            match turn {
                0 => std::future::pending().await,
                1 => panic!("on purpose"),
                2 => Err(Error::internal("no luck")),
                _ => Ok("at last".to_owned()),
            }
        }
    };
    let job = Job::new("trouble", "Makes trouble", "0 * * * *", work).unwrap().within(Duration::from_secs(8));
    let app = with_job(Engine::Sqlite, job).await;
    let mut seen = Vec::new();
    for _ in 0..4 {
        app.clock.advance(HOUR);
        app.app.run_due_jobs().await.unwrap();
        let state = state(&app.app).await;
        seen.push((state.last_outcome.unwrap(), state.consecutive_failures));
    }
    assert_eq!(
        seen,
        [(JobOutcome::TimedOut, 1), (JobOutcome::Failed, 2), (JobOutcome::Failed, 3), (JobOutcome::Done, 0)]
    );
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn the_lease_of_a_dead_process_runs_out(engine: Engine) {
    let count = Arc::default();
    let app = with_job(engine, counting(&count)).await;
    app.clock.advance(HOUR);
    // A process that claimed the job and never reported again.
    let now = app.clock.now();
    let claim =
        move |tx: &mut store::Tx<'_>| store::job::claim(tx, "count", "dead", now.plus_seconds(60), now);
    assert!(app.app.db.platform().bookkeep(claim).await.unwrap());
    assert!(app.app.run_due_jobs().await.unwrap().is_empty());
    assert!(app.app.run_job(app.app.job("count").unwrap()).await.unwrap().is_none(), "it seems to run");
    app.clock.advance(61_000);
    assert_eq!(app.app.run_due_jobs().await.unwrap().len(), 1);
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_by_hand_leaves_the_schedule_alone() {
    let count = Arc::default();
    let app = with_job(Engine::Sqlite, counting(&count)).await;
    let before = state(&app.app).await.next_run_at;
    let run = app.app.run_job(app.app.job("count").unwrap()).await.unwrap().unwrap();
    assert_eq!((run.outcome, run.detail.as_str()), (JobOutcome::Done, "counted"));
    assert_eq!(state(&app.app).await.next_run_at, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_cut_off_by_the_end_of_the_process_is_made_up_for() {
    let started = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&started);
    let work = move |_: App| {
        count.fetch_add(1, Ordering::SeqCst);
        std::future::pending()
    };
    let app = with_job(Engine::Sqlite, Job::new("long", "Takes long", "0 * * * *", work).unwrap()).await;
    app.clock.advance(HOUR);
    let scheduler = Scheduler::start(app.app.clone());
    while started.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(state(&app.app).await.running_since.is_some());
    scheduler.stop().await;
    let state = state(&app.app).await;
    assert_eq!((state.last_outcome, state.running_since), (Some(JobOutcome::Interrupted), None));
    assert!(state.next_run_at <= app.clock.now(), "due at once for the next process to start");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn the_standard_jobs_all_work(engine: Engine) {
    let app = TestApp::on(engine).await;
    app.tenant("north").await;
    app.app.reload_catalogue().await.unwrap().unwrap();
    for job in &app.app.jobs {
        let run = app.app.run_job(job).await.unwrap().unwrap();
        assert_eq!(run.outcome, JobOutcome::Done, "{}: {}", job.name, run.detail);
    }
}
