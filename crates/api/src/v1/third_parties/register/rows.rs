//! The register of information, template by template: its state, its rows, and the results of the checks.

use std::collections::BTreeMap;

use app::{
    App,
    register::{CellChange, CheckFilter, Overview, RegisterRow as AppRow, TemplateOverview},
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    id::RegisterRowId,
    moment::Moment,
    register::{
        Template,
        filing::{Check, Counts, Severity},
        sheets,
    },
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IdsPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageParams, PageQuery,
        Parsed, Reader, Writer,
    },
    respond::{self, Data, List},
    v1::wire::{BodyErrors, KeyedErrors, NotModified, StaleError, words},
};

words! {
    RegisterCheckSeverity = Severity,
        "The receiving system refuses the report, accepts it with a remark, or does not check this.";
}

/// How the register of information stands.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RegisterOverview {
    /// Rows of all templates.
    rows: u64,
    /// The share of rows that would be accepted; an arrangement that stands in no template counts as a row that is not. 100
    /// only if nothing would be refused and no arrangement is missing.
    #[schema(minimum = 0, maximum = 100)]
    readiness_pct: u8,
    /// The number of arrangements that stand in no template; `POST /api/v1/register/take-over` gives them their rows.
    waiting: u64,
    problems: ProblemCounts,
    templates: Vec<RegisterTemplate>,
}

/// A template of Implementing Regulation (EU) 2024/2956.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RegisterTemplate {
    #[schema(example = "B_05.01")]
    template: &'static str,
    title: &'static str,
    rows: u64,
    problems: ProblemCounts,
}

/// The number of problems by severity.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = RegisterProblemCounts)]
pub(crate) struct ProblemCounts {
    refused: u64,
    noted: u64,
    advice: u64,
}

/// A row of a template.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RegisterRow {
    #[schema(value_type = String, example = "row_01k9x14js0e00000000000000a")]
    id: RegisterRowId,
    /// The cells by column code. Empty cells are absent.
    #[schema(example = json!({ "c0010": "CTR-2025-014", "c0020": "eba_CO:x1" }))]
    cells: BTreeMap<String, String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// The cells of a row. In a change, absent cells keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "cells": { "c0010": "CTR-2025-014", "c0020": "eba_CO:x1" } }))]
pub(crate) struct RegisterRowInput {
    /// Texts by column code, such as `c0010`. An empty text empties the cell.
    #[schema(required = true, nullable = false)]
    cells: Option<BTreeMap<String, String>>,
}

/// A problem that a check of the register found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RegisterCheck {
    /// The official id of the rule, or a word for advice of this service.
    #[schema(example = "807")]
    rule: &'static str,
    severity: RegisterCheckSeverity,
    /// Null if the problem concerns the whole report.
    #[schema(example = "B_05.02")]
    template: Option<&'static str>,
    /// The id of the row, or its line in an imported file; null if the problem concerns a whole table.
    row: Option<String>,
    #[schema(example = "c0060")]
    column: Option<String>,
    /// What is wrong.
    message: String,
    /// How to correct it.
    remedy: String,
    /// The value of the cell; null if it is empty.
    value: Option<String>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CheckParams {
    /// Only problems of this template.
    #[param(value_type = Option<String>)]
    template: Option<Parsed<Template>>,
    /// Only problems of this severity.
    #[param(value_type = Option<RegisterCheckSeverity>)]
    severity: Option<Parsed<Severity>>,
}

impl From<Counts> for ProblemCounts {
    fn from(counts: Counts) -> Self {
        Self { refused: counts.refused, noted: counts.noted, advice: counts.advice }
    }
}

impl From<&TemplateOverview> for RegisterTemplate {
    fn from(overview: &TemplateOverview) -> Self {
        Self {
            template: overview.template.id(),
            title: overview.template.title(),
            rows: overview.rows,
            problems: overview.problems.into(),
        }
    }
}

impl From<&Overview> for RegisterOverview {
    fn from(overview: &Overview) -> Self {
        Self {
            rows: overview.rows,
            readiness_pct: overview.readiness_pct,
            waiting: overview.waiting,
            problems: overview.problems.into(),
            templates: overview.templates.iter().map(RegisterTemplate::from).collect(),
        }
    }
}

