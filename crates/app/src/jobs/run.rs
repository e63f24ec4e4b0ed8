//! One run of a job: claimed, limited in time, and recorded however it ends.

use std::time::{Duration, Instant};

use domain::{job::JobOutcome, moment::Moment};
use store::job::{self as rows, LastRun, RunRecord};
use tokio::{
    sync::watch,
    task::JoinHandle,
    time::{MissedTickBehavior, interval_at, sleep},
};
use tracing::Instrument as _;

use super::{Job, RunsOn};
use crate::{App, Result, exports::SPANS, ids::random_u128};

/// A run without a renewed lease for this long counts as dead.
const LEASE: Duration = Duration::from_mins(1);
/// How often a run renews its lease.
const RENEW: Duration = Duration::from_secs(15);
/// How long a run may continue after the process was asked to stop.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// The maximum length of the stored detail.
const DETAIL_CHARS: usize = 500;

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRun {
    pub name: &'static str,
    pub started_at: Moment,
    pub outcome: JobOutcome,
    pub duration: Duration,
    /// The result of the run, or its error. For the operator only.
    pub detail: String,
}

/// Why a run starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    Due,
    Asked,
}

impl App {
    /// Runs a job if it is due and no other process runs it.
    pub(super) async fn run_due_job(
        &self,
        job: &Job,
        stopping: watch::Receiver<bool>,
    ) -> Result<Option<JobRun>> {
        match job.place {
            RunsOn::EveryNode => self.run_here(job, stopping).await.map(Some),
            RunsOn::OneNode => self.run_claimed(job, Reason::Due, stopping).await,
        }
    }

    /// Runs a job now, at the operator's request. `None` if it is running already. Its next scheduled time stays.
    pub async fn run_job(&self, job: &Job) -> Result<Option<JobRun>> {
        self.register_jobs().await?;
        let (_never, stopping) = watch::channel(false);
        match job.place {
            RunsOn::EveryNode => self.run_here(job, stopping).await.map(Some),
            RunsOn::OneNode => self.run_claimed(job, Reason::Asked, stopping).await,
        }
    }

    /// Runs every job that is due, one after the other.
    pub async fn run_due_jobs(&self) -> Result<Vec<JobRun>> {
        self.register_jobs().await?;
        let (_never, stopping) = watch::channel(false);
        let due = self.db.platform().read(rows::list).await?;
        let now = self.clock.now();
        let mut runs = Vec::new();
        for job in &self.jobs {
            if due.iter().any(|row| row.name == job.name && row.due_at <= now) {
                runs.extend(self.run_due_job(job, stopping.clone()).await?);
            }
        }
        Ok(runs)
    }

