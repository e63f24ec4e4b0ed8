//! Metrics in the text format of Prometheus, for the operator's own listener.
//!
//! Everything counted here is counted anyway; this only writes it down. Labels are route templates, names of jobs and
//! words of closed lists, so that their number is bounded and nothing of a tenant's appears. The page is answered
//! also while the store is away: then what only the store knows is left out.

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

/// What the operator's listener serves.
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

/// The jobs as far as the store tells.
async fn known_jobs(app: &App) -> Vec<JobReport> {
    app.job_reports().await.unwrap_or_else(|error| {
        tracing::warn!(%error, "metrics without jobs");
        Vec::new()
    })
}
