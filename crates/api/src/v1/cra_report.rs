//! Reports under CRA Art. 14.

use app::{
    App,
    cra_report::{CraReport as AppReport, CraReportFilter, Stage as AppStage},
    history::Detail,
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    cra_report::{CraReportInput, ProductInput},
    id::CraReportId,
    moment::Moment,
    page::PageRequest,
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{
    BodyErrors, CraReportKind, CraReportSort, CraReportStatus, HistoryStep, KeyedErrors, Severity,
    StageState, StaleError,
};
use crate::{
    ApiError,
    extract::{Body, Fields, IdPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageQuery, Reader, Writer},
    respond::{self, Data, List},
};

/// An exploited vulnerability or a severe incident of a product, and how far it has been reported.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CraReport {
    #[schema(value_type = String, example = "cra_01k9x14js0e00000000000000a")]
    id: CraReportId,
    kind: CraReportKind,
    product: CraProduct,
    title: String,
    description: Option<String>,
    #[schema(example = "CVE-2026-12345")]
    cve: Option<String>,
    severity: Severity,
    /// Countries where the product is available, as ISO codes.
    member_states: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    aware_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime)]
    corrective_measure_at: Option<Moment>,
    status: CraReportStatus,
    stages: CraStages,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CraProduct {
    name: String,
    version: Option<String>,
}

/// The three steps of reporting.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CraStages {
    /// Due 24 hours after becoming aware.
    early_warning: CraStage,
    /// Due 72 hours after becoming aware.
    notification: CraStage,
    /// Due 14 days after a corrective measure for a vulnerability, one month after the notification for an incident.
    final_report: CraStage,
}

/// Where a step stands at the moment of asking.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CraStage {
    /// Null while its clock has not started.
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    submitted_at: Option<Moment>,
    state: StageState,
    /// Extension. Negative once overdue; null when nothing is counted down.
    seconds_left: Option<i64>,
    /// Extension. Where the law asks for it.
    citation: Option<String>,
}

/// A report with its history.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CraReportDetail {
    #[serde(flatten)]
    report: CraReport,
    /// Extension. Every status it has had, oldest first.
    history: Vec<HistoryStep>,
}

/// A report to create. What starts its clocks cannot be changed later.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct NewCraReport {
    kind: CraReportKind,
    product: CraProduct,
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    cve: Option<String>,
    severity: Severity,
    #[schema(required = false, max_items = 200)]
    member_states: Vec<String>,
    /// Not in the future.
    #[schema(format = DateTime)]
    aware_at: String,
    /// Not in the future.
    #[schema(format = DateTime)]
    corrective_measure_at: Option<String>,
}

/// What to change; a field left out stays as it is. Moving the status stamps the stage.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct CraReportChange {
    product: Option<CraProduct>,
    #[schema(min_length = 1, max_length = 255)]
    title: Option<String>,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    cve: Option<String>,
    severity: Option<Severity>,
    #[schema(max_items = 200)]
    member_states: Option<Vec<String>>,
    /// Not in the future.
    #[schema(format = DateTime)]
    corrective_measure_at: Option<String>,
    status: Option<CraReportStatus>,
    /// Extension. Why the status moves; kept in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `filter_from` reads the values")]
pub(crate) struct CraReportParams {
    #[param(inline)]
    status: Option<CraReportStatus>,
    #[param(inline)]
    kind: Option<CraReportKind>,
    /// Words that must all occur, each at the beginning of a word; case and accents do not count.
    #[param(max_length = 200)]
    search: Option<String>,
    #[param(inline)]
    sort: Option<CraReportSort>,
}

impl From<&AppStage> for CraStage {
    fn from(stage: &AppStage) -> Self {
        Self {
            due_at: stage.reading.due_at,
            submitted_at: stage.reading.submitted_at,
            state: stage.reading.state.into(),
            seconds_left: stage.reading.seconds_left,
            citation: stage.citation.clone(),
        }
    }
}