    /// Stores every job of the list.
    pub async fn register_jobs(&self) -> Result<()> {
        let now = self.clock.now();
        let jobs: Vec<_> = self
            .jobs
            .iter()
            .map(|job| (job.name, format!("{} {}", job.cron, job.zone), job.next(now)))
            .collect();
        let register = move |tx: &mut store::Tx<'_>| {
            jobs.iter().try_for_each(|(name, schedule, due)| rows::register(tx, name, schedule, *due))
        };
        self.db.platform().bookkeep(register).await.map_err(Into::into)
    }

    async fn run_here(&self, job: &Job, stopping: watch::Receiver<bool>) -> Result<JobRun> {
        let started_at = self.clock.now();
        let run = self.bounded(job, None, started_at, stopping).await;
        let (name, record) = (job.name, record(&run, job.next(self.clock.now())));
        self.db.platform().bookkeep(move |tx| rows::note(tx, name, &record)).await?;
        Ok(run)
    }

    async fn run_claimed(
        &self,
        job: &Job,
        reason: Reason,
        stopping: watch::Receiver<bool>,
    ) -> Result<Option<JobRun>> {
        let (name, now) = (job.name, self.clock.now());
        let token = format!("{:032x}", random_u128());
        let (claim, until) = (token.clone(), lease_end(now));
        let due = self
            .db
            .platform()
            .bookkeep(move |tx| {
                let due = rows::get(tx, name)?.map_or(now, |row| row.due_at);
                let claimed = match reason {
                    Reason::Due => rows::claim(tx, name, &claim, until, now)?,
                    Reason::Asked => rows::claim_now(tx, name, &claim, until, now)?,
                };
                Ok::<_, store::Error>(claimed.then_some(due))
            })
            .await?;
        let Some(due) = due else { return Ok(None) };
        let run = self.bounded(job, Some(&token), now, stopping).await;
        let ended = self.clock.now();
        let next = match (reason, run.outcome) {
            // The next process to start makes up for it.
            (_, JobOutcome::Interrupted) => ended,
            (Reason::Asked, _) if due > ended => due,
            _ => job.following_run(now, ended),
        };
        let record = record(&run, next);
        let finished = self.db.platform().bookkeep(move |tx| rows::finish(tx, name, &token, &record)).await?;
        if !finished {
            tracing::warn!(job = name, "another node took the job over while it ran here");
        }
        Ok(Some(run))
    }

    /// Runs the work within its time limit; a panic only fails this run.
    async fn bounded(
        &self,
        job: &Job,
        token: Option<&str>,
        started_at: Moment,
        mut stopping: watch::Receiver<bool>,
    ) -> JobRun {
        let watch = Instant::now();
        let span = tracing::info_span!(target: SPANS, "job", otel.name = job.name);
        let mut work = Task(tokio::spawn(job.start(self.clone()).instrument(span)));
        let mut renew = interval_at(tokio::time::Instant::now() + RENEW, RENEW);
        renew.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let too_long = sleep(job.timeout);
        tokio::pin!(too_long);
        let (outcome, detail) = loop {
            tokio::select! {
                done = &mut work.0 => break ended(done),
                () = &mut too_long => {
                    break (JobOutcome::TimedOut, format!("stopped after {} seconds", job.timeout.as_secs()));
                }
                _ = renew.tick(), if token.is_some() => {
                    if self.lost(job, token.unwrap_or_default()).await {
                        break (JobOutcome::Interrupted, "another node took it over".to_owned());
                    }
                }
                () = stop_requested(&mut stopping) => {
                    break match tokio::time::timeout(LAST_WORDS, &mut work.0).await {
                        Ok(done) => ended(done),
                        Err(_) => (JobOutcome::Interrupted, "the process was stopped".to_owned()),
                    };
                }
            }
        };
        drop(work);
        let run = JobRun {
            name: job.name,
            started_at,
            outcome,
            duration: watch.elapsed(),
            detail: detail.chars().take(DETAIL_CHARS).collect(),
        };
        log(&run);
        run
    }

    /// Renews the lease. An unreachable store does not end the run: the lease has time left.
    async fn lost(&self, job: &Job, token: &str) -> bool {
        let (name, token, until) = (job.name, token.to_owned(), lease_end(self.clock.now()));
        let renewed = self.db.platform().bookkeep(move |tx| rows::renew(tx, name, &token, until)).await;
        matches!(renewed, Ok(false))
    }
}

/// Waits until the process stops; for ever if the sender was dropped.
async fn stop_requested(stopping: &mut watch::Receiver<bool>) {
    if stopping.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// A task that is cancelled when it is dropped.
struct Task(JoinHandle<Result<String>>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn ended(done: Result<Result<String>, tokio::task::JoinError>) -> (JobOutcome, String) {
    match done {
        Ok(Ok(detail)) => (JobOutcome::Done, detail),
        Ok(Err(crate::Error::Internal(cause))) => (JobOutcome::Failed, cause.to_string()),
        Ok(Err(crate::Error::Unavailable(why))) => (JobOutcome::Failed, why),
        Ok(Err(error)) => (JobOutcome::Failed, error.to_string()),
        Err(_) => (JobOutcome::Failed, "it panicked; the log says where".to_owned()),
    }
}

fn log(run: &JobRun) {
    let JobRun { name, outcome, duration, detail, .. } = run;
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    if *outcome == JobOutcome::Done {
        tracing::debug!(job = name, %outcome, millis, detail, "job");
    } else {
        tracing::warn!(job = name, %outcome, millis, detail, "job");
    }
}

fn lease_end(now: Moment) -> Moment {
    now.plus_millis(i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX))
}

fn record(run: &JobRun, due_at: Moment) -> RunRecord {
    let last = LastRun {
        at: run.started_at,
        outcome: run.outcome.to_string(),
        duration_ms: u64::try_from(run.duration.as_millis()).unwrap_or(u64::MAX),
        detail: run.detail.clone(),
    };
    RunRecord { last, failed: run.outcome != JobOutcome::Done, due_at }
}
