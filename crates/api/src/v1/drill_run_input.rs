//! The requests about drill runs.

use utoipa::ToSchema;

use super::drill_run_wire::{DrillRunSort, DrillRunStatus};
use crate::schema::word;

/// A drill run to plan.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "scenario": "drill-ransomware-core-banking",
    "planned_for": "2027-03-18",
    "participants": ["Dana Weber", "Kim Roth"],
}))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct NewDrillRun {
    /// The id of a drill of the catalogue.
    scenario: String,
    /// The title of the scenario if absent.
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    #[schema(format = Date)]
    planned_for: String,
    /// Names or ids of people.
    #[schema(max_items = 50)]
    participants: Option<Vec<String>>,
    /// A programme in which the finished run is to count as a test case.
    programme_id: Option<String>,
    /// A test case of type `scenario_based_test` that the run executes.
    test_case_id: Option<String>,
    /// Recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

/// Changes to a drill run. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "planned_for": "2027-03-25" }))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct DrillRunChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    #[schema(format = Date, nullable = false)]
    planned_for: Option<String>,
    #[schema(max_items = 50)]
    participants: Option<Vec<String>>,
    programme_id: Option<String>,
    test_case_id: Option<String>,
    /// Only `cancelled`; a run is started and finished by routes of their own.
    #[schema(nullable = false)]
    status: Option<DrillRunStatus>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `Noun::filter` reads the values")]
pub(crate) struct DrillRunParams {
    /// Only runs with this status.
    status: Option<DrillRunStatus>,
    /// Only runs of the scenario with this id.
    scenario: Option<String>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(max_length = 200)]
    search: Option<String>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline)]
    sort: Option<DrillRunSort>,
}

/// A decision to log.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "text": "Isolate the affected segments before anything restarts." }))]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct NewDrillDecision {
    #[schema(min_length = 1, max_length = 2_000)]
    text: String,
}

/// Judgements by criterion of DORA Art. 18(1). What is absent stays; `null` takes a judgement back.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "critical_services_affected": "met", "geographical_spread": "open" }))]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct PracticeClassification {
    #[schema(value_type = Option<word::Judgement>)]
    clients_financial_counterparts_and_transactions_affected: Option<String>,
    #[schema(value_type = Option<word::Judgement>)]
    geographical_spread: Option<String>,
    #[schema(value_type = Option<word::Judgement>)]
    data_losses: Option<String>,
    #[schema(value_type = Option<word::Judgement>)]
    critical_services_affected: Option<String>,
    #[schema(value_type = Option<word::Judgement>)]
    economic_impact: Option<String>,
    #[schema(value_type = Option<word::Judgement>)]
    reputational_impact: Option<String>,
    #[schema(value_type = Option<word::Judgement>)]
    duration_and_service_downtime: Option<String>,
}

/// The answer about one report. What is absent stays.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "clock": "clock-dora-initial-notification",
    "due": "07:40, four hours after classification",
    "sent_at_minute": 120,
}))]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct PracticeReport {
    /// The id of a clock of the scenario.
    clock: String,
    /// When it would have been due, in the words of the participants.
    #[schema(max_length = 255)]
    due: Option<String>,
    /// The minute of the scenario in which they would have sent it.
    #[schema(minimum = 0, maximum = 2160)]
    sent_at_minute: Option<u32>,
    /// What the person who leads the drill says of the answer.
    right: Option<bool>,
}

/// The judgement of a success criterion.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "result": "partly" }))]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct NewCriterionResult {
    /// `met`, `partly` or `not`; `null` takes the judgement back.
    #[schema(required = true)]
    result: Option<String>,
}

/// What finishing a run brings about.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "findings": true }))]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct FinishDrillRun {
    /// Whether success criteria that were not or only partly met become findings. The default is false.
    #[schema(nullable = false)]
    findings: Option<bool>,
}
