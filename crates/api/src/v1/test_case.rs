//! Test cases.

use app::{
    App,
    history::Detail,
    search::HitKind,
    test_case::{TestCase as AppTestCase, TestCaseFilter},
};
use axum::{extract::State, response::Response};
use domain::{
    id::{ProgrammeId, TestCaseId},
    moment::{Day, Moment},
    test_case::{TestCase as Record, TestCaseInput},
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::{
    Subject, coverage,
    record::{self, Noun, RecordVersion},
    wire::{
        Archived, BodyErrors, FindingTotals, HistoryStep, KeyedErrors, NotModified, ORDER, StaleError, moves,
        words,
    },
};
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IdsPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageParams, PageQuery,
        Reader, Writer,
    },
    respond::{Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "test cases",
    about: "The tests of a programme, their results, and which critical functions they cover.",
    found: Some((HitKind::TestCase, Record::PATH)),
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(get, patch, delete))
            .routes(routes!(versions))
            .routes(routes!(version))
            .routes(routes!(archive))
            .routes(routes!(restore))
            .routes(routes!(coverage::get))
    },
};

words! {
    Priority = domain::vocabulary::Priority, "A priority.";
    TestType = domain::test_type::TestType, "The tests of Article 25(1) of DORA, and threat-led penetration tests.";
    TestCaseStatus = domain::test_case::TestCaseStatus, moves::<domain::test_case::TestCaseStatus>();
    TestCaseSort = domain::test_case::TestCaseSort, ORDER;
}

/// A test of a programme, from its plan to its result.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TestCase {
    #[schema(value_type = String, example = "tst_01k9x14js0e00000000000000a")]
    id: TestCaseId,
    #[schema(value_type = String, example = "prg_01k9x14js0e00000000000000a")]
    programme_id: ProgrammeId,
    #[schema(example = "Restore of the core banking database")]
    title: String,
    objective: Option<String>,
    test_type: TestType,
    status: TestCaseStatus,
    priority: Priority,
    assignee: Option<String>,
    steps: Vec<String>,
    expected_result: Option<String>,
    actual_result: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    due_on: Option<Day>,
    /// When the latest result was recorded.
    #[schema(value_type = Option<String>, format = DateTime)]
    executed_at: Option<Moment>,
    /// Ids of catalogue measures.
    measures: Vec<String>,
    /// Descriptions of or links to the evidence.
    evidence: Vec<String>,
    findings: FindingTotals,
    /// There while it is archived: out of the lists, and not to be changed.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// A test case with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TestCaseDetail {
    #[serde(flatten)]
    test_case: TestCase,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

