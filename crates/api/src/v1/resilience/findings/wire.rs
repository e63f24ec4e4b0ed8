//! The wire types of findings.

use std::str::FromStr;

use app::{
    App,
    control::Keys,
    finding::{FindingFilter, FindingRow, States},
    history::Detail,
};
use domain::{
    any_of::AnyOf,
    change::Change,
    cve::CvssScore,
    finding::{AcceptanceInput, Finding, FindingInput},
    id::{ControlId, FindingId, ProgrammeId, TestCaseId},
    moment::{Day, Moment},
    reference::FindingReference,
};
use serde::{Deserialize, Serialize};
use utoipa::{
    ToSchema,
    openapi::{RefOr, schema::Schema},
};

use crate::{
    ApiError,
    extract::{Fields, Names, PageQuery, Parsed, Search, Words, WordsOrNone},
    schema::{body, one_of},
    v1::{
        record::Noun,
        wire::{Archived, HistoryStep, ORDER, Severity, moves, words},
    },
};

words! {
    FindingStatus = domain::finding::FindingStatus, moves::<domain::finding::FindingStatus>();
    FindingSort = domain::finding::FindingSort, ORDER;
}

/// A weakness that must be remedied.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Finding)]
pub(crate) struct FindingItem {
    #[schema(value_type = String, example = "fnd_01k9x14js0e00000000000000a")]
    id: FindingId,
    /// Numbered per tenant and year, without gaps.
    #[schema(value_type = String, example = "F-2026-0042")]
    reference: FindingReference,
    #[schema(value_type = Option<String>)]
    programme_id: Option<ProgrammeId>,
    #[schema(value_type = Option<String>)]
    test_case_id: Option<TestCaseId>,
    #[schema(example = "Backup restore exceeds the recovery time objective")]
    title: String,
    description: Option<String>,
    severity: Severity,
    status: FindingStatus,
    #[schema(example = "Dana Weber")]
    owner: Option<String>,
    #[schema(example = "core-banking-db-02")]
    affected_asset: Option<String>,
    #[schema(example = "CVE-2026-12345")]
    cve: Option<String>,
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 10)]
    cvss: Option<CvssScore>,
    remediation: Option<String>,
    /// Why it could arise.
    root_cause: Option<String>,
    /// Set while the risk is accepted.
    acceptance: Option<Acceptance>,
    /// Ids of catalogue measures.
    measures: Vec<String>,
    /// Ids of requirements that it violates, of the catalogue and of own frameworks.
    requirements: Vec<String>,
    /// Ids of own controls.
    #[schema(value_type = Vec<String>)]
    controls: Vec<ControlId>,
    #[schema(value_type = String, format = DateTime)]
    detected_at: Moment,
    #[schema(value_type = Option<String>, format = Date)]
    due_on: Option<Day>,
    #[schema(value_type = Option<String>, format = DateTime)]
    closed_at: Option<Moment>,
    /// There while it is archived: out of the lists, and not to be changed.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// Why a risk is accepted, and until when. The finding reopens automatically on the following day.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Acceptance {
    #[schema(max_length = 10_000)]
    reason: String,
    /// The last day of the acceptance.
    #[schema(value_type = String, format = Date)]
    until: Day,
}

/// A finding with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FindingDetail {
    #[serde(flatten)]
    finding: FindingItem,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

/// Why a risk is to be accepted, and until when.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewAcceptance {
    #[schema(required = true, nullable = false, max_length = 10_000)]
    reason: Option<Option<String>>,
    /// The last day of the acceptance.
    #[schema(required = true, nullable = false, format = Date)]
    until: Option<Option<String>>,
}

body! {
    /// A finding to create. Its status is `open`.
    NewFinding from FindingChange {
        required: ["title", "severity"],
        without: ["status", "acceptance"],
        example: {
            "title": "Backup restore exceeds the recovery time objective",
            "severity": "high",
            "description": "The restore of the core banking database took 7 hours; the objective is 4.",
            "owner": "Dana Weber",
            "affected_asset": "core-banking-db-02",
            "due_on": "2099-03-31",
        }
    }
}

