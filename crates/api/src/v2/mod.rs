//! API v2: versioned read access with filters, limit and offset.

mod index;
mod wire;

use app::App;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(index::get))
}
