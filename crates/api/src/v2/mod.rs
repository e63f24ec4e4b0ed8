//! API v2: versioned read access with filters, limit and offset.

use app::App;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
