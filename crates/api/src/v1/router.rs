//! Every v1 route, with its documentation.

use app::App;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{compliance, export, key, measure, threshold, timeline, webhook};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(shared())
        .routes(routes!(threshold::get, threshold::patch))
        .routes(routes!(webhook::list, webhook::create))
        .routes(routes!(webhook::get, webhook::put, webhook::patch, webhook::delete))
        .routes(routes!(key::list, key::create))
        .routes(routes!(key::revoke))
}

/// Reference data every tenant sees alike.
fn shared() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(compliance::all))
        .routes(routes!(compliance::dora))
        .routes(routes!(compliance::marisk))
        .routes(routes!(compliance::iso_27001))
        .routes(routes!(compliance::cra))
        .routes(routes!(compliance::nis2))
        .routes(routes!(measure::list))
        .routes(routes!(measure::get))
        .routes(routes!(timeline::list))
        .routes(routes!(timeline::sync))
        .routes(routes!(export::measures_csv))
        .routes(routes!(export::measures_json))
}
