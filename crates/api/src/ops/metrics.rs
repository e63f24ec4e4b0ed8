//! Metrics: in the text format of Prometheus for the operator's own listener, and as values for a collector.
//!
//! All counters exist anyway; this module only lists and formats them. Labels are route templates, names of jobs and words of
//! vocabularies, so that their number is bounded and nothing of a tenant's appears. The page is also served while the
//! store is unreachable, without the values that only the store knows.

mod families;
mod family;
mod text;

use app::{App, health::process, jobs::JobReport};
use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use domain::health::HealthStatus;
use http::{HeaderValue, header};

use self::family::Families;
pub use self::family::{Family, Kind, Sample, Value};

/// The router of the operator's listener.
pub fn operator_router(app: &App) -> Router {
    Router::new()
        .route("/metrics", get(metrics))
        .route("/healthz", get(super::health::healthz))
        .route("/api/healthz", get(super::health::healthz))
        .with_state(app.clone())
}

async fn metrics(State(app): State<App>) -> Response {
    let mut response = text::text(&all(&app).await).into_response();
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// Every metric with its values at this moment.
pub async fn all(app: &App) -> Vec<Family> {
    let health = app.operations.health().await;
    let jobs = if health.status == HealthStatus::Down { Vec::new() } else { known_jobs(app).await };
    let mut families = Families::default();
    families::service(&mut families, &health);
    families::requests(&mut families, &app.traffic.routes());
    families::store(&mut families, &app.operations.store_meter(), &health.numbers);
    families::memory(&mut families, app);
    families::delivery(&mut families, &app.deliveries.read(), &health.numbers);
    families::jobs(&mut families, &jobs);
    families::exports(&mut families, app);
    families::process(&mut families, process());
    families.finish()
}

/// The jobs, if the store can be read.
async fn known_jobs(app: &App) -> Vec<JobReport> {
    app.job_reports().await.unwrap_or_else(|error| {
        tracing::warn!(%error, "metrics without jobs");
        Vec::new()
    })
}
