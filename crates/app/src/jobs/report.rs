//! The state of all jobs for display: the list together with the data in the store.

use std::time::Duration;

use domain::{job::JobOutcome, moment::Moment};
use store::job::{self as rows, JobRow};

use super::{Job, RunsOn};
use crate::{App, Core, Result};

/// One job and its state.
#[derive(Debug, Clone)]
pub struct JobReport {
    pub job: Job,
    /// Absent before a service has run with this store.
    pub state: Option<JobState>,
}

/// The stored state of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobState {
    pub next_run_at: Moment,
    /// Since when it has been running, if it is.
    pub running_since: Option<Moment>,
    pub last_run_at: Option<Moment>,
    pub last_outcome: Option<JobOutcome>,
    pub last_duration: Option<Duration>,
    /// The result of the latest run, or its error. For the operator only.
    pub last_detail: String,
    pub runs: u64,
    pub failures: u64,
    pub consecutive_failures: u64,
    /// How long a run is overdue.
    pub lag: Duration,
}

impl App {
    /// Every job of the list, in its order.
    pub async fn job_reports(&self) -> Result<Vec<JobReport>> {
        let stored = self.db.platform().read(rows::list).await?;
        let now = self.clock.now();
        let report = |job: &Job| {
            let row = stored.iter().find(|row| row.name == job.name);
            JobReport { job: job.clone(), state: row.map(|row| state(job, row, now)) }
        };
        Ok(self.jobs.iter().map(report).collect())
    }
}

impl Core {
    /// The job of this name.
    pub fn job(&self, name: &str) -> Option<&Job> {
        self.jobs.iter().find(|job| job.name == name)
    }
}

fn state(job: &Job, row: &JobRow, now: Moment) -> JobState {
    let running = row.lease_until.is_some_and(|until| until >= now);
    let late = now.millis() - row.due_at.millis();
    let late = Duration::from_millis(u64::try_from(late).unwrap_or(0));
    JobState {
        next_run_at: row.due_at,
        running_since: row.started_at.filter(|_| running),
        last_run_at: row.last.as_ref().map(|last| last.at),
        last_outcome: row.last.as_ref().and_then(|last| last.outcome.parse().ok()),
        last_duration: row.last.as_ref().map(|last| Duration::from_millis(last.duration_ms)),
        last_detail: row.last.as_ref().map(|last| last.detail.clone()).unwrap_or_default(),
        runs: row.runs,
        failures: row.failures,
        consecutive_failures: row.consecutive_failures,
        lag: if running || job.place == RunsOn::EveryNode { Duration::ZERO } else { late },
    }
}
