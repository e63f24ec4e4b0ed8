//! The wire types of controls.

use app::{
    App,
    catalogue::Edition,
    control::{
        Adopted, AdoptionPreview, ControlFilter, ControlView, Performed, SectionPreview, keys_of_frameworks,
        keys_of_requirement,
    },
    history::Detail,
};
use domain::{
    control::{Control, ControlInput, PerformedInput},
    id::ControlId,
    moment::{Day, Moment},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Fields, Names, PageQuery, Parsed, Search, Words, WordsOrNone, exactly},
    schema::body,
    v1::{
        record::Noun,
        records::correction::Correction,
        wire::{Framework, HistoryStep, ORDER, words},
    },
};

words! {
    ControlStatus = domain::control::ControlStatus, "Where a control stands.";
    Effectiveness = domain::control::Effectiveness, "How well a control works.";
    ControlCadence = domain::control::ControlCadence, "How often a control is performed.";
    ControlSort = domain::control::ControlSort, ORDER;
}

/// A control: what the institution really does.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Control)]
pub(crate) struct ControlItem {
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
    /// The fields whose texts are still those of the measure.
    #[schema(value_type = Vec<String>)]
    library_texts: Vec<&'static str>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// Since when it is archived; null while it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
}

/// A control with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ControlDetail {
    #[serde(flatten)]
    control: ControlItem,
    /// Corrections of its performances, oldest first.
    corrections: Vec<Correction>,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

/// One time a control was performed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ControlPerformance {
    /// Counted from 1 for each control, in the order of recording.
    #[schema(example = 1)]
    number: i64,
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

body! {
    /// A control to create. Without a status it is `planned`.
    NewControl from ControlChange {
        required: ["title"],
        without: [],
        example: {
            "title": "Quarterly restore test of core banking",
            "measure_id": "measure-backup-policy-and-schedule",
            "status": "implemented",
            "owner": "Dana Weber",
            "cadence": "quarterly",
        }
    }
}

/// Changes to a control. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "status": "implemented", "owner": "Dana Weber" }))]
pub(crate) struct ControlChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    description: Option<Option<String>>,
    /// A measure of the catalogue.
    measure_id: Option<Option<String>>,
    /// Requirements of the catalogue, beside those of the measure.
    #[schema(max_items = 200)]
    requirements: Option<Option<Vec<String>>>,
    #[schema(value_type = Option<ControlStatus>, nullable = false)]
    status: Option<Option<String>>,
    /// Overrules what follows from tests and findings; needs `effectiveness_reason`. `null` takes that back.
    #[schema(value_type = Option<Effectiveness>)]
    effectiveness: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    effectiveness_reason: Option<Option<String>>,
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    #[schema(value_type = Option<ControlCadence>, nullable = false)]
    cadence: Option<Option<String>>,
    /// Only with a cadence. Without it, one interval after the last performance once the control is implemented.
    #[schema(format = Date)]
    next_due_on: Option<Option<String>>,
    /// Ids or names of functions.
    #[schema(max_items = 200)]
    functions: Option<Option<Vec<String>>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

/// Which measures to adopt: `measures` or `framework`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "framework": "dora" }))]
pub(crate) struct NewAdoption {
    /// Measures of the catalogue.
    #[schema(max_items = 200, nullable = false)]
    pub(crate) measures: Option<Vec<String>>,
    /// All measures that meet a requirement of this framework.
    #[schema(value_type = Option<Framework>, nullable = false)]
    pub(crate) framework: Option<String>,
    /// With `framework`: only the measures that meet a requirement of these chapters.
    #[schema(max_items = 200, nullable = false)]
    pub(crate) sections: Option<Vec<String>>,
    /// The owner of the new controls.
    #[schema(max_length = 255, nullable = false)]
    pub(crate) owner: Option<String>,
    /// Says what would happen, and stores nothing.
    #[schema(nullable = false)]
    pub(crate) dry_run: Option<bool>,
}

/// What adopting did.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AdoptionResult {
    /// Controls that were made.
    pub(crate) created: u64,
    /// Measures that had a control already.
    pub(crate) skipped: u64,
    /// Whether nothing was stored because the request asked for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) dry_run: Option<bool>,
    /// In a dry run about a framework, the same for each of its chapters. A measure can meet requirements of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) sections: Option<Vec<AdoptionSection>>,
}

/// What adopting the measures of a chapter would do.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AdoptionSection {
    /// The id of the chapter.
    #[schema(example = "dora-ch-2")]
    section: String,
    created: u64,
    skipped: u64,
}

impl AdoptionResult {
    pub(crate) fn made(done: Adopted) -> Self {
        Self { created: done.created, skipped: done.skipped, dry_run: None, sections: None }
    }

    pub(crate) fn tried(preview: AdoptionPreview) -> Self {
        let section = |one: SectionPreview| AdoptionSection {
            section: one.section,
            created: one.counts.created,
            skipped: one.counts.skipped,
        };
        let sections: Vec<_> = preview.sections.into_iter().map(section).collect();
        let sections = (!sections.is_empty()).then_some(sections);
        Self { dry_run: Some(true), sections, ..Self::made(preview.all) }
    }
}

