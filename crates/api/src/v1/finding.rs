//! Findings.

use app::{
    App,
    finding::{FindingFilter, FindingRow, FindingWriting, States},
    history::Detail,
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    cve::CvssScore,
    finding::{AcceptanceInput, FindingInput},
    id::{FindingId, ProgrammeId, TestCaseId},
    moment::{Day, Moment},
    page::PageRequest,
    reference::FindingReference,
};
use http::StatusCode;
use serde::Serialize;
use utoipa::{
    ToSchema,
    openapi::{RefOr, schema::Schema},
};

use super::wire::{
    Archived, BodyErrors, FindingSort, FindingStatus, HistoryStep, KeyedErrors, NotModified, Severity,
    StaleError,
};
use crate::{
    ApiError,
    extract::{Body, Fields, IdPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageQuery, Reader, Writer},
    respond::{self, Data, List},
    schema::one_of,
};

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
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
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
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
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
#[expect(dead_code, reason = "documentation only; `filter_from` reads the values")]
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
        let record = &row.finding;
        let acceptance = record.acceptance.as_ref();
        Self {
            id: row.id,
            reference: row.reference,
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

/// Lists findings.
///
/// Without `status`, only open findings are listed. The newest come first.
#[utoipa::path(get, path = "/api/v1/findings", tag = "findings", params(ListParams, FindingParams),
    responses((status = 200, body = List<Finding>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (filter, page) = filter_from(query)?;
    let record = |row: &FindingRow| respond::to_text(&Finding::from(row));
    let writing = FindingWriting { record, list: respond::list_body };
    let rendered = app.finding_page(&caller, filter, page, writing).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Creates a finding.
#[utoipa::path(post, path = "/api/v1/findings", tag = "findings",
    request_body = NewFinding,
    responses((status = 201, body = Data<FindingDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input_from(body.fields)?;
    let render = |detail: &_| respond::to_text(&Data { data: FindingDetail::from(detail) });
    let creation = app.create_finding(&caller, input, body.idempotency, render).await?;
    Ok(respond::created(creation, Some("/api/v1/findings")))
}

/// Gets a finding with its history.
#[utoipa::path(get, path = "/api/v1/findings/{id}", tag = "findings", params(("id" = String, Path)),
    responses((status = 200, body = Data<FindingDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<FindingId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (detail, revision) = app.finding(&caller, id).await?;
    let etag = app.record_etag(detail.record.version, revision);
    Ok(respond::record(&FindingDetail::from(&detail), &etag, &if_none_match))
}

/// Updates a finding.
///
/// Fields that are absent keep their values. The status can only move along the transitions of `FindingStatus`.
#[utoipa::path(patch, path = "/api/v1/findings/{id}", tag = "findings",
    request_body = FindingChange, params(("id" = String, Path)),
    responses((status = 200, body = Data<FindingDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<FindingId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input_from(body.fields)?;
    let (detail, revision) = app.change_finding(&caller, id, input, precondition).await?;
    let etag = app.record_etag(detail.record.version, revision);
    Ok(respond::record(&FindingDetail::from(&detail), &etag, &IfNoneMatch::default()))
}

/// Archives a finding that is closed or a false positive: it leaves the lists and keeps its history.
#[utoipa::path(post, path = "/api/v1/findings/{id}/archive", tag = "findings",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<FindingDetail>), KeyedErrors, StaleError))]
pub(crate) async fn archive(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<FindingId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    let (detail, revision) = app.archive_finding(&caller, id, true, precondition).await?;
    let etag = app.record_etag(detail.record.version, revision);
    Ok(respond::record(&FindingDetail::from(&detail), &etag, &IfNoneMatch::default()))
}

/// Brings an archived finding back into the lists.
#[utoipa::path(post, path = "/api/v1/findings/{id}/restore", tag = "findings",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<FindingDetail>), KeyedErrors, StaleError))]
pub(crate) async fn restore(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<FindingId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    let (detail, revision) = app.archive_finding(&caller, id, false, precondition).await?;
    let etag = app.record_etag(detail.record.version, revision);
    Ok(respond::record(&FindingDetail::from(&detail), &etag, &IfNoneMatch::default()))
}

/// Deletes a finding that was never resolved, closed, accepted or marked as a false positive.
///
/// Any other finding is archived instead. The reference is not used again.
#[utoipa::path(delete, path = "/api/v1/findings/{id}", tag = "findings",
    params(("id" = String, Path)), responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<FindingId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    app.delete_finding(&caller, id, precondition).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn filter_from(mut query: PageQuery) -> Result<(FindingFilter, PageRequest), ApiError> {
    let filter = FindingFilter {
        archive: query.filter("archived").unwrap_or_default(),
        states: states(&mut query),
        severity: query.filter("severity"),
        programme: query.id("programme_id", "a programme"),
        test_case: query.id("test_case_id", "a test case"),
        owner: query.exactly("owner"),
        overdue: query.switch("overdue"),
        search: query.search(),
        sort: query.filter("sort"),
    };
    let query = query.check()?;
    Ok((filter, query.page))
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

fn input_from(mut fields: Fields) -> Result<FindingInput, ApiError> {
    let input = FindingInput {
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
    };
    fields.finish(Some(input))
}
