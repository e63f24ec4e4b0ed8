//! Templates of reports.

use app::{
    App,
    period_report::{LogoChange, ReportTemplateChange as Change, ReportTemplateRow},
};
use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use domain::{
    id::UserId,
    moment::Moment,
    page::Page,
    report_template::{
        OwnParagraph, ParagraphInput, ReportSchedule, ReportTemplateId, ReportTemplateInput, ScheduleInput,
        Signatory, SignatoryInput,
    },
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::reports::ReportKind;
use crate::{
    ApiError,
    extract::{Body, Fields, IdPath, PageParams, PageQuery, Reader, Writer},
    respond::{self, Data, List},
    schema::body,
    v1::{
        Subject,
        wire::{BodyErrors, Framework, KeyedErrors, words},
    },
};

const PATH: &str = "/api/v1/report-templates";

pub(crate) const SUBJECT: Subject = Subject {
    tag: "report templates",
    about: "What reports look like, with logo, classification, parts, own paragraphs and signatories, and when one is made by itself.",
    list: None,
    routes: |router| router.routes(routes!(list, create)).routes(routes!(get, patch, delete)),
};

words! {
    ReportPart = domain::period_report::ReportPart, "A part of a report.";
    CoveredPeriod = domain::period_report::Covered, "The period that a scheduled report covers: the last one that is over.";
}

/// A template of reports.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReportTemplate {
    #[schema(value_type = String, example = "rpt_01k9x14js0e00000000000000a")]
    id: ReportTemplateId,
    #[schema(example = "Quarterly report")]
    name: String,
    /// In place of that of the institution.
    classification: Option<String>,
    /// The chosen parts in their order; all of the kind if there are none. A management review has all of its parts.
    parts: Vec<ReportPart>,
    paragraphs: Vec<ReportParagraph>,
    signatories: Vec<ReportSignatory>,
    schedule: Option<ReportScheduleView>,
    has_logo: bool,
    /// The PNG image of the cover page in base64; null in lists.
    logo: Option<String>,
    /// When the next report is made by itself.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_run_at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// A paragraph of the institution.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReportParagraph {
    /// The part that it stands before, or in a management review within; null for the end.
    before: Option<ReportPart>,
    title: String,
    text: String,
}

/// A person who signs a report.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReportSignatory {
    name: String,
    function: String,
}

/// When a report is made by itself, and who is notified of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportSchedule)]
pub(crate) struct ReportScheduleView {
    #[schema(example = "0 7 5 1,4,7,10 *")]
    cron: String,
    covers: CoveredPeriod,
    kind: ReportKind,
    framework: Option<Framework>,
    #[schema(value_type = String, example = "de")]
    language: &'static str,
    #[schema(value_type = Vec<String>)]
    people: Vec<UserId>,
}

impl From<&OwnParagraph> for ReportParagraph {
    fn from(paragraph: &OwnParagraph) -> Self {
        let OwnParagraph { before, title, text } = paragraph;
        Self { before: before.map(ReportPart::from), title: title.to_string(), text: text.to_string() }
    }
}

impl From<&Signatory> for ReportSignatory {
    fn from(signatory: &Signatory) -> Self {
        Self { name: signatory.name.to_string(), function: signatory.function.to_string() }
    }
}

impl From<&ReportSchedule> for ReportScheduleView {
    fn from(schedule: &ReportSchedule) -> Self {
        Self {
            cron: schedule.cron.as_str().to_owned(),
            covers: schedule.covers.into(),
            kind: schedule.kind.into(),
            framework: schedule.framework.map(Framework::from),
            language: schedule.language.as_str(),
            people: schedule.people.clone(),
        }
    }
}

impl From<&ReportTemplateRow> for ReportTemplate {
    fn from(row: &ReportTemplateRow) -> Self {
        let content = &row.template.content;
        Self {
            id: row.id,
            name: row.template.name.to_string(),
            classification: content.classification.as_ref().map(ToString::to_string),
            parts: content.parts.iter().copied().map(ReportPart::from).collect(),
            paragraphs: content.paragraphs.iter().map(ReportParagraph::from).collect(),
            signatories: content.signatories.iter().map(ReportSignatory::from).collect(),
            schedule: content.schedule.as_ref().map(ReportScheduleView::from),
            has_logo: row.logo.is_some(),
            logo: row.logo.clone().filter(|logo| !logo.is_empty()),
            next_run_at: row.next_run_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

body! {
    /// A template to add.
    NewReportTemplate from ReportTemplateChange {
        required: ["name"],
        without: [],
        example: { "name": "Quarterly report", "classification": "Confidential",
                   "signatories": [{ "name": "Dana Weber", "function": "CISO" }] }
    }
}

/// Changes to a template. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "name": "Quarterly report", "parts": ["decisions", "risks"] }))]
pub(crate) struct ReportTemplateChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    name: Option<Option<String>>,
    /// In place of that of the institution.
    #[schema(max_length = 255)]
    classification: Option<Option<String>>,
    /// The chosen parts in their order; all of the kind if there are none.
    #[schema(value_type = Option<Vec<ReportPart>>)]
    parts: Option<Option<Vec<String>>>,
    #[schema(max_items = 10)]
    paragraphs: Option<Option<Vec<NewReportParagraph>>>,
    #[schema(max_items = 6)]
    signatories: Option<Option<Vec<NewReportSignatory>>>,
    schedule: Option<Option<NewReportSchedule>>,
    /// A PNG image in base64, of at most 262,144 bytes and 1,200 by 600 pixels, not interlaced; null for none.
    logo: Option<Option<String>>,
}

/// A paragraph of the institution.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewReportParagraph {
    /// The part that it stands before, or in a management review within; null for the end.
    #[schema(value_type = Option<ReportPart>)]
    before: Option<String>,
    #[schema(required = true, min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    #[schema(required = true, min_length = 1, max_length = 4_000, nullable = false)]
    text: Option<String>,
}

/// A person who signs a report.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewReportSignatory {
    #[schema(required = true, min_length = 1, max_length = 255, nullable = false)]
    name: Option<String>,
    #[schema(required = true, min_length = 1, max_length = 255, nullable = false)]
    function: Option<String>,
}

