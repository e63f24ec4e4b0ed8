//! The scheduled jobs.

use app::{
    App,
    jobs::{JobReport, Overlap, RunsOn},
};
use axum::{extract::State, response::Response};
use domain::{job::JobOutcome, moment::Moment};
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{OpenErrors, uncached};
use crate::{ApiError, schema::word};

/// The scheduled jobs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CronInfo {
    /// By how much the most overdue job is late.
    lag_seconds: u64,
    jobs: Vec<CronJob>,
}

/// A scheduled job.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CronJob {
    #[schema(example = "retention")]
    name: &'static str,
    description: &'static str,
    /// A cron expression: minute, hour, day, month and weekday.
    #[schema(example = "7 * * * *")]
    schedule: String,
    #[schema(example = "UTC")]
    time_zone: String,
    /// The maximum random delay of a run.
    jitter_seconds: u64,
    /// A run that takes longer is aborted.
    timeout_seconds: u64,
    /// What happens if a run is still active when the next is due: `skip` it, or `follow` immediately afterwards.
    #[schema(example = "skip")]
    overlap: &'static str,
    /// Whether `one` or `every` node runs it.
    #[schema(example = "one")]
    nodes: &'static str,
    running: bool,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_run_at: Option<Moment>,
    /// The outcome of the last run; null before the first.
    #[schema(value_type = Option<word::JobOutcome>)]
    last_outcome: Option<JobOutcome>,
    last_duration_ms: Option<u64>,
    #[schema(value_type = Option<String>, format = DateTime)]
    next_run_at: Option<Moment>,
    runs: u64,
    consecutive_failures: u64,
}

impl From<&JobReport> for CronJob {
    fn from(report: &JobReport) -> Self {
        let JobReport { job, state } = report;
        let state = state.as_ref();
        Self {
            name: job.name,
            description: job.about,
            schedule: job.cron.to_string(),
            time_zone: job.zone.to_string(),
            jitter_seconds: job.jitter.as_secs(),
            timeout_seconds: job.timeout.as_secs(),
            overlap: match job.overlap {
                Overlap::Skip => "skip",
                Overlap::Follow => "follow",
            },
            nodes: match job.place {
                RunsOn::OneNode => "one",
                RunsOn::EveryNode => "every",
            },
            running: state.is_some_and(|state| state.running_since.is_some()),
            last_run_at: state.and_then(|state| state.last_run_at),
            last_outcome: state.and_then(|state| state.last_outcome),
            last_duration_ms: state
                .and_then(|state| state.last_duration)
                .map(|took| u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
            next_run_at: state.map(|state| state.next_run_at),
            runs: state.map_or(0, |state| state.runs),
            consecutive_failures: state.map_or(0, |state| state.consecutive_failures),
        }
    }
}

/// Gets the scheduled jobs with their last and next runs.
#[utoipa::path(get, path = "/api/cron/info", tag = "operations", security(()),
    responses((status = 200, body = CronInfo), OpenErrors))]
pub(crate) async fn info(State(app): State<App>) -> Result<Response, ApiError> {
    let reports = app.job_reports().await?;
    let lags = reports.iter().filter_map(|report| Some(report.state.as_ref()?.lag.as_secs()));
    let lag_seconds = lags.max().unwrap_or(0);
    Ok(uncached(&CronInfo { lag_seconds, jobs: reports.iter().map(CronJob::from).collect() }))
}
