//! Operational endpoints: liveness, health, and background work. No key, no secret, no path, no host name.

mod cron;
mod disk;
mod error_rate;
mod heal;
mod health;
pub mod metrics;
mod wire;

use app::App;
use utoipa_axum::{router::OpenApiRouter, routes};

pub use self::metrics::operator_router;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health::health))
        .routes(routes!(health::detailed))
        .routes(routes!(health::history))
        .routes(routes!(health::healthz))
        .routes(routes!(health::ping))
        .routes(routes!(heal::status))
        .routes(routes!(error_rate::get))
        .routes(routes!(cron::info))
        .routes(routes!(disk::report))
}
