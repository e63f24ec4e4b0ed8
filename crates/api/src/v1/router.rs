//! Every v1 route, with its documentation.

use app::App;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    analysis, arrangement, blast_radius, compliance, coverage, cra_report, delivery, exchange_rate, export,
    finding, finding_import, incident, kept_simulation, key, measure, programme, register, scan, simulation,
    test_case, threshold, timeline, webhook,
};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(shared())
        .routes(routes!(arrangement::list, arrangement::create))
        .routes(routes!(arrangement::get, arrangement::patch, arrangement::delete))
        .routes(routes!(register::import))
        .routes(routes!(register::template))
        .routes(routes!(analysis::analyse))
        .routes(routes!(analysis::latest))
        .routes(routes!(analysis::breaches))
        .routes(routes!(analysis::list))
        .routes(routes!(simulation::simulate))
        .routes(routes!(kept_simulation::list, kept_simulation::create))
        .routes(routes!(kept_simulation::get, kept_simulation::delete))
        .routes(routes!(exchange_rate::get, exchange_rate::put))
        .routes(routes!(blast_radius::blast_radius))
        .routes(routes!(programme::list, programme::create))
        .routes(routes!(programme::get, programme::patch, programme::delete))
        .routes(routes!(programme::versions))
        .routes(routes!(programme::version))
        .routes(routes!(test_case::list, test_case::create))
        .routes(routes!(test_case::get, test_case::patch, test_case::delete))
        .routes(routes!(test_case::archive))
        .routes(routes!(test_case::restore))
        .routes(routes!(coverage::get))
        .routes(routes!(finding::list, finding::create))
        .routes(routes!(finding_import::import))
        .routes(routes!(finding_import::template))
        .routes(routes!(finding::get, finding::patch, finding::delete))
        .routes(routes!(finding::archive))
        .routes(routes!(finding::restore))
        .routes(routes!(cra_report::list, cra_report::create))
        .routes(routes!(cra_report::get, cra_report::patch, cra_report::delete))
        .routes(routes!(cra_report::archive))
        .routes(routes!(cra_report::restore))
        .routes(routes!(incident::list, incident::create))
        .routes(routes!(incident::get, incident::patch))
        .routes(routes!(incident::versions))
        .routes(routes!(incident::version))
        .routes(routes!(incident::classification))
        .routes(routes!(incident::classify))
        .routes(routes!(incident::report))
        .routes(routes!(incident::submitted))
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
        .routes(routes!(scan::latest))
        .routes(routes!(export::measures_csv))
        .routes(routes!(export::measures_json))
}
