//! Public reference data: anyone may read it.

use app::App;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
