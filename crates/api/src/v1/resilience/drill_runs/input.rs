//! The requests about drill runs.

use domain::{
    drill_run::{ClassificationInput, DecisionInput, DrillRunInput, ReportInput},
    incident::Criterion,
    wording::Language,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::wire::{DrillRunSort, DrillRunStatus};
use crate::{
    extract::{Parsed, Search, Switch, Words},
    schema::{body, word},
};

body! {
    /// A drill run to plan.
    NewDrillRun from DrillRunFields {
        required: ["scenario", "planned_for"],
        without: ["status"],
        example: {
            "scenario": "drill-ransomware-core-banking",
            "planned_for": "2027-03-18",
            "participants": ["Dana Weber", "Kim Roth"],
        }
    }
}

body! {
    /// Changes to a drill run. Fields that are absent keep their values; `null` clears a field.
    DrillRunChange from DrillRunFields {
        required: [],
        without: ["scenario"],
        example: { "planned_for": "2027-03-25" }
    }
}

/// The fields of a drill run. The bodies above document those that belong to them; the rules of the record decide about
/// the others.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct DrillRunFields {
    /// The id of a drill of the catalogue.
    #[schema(nullable = false)]
    scenario: Option<Option<String>>,
    /// The title of the scenario if a new run has none.
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<Option<String>>,
    #[schema(format = Date, nullable = false)]
    planned_for: Option<Option<String>>,
    /// Who leads the run and judges it: the person who plans it if a new run names none. Not one of the participants.
    #[schema(max_length = 255)]
    lead: Option<Option<String>>,
    /// Names or ids of people.
    #[schema(max_items = 50)]
    participants: Option<Option<Vec<String>>>,
    /// A programme in which the finished run is to count as a test case.
    programme_id: Option<Option<String>>,
    /// A test case of type `scenario_based_test` that the run executes.
    test_case_id: Option<Option<String>>,
    /// Only `cancelled`; a run is started and finished by routes of their own.
    #[schema(value_type = Option<DrillRunStatus>, nullable = false)]
    status: Option<Option<String>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DrillRunParams {
    /// Only runs with this status.
    #[param(value_type = Option<Vec<DrillRunStatus>>)]
    pub(crate) status: Option<Words<domain::drill_run::DrillRunStatus>>,
    /// Only runs of the scenario with this id.
    pub(crate) scenario: Option<String>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    pub(crate) search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<DrillRunSort>)]
    pub(crate) sort: Option<Parsed<domain::drill_run::DrillRunSort>>,
}

/// A decision to log.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "text": "Isolate the affected segments before anything restarts." }))]
pub(crate) struct NewDrillDecision {
    #[schema(required = true, min_length = 1, max_length = 2_000, nullable = false)]
    text: Option<Option<String>>,
}

/// Judgements by criterion of DORA Art. 18(1). What is absent stays; `null` takes a judgement back.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "critical_services_affected": "met", "geographical_spread": "open" }))]
pub(crate) struct PracticeClassification {
    #[schema(value_type = Option<word::Judgement>)]
    clients_financial_counterparts_and_transactions_affected: Option<Option<String>>,
    #[schema(value_type = Option<word::Judgement>)]
    geographical_spread: Option<Option<String>>,
    #[schema(value_type = Option<word::Judgement>)]
    data_losses: Option<Option<String>>,
    #[schema(value_type = Option<word::Judgement>)]
    critical_services_affected: Option<Option<String>>,
    #[schema(value_type = Option<word::Judgement>)]
    economic_impact: Option<Option<String>>,
    #[schema(value_type = Option<word::Judgement>)]
    reputational_impact: Option<Option<String>>,
    #[schema(value_type = Option<word::Judgement>)]
    duration_and_service_downtime: Option<Option<String>>,
}

/// The answer about one report. What is absent stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({
    "clock": "clock-dora-initial-notification",
    "due": "07:40, four hours after classification",
    "sent_at_minute": 120,
}))]
pub(crate) struct PracticeReport {
    /// The id of a clock of the scenario.
    #[schema(required = true, nullable = false)]
    clock: Option<Option<String>>,
    /// When it would have been due, in the words of the participants.
    #[schema(max_length = 255)]
    due: Option<Option<String>>,
    /// The minute of the scenario in which they would have sent it.
    #[schema(value_type = Option<u32>, minimum = 0, maximum = 2160)]
    sent_at_minute: Option<Option<f64>>,
    /// What the person who leads the drill says of the answer.
    right: Option<Option<bool>>,
}

/// The judgement of a success criterion.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "result": "partly" }))]
pub(crate) struct NewCriterionResult {
    /// `met`, `partly` or `not`; `null` takes the judgement back.
    #[schema(required = true)]
    pub(crate) result: Option<Option<String>>,
}

/// What finishing a run brings about.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "findings": true }))]
pub(crate) struct FinishDrillRun {
    /// Whether success criteria that were not or only partly met become findings. The default is false.
    #[schema(value_type = Option<bool>, nullable = false)]
    pub(crate) findings: Option<Switch>,
}

impl From<DrillRunFields> for DrillRunInput {
    fn from(fields: DrillRunFields) -> Self {
        Self {
            scenario: fields.scenario.into(),
            title: fields.title.into(),
            planned_for: fields.planned_for.into(),
            lead: fields.lead.into(),
            participants: fields.participants.into(),
            programme_id: fields.programme_id.into(),
            test_case_id: fields.test_case_id.into(),
            status: fields.status.into(),
            note: fields.note.into(),
            language: Language::default(),
        }
    }
}

impl From<NewDrillDecision> for DecisionInput {
    fn from(decision: NewDrillDecision) -> Self {
        Self { text: decision.text.into() }
    }
}

impl From<PracticeClassification> for ClassificationInput {
    fn from(request: PracticeClassification) -> Self {
        let judgements = vec![
            (Criterion::Clients, request.clients_financial_counterparts_and_transactions_affected.into()),
            (Criterion::Geography, request.geographical_spread.into()),
            (Criterion::DataLosses, request.data_losses.into()),
            (Criterion::CriticalServices, request.critical_services_affected.into()),
            (Criterion::EconomicImpact, request.economic_impact.into()),
            (Criterion::Reputation, request.reputational_impact.into()),
            (Criterion::Duration, request.duration_and_service_downtime.into()),
        ];
        Self { judgements }
    }
}

impl From<PracticeReport> for ReportInput {
    fn from(report: PracticeReport) -> Self {
        Self {
            clock: report.clock.into(),
            due: report.due.into(),
            sent_at_minute: report.sent_at_minute.into(),
            right: report.right.into(),
        }
    }
}
