//! API v2: versioned read access with filters, limit and offset.

mod alert;
mod drill;
mod gap;
mod index;
mod performance;
mod question;
mod risk;
mod score;
mod search;
mod timeline;
mod training;
mod vendor;
mod widget;
mod wire;

use app::App;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(index::get))
        .routes(routes!(risk::list))
        .routes(routes!(vendor::list))
        .routes(routes!(drill::list))
        .routes(routes!(gap::list))
        .routes(routes!(timeline::list))
        .routes(routes!(training::list))
        .routes(routes!(question::list))
        .routes(routes!(widget::list))
        .routes(routes!(alert::list))
        .routes(routes!(performance::overview))
        .routes(routes!(score::list))
        .routes(routes!(search::search))
}
