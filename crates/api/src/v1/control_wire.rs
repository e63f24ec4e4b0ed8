//! The wire types of controls.

use app::{
    App,
    catalogue::Edition,
    control::{Control as AppControl, ControlFilter, Performed, keys_of_framework, keys_of_requirement},
    history::Detail,
};
use domain::{
    control::{Control as Record, ControlInput, ControlStatus as Status, Effectiveness as Effect},
    id::ControlId,
    moment::{Day, Moment},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    record::Noun,
    wire::{Framework, HistoryStep, ORDER, words},
};
use crate::{
    ApiError,
    extract::{Fields, PageQuery},
};

words! {
    ControlStatus = domain::control::ControlStatus, "Where a control stands.";
    Effectiveness = domain::control::Effectiveness, "How well a control works.";
    ControlCadence = domain::control::ControlCadence, "How often a control is performed.";
    ControlSort = domain::control::ControlSort, ORDER;
}

/// A control: what the institution really does.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Control {
    #[schema(value_type = String, example = "ctl_01k9x14js0e00000000000000a")]
    id: ControlId,
    #[schema(example = "C-0001")]
    reference: String,
    #[schema(example = "Quarterly restore test of core banking")]
    title: String,
    description: Option<String>,
    /// The measure of the catalogue it carries out.
    measure_id: Option<String>,
    /// The requirements it answers: those of the measure and its own.
    requirements: Vec<String>,
    status: ControlStatus,
    /// Follows from the tests and findings that name the measure, unless a person overruled it.
    effectiveness: Effectiveness,
    /// What follows from tests and findings.
    effectiveness_by_rule: Effectiveness,
    /// Why a person overruled the rule; null while the rule holds.
    effectiveness_reason: Option<String>,
    #[schema(example = "Dana Weber")]
    owner: Option<String>,
    cadence: ControlCadence,
    #[schema(value_type = Option<String>, format = Date)]
    last_performed_on: Option<Day>,
    #[schema(value_type = Option<String>, format = Date)]
    next_due_on: Option<Day>,
    /// The functions it protects.
    functions: Vec<String>,
    /// The ids of evidence linked to it.
    evidence: Vec<String>,
    /// Open findings that name the measure.
    open_findings: u64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// A control with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ControlDetail {
    #[serde(flatten)]
    control: Control,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

/// One time a control was performed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ControlPerformance {
    #[schema(value_type = String, format = Date)]
    on: Day,
    note: Option<String>,
    /// The ids of evidence of this performance.
    evidence: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    recorded_at: Moment,
    /// The id of the API key or user that recorded it, `operator`, or `system`.
    recorded_by: String,
}

/// A control to create. Without a status it is `planned`.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "title": "Quarterly restore test of core banking",
    "measure_id": "measure-backup-policy-and-schedule",
    "status": "implemented",
    "owner": "Dana Weber",
    "cadence": "quarterly",
}))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct NewControl {
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    /// A measure of the catalogue.
    measure_id: Option<String>,
    /// Requirements of the catalogue, beside those of the measure.
    #[schema(max_items = 200)]
    requirements: Option<Vec<String>>,
    #[schema(nullable = false)]
    status: Option<ControlStatus>,
    /// Overrules what follows from tests and findings; needs `effectiveness_reason`.
    effectiveness: Option<Effectiveness>,
    #[schema(max_length = 10_000)]
    effectiveness_reason: Option<String>,
    #[schema(max_length = 255)]
    owner: Option<String>,
    #[schema(nullable = false)]
    cadence: Option<ControlCadence>,
    /// Only with a cadence. Without it, one interval after the last performance once the control is implemented.
    #[schema(format = Date)]
    next_due_on: Option<String>,
    /// Ids or names of functions.
    #[schema(max_items = 200)]
    functions: Option<Vec<String>>,
    /// Recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

/// Changes to a control. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "status": "implemented", "owner": "Dana Weber" }))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct ControlChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    /// A measure of the catalogue.
    measure_id: Option<String>,
    /// Requirements of the catalogue, beside those of the measure.
    #[schema(max_items = 200)]
    requirements: Option<Vec<String>>,
    #[schema(nullable = false)]
    status: Option<ControlStatus>,
    /// Overrules what follows from tests and findings; needs `effectiveness_reason`. `null` takes that back.
    effectiveness: Option<Effectiveness>,
    #[schema(max_length = 10_000)]
    effectiveness_reason: Option<String>,
    #[schema(max_length = 255)]
    owner: Option<String>,
    #[schema(nullable = false)]
    cadence: Option<ControlCadence>,
    #[schema(format = Date)]
    next_due_on: Option<String>,
    /// Ids or names of functions.
    #[schema(max_items = 200)]
    functions: Option<Vec<String>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

/// Which measures to adopt: `measures` or `framework`.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "framework": "dora" }))]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct NewAdoption {
    /// Measures of the catalogue.
    #[schema(max_items = 200, nullable = false)]
    measures: Option<Vec<String>>,
    /// All measures that meet a requirement of this framework.
    #[schema(nullable = false)]
    framework: Option<Framework>,
}