/// One performance of a control.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "on": "2026-11-14", "note": "Restored within two hours." }))]
pub(crate) struct NewPerformance {
    /// Without it, today. Not in the future.
    #[schema(format = Date, nullable = false)]
    on: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
    /// The ids of evidence.
    #[schema(max_items = 200)]
    evidence: Option<Option<Vec<String>>>,
    /// Whether the control is implemented with this performance.
    #[schema(nullable = false)]
    implements: Option<Option<bool>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ControlParams {
    /// `true` for archived records, `all` for both. If absent, archived records are left out.
    #[param(inline, value_type = Option<crate::v1::wire::Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only controls with this status.
    #[param(value_type = Option<Vec<ControlStatus>>)]
    status: Option<Words<domain::control::ControlStatus>>,
    /// Only controls of this effectiveness.
    #[param(value_type = Option<Vec<Effectiveness>>)]
    effectiveness: Option<Words<domain::control::Effectiveness>>,
    /// Only controls of the owner of exactly this name. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    owner: Option<Names>,
    /// Only controls that answer a requirement of this framework. Sent several times, of any of them; `none` stands for
    /// controls that have neither a measure nor a requirement. Not together with `requirement`.
    #[param(value_type = Option<Vec<String>>)]
    framework: Option<WordsOrNone<String>>,
    /// Only controls that answer this requirement.
    requirement: Option<String>,
    /// Only controls that are due before this day; `none` stands for controls without a day, and can be sent besides a
    /// day.
    #[param(value_type = Option<Vec<String>>, example = json!(["2026-12-31"]))]
    due_before: Option<WordsOrNone<Day>>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<ControlSort>)]
    sort: Option<Parsed<domain::control::ControlSort>>,
}

impl From<&ControlView> for ControlItem {
    fn from(control: &ControlView) -> Self {
        let ControlView { row, requirements, open_findings, evidence, library_texts } = control;
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
            library_texts: library_texts.clone(),
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

impl From<&Detail<ControlView>> for ControlDetail {
    fn from(detail: &Detail<ControlView>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        let corrections = detail.corrections.iter().map(Correction::from).collect();
        Self { control: ControlItem::from(&detail.record), corrections, history }
    }
}

impl From<&Performed> for ControlPerformance {
    fn from(row: &Performed) -> Self {
        Self {
            number: row.number,
            on: row.performance.on,
            note: row.performance.note.as_ref().map(ToString::to_string),
            evidence: row.performance.evidence.clone(),
            recorded_at: row.recorded_at,
            recorded_by: row.actor.clone(),
        }
    }
}

impl Noun for Control {
    type Item = ControlItem;
    type Full = ControlDetail;

    const PATH: &'static str = "/api/v1/controls";

    const NARROWED_BY: &'static [&'static str] = &["framework", "requirement"];

    fn filter(_: &App, query: &mut PageQuery) -> Result<ControlFilter, ApiError> {
        let params: ControlParams = query.read();
        Ok(ControlFilter {
            archived: params.archived.map(Parsed::value).unwrap_or_default(),
            status: Words::any(params.status),
            effectiveness: Words::any(params.effectiveness),
            owner: Names::any(params.owner),
            keys: None,
            due_before: WordsOrNone::any(params.due_before),
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn input(fields: &mut Fields) -> ControlInput {
        fields.read::<ControlChange>().into()
    }

    fn by_framework(filter: &mut ControlFilter, edition: &Edition, query: &mut PageQuery) {
        let params: ControlParams = query.read();
        let frameworks = query.frameworks("framework", &WordsOrNone::any(params.framework), edition);
        let requirement = params.requirement.and_then(exactly);
        if frameworks.asks() && requirement.is_some() {
            query
                .complain("framework", "cannot be combined with requirement, which belongs to one framework");
        }
        let by_framework = || frameworks.asks().then(|| keys_of_frameworks(edition, &frameworks));
        filter.keys = requirement.map(|id| keys_of_requirement(edition, &id)).or_else(by_framework);
    }
}

impl From<ControlChange> for ControlInput {
    fn from(change: ControlChange) -> Self {
        Self {
            title: change.title.into(),
            description: change.description.into(),
            measure_id: change.measure_id.into(),
            requirements: change.requirements.into(),
            status: change.status.into(),
            effectiveness: change.effectiveness.into(),
            effectiveness_reason: change.effectiveness_reason.into(),
            owner: change.owner.into(),
            cadence: change.cadence.into(),
            next_due_on: change.next_due_on.into(),
            functions: change.functions.into(),
            note: change.note.into(),
        }
    }
}

impl From<NewPerformance> for PerformedInput {
    fn from(performance: NewPerformance) -> Self {
        Self {
            on: performance.on.into(),
            note: performance.note.into(),
            evidence: performance.evidence.into(),
            implements: performance.implements.flatten().unwrap_or_default(),
        }
    }
}
