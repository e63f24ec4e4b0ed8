//! The scheduled jobs.

use app::{
    App,
    jobs::{JobReport, Overlap, Place},
};
use axum::{extract::State, response::Response};
use domain::{job::JobOutcome, moment::Moment};
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{OpenErrors, uncached, word_or_null};
use crate::ApiError;

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CronInfo {
    /// How long the job that waits longest is overdue.
    lag_seconds: u64,
    jobs: Vec<CronJob>,
}

/// One job. What a run did is told to the operator only.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CronJob {
    #[schema(example = "retention")]
    name: &'static str,
    description: &'static str,
    /// Minute, hour, day, month and weekday.
    #[schema(example = "7 * * * *")]
    schedule: String,
    #[schema(example = "UTC")]
    time_zone: &'static str,
    /// A run starts up to this much later than its time.
    jitter_seconds: u64,
    /// A run that takes longer is stopped.
    timeout_seconds: u64,
    /// When a run is still going at the time of the next: `skip` that time, or `follow` at once.
    #[schema(example = "skip")]
    overlap: &'static str,
    /// `one` node runs it, or `every` node does.
    #[schema(example = "one")]
    nodes: &'static str,
    running: bool,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_run_at: Option<Moment>,
    #[schema(schema_with = outcome)]
    last_outcome: Option<JobOutcome>,
    last_duration_ms: Option<u64>,
    #[schema(value_type = Option<String>, format = DateTime)]
    next_run_at: Option<Moment>,
    runs: u64,
    consecutive_failures: u64,
}

/// The outcome, or null before the first run.
fn outcome() -> utoipa::openapi::schema::Schema {
    word_or_null::<JobOutcome>()
}

impl From<&JobReport> for CronJob {
    fn from(report: &JobReport) -> Self {
        let JobReport { job, state } = report;
        let state = state.as_ref();
        Self {
            name: job.name,
            description: job.about,
            schedule: job.cron.to_string(),
            time_zone: job.zone.as_str(),
            jitter_seconds: job.jitter.as_secs(),
            timeout_seconds: job.timeout.as_secs(),
            overlap: match job.overlap {
                Overlap::Skip => "skip",
                Overlap::Follow => "follow",
            },
            nodes: match job.place {
                Place::OneNode => "one",
                Place::EveryNode => "every",
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

/// The scheduled jobs: when each runs, and how its last run went.
#[utoipa::path(get, path = "/api/cron/info", tag = "operations", security(()),
    responses((status = 200, body = CronInfo), OpenErrors))]
pub(crate) async fn info(State(app): State<App>) -> Result<Response, ApiError> {
    let reports = app.job_reports().await?;
    let lags = reports.iter().filter_map(|report| Some(report.state.as_ref()?.lag.as_secs()));
    let lag_seconds = lags.max().unwrap_or(0);
    Ok(uncached(&CronInfo { lag_seconds, jobs: reports.iter().map(CronJob::from).collect() }))
}
