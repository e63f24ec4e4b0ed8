//! What the service puts right by itself.

use app::{
    App,
    heal::{ActionReport, HealOutcome},
};
use axum::{extract::State, response::Response};
use domain::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{OpenErrors, uncached};
use crate::ApiError;

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HealStatus {
    enabled: bool,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_run_at: Option<Moment>,
    actions: Vec<HealAction>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HealAction {
    #[schema(example = "expired_leases")]
    name: &'static str,
    /// What makes it act.
    trigger: &'static str,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_run_at: Option<Moment>,
    /// `nothing_to_do`, `healed` or `failed`; null before the first look.
    #[schema(schema_with = outcome)]
    last_outcome: Option<HealOutcome>,
    /// How often it looked.
    runs: u64,
    /// How many things it put right.
    healed: u64,
}

/// The outcome, or null before the first look.
fn outcome() -> utoipa::openapi::schema::Schema {
    super::wire::word_or_null::<HealOutcome>()
}

impl From<&ActionReport> for HealAction {
    fn from(report: &ActionReport) -> Self {
        Self {
            name: report.action.as_str(),
            trigger: report.action.trigger(),
            last_run_at: report.last_run_at,
            last_outcome: report.last_outcome,
            runs: report.runs,
            healed: report.healed,
        }
    }
}

/// What the service puts right by itself, and what it has put right.
#[utoipa::path(get, path = "/api/auto-heal/status", tag = "operations", security(()),
    responses((status = 200, body = HealStatus), OpenErrors))]
pub(crate) async fn status(State(app): State<App>) -> Result<Response, ApiError> {
    let reports = app.heal_reports().await?;
    let last_run_at = reports.iter().filter_map(|report| report.last_run_at).max();
    let actions = reports.iter().map(HealAction::from).collect();
    Ok(uncached(&HealStatus { enabled: true, last_run_at, actions }))
}
