//! Reports over a period: asked for, made in the background, released, downloaded.

pub(crate) mod management_reviews;

use app::{App, period_report::PeriodReportRow};
use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use domain::{
    moment::{Day, Moment},
    period_report::{PeriodReportId, ReportKind as KindWord, ReportWish},
    report_template::{OwnTextInput, ReportTemplateId},
    wording::Language,
};
use http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::report_templates::{NewReportParagraph, NewReportSignatory, each};
use crate::{
    ApiError,
    extract::{
        Body, IdPath, IfNoneMatch, LanguageParams, ListParams, ListQuery, Parsed, Reader, Spoken, Writer,
    },
    respond::{self, Data, List},
    schema::body,
    v1::{
        Subject,
        compliance::evidence::download,
        wire::{BodyErrors, ConflictError, Framework, KeyedErrors, NotModified, RangeError, words},
    },
};

const PATH: &str = "/api/v1/reports";

pub(crate) const SUBJECT: Subject = Subject {
    tag: "reports",
    about: "Reports over a period as PDF: for the management body, on a framework, on third parties, on incidents and on the testing programme, and the management review of ISO/IEC 27001. Released, their bytes are kept for ever.",
    list: None,
    routes: |router| {
        router
            .routes(routes!(create, list))
            .routes(routes!(get, delete))
            .routes(routes!(content))
            .routes(routes!(release))
            .routes(routes!(management_reviews::list))
    },
};

words! {
    ReportKind = domain::period_report::ReportKind, "What a report is about.";
    ReportState = domain::period_report::ReportState, "How far a report is.";
}

/// A report over a period.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Report {
    #[schema(value_type = String, example = "rep_01k9x14js0e00000000000000a")]
    id: PeriodReportId,
    kind: ReportKind,
    /// The framework of a report on one.
    framework: Option<Framework>,
    /// The first day of its period.
    #[schema(value_type = String, format = Date)]
    from: Day,
    /// The last day, at whose end its figures hold.
    #[schema(value_type = String, format = Date)]
    until: Day,
    #[schema(value_type = String, example = "en")]
    language: &'static str,
    /// The template that it was made with.
    #[schema(value_type = Option<String>)]
    template: Option<ReportTemplateId>,
    state: ReportState,
    /// The id of the API key or user that asked for it, or `system` for a schedule.
    asked_by: String,
    #[schema(value_type = String, format = DateTime)]
    asked_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime)]
    made_at: Option<Moment>,
    /// The size of the file, once it is made.
    bytes: Option<u64>,
    /// The SHA-256 of the file, once it is made.
    sha256: Option<String>,
    /// Why it could not be made.
    problem: Option<String>,
    /// Who released it.
    released_by: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    released_at: Option<Moment>,
    /// The number of the signed version that a released management review is.
    #[schema(minimum = 1)]
    version: Option<i64>,
}

impl From<&PeriodReportRow> for Report {
    fn from(row: &PeriodReportRow) -> Self {
        Self {
            id: row.id,
            kind: row.wish.kind.into(),
            framework: row.wish.framework.map(Framework::from),
            from: row.wish.from,
            until: row.wish.until,
            language: row.wish.language.as_str(),
            template: row.wish.template,
            state: row.state.into(),
            asked_by: row.asked_by.clone(),
            asked_at: row.asked_at,
            made_at: row.made_at,
            bytes: row.file.as_ref().map(|file| file.bytes),
            sha256: row.file.as_ref().map(|file| file.sha256.clone()),
            problem: row.problem.clone(),
            released_by: row.released.as_ref().map(|released| released.by.clone()),
            released_at: row.released.as_ref().map(|released| released.at),
            version: row.released.as_ref().and_then(|released| released.version),
        }
    }
}