/// When a report is made by itself, at most once a day, and who is notified of it.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewReportSchedule {
    /// Minute, hour, day, month and weekday in the time zone of the institution.
    #[schema(required = true, nullable = false, example = "0 7 5 1,4,7,10 *")]
    cron: Option<String>,
    #[schema(required = true, nullable = false, value_type = Option<CoveredPeriod>)]
    covers: Option<String>,
    #[schema(required = true, nullable = false, value_type = Option<ReportKind>)]
    kind: Option<String>,
    framework: Option<String>,
    #[schema(required = true, nullable = false, example = "de")]
    language: Option<String>,
    /// People of the institution.
    #[schema(max_items = 50)]
    people: Option<Vec<String>>,
}

impl From<NewReportSchedule> for ScheduleInput {
    fn from(sent: NewReportSchedule) -> Self {
        Self {
            cron: sent.cron.unwrap_or_default(),
            covers: sent.covers.unwrap_or_default(),
            kind: sent.kind.unwrap_or_default(),
            framework: sent.framework,
            language: sent.language.unwrap_or_default(),
            people: sent.people.unwrap_or_default(),
        }
    }
}

impl From<NewReportParagraph> for ParagraphInput {
    fn from(sent: NewReportParagraph) -> Self {
        let NewReportParagraph { before, title, text } = sent;
        Self { before, title: title.unwrap_or_default(), text: text.unwrap_or_default() }
    }
}

impl From<NewReportSignatory> for SignatoryInput {
    fn from(sent: NewReportSignatory) -> Self {
        Self { name: sent.name.unwrap_or_default(), function: sent.function.unwrap_or_default() }
    }
}

pub(crate) fn each<T, U: From<T>>(list: Vec<T>) -> Vec<U> {
    list.into_iter().map(U::from).collect()
}

fn change(mut fields: Fields) -> Result<Change, ApiError> {
    let sent: ReportTemplateChange = fields.read();
    let logo = match sent.logo {
        None => LogoChange::Keep,
        Some(None) => LogoChange::Clear,
        Some(Some(text)) => fields.keep("logo", LogoChange::read(&text)).unwrap_or_default(),
    };
    let input = ReportTemplateInput {
        name: sent.name.into(),
        classification: sent.classification.into(),
        parts: sent.parts.into(),
        paragraphs: domain::change::Change::<Vec<NewReportParagraph>>::from(sent.paragraphs).map(each),
        signatories: domain::change::Change::<Vec<NewReportSignatory>>::from(sent.signatories).map(each),
        schedule: domain::change::Change::<NewReportSchedule>::from(sent.schedule).map(ScheduleInput::from),
    };
    fields.finish(Some(Change { input, logo }))
}

fn answer(row: &ReportTemplateRow) -> Response {
    respond::json(StatusCode::OK, respond::to_json(&Data { data: ReportTemplate::from(row) }))
}

/// Lists all templates of reports.
///
/// Without their images.
#[utoipa::path(get, path = "/api/v1/report-templates", tag = "report templates", params(PageParams),
    responses((status = 200, body = List<ReportTemplate>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    query: PageQuery,
) -> Result<Response, ApiError> {
    let request = query.check()?.page;
    let page = Page::cut(app.period_report.report_templates(&caller).await?.into_iter(), request);
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<ReportTemplate>::of(&page))))
}

/// Adds a template of reports.
#[utoipa::path(post, path = "/api/v1/report-templates", tag = "report templates", request_body = NewReportTemplate,
    responses((status = 201, body = Data<ReportTemplate>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    let change = change(body.fields)?;
    let render = |row: &_| respond::to_text(&Data { data: ReportTemplate::from(row) });
    let creation =
        app.period_report.create_report_template(&caller, change, body.idempotency, render).await?;
    Ok(respond::created(creation, Some(PATH)))
}

/// Gets a template of reports.
#[utoipa::path(get, path = "/api/v1/report-templates/{id}", tag = "report templates", params(("id" = String, Path)),
    responses((status = 200, body = Data<ReportTemplate>), KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ReportTemplateId>,
) -> Result<Response, ApiError> {
    Ok(answer(&app.period_report.report_template(&caller, id).await?))
}

/// Updates a template of reports.
#[utoipa::path(patch, path = "/api/v1/report-templates/{id}", tag = "report templates",
    request_body = ReportTemplateChange, params(("id" = String, Path)),
    responses((status = 200, body = Data<ReportTemplate>), KeyedErrors, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ReportTemplateId>,
    body: Body,
) -> Result<Response, ApiError> {
    let change = change(body.fields)?;
    Ok(answer(&app.period_report.change_report_template(&caller, id, change).await?))
}

/// Deletes a template of reports.
///
/// Reports that were made with it stay.
#[utoipa::path(delete, path = "/api/v1/report-templates/{id}", tag = "report templates", params(("id" = String, Path)),
    responses((status = 204, description = "Deleted. No body."), KeyedErrors))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ReportTemplateId>,
) -> Result<Response, ApiError> {
    app.period_report.delete_report_template(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
