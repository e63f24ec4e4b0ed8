//! Metrics in the text format of Prometheus, for the operator's own listener.
//!
//! All counters exist anyway; this module only formats them. Labels are route templates, names of jobs and words of
//! vocabularies, so that their number is bounded and nothing of a tenant's appears. The page is also served while the
//! store is unreachable, without the values that only the store knows.

mod families;
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

use self::text::Text;

/// The router of the operator's listener.
pub fn operator_router(app: &App) -> Router {
    Router::new()
        .route("/metrics", get(metrics))
        .route("/healthz", get(super::health::healthz))
        .route("/api/healthz", get(super::health::healthz))
        .with_state(app.clone())
}

async fn metrics(State(app): State<App>) -> Response {
    let health = app.health().await;
    let jobs = if health.status == HealthStatus::Down { Vec::new() } else { known_jobs(&app).await };
    let mut text = Text::default();
    families::service(&mut text, &health);
    families::requests(&mut text, &app.traffic.routes());
    families::store(&mut text, &app.store_meter(), &health.numbers);
    families::memory(&mut text, &app);
    families::delivery(&mut text, &app.deliveries.read(), &health.numbers);
    families::jobs(&mut text, &jobs);
    families::process(&mut text, process());
    let mut response = text.finish().into_response();
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// The jobs, if the store can be read.
async fn known_jobs(app: &App) -> Vec<JobReport> {
    app.job_reports().await.unwrap_or_else(|error| {
        tracing::warn!(%error, "metrics without jobs");
        Vec::new()
    })
}