impl From<&AppRow> for RegisterRow {
    fn from(row: &AppRow) -> Self {
        let cells = row.content.filled(row.template);
        Self {
            id: row.id,
            cells: cells.map(|(column, cell)| (column.code().to_string(), cell.to_owned())).collect(),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&Check> for RegisterCheck {
    fn from(check: &Check) -> Self {
        Self {
            rule: check.rule,
            severity: check.severity.into(),
            template: check.template.map(Template::id),
            row: check.row.as_deref().map(str::to_owned),
            column: check.column.map(|column| column.to_string()),
            message: check.message.to_string(),
            remedy: check.remedy.to_string(),
            value: check.value.clone(),
        }
    }
}

/// Gets the state of the register of information.
///
/// Rows and problems of each template, and how much of the register would be accepted.
#[utoipa::path(get, path = "/api/v1/register", tag = "register of information",
    responses((status = 200, body = Data<RegisterOverview>), NotModified, KeyedErrors))]
pub(crate) async fn overview(
    State(app): State<App>,
    Reader(caller): Reader,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |overview: &_| respond::to_json(&Data { data: RegisterOverview::from(overview) });
    let rendered = app.third_parties.register_overview(&caller, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Checks the register of information.
///
/// The problems come in the order of the receiving system, advice of this service last.
#[utoipa::path(get, path = "/api/v1/register/checks", operation_id = "checkRegister",
    tag = "register of information",
    params(PageParams, CheckParams),
    responses((status = 200, body = List<RegisterCheck>), NotModified, KeyedErrors))]
pub(crate) async fn checks(
    State(app): State<App>,
    Reader(caller): Reader,
    mut query: PageQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let params: CheckParams = query.read();
    let filter = CheckFilter {
        template: params.template.map(Parsed::value),
        severity: params.severity.map(Parsed::value),
    };
    let query = query.check()?;
    let render = |page: &_| respond::to_json(&List::<RegisterCheck>::of(page));
    let rendered = app.third_parties.register_checks(&caller, filter, query.page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Lists the rows of a template.
///
/// The oldest come first.
#[utoipa::path(get, path = "/api/v1/register/{template}", operation_id = "listRegisterRows",
    tag = "register of information",
    params(("template" = String, Path, example = "B_05.01"), ListParams),
    responses((status = 200, body = List<RegisterRow>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(template): IdPath<Template>,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |page: &_| respond::to_json(&List::<RegisterRow>::of(page));
    let rendered = app.third_parties.register_row_page(&caller, template, query.page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Adds a row to a template.
///
/// Any text is accepted; `GET /api/v1/register/checks` says what is wrong with it.
#[utoipa::path(post, path = "/api/v1/register/{template}/rows", tag = "register of information",
    params(("template" = String, Path, example = "B_05.01")), request_body = RegisterRowInput,
    responses((status = 201, body = Data<RegisterRow>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(template): IdPath<Template>,
    mut body: Body,
) -> Result<Response, ApiError> {
    body.fields.require("cells");
    let cells = cells_from(template, &mut body.fields);
    let cells = body.fields.finish(cells)?;
    let render = |row: &_| respond::to_text(&Data { data: RegisterRow::from(row) });
    let creation =
        app.third_parties.create_register_row(&caller, template, cells, body.idempotency, render).await?;
    Ok(respond::created(creation, Some(&format!("/api/v1/register/{template}/rows"))))
}

/// Updates a row of a template.
///
/// Cells that are absent keep their values.
#[utoipa::path(patch, path = "/api/v1/register/{template}/rows/{id}", tag = "register of information",
    params(("template" = String, Path, example = "B_05.01"), ("id" = String, Path)),
    request_body = RegisterRowInput,
    responses((status = 200, body = Data<RegisterRow>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(template, id): IdsPath<Template, RegisterRowId>,
    IfMatch(precondition): IfMatch,
    mut body: Body,
) -> Result<Response, ApiError> {
    let cells =
        if body.fields.has("cells") { cells_from(template, &mut body.fields) } else { Some(Vec::new()) };
    let cells = body.fields.finish(cells)?;
    let (row, revision) =
        app.third_parties.change_register_row(&caller, template, id, cells, precondition).await?;
    let validator = app.record_validator(row.version, revision);
    Ok(respond::record(&RegisterRow::from(&row), &validator, &IfNoneMatch::default()))
}

/// Deletes a row of a template.
#[utoipa::path(delete, path = "/api/v1/register/{template}/rows/{id}", tag = "register of information",
    params(("template" = String, Path, example = "B_05.01"), ("id" = String, Path)),
    responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(template, id): IdsPath<Template, RegisterRowId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    app.third_parties.delete_register_row(&caller, template, id, precondition).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn cells_from(template: Template, fields: &mut Fields) -> Option<Vec<CellChange>> {
    let pairs = fields.read::<RegisterRowInput>().cells?;
    let mut cells = Vec::new();
    for (code, text) in pairs {
        let name = format!("cells.{code}");
        let Some(position) = template.position(&code) else {
            fields.complain(
                &name,
                format_args!("is no column of {template}: use the column codes of the template"),
            );
            continue;
        };
        if let Some(text) = fields.keep(&name, sheets::cell(&text)) {
            cells.push((position, text));
        }
    }
    Some(cells)
}
