//! The wire types of findings.

use app::{
    App,
    finding::{FindingFilter, FindingRow, States},
    history::Detail,
};
use domain::{
    cve::CvssScore,
    finding::{AcceptanceInput, Finding as Record, FindingInput},
    id::{FindingId, ProgrammeId, TestCaseId},
    moment::{Day, Moment},
    reference::FindingReference,
};
use serde::Serialize;
use utoipa::{
    ToSchema,
    openapi::{RefOr, schema::Schema},
};

use super::{
    record::Noun,
    wire::{Archived, HistoryStep, ORDER, Severity, moves, words},
};
use crate::{
    ApiError,
    extract::{Fields, PageQuery},
    schema::one_of,
};

words! {
    FindingStatus = domain::finding::FindingStatus, moves::<domain::finding::FindingStatus>();
    FindingSort = domain::finding::FindingSort, ORDER;
}

/// A weakness that must be remedied.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Finding {
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
    /// Set while the risk is accepted.
    acceptance: Option<Acceptance>,
    /// Ids of catalogue measures.
    measures: Vec<String>,
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
    finding: Finding,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

/// A finding to create. Its status is `open`.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "title": "Backup restore exceeds the recovery time objective",
    "severity": "high",
    "description": "The restore of the core banking database took 7 hours; the objective is 4.",
    "owner": "Dana Weber",
    "affected_asset": "core-banking-db-02",
    "due_on": "2099-03-31",
}))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct NewFinding {
    /// If a test case is given, its programme is used.
    programme_id: Option<String>,
    test_case_id: Option<String>,
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    severity: Severity,
    #[schema(max_length = 255)]
    owner: Option<String>,
    #[schema(max_length = 255)]
    affected_asset: Option<String>,
    #[schema(example = "CVE-2026-12345")]
    cve: Option<String>,
    #[schema(minimum = 0, maximum = 10)]
    cvss: Option<f64>,
    #[schema(max_length = 10_000)]
    remediation: Option<String>,
    /// Ids of catalogue measures.
    #[schema(max_items = 200)]
    measures: Option<Vec<String>>,
    /// Must not be in the future. Defaults to now.
    #[schema(format = DateTime, nullable = false)]
    detected_at: Option<String>,
    /// Must not be before the day of detection.
    #[schema(format = Date)]
    due_on: Option<String>,
    /// Recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

/// Changes to a finding. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "status": "in_progress", "owner": "Dana Weber", "note": "Restore test scheduled." }))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct FindingChange {
    /// If a test case is given, its programme is used.
    programme_id: Option<String>,
    test_case_id: Option<String>,
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    #[schema(nullable = false)]
    severity: Option<Severity>,
    /// The next status.
    #[schema(nullable = false)]
    status: Option<FindingStatus>,
    #[schema(max_length = 255)]
    owner: Option<String>,
    #[schema(max_length = 255)]
    affected_asset: Option<String>,
    #[schema(example = "CVE-2026-12345")]
    cve: Option<String>,
    #[schema(minimum = 0, maximum = 10)]
    cvss: Option<f64>,
    #[schema(max_length = 10_000)]
    remediation: Option<String>,
    /// Required when the status changes to `risk_accepted`; `until` must be in the future.
    acceptance: Option<Acceptance>,
    /// Ids of catalogue measures.
    #[schema(max_items = 200)]
    measures: Option<Vec<String>>,
    /// Must not be in the future.
    #[schema(format = DateTime, nullable = false)]
    detected_at: Option<String>,
    /// Must not be before the day of detection.
    #[schema(format = Date)]
    due_on: Option<String>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `Noun::filter` reads the values")]
pub(crate) struct FindingParams {
    /// Only findings with this status, or `all`. If absent, the list shows open findings: those that are `open`,
    /// `in_progress` or `resolved`.
    #[param(inline, value_type = Option<StatusFilter>)]
    status: Option<String>,
    /// Only findings with this severity.
    severity: Option<Severity>,
    /// Only findings of this programme.
    programme_id: Option<String>,
    /// Only findings of this test case.
    test_case_id: Option<String>,
    /// Only findings of the owner of exactly this name.
    owner: Option<String>,
    /// `true` for open findings past their due date, `false` for the others.
    overdue: Option<bool>,
    /// `true` for archived findings, `all` for both. If absent, archived records are left out.
    #[param(inline)]
    archived: Option<Archived>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(max_length = 200)]
    search: Option<String>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline)]
    sort: Option<FindingSort>,
}

/// A status, or `all`.
#[derive(Debug)]
enum StatusFilter {}

impl utoipa::PartialSchema for StatusFilter {
    fn schema() -> RefOr<Schema> {
        let words: Vec<&str> = domain::finding::FindingStatus::WORDS.iter().copied().chain(["all"]).collect();
        one_of(&words, "A status, or `all`.")
    }
}

impl ToSchema for StatusFilter {}

impl From<&FindingRow> for Finding {
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
            acceptance: acceptance.map(|a| Acceptance { reason: a.reason.to_string(), until: a.until }),
            measures: record.measures.clone(),
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
        Self { finding: Finding::from(&detail.record), history }
    }
}

impl Noun for Record {
    type Item = Finding;
    type Full = FindingDetail;

    const PATH: &'static str = "/api/v1/findings";
    const AS_OF: bool = true;

    fn filter(app: &App, query: &mut PageQuery) -> Result<FindingFilter, ApiError> {
        Ok(FindingFilter {
            archive: query.filter("archived").unwrap_or_default(),
            states: states(query),
            severity: query.filter("severity"),
            programme: query.id("programme_id", "a programme"),
            test_case: query.id("test_case_id", "a test case"),
            owner: query.exactly("owner"),
            overdue: query.switch("overdue").map(|overdue| (overdue, app.clock.now().day())),
            search: query.search(),
            sort: query.filter("sort"),
        })
    }

    fn input(fields: &mut Fields) -> FindingInput {
        FindingInput {
            programme_id: fields.text_change("programme_id"),
            test_case_id: fields.text_change("test_case_id"),
            title: fields.text_change("title"),
            description: fields.text_change("description"),
            severity: fields.text_change("severity"),
            status: fields.text_change("status"),
            owner: fields.text_change("owner"),
            affected_asset: fields.text_change("affected_asset"),
            cve: fields.text_change("cve"),
            cvss: fields.number_change("cvss"),
            remediation: fields.text_change("remediation"),
            acceptance: fields.object_change("acceptance", |inner| AcceptanceInput {
                reason: inner.text_change("reason"),
                until: inner.text_change("until"),
            }),
            measures: fields.texts_change("measures"),
            detected_at: fields.text_change("detected_at"),
            due_on: fields.text_change("due_on"),
            note: fields.text_change("note"),
        }
    }
}

fn states(query: &mut PageQuery) -> States {
    match query.text("status") {
        None => States::Open,
        Some("all") => States::All,
        Some(word) => match word.parse() {
            Ok(status) => States::One(status),
            Err(error) => {
                query.complain("status", format_args!("{error}, all"));
                States::Open
            }
        },
    }
}