impl From<&AppReport> for CraReport {
    fn from(report: &AppReport) -> Self {
        let (row, record) = (&report.row, &report.row.report);
        Self {
            id: row.id,
            kind: record.kind.into(),
            product: CraProduct {
                name: record.product.name.to_string(),
                version: record.product.version.as_ref().map(ToString::to_string),
            },
            title: record.title.to_string(),
            description: record.description.as_ref().map(ToString::to_string),
            cve: record.cve.as_ref().map(ToString::to_string),
            severity: record.severity.into(),
            member_states: record.member_states.iter().map(ToString::to_string).collect(),
            aware_at: record.aware_at,
            corrective_measure_at: record.corrective_measure_at,
            status: record.status.into(),
            stages: CraStages {
                early_warning: CraStage::from(&report.early_warning),
                notification: CraStage::from(&report.notification),
                final_report: CraStage::from(&report.final_report),
            },
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&Detail<AppReport>> for CraReportDetail {
    fn from(detail: &Detail<AppReport>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        Self { report: CraReport::from(&detail.record), history }
    }
}

/// The tenant's reports, newest first, with their clocks as they stand now.
#[utoipa::path(get, path = "/api/v1/cra/reports", tag = "CRA", tag = "extension",
    params(ListParams, CraReportParams),
    responses((status = 200, body = List<CraReport>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (filter, page) = filter_from(query)?;
    let (page, revision) = app.cra_reports(&caller, &filter, page).await?;
    let etag = app.moment_etag(0, revision);
    let body = || respond::json(StatusCode::OK, respond::to_json(&List::<CraReport>::of(&page)));
    Ok(respond::validated(&etag, &if_none_match, body))
}

/// Creates a report. Takes `Idempotency-Key`.
#[utoipa::path(post, path = "/api/v1/cra/reports", tag = "CRA", tag = "extension",
    request_body = NewCraReport,
    responses((status = 201, body = Data<CraReportDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input_from(body.fields)?;
    let render = |detail: &_| respond::to_text(&Data { data: CraReportDetail::from(detail) });
    let creation = app.create_cra_report(&caller, input, body.idempotency, render).await?;
    Ok(respond::created(creation, Some("/api/v1/cra/reports")))
}

/// One report, with its clocks as they stand now.
#[utoipa::path(get, path = "/api/v1/cra/reports/{id}", tag = "CRA", params(("id" = String, Path)),
    responses((status = 200, body = Data<CraReportDetail>), KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<CraReportId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (detail, revision) = app.cra_report(&caller, id).await?;
    let etag = app.moment_etag(detail.record.row.version, revision);
    Ok(respond::record(&CraReportDetail::from(&detail), &etag, &if_none_match))
}

/// Changes a report: what is sent is changed, what is left out stays. Moving the status stamps the stage.
#[utoipa::path(patch, path = "/api/v1/cra/reports/{id}", tag = "CRA", request_body = CraReportChange,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<CraReportDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<CraReportId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input_from(body.fields)?;
    let (detail, revision) = app.change_cra_report(&caller, id, input, precondition).await?;
    let etag = app.moment_etag(detail.record.row.version, revision);
    Ok(respond::record(&CraReportDetail::from(&detail), &etag, &IfNoneMatch::default()))
}

/// Deletes a report. What it said stays in the audit log.
#[utoipa::path(delete, path = "/api/v1/cra/reports/{id}", tag = "CRA", tag = "extension",
    params(("id" = String, Path)), responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<CraReportId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    app.delete_cra_report(&caller, id, precondition).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn filter_from(mut query: PageQuery) -> Result<(CraReportFilter, PageRequest), ApiError> {
    let filter = CraReportFilter {
        status: query.filter("status"),
        kind: query.filter("kind"),
        search: query.search(),
        sort: query.filter("sort"),
    };
    let query = query.check()?;
    Ok((filter, query.page))
}

fn input_from(mut fields: Fields) -> Result<CraReportInput, ApiError> {
    let input = CraReportInput {
        kind: fields.text_change("kind"),
        product: fields.object_change("product", |inner| ProductInput {
            name: inner.text_change("name"),
            version: inner.text_change("version"),
        }),
        title: fields.text_change("title"),
        description: fields.text_change("description"),
        cve: fields.text_change("cve"),
        severity: fields.text_change("severity"),
        member_states: fields.texts_change("member_states"),
        aware_at: fields.text_change("aware_at"),
        corrective_measure_at: fields.text_change("corrective_measure_at"),
        status: fields.text_change("status"),
        note: fields.text_change("note"),
    };
    fields.finish(Some(input))
}