/// Changes to a finding. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "status": "in_progress", "owner": "Dana Weber", "note": "Restore test scheduled." }))]
pub(crate) struct FindingChange {
    /// If a test case is given, its programme is used.
    programme_id: Option<Option<String>>,
    test_case_id: Option<Option<String>>,
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    description: Option<Option<String>>,
    #[schema(value_type = Option<Severity>, nullable = false)]
    severity: Option<Option<String>>,
    /// The next status.
    #[schema(value_type = Option<FindingStatus>, nullable = false)]
    status: Option<Option<String>>,
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    #[schema(max_length = 255)]
    affected_asset: Option<Option<String>>,
    #[schema(example = "CVE-2026-12345")]
    cve: Option<Option<String>>,
    #[schema(minimum = 0, maximum = 10)]
    cvss: Option<Option<f64>>,
    #[schema(max_length = 10_000)]
    remediation: Option<Option<String>>,
    /// Why it could arise.
    #[schema(max_length = 10_000)]
    root_cause: Option<Option<String>>,
    /// Required when the status changes to `risk_accepted`; `until` must be in the future.
    acceptance: Option<Option<NewAcceptance>>,
    /// Ids of catalogue measures.
    #[schema(max_items = 200)]
    measures: Option<Option<Vec<String>>>,
    /// Ids of requirements, of the catalogue and of own frameworks in force.
    #[schema(max_items = 200)]
    requirements: Option<Option<Vec<String>>>,
    /// Ids of own controls.
    #[schema(max_items = 200)]
    controls: Option<Option<Vec<String>>>,
    /// Must not be in the future. The default of a new finding is now.
    #[schema(format = DateTime, nullable = false)]
    detected_at: Option<Option<String>>,
    /// Must not be before the day of detection.
    #[schema(format = Date)]
    due_on: Option<Option<String>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FindingParams {
    /// Only findings with this status, or `all`. If absent, the list shows open findings: those that are `open`,
    /// `in_progress` or `resolved`.
    #[param(inline, value_type = Option<Vec<StatusFilter>>)]
    status: Option<Words<StatusFilter>>,
    /// Only findings with this severity.
    #[param(value_type = Option<Vec<Severity>>)]
    severity: Option<Words<domain::vocabulary::Severity>>,
    /// Only findings of this programme. Sent several times, any of them; `none` stands for findings without one.
    #[param(value_type = Option<Vec<String>>)]
    programme_id: Option<WordsOrNone<String>>,
    /// Only findings of this test case. Sent several times, any of them; `none` stands for findings without one.
    #[param(value_type = Option<Vec<String>>)]
    test_case_id: Option<WordsOrNone<String>>,
    /// Only findings that name this own control. Sent several times, any of them; `none` stands for findings that name
    /// none.
    #[param(value_type = Option<Vec<String>>)]
    control: Option<WordsOrNone<String>>,
    /// Only findings of the owner of exactly this name. Sent several times, any of them; `none` stands
    /// for records without one.
    #[param(value_type = Option<Vec<String>>)]
    owner: Option<Names>,
    /// Only findings that are due before this day; `none` stands for findings without a day, and can be sent besides a
    /// day.
    #[param(value_type = Option<Vec<String>>, example = json!(["2026-12-31"]))]
    due_before: Option<WordsOrNone<Day>>,
    /// `true` for open findings past their due date, `false` for the others.
    overdue: Option<bool>,
    /// `true` for archived findings, `all` for both. If absent, archived records are left out.
    #[param(inline, value_type = Option<Archived>)]
    archived: Option<Parsed<domain::archive::Archived>>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline, value_type = Option<FindingSort>)]
    sort: Option<Parsed<domain::finding::FindingSort>>,
}

/// A status, or `all`.
#[derive(Debug, Clone, PartialEq)]
struct StatusFilter(Option<domain::finding::FindingStatus>);

impl FromStr for StatusFilter {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "all" => Ok(Self(None)),
            word => match word.parse() {
                Ok(status) => Ok(Self(Some(status))),
                Err(error) => Err(format!("{error}, all")),
            },
        }
    }
}

/// The states that are asked for; `all` beside others is still all.
fn states(wanted: &AnyOf<StatusFilter>) -> States {
    let words = wanted.values();
    match words.iter().map(|StatusFilter(status)| *status).collect::<Option<Vec<_>>>() {
        _ if words.is_empty() => States::Open,
        Some(states) => States::Any(AnyOf::new(states)),
        None => States::All,
    }
}

