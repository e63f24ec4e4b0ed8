//! Liveness, and the health of the service: as a status, in detail, and over time.

use app::{
    App,
    health::{Check as AppCheck, Grain, HealthReport, Sample as AppSample},
};
use axum::{extract::State, response::Response};
use domain::{health::HealthStatus, moment::Moment, page::Page, rounding::Hundredths};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wire::{PageErrors, uncached};
use crate::{
    ApiError,
    error::Code,
    extract::{PageParams, PageQuery},
    schema::word,
};

/// A sign of life.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Pong {
    pong: bool,
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
}

/// The process is alive.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Alive {
    status: &'static str,
}

/// The health of the service.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    #[schema(value_type = word::HealthStatus)]
    status: HealthStatus,
    #[schema(example = "0.1.0")]
    version: &'static str,
    uptime_seconds: u64,
    #[schema(value_type = String, format = DateTime)]
    checked_at: Moment,
    /// Only present if the service is down.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    error: Option<&'static str>,
    /// Only when the service is down: `unavailable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    code: Option<Code>,
}

impl From<&HealthReport> for Health {
    fn from(report: &HealthReport) -> Self {
        let down = report.status == HealthStatus::Down;
        Self {
            status: report.status,
            version: env!("CARGO_PKG_VERSION"),
            uptime_seconds: report.uptime.as_secs(),
            checked_at: report.checked_at,
            error: down.then_some("the service is down: its store does not answer"),
            code: down.then_some(Code::Unavailable),
        }
    }
}

/// The health of the service with all checks.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DetailedHealth {
    #[serde(flatten)]
    health: Health,
    checks: Vec<Check>,
}

/// A health check.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HealthCheck)]
pub(crate) struct Check {
    #[schema(example = "store")]
    name: &'static str,
    #[schema(value_type = word::HealthStatus)]
    status: HealthStatus,
    /// How long the check took; null if nothing was measured.
    latency_ms: Option<f64>,
    #[schema(example = "reads and writes")]
    detail: String,
}

impl From<&AppCheck> for Check {
    fn from(check: &AppCheck) -> Self {
        let latency = check.latency.map(|took| millis(u64::try_from(took.as_micros()).unwrap_or(u64::MAX)));
        Self { name: check.name, status: check.status, latency_ms: latency, detail: check.detail.clone() }
    }
}

/// Microseconds as milliseconds with two decimals.
#[expect(clippy::cast_precision_loss, reason = "a time to be read by people")]
fn millis(micros: u64) -> f64 {
    (micros as f64 / 10.0).round() / 100.0
}

/// The health of the service in one minute, or the worst of one hour.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HealthSample)]
pub(crate) struct Sample {
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    #[schema(value_type = word::HealthStatus)]
    status: HealthStatus,
    /// The checks that did not pass.
    troubles: Vec<String>,
    store_latency_ms: Option<f64>,
    queue_depth: Option<u64>,
    queue_age_seconds: Option<u64>,
    scheduler_lag_seconds: Option<u64>,
    disk_free_bytes: Option<u64>,
    memory_bytes: Option<u64>,
}

impl From<&AppSample> for Sample {
    fn from(sample: &AppSample) -> Self {
        let row = &sample.row;
        Self {
            at: row.at,
            status: sample.status,
            troubles: sample.troubles.clone(),
            store_latency_ms: row.store_micros.map(millis),
            queue_depth: row.queue_depth,
            queue_age_seconds: row.queue_age_ms.map(|millis| millis / 1000),
            scheduler_lag_seconds: row.scheduler_lag_ms.map(|millis| millis / 1000),
            disk_free_bytes: row.disk_free,
            memory_bytes: row.memory,
        }
    }
}

/// Which samples.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryParams {
    /// `minute` (the default) covers the last day, `hour` the last month.
    #[param(inline)]
    grain: Option<GrainName>,
}

/// The distance between samples.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum GrainName {
    Minute,
    Hour,
}

/// Answers with the current time.
#[utoipa::path(get, path = "/api/ping", tag = "operations", security(()), responses((status = 200, body = Pong)))]
pub(crate) async fn ping(State(app): State<App>) -> Response {
    uncached(&Pong { pong: true, at: app.clock.now() })
}

/// Liveness probe.
///
/// Does not check any dependency.
#[utoipa::path(get, path = "/api/healthz", tag = "operations", security(()), responses((status = 200, body = Alive)))]
pub(crate) async fn healthz() -> Response {
    uncached(&Alive { status: "ok" })
}

/// Gets the health of the service.
#[utoipa::path(get, path = "/api/health", tag = "operations", security(()),
    responses((status = 200, body = Health), (status = 503, body = Health, description = "The service is down.")))]
pub(crate) async fn health(State(app): State<App>) -> Response {
    let report = app.operations.health().await;
    answer(&report, &Health::from(&report))
}

/// Gets the health of the service with all checks.
#[utoipa::path(get, path = "/api/health-detailed", operation_id = "getDetailedHealth",
    tag = "operations", security(()),
    responses((status = 200, body = DetailedHealth),
              (status = 503, body = DetailedHealth, description = "The service is down.")))]
pub(crate) async fn detailed(State(app): State<App>) -> Response {
    let report = app.operations.health().await;
    let checks = report.checks.iter().map(Check::from).collect();
    answer(&report, &DetailedHealth { health: Health::from(&report), checks })
}

fn answer(report: &HealthReport, body: &impl Serialize) -> Response {
    let mut response = uncached(body);
    if report.status == HealthStatus::Down {
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    }
    response
}

/// Samples, latest first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HealthHistory)]
pub(crate) struct History {
    data: Vec<Sample>,
    meta: HistoryMeta,
}

/// Where this page lies in the whole history.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HistoryMeta {
    count: u64,
    total: u64,
    limit: u32,
    offset: u64,
}

impl History {
    fn of(page: &Page<AppSample>) -> Self {
        let meta = HistoryMeta {
            count: page.items.len() as u64,
            total: page.total,
            limit: page.request.limit(),
            offset: page.request.offset(),
        };
        Self { data: page.items.iter().map(Sample::from).collect(), meta }
    }
}

/// Lists the health history.
///
/// One sample per minute for a day, one per hour for a month. The latest come first.
#[utoipa::path(get, path = "/api/health/history", tag = "operations", security(()),
    params(PageParams, HistoryParams),
    responses((status = 200, body = History), PageErrors))]
pub(crate) async fn history(State(app): State<App>, mut query: PageQuery) -> Result<Response, ApiError> {
    let grain = match query.read::<HistoryParams>().grain {
        None | Some(GrainName::Minute) => Grain::Minute,
        Some(GrainName::Hour) => Grain::Hour,
    };
    let query = query.check()?;
    let page = app.operations.health_history(grain, query.page).await?;
    Ok(uncached(&History::of(&page)))
}

/// A share in per cent, with two decimals.
pub(super) fn percent(part: u64, whole: u64) -> Hundredths {
    if whole == 0 { Hundredths::new(0) } else { Hundredths::percent(part, whole) }
}
