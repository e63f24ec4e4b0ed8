//! The repairs that the service makes without an operator.

use app::{
    App,
    heal::{ActionReport, HealOutcome},
};
use axum::{extract::State, response::Response};
use domain::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{OpenErrors, uncached};
use crate::{ApiError, schema::word};

/// The self-healing of the service.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HealStatus {
    enabled: bool,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_run_at: Option<Moment>,
    actions: Vec<HealAction>,
}

/// A self-healing action.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HealAction {
    #[schema(example = "expired_leases")]
    name: &'static str,
    /// The condition on which it acts.
    trigger: &'static str,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_run_at: Option<Moment>,
    /// The outcome of the last run; null before the first.
    #[schema(value_type = Option<word::HealOutcome>)]
    last_outcome: Option<HealOutcome>,
    /// How often it ran.
    runs: u64,
    /// How many problems it repaired.
    healed: u64,
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

/// Gets the status of the self-healing actions.
#[utoipa::path(get, path = "/api/auto-heal/status", tag = "operations", security(()),
    responses((status = 200, body = HealStatus), OpenErrors))]
pub(crate) async fn status(State(app): State<App>) -> Result<Response, ApiError> {
    let reports = app.heal_reports().await?;
    let last_run_at = reports.iter().filter_map(|report| report.last_run_at).max();
    let actions = reports.iter().map(HealAction::from).collect();
    Ok(uncached(&HealStatus { enabled: true, last_run_at, actions }))
}
