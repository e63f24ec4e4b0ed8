//! Every v1 route, with its documentation.

use app::App;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{cra_report, delivery, finding, key, programme, test_case, threshold, webhook};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(programme::list, programme::create))
        .routes(routes!(programme::get, programme::patch, programme::delete))
        .routes(routes!(test_case::list, test_case::create))
        .routes(routes!(test_case::get, test_case::patch, test_case::delete))
        .routes(routes!(finding::list, finding::create))
        .routes(routes!(finding::get, finding::patch, finding::delete))
        .routes(routes!(cra_report::list, cra_report::create))
        .routes(routes!(cra_report::get, cra_report::patch, cra_report::delete))
        .routes(routes!(threshold::get, threshold::patch))
        .routes(routes!(webhook::list, webhook::create))
        .routes(routes!(webhook::get, webhook::put, webhook::patch, webhook::delete))
        .routes(routes!(delivery::test))
        .routes(routes!(delivery::list))
        .routes(routes!(delivery::retry))
        .routes(routes!(delivery::replay))
        .routes(routes!(key::list, key::create))
        .routes(routes!(key::revoke))
}
