//! API v2: versioned read access with filters, limit and offset.

mod alerts;
mod compliance_scores;
mod compliance_timeline;
mod compliance_training;
mod dashboard_widgets;
mod gap_analysis;
mod incident_drills;
mod index;
mod performance;
mod risk_register;
mod search;
mod vendor_risk_assessment;
mod vendor_scorecard;
mod wire;

use app::App;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(index::get))
        .routes(routes!(risk_register::list))
        .routes(routes!(vendor_scorecard::list))
        .routes(routes!(incident_drills::list))
        .routes(routes!(gap_analysis::list))
        .routes(routes!(compliance_timeline::list))
        .routes(routes!(compliance_training::list))
        .routes(routes!(vendor_risk_assessment::list))
        .routes(routes!(dashboard_widgets::list))
        .routes(routes!(alerts::list))
        .routes(routes!(performance::overview))
        .routes(routes!(compliance_scores::list))
        .routes(routes!(search::search))
}