/// What adopting did.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AdoptionResult {
    /// Controls that were made.
    pub(super) created: u64,
    /// Measures that had a control already.
    pub(super) skipped: u64,
}

/// One performance of a control.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "on": "2026-11-14", "note": "Restored within two hours." }))]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct NewPerformance {
    /// Without it, today. Not in the future.
    #[schema(format = Date, nullable = false)]
    on: Option<String>,
    #[schema(max_length = 10_000)]
    note: Option<String>,
    /// The ids of evidence.
    #[schema(max_items = 200)]
    evidence: Option<Vec<String>>,
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `Noun::filter` reads the values")]
pub(crate) struct ControlParams {
    /// Only controls with this status.
    status: Option<ControlStatus>,
    /// Only controls of this effectiveness.
    effectiveness: Option<Effectiveness>,
    /// Only controls of the owner of exactly this name.
    owner: Option<String>,
    /// Only controls that answer a requirement of this framework. Not together with `requirement`.
    framework: Option<Framework>,
    /// Only controls that answer this requirement.
    requirement: Option<String>,
    /// Only controls that are due before this day.
    #[param(value_type = Option<String>, format = Date)]
    due_before: Option<String>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(max_length = 200)]
    search: Option<String>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline)]
    sort: Option<ControlSort>,
}

impl From<&AppControl> for Control {
    fn from(control: &AppControl) -> Self {
        let AppControl { row, requirements, open_findings, evidence } = control;
        let record = &row.record;
        Self {
            id: row.id,
            reference: record.reference.to_string(),
            title: record.title.to_string(),
            description: record.description.as_ref().map(ToString::to_string),
            measure_id: record.measure_id.clone(),
            requirements: requirements.clone(),
            status: record.status.into(),
            effectiveness: record.effectiveness().into(),
            effectiveness_by_rule: record.computed.into(),
            effectiveness_reason: record.overrule.as_ref().map(|overrule| overrule.reason.to_string()),
            owner: record.owner.as_ref().map(ToString::to_string),
            cadence: record.cadence.into(),
            last_performed_on: record.last_performed_on,
            next_due_on: record.next_due_on,
            functions: record.functions.iter().map(ToString::to_string).collect(),
            evidence: evidence.iter().map(ToString::to_string).collect(),
            open_findings: *open_findings,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&Detail<AppControl>> for ControlDetail {
    fn from(detail: &Detail<AppControl>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { control: Control::from(&detail.record), history }
    }
}

impl From<&Performed> for ControlPerformance {
    fn from(row: &Performed) -> Self {
        Self {
            on: row.performance.on,
            note: row.performance.note.as_ref().map(ToString::to_string),
            evidence: row.performance.evidence.clone(),
            recorded_at: row.recorded_at,
            recorded_by: row.actor.clone(),
        }
    }
}

impl Noun for Record {
    type Item = Control;
    type Full = ControlDetail;

    const PATH: &'static str = "/api/v1/controls";
    const AS_OF: bool = true;

    const NARROWED_BY: &'static [&'static str] = &["framework", "requirement"];

    fn filter(_: &App, query: &mut PageQuery) -> Result<ControlFilter, ApiError> {
        Ok(ControlFilter {
            status: query.filter::<Status>("status"),
            effectiveness: query.filter::<Effect>("effectiveness"),
            owner: query.exactly("owner"),
            keys: None,
            due_before: query.filter("due_before"),
            search: query.search(),
            sort: query.filter("sort"),
        })
    }

    fn input(fields: &mut Fields) -> ControlInput {
        ControlInput {
            title: fields.text_change("title"),
            description: fields.text_change("description"),
            measure_id: fields.text_change("measure_id"),
            requirements: fields.texts_change("requirements"),
            status: fields.text_change("status"),
            effectiveness: fields.text_change("effectiveness"),
            effectiveness_reason: fields.text_change("effectiveness_reason"),
            owner: fields.text_change("owner"),
            cadence: fields.text_change("cadence"),
            next_due_on: fields.text_change("next_due_on"),
            functions: fields.texts_change("functions"),
            note: fields.text_change("note"),
        }
    }

    fn by_framework(filter: &mut ControlFilter, edition: &Edition, query: &mut PageQuery) {
        let framework = query.framework("framework", edition);
        let requirement = query.exactly("requirement");
        if framework.is_some() && requirement.is_some() {
            query
                .complain("framework", "cannot be combined with requirement, which belongs to one framework");
        }
        let by_framework = framework.map(|framework| keys_of_framework(edition, framework));
        filter.keys = requirement.map(|id| keys_of_requirement(edition, &id)).or(by_framework);
    }
}