/// A test case to create. Its status is `draft`.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "programme_id": "prg_01k9x14js0e00000000000000a",
    "title": "Restore of the core banking database",
    "test_type": "scenario_based_tests",
    "priority": "high",
    "steps": ["Restore last night's backup", "Compare the balances"],
    "expected_result": "The restore takes less than 4 hours and the balances agree.",
    "due_on": "2027-06-30",
}))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct NewTestCase {
    /// Cannot be changed later.
    programme_id: String,
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    #[schema(max_length = 10_000)]
    objective: Option<String>,
    test_type: TestType,
    /// Defaults to `medium`.
    #[schema(nullable = false)]
    priority: Option<Priority>,
    #[schema(max_length = 255)]
    assignee: Option<String>,
    #[schema(max_items = 200)]
    steps: Option<Vec<String>>,
    #[schema(max_length = 10_000)]
    expected_result: Option<String>,
    #[schema(max_length = 10_000)]
    actual_result: Option<String>,
    /// Must not be before the start of the programme.
    #[schema(format = Date)]
    due_on: Option<String>,
    /// Must not be in the future.
    #[schema(format = DateTime)]
    executed_at: Option<String>,
    /// Ids of catalogue measures.
    #[schema(max_items = 200)]
    measures: Option<Vec<String>>,
    /// Descriptions of or links to the evidence.
    #[schema(max_items = 200)]
    evidence: Option<Vec<String>>,
    /// Recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

/// Changes to a test case. Fields that are absent keep their values; `null` clears a field.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "status": "ready", "assignee": "Jonas Keller" }))]
#[expect(dead_code, reason = "documentation only; `Noun::input` reads the fields")]
pub(crate) struct TestCaseChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    #[schema(max_length = 10_000)]
    objective: Option<String>,
    #[schema(nullable = false)]
    test_type: Option<TestType>,
    /// The next status.
    #[schema(nullable = false)]
    status: Option<TestCaseStatus>,
    #[schema(nullable = false)]
    priority: Option<Priority>,
    #[schema(max_length = 255)]
    assignee: Option<String>,
    #[schema(max_items = 200)]
    steps: Option<Vec<String>>,
    #[schema(max_length = 10_000)]
    expected_result: Option<String>,
    #[schema(max_length = 10_000)]
    actual_result: Option<String>,
    /// Must not be before the start of the programme.
    #[schema(format = Date)]
    due_on: Option<String>,
    /// Must not be in the future. If absent, it is set when a result is recorded.
    #[schema(format = DateTime)]
    executed_at: Option<String>,
    /// Ids of catalogue measures.
    #[schema(max_items = 200)]
    measures: Option<Vec<String>>,
    /// Descriptions of or links to the evidence.
    #[schema(max_items = 200)]
    evidence: Option<Vec<String>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `Noun::filter` reads the values")]
pub(crate) struct TestCaseParams {
    /// Only test cases with this status.
    status: Option<TestCaseStatus>,
    /// Only test cases of this type.
    test_type: Option<TestType>,
    /// Only test cases of this programme.
    programme_id: Option<String>,
    /// Only test cases of the assignee of exactly this name.
    assignee: Option<String>,
    /// `true` for archived test cases, `all` for both. If absent, archived records are left out.
    #[param(inline)]
    archived: Option<Archived>,
    /// Only records that contain all these words. A word matches the beginning of a word; case and accents are ignored.
    #[param(max_length = 200)]
    search: Option<String>,
    /// The order of the list; `-` is descending. The default is `-created_at`.
    #[param(inline)]
    sort: Option<TestCaseSort>,
}

impl From<&AppTestCase> for TestCase {
    fn from(test_case: &AppTestCase) -> Self {
        let (row, record) = (&test_case.row, &test_case.row.record);
        Self {
            id: row.id,
            programme_id: record.programme_id,
            title: record.title.to_string(),
            objective: record.objective.as_ref().map(ToString::to_string),
            test_type: record.test_type.into(),
            status: record.status.into(),
            priority: record.priority.into(),
            assignee: record.assignee.as_ref().map(ToString::to_string),
            steps: record.steps.iter().map(ToString::to_string).collect(),
            expected_result: record.expected_result.as_ref().map(ToString::to_string),
            actual_result: record.actual_result.as_ref().map(ToString::to_string),
            due_on: record.due_on,
            executed_at: record.executed_at,
            measures: record.measures.clone(),
            evidence: record.evidence.iter().map(ToString::to_string).collect(),
            findings: FindingTotals { open: test_case.findings.open(), total: test_case.findings.total() },
            archived_at: row.archived_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&Detail<AppTestCase>> for TestCaseDetail {
    fn from(detail: &Detail<AppTestCase>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { test_case: TestCase::from(&detail.record), history }
    }
}

impl Noun for Record {
    type Item = TestCase;
    type Full = TestCaseDetail;

    const PATH: &'static str = "/api/v1/test-cases";

    fn filter(_: &App, query: &mut PageQuery) -> Result<TestCaseFilter, ApiError> {
        Ok(TestCaseFilter {
            archive: query.filter("archived").unwrap_or_default(),
            status: query.filter("status"),
            test_type: query.filter("test_type"),
            programme: query.id("programme_id", "a programme"),
            assignee: query.exactly("assignee"),
            search: query.search(),
            sort: query.filter("sort"),
        })
    }

    fn input(fields: &mut Fields) -> TestCaseInput {
        TestCaseInput {
            programme_id: fields.text_change("programme_id"),
            title: fields.text_change("title"),
            objective: fields.text_change("objective"),
            test_type: fields.text_change("test_type"),
            status: fields.text_change("status"),
            priority: fields.text_change("priority"),
            assignee: fields.text_change("assignee"),
            steps: fields.texts_change("steps"),
            expected_result: fields.text_change("expected_result"),
            actual_result: fields.text_change("actual_result"),
            due_on: fields.text_change("due_on"),
            executed_at: fields.text_change("executed_at"),
            measures: fields.texts_change("measures"),
            evidence: fields.texts_change("evidence"),
            note: fields.text_change("note"),
        }
    }
}

/// Lists test cases.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/test-cases", tag = "test cases", params(ListParams, TestCaseParams),
    responses((status = 200, body = List<TestCase>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::list::<Record>(&app, &caller, query, &if_none_match).await
}

/// Creates a test case.
#[utoipa::path(post, path = "/api/v1/test-cases", tag = "test cases",
    request_body = NewTestCase,
    responses((status = 201, body = Data<TestCaseDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    record::create::<Record>(&app, &caller, body).await
}

/// Gets a test case with its history.
#[utoipa::path(get, path = "/api/v1/test-cases/{id}", tag = "test cases", params(("id" = String, Path)),
    responses((status = 200, body = Data<TestCaseDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<TestCaseId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::get::<Record>(&app, &caller, id, &if_none_match).await
}

/// Updates a test case.
///
/// Fields that are absent keep their values. The status can only move along the transitions of `TestCaseStatus`.
#[utoipa::path(patch, path = "/api/v1/test-cases/{id}", tag = "test cases",
    request_body = TestCaseChange, params(("id" = String, Path)),
    responses((status = 200, body = Data<TestCaseDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TestCaseId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    record::patch::<Record>(&app, &caller, id, precondition, body).await
}

/// Archives a test case that has a result or is cancelled: it leaves the lists and keeps its history.
#[utoipa::path(post, path = "/api/v1/test-cases/{id}/archive", tag = "test cases",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<TestCaseDetail>), KeyedErrors, StaleError))]
pub(crate) async fn archive(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TestCaseId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    let (detail, revision) = app.archive_record::<Record>(&caller, id, true, precondition).await?;
    Ok(record::changed::<Record>(&app, &detail, revision))
}

/// Brings an archived test case back into the lists.
#[utoipa::path(post, path = "/api/v1/test-cases/{id}/restore", tag = "test cases",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<TestCaseDetail>), KeyedErrors, StaleError))]
pub(crate) async fn restore(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TestCaseId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    let (detail, revision) = app.archive_record::<Record>(&caller, id, false, precondition).await?;
    Ok(record::changed::<Record>(&app, &detail, revision))
}

/// Deletes a test case that was never executed and has no findings.
///
/// A test case that was executed is archived instead.
#[utoipa::path(delete, path = "/api/v1/test-cases/{id}", tag = "test cases",
    params(("id" = String, Path)), responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TestCaseId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::delete::<Record>(&app, &caller, id, precondition).await
}

/// Lists the versions of a test case.
///
/// Every change keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/test-cases/{id}/versions", tag = "test cases",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<TestCaseId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<Record>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of a test case.
#[utoipa::path(get, path = "/api/v1/test-cases/{id}/versions/{version}", tag = "test cases",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<TestCaseId, i64>,
) -> Result<Response, ApiError> {
    record::version::<Record>(&app, &caller, id, version).await
}
