//! The wire types of v1. Used by its routes only.

use app::{catalogue::RecordPage, history::HistoryRow};
use domain::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    docs::failures::failures,
    extract::cursor,
    respond::{self, Meta},
    schema::{framework, one_of},
};

/// A list of records that are already serialised.
pub(crate) fn listed(page: &RecordPage<'_>) -> Vec<u8> {
    let end = page.request.offset().saturating_add(page.items.len() as u64);
    let more = !page.items.is_empty() && end < page.total;
    let meta = Meta {
        count: page.items.len() as u64,
        total: page.total,
        limit: page.request.limit(),
        offset: page.request.offset(),
        next_cursor: more.then(|| cursor::text_of_position(end, &page.list)),
    };
    respond::joined(page.items.iter().copied(), &meta)
}

/// Declares the closed lists of words v1 uses, each with its description; that of a status shows its transitions.
macro_rules! words {
    ($($name:ident = $of:ty, $description:expr;)*) => {$(
        #[derive(Debug, Serialize)]
        #[serde(transparent)]
        pub(crate) struct $name($of);

        impl From<$of> for $name {
            fn from(word: $of) -> Self {
                Self(word)
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                one_of(<$of>::WORDS, &String::from($description))
            }
        }

        impl ToSchema for $name {}
    )*};
}

fn moves<S: domain::transition::Lifecycle>() -> String {
    domain::transition::markdown::<S>(domain::wording::Language::English)
}

/// The framework of a record. The catalogue says which there are.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Framework(domain::framework::Framework);

impl From<domain::framework::Framework> for Framework {
    fn from(framework: domain::framework::Framework) -> Self {
        Self(framework)
    }
}

impl utoipa::PartialSchema for Framework {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        framework()
    }
}

impl ToSchema for Framework {}

