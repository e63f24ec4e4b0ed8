//! Test cases.

use app::{
    App,
    history::Detail,
    test_case::{TestCase as AppTestCase, TestCaseFilter},
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    id::{ProgrammeId, TestCaseId},
    moment::{Day, Moment},
    page::PageRequest,
    test_case::TestCaseInput,
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{
    BodyErrors, FindingTotals, HistoryStep, KeyedErrors, Priority, StaleError, TestCaseSort, TestCaseStatus,
    TestType,
};
use crate::{
    ApiError,
    extract::{Body, Fields, IdPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageQuery, Reader, Writer},
    respond::{self, Data, List},
};

/// One test of a programme, from its plan to its result.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TestCase {
    #[schema(value_type = String, example = "tst_01k9x14js0e00000000000000a")]
    id: TestCaseId,
    #[schema(value_type = String, example = "prg_01k9x14js0e00000000000000a")]
    programme_id: ProgrammeId,
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
    /// When the latest result was reached.
    #[schema(value_type = Option<String>, format = DateTime)]
    executed_at: Option<Moment>,
    /// Ids of catalogue measures.
    measures: Vec<String>,
    evidence: Vec<String>,
    findings: FindingTotals,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// A test case with its history.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TestCaseDetail {
    #[serde(flatten)]
    test_case: TestCase,
    /// Extension. Every status it has had, oldest first.
    history: Vec<HistoryStep>,
}

/// A test case to create, or what to change: a field left out stays as it is.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct TestCaseFields {
    /// Required on creation; cannot be changed.
    programme_id: Option<String>,
    /// Required on creation.
    #[schema(min_length = 1, max_length = 255)]
    title: Option<String>,
    #[schema(max_length = 10_000)]
    objective: Option<String>,
    /// Required on creation.
    test_type: Option<TestType>,
    /// On a change: where to move. A new test case is `draft`.
    status: Option<TestCaseStatus>,
    /// `medium` if left out on creation.
    priority: Option<Priority>,
    #[schema(max_length = 255)]
    assignee: Option<String>,
    #[schema(max_items = 200)]
    steps: Option<Vec<String>>,
    #[schema(max_length = 10_000)]
    expected_result: Option<String>,
    #[schema(max_length = 10_000)]
    actual_result: Option<String>,
    /// Not before the programme starts.
    #[schema(format = Date)]
    due_on: Option<String>,
    /// Not in the future. Reaching a result stamps it, unless it is sent.
    #[schema(format = DateTime)]
    executed_at: Option<String>,
    #[schema(max_items = 200)]
    measures: Option<Vec<String>>,
    #[schema(max_items = 200)]
    evidence: Option<Vec<String>>,
    /// Why the status moves; kept in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `filter_from` reads the values")]
pub(crate) struct TestCaseParams {
    #[param(inline)]
    status: Option<TestCaseStatus>,
    #[param(inline)]
    test_type: Option<TestType>,
    programme_id: Option<String>,
    /// The assignee's name, exactly.
    #[param(max_length = 255)]
    assignee: Option<String>,
    /// Words that must all occur, each at the beginning of a word; case and accents do not count.
    #[param(max_length = 200)]
    search: Option<String>,
    #[param(inline)]
    sort: Option<TestCaseSort>,
}

impl From<&AppTestCase> for TestCase {
    fn from(test_case: &AppTestCase) -> Self {
        let (row, record) = (&test_case.row, &test_case.row.test_case);
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

/// The tenant's test cases, newest first.
#[utoipa::path(get, path = "/api/v1/test-cases", tag = "test cases", params(ListParams, TestCaseParams),
    responses((status = 200, body = List<TestCase>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (filter, page) = filter_from(query)?;
    let render = |page: &_| respond::to_json(&List::<TestCase>::of(page));
    let rendered = app.test_case_page(&caller, filter, page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Creates a test case. Takes `Idempotency-Key`.
#[utoipa::path(post, path = "/api/v1/test-cases", tag = "test cases", tag = "extension",
    request_body = TestCaseFields,
    responses((status = 201, body = Data<TestCaseDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input_from(body.fields)?;
    let render = |detail: &_| respond::to_text(&Data { data: TestCaseDetail::from(detail) });
    let creation = app.create_test_case(&caller, input, body.idempotency, render).await?;
    Ok(respond::created(creation, Some("/api/v1/test-cases")))
}

/// One test case.
#[utoipa::path(get, path = "/api/v1/test-cases/{id}", tag = "test cases", params(("id" = String, Path)),
    responses((status = 200, body = Data<TestCaseDetail>), KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<TestCaseId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (detail, revision) = app.test_case(&caller, id).await?;
    let etag = app.record_etag(detail.record.row.version, revision);
    Ok(respond::record(&TestCaseDetail::from(&detail), &etag, &if_none_match))
}

/// Changes a test case: what is sent is changed, what is left out stays.
#[utoipa::path(patch, path = "/api/v1/test-cases/{id}", tag = "test cases", tag = "extension",
    request_body = TestCaseFields, params(("id" = String, Path)),
    responses((status = 200, body = Data<TestCaseDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TestCaseId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input_from(body.fields)?;
    let (detail, revision) = app.change_test_case(&caller, id, input, precondition).await?;
    let etag = app.record_etag(detail.record.row.version, revision);
    Ok(respond::record(&TestCaseDetail::from(&detail), &etag, &IfNoneMatch::default()))
}

/// Deletes a test case that has no findings.
#[utoipa::path(delete, path = "/api/v1/test-cases/{id}", tag = "test cases", tag = "extension",
    params(("id" = String, Path)), responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<TestCaseId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    app.delete_test_case(&caller, id, precondition).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn filter_from(mut query: PageQuery) -> Result<(TestCaseFilter, PageRequest), ApiError> {
    let filter = TestCaseFilter {
        status: query.filter("status"),
        test_type: query.filter("test_type"),
        programme: query.id("programme_id", "a programme"),
        assignee: query.exactly("assignee"),
        search: query.search(),
        sort: query.filter("sort"),
    };
    let query = query.check()?;
    Ok((filter, query.page))
}

fn input_from(mut fields: Fields) -> Result<TestCaseInput, ApiError> {
    let input = TestCaseInput {
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
    };
    fields.finish(Some(input))
}
