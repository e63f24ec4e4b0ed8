//! Operational endpoints: is it alive, is it well.

mod health;

use app::App;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(health::ping)).routes(routes!(health::healthz))
}