words! {
    DoraRegime = domain::profile::DoraRegime, "The ICT risk management framework of DORA: full (Art. 5 to 15), simplified (Art. 16), or none.";
    FunctionCriticality = domain::function::FunctionCriticality, "Whether a function is critical or important (DORA Art. 3(22)).";
    DiscontinuingImpact = domain::function::DiscontinuingImpact, "What discontinuing a function would do.";
    FunctionSort = domain::function::FunctionSort, "The order of the list; `-` is descending.";
    EntitySize = domain::profile::Size, "The size of an enterprise, as in DORA Art. 3(60), (63) and (64).";
    Severity = domain::vocabulary::Severity, "A severity.";
    Priority = domain::vocabulary::Priority, "A priority.";
    TestType = domain::test_type::TestType, "The tests of Article 25(1) of DORA, and threat-led penetration tests.";
    ProgrammeStatus = domain::programme::ProgrammeStatus, moves::<domain::programme::ProgrammeStatus>();
    TestCaseStatus = domain::test_case::TestCaseStatus, moves::<domain::test_case::TestCaseStatus>();
    FindingStatus = domain::finding::FindingStatus, moves::<domain::finding::FindingStatus>();
    CraReportStatus = domain::cra_report::CraReportStatus, moves::<domain::cra_report::CraReportStatus>();
    DrillRunStatus = domain::drill_run::DrillRunStatus, moves::<domain::drill_run::DrillRunStatus>();
    ReviewStatus = domain::provider::ReviewStatus, moves::<domain::provider::ReviewStatus>();
    ReviewState = domain::provider::ReviewState, "Whether a provider was reviewed, and when it is to be reviewed again.";
    ReviewAnswerWord = domain::provider::Answer, "The answer to a question.";
    ReviewQuestions = domain::provider::Questions, "Which questions of the catalogue a review asks.";
    ClauseState = domain::provider::ClauseState, "Whether a clause stands in a contract.";
    ProviderRating = domain::provider::ProviderRating, "The institution's own judgement of a provider.";
    ProviderSort = domain::provider::ProviderSort, "The order of the list; `-` is descending.";
    IncidentStatus = domain::incident::IncidentStatus, moves::<domain::incident::IncidentStatus>();
    RegisterFilingStatus =
        domain::register_filing::RegisterFilingStatus, moves::<domain::register_filing::RegisterFilingStatus>();
    OwnFrameworkStatus =
        domain::own_framework::OwnFrameworkStatus, moves::<domain::own_framework::OwnFrameworkStatus>();
    AssessmentStatus = domain::assessment::AssessmentStatus, "How far a requirement is met.";
    ControlStatus = domain::control::ControlStatus, "Where a control stands.";
    Effectiveness = domain::control::Effectiveness, "How well a control works.";
    ControlCadence = domain::control::ControlCadence, "How often a control is performed.";
    EvidenceState = domain::evidence::EvidenceState, "Whether evidence still holds.";
    LinkType = domain::evidence::LinkType, "What evidence can be attached to.";
    RiskStatus = domain::risk::RiskStatus, moves::<domain::risk::RiskStatus>();
    RiskTreatment = domain::risk::RiskTreatment, "How an institution answers a risk.";
    TaskType = domain::task::TaskType, "The kind of record a task belongs to.";
    TaskAction = domain::task::TaskAction, "What is to be done.";
    TaskStatus = domain::task::TaskStatus, "Whether a plain task is still to be done.";
    CraReportKind = domain::cra_report::CraReportKind, "What is reported.";
    StageState = domain::clock::StageState, "The state of a reporting stage.";
    ScanStatus = domain::scan::ScanStatus, "The status of a scan.";
    ScanSeverity = domain::scan::ScanSeverity, "The severity of a vulnerability.";
    Archived = domain::archive::Archived, "Which of the current and the archived records a list shows.";
    ControlSort = domain::control::ControlSort, "The order of the list; `-` is descending.";
    CraReportSort = domain::cra_report::CraReportSort, "The order of the list; `-` is descending.";
    DrillRunSort = domain::drill_run::DrillRunSort, "The order of the list; `-` is descending.";
    RegisterFilingSort = domain::register_filing::RegisterFilingSort, "The order of the list; `-` is descending.";
    IncidentSort = domain::incident::IncidentSort, "The order of the list; `-` is descending.";
    ProgrammeSort = domain::programme::ProgrammeSort, "The order of the list; `-` is descending.";
    EvidenceSort = domain::evidence::EvidenceSort, "The order of the list; `-` is descending.";
    RiskSort = domain::risk::RiskSort, "The order of the list; `-` is descending.";
    TestCaseSort = domain::test_case::TestCaseSort, "The order of the list; `-` is descending.";
    FindingSort = domain::finding::FindingSort, "The order of the list; `-` is descending.";
}

/// A change of a record's status. A step from a status to itself is a correction; its note is the reason.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HistoryStep {
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    /// The status before; null for the first entry.
    from: Option<String>,
    /// The status after.
    to: String,
    /// The id of the API key or user that changed it, `operator`, or `system`.
    by: String,
    note: Option<String>,
}

impl From<&HistoryRow> for HistoryStep {
    fn from(row: &HistoryRow) -> Self {
        Self {
            at: row.at,
            from: row.from.clone(),
            to: row.to.clone(),
            by: row.actor.clone(),
            note: row.note.as_ref().map(ToString::to_string),
        }
    }
}

/// The number of findings.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FindingTotals {
    /// Findings that are `open`, `in_progress` or `resolved`.
    pub(super) open: u64,
    pub(super) total: u64,
}

failures! {
    /// What every v1 route may answer besides its result.
    KeyedErrors: 401, 403, 404, 422, 429, 500, 503;
    /// What a route that takes a file may answer besides its result and the problems of the file.
    FileErrors: 401, 403, 413, 429, 500, 503;
    /// What a route that takes a file for a record may answer besides.
    NoSuchRecord: 404;
    /// What a route may answer to a reader that has a copy.
    NotModified: 304;
    /// What a conditional change may answer besides.
    StaleError: 412;
    /// What a route that answers with a part of a file may answer besides.
    RangeError: 416;
    /// What a route that takes a body may answer besides.
    BodyErrors: 413;
}