body! {
    /// What a report should hold.
    NewReport as "ReportInput" from ReportFields {
        required: ["kind", "from", "until"],
        without: [],
        example: { "kind": "board", "from": "2026-07-01", "until": "2026-09-30", "language": "de" }
    }
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct ReportFields {
    #[schema(value_type = Option<ReportKind>)]
    kind: Option<Parsed<KindWord>>,
    /// The framework of a report on one.
    framework: Option<String>,
    /// The first day of the period. It is compared with the period of the same length before it.
    #[schema(value_type = Option<String>, format = Date)]
    from: Option<Parsed<Day>>,
    /// The last day of the period, at the latest today.
    #[schema(value_type = Option<String>, format = Date)]
    until: Option<Parsed<Day>>,
    /// `de` or `en`. Defaults to the language of the request.
    #[schema(value_type = Option<String>)]
    language: Option<Parsed<Language>>,
    /// The id of a template.
    #[schema(value_type = Option<String>)]
    template: Option<Parsed<ReportTemplateId>>,
    /// Paragraphs of the institution in this report, beside those of the template.
    #[schema(max_items = 10)]
    paragraphs: Option<Vec<NewReportParagraph>>,
    /// People who sign this report, beside those of the template.
    #[schema(max_items = 6)]
    signatories: Option<Vec<NewReportSignatory>>,
}

/// Asks for a report.
///
/// It is made in the background; `state` says how far it is. A key needs to read every kind of record, because a report holds
/// figures of all of them.
#[utoipa::path(post, path = "/api/v1/reports", tag = "reports", params(LanguageParams),
    request_body = NewReport,
    responses((status = 202, body = Data<Report>), ConflictError, KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    Spoken(spoken): Spoken,
    mut body: Body,
) -> Result<Response, ApiError> {
    let edition = app.edition_of(&caller).await?;
    for field in ["kind", "from", "until"] {
        body.fields.require(field);
    }
    let sent: ReportFields = body.fields.read();
    let framework = sent.framework.map(|id| body.fields.keep("framework", edition.framework_named(&id)));
    let own = OwnTextInput {
        paragraphs: each(sent.paragraphs.unwrap_or_default()),
        signatories: each(sent.signatories.unwrap_or_default()),
    };
    let own = body.fields.keep_all(own.read());
    let wish = sent.kind.zip(sent.from).zip(sent.until).map(|((kind, from), until)| ReportWish {
        kind: kind.value(),
        framework: framework.flatten(),
        from: from.value(),
        until: until.value(),
        language: sent.language.map_or(spoken, Parsed::value),
        template: sent.template.map(Parsed::value),
        own: own.unwrap_or_default(),
    });
    let wish = body.fields.finish(wish)?;
    let render = |row: &_| respond::to_text(&Data { data: Report::from(row) });
    let asked = app.period_report.ask_for_report(&caller, wish, body.idempotency, render).await?;
    let mut response = respond::created(asked, Some(PATH));
    *response.status_mut() = StatusCode::ACCEPTED;
    Ok(response)
}

/// Lists all reports.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/reports", tag = "reports", params(ListParams),
    responses((status = 200, body = List<Report>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |page: &_| respond::to_json(&List::<Report>::of(page));
    let rendered = app.period_report.report_page(&caller, query.page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Gets a report: how far it is.
#[utoipa::path(get, path = "/api/v1/reports/{id}", tag = "reports", params(("id" = String, Path)),
    responses((status = 200, body = Data<Report>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<PeriodReportId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |row: &_| respond::to_json(&Data { data: Report::from(row) });
    let rendered = app.period_report.rendered_report(&caller, id, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Deletes a report that is not released.
///
/// Reports that are not released are also deleted 30 days after they were asked for.
#[utoipa::path(delete, path = "/api/v1/reports/{id}", tag = "reports", params(("id" = String, Path)),
    responses((status = 204), ConflictError, KeyedErrors))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<PeriodReportId>,
) -> Result<Response, ApiError> {
    app.period_report.delete_report(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Downloads a report.
///
/// A PDF, whole or a range of it.
#[utoipa::path(get, path = "/api/v1/reports/{id}/content", operation_id = "downloadReport",
    tag = "reports", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "application/pdf"),
              (status = 206, body = String, content_type = "application/pdf"), NotModified, RangeError, ConflictError,
              KeyedErrors))]
pub(crate) async fn content(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<PeriodReportId>,
    if_none_match: IfNoneMatch,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    download::answer(app.period_report.report_content(&caller, id).await?, &if_none_match, &headers).await
}

/// Releases a report.
///
/// Its bytes are then kept for ever, and it cannot be deleted. Who released it first stays recorded. A management review is
/// released by an approval (422, code `approval_required`).
#[utoipa::path(post, path = "/api/v1/reports/{id}/release", operation_id = "releaseReport",
    tag = "reports", params(("id" = String, Path)),
    responses((status = 200, body = Data<Report>), ConflictError, KeyedErrors))]
pub(crate) async fn release(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<PeriodReportId>,
) -> Result<Response, ApiError> {
    let row = app.period_report.release_report(&caller, id).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: Report::from(&row) })))
}