impl utoipa::PartialSchema for StatusFilter {
    fn schema() -> RefOr<Schema> {
        let words: Vec<&str> = domain::finding::FindingStatus::WORDS.iter().copied().chain(["all"]).collect();
        one_of(&words, "A status, or `all`.")
    }
}

impl ToSchema for StatusFilter {}

impl From<&FindingRow> for FindingItem {
    fn from(row: &FindingRow) -> Self {
        let record = &row.record;
        let acceptance = record.acceptance.as_ref();
        Self {
            id: row.id,
            reference: record.reference,
            programme_id: record.programme_id,
            test_case_id: record.test_case_id,
            title: record.title.to_string(),
            description: record.description.as_ref().map(ToString::to_string),
            severity: record.severity.into(),
            status: record.status.into(),
            owner: record.owner.as_ref().map(ToString::to_string),
            affected_asset: record.affected_asset.as_ref().map(ToString::to_string),
            cve: record.cve.as_ref().map(ToString::to_string),
            cvss: record.cvss,
            remediation: record.remediation.as_ref().map(ToString::to_string),
            root_cause: record.root_cause.as_ref().map(ToString::to_string),
            acceptance: acceptance.map(|a| Acceptance { reason: a.reason.to_string(), until: a.until }),
            measures: record.measures.clone(),
            requirements: record.requirements.clone(),
            controls: record.controls.clone(),
            detected_at: record.detected_at,
            due_on: record.due_on,
            closed_at: record.closed_at,
            archived_at: row.archived_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&Detail<FindingRow>> for FindingDetail {
    fn from(detail: &Detail<FindingRow>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { finding: FindingItem::from(&detail.record), history }
    }
}

impl Noun for Finding {
    type Item = FindingItem;
    type Full = FindingDetail;

    const PATH: &'static str = "/api/v1/findings";

    fn filter(app: &App, query: &mut PageQuery) -> Result<FindingFilter, ApiError> {
        let params: FindingParams = query.read();
        Ok(FindingFilter {
            archive: params.archived.map(Parsed::value).unwrap_or_default(),
            states: states(&Words::any(params.status)),
            severity: Words::any(params.severity),
            programme: query.ids("programme_id", &WordsOrNone::any(params.programme_id), "a programme"),
            test_case: query.ids("test_case_id", &WordsOrNone::any(params.test_case_id), "a test case"),
            keys: None,
            control: query.ids("control", &WordsOrNone::any(params.control), "a control"),
            owner: Names::any(params.owner),
            due_before: WordsOrNone::any(params.due_before),
            overdue: params.overdue.map(|overdue| (overdue, app.clock.now().day())),
            search: params.search.and_then(Search::words),
            sort: params.sort.map(Parsed::value),
        })
    }

    fn proving(filter: &mut FindingFilter) -> Option<&mut Option<Keys>> {
        Some(&mut filter.keys)
    }

    fn input(fields: &mut Fields) -> FindingInput {
        fields.read::<FindingChange>().into()
    }
}

impl From<FindingChange> for FindingInput {
    fn from(change: FindingChange) -> Self {
        Self {
            programme_id: change.programme_id.into(),
            test_case_id: change.test_case_id.into(),
            title: change.title.into(),
            description: change.description.into(),
            severity: change.severity.into(),
            status: change.status.into(),
            owner: change.owner.into(),
            affected_asset: change.affected_asset.into(),
            cve: change.cve.into(),
            cvss: change.cvss.into(),
            remediation: change.remediation.into(),
            root_cause: change.root_cause.into(),
            acceptance: Change::<NewAcceptance>::from(change.acceptance).map(AcceptanceInput::from),
            measures: change.measures.into(),
            requirements: change.requirements.into(),
            controls: change.controls.into(),
            detected_at: change.detected_at.into(),
            due_on: change.due_on.into(),
            note: change.note.into(),
        }
    }
}

impl From<NewAcceptance> for AcceptanceInput {
    fn from(acceptance: NewAcceptance) -> Self {
        Self { reason: acceptance.reason.into(), until: acceptance.until.into() }
    }
}
