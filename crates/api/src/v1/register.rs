//! The register comes in as a file, and the template to fill in goes out.

use app::{
    App,
    register::{ImportOptions, ImportOutcome, ImportReport},
    upload,
};
use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use domain::{
    register::{FLAT_TEMPLATE, Notice, Problem, Problems, Template},
    wording::Language,
};
use http::{StatusCode, header};
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{BodyErrors, KeyedErrors};
use crate::{
    ApiError,
    extract::{PageQuery, Reader, Writer, file},
    respond::{self, Data},
};

/// How many problems one answer lists.
const MAX_LISTED: usize = 200;

/// What an import did, or would do.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Import {
    arrangements: u64,
    added: u64,
    changed: u64,
    unchanged: u64,
    /// Contracts that no line uses: their expense counts nowhere.
    unused_contracts: Vec<String>,
    /// What was accepted, but is worth knowing: tables that are not read yet, cells the supervisor would note.
    notices: Vec<ImportNotice>,
    dry_run: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportNotice {
    /// The official template it is about; null when it is about the whole file.
    #[schema(example = "B_03.02")]
    template: Option<&'static str>,
    /// How many rows it is about.
    rows: u64,
    #[schema(
        example = "B_03.02 is not read yet: 12 rows were not kept, and references to this template were not checked"
    )]
    message: String,
}

impl From<&Notice> for ImportNotice {
    fn from(notice: &Notice) -> Self {
        Self {
            template: notice.template().map(Template::id),
            rows: notice.rows(),
            message: notice.text(Language::English),
        }
    }
}

/// Why nothing was imported.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportRefusal {
    error: String,
    /// The first 200 problems.
    problems: Vec<ImportProblem>,
    /// How many there are in all.
    total: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportProblem {
    /// The official template, or `arrangements` for the friendly table.
    #[schema(example = "B_02.02")]
    template: String,
    /// The line of the file; null when the whole table is meant.
    row: Option<u32>,
    #[schema(example = "c0060")]
    column: Option<String>,
    rule: &'static str,
    finding: String,
    remedy: String,
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `options_from` reads the values")]
pub(crate) struct ImportParams {
    /// The official template a single CSV file holds, like `B_02.01`; without it the friendly table is read.
    template: Option<String>,
    /// true checks and counts, and stores nothing.
    dry_run: Option<bool>,
}

impl From<&ImportReport> for Import {
    fn from(report: &ImportReport) -> Self {
        Self {
            arrangements: report.arrangements,
            added: report.added,
            changed: report.changed,
            unchanged: report.unchanged,
            unused_contracts: report.unused_contracts.clone(),
            notices: report.notices.iter().map(ImportNotice::from).collect(),
            dry_run: report.dry_run,
        }
    }
}

impl From<&Problem> for ImportProblem {
    fn from(problem: &Problem) -> Self {
        Self {
            template: problem.table.to_string(),
            row: problem.row,
            column: problem.column.clone(),
            rule: problem.rule.as_str(),
            finding: problem.finding.clone(),
            remedy: problem.remedy.clone(),
        }
    }
}

/// Imports arrangements: the friendly table or an official template as CSV, or the zipped report package.
///
/// All or nothing. An arrangement with a known reference is changed, the others are added, none is removed.
#[utoipa::path(post, path = "/api/v1/ict-arrangements/import", tag = "ICT arrangements", tag = "extension",
    params(ImportParams), request_body(content = String, content_type = "text/csv"),
    responses((status = 200, body = Data<Import>), (status = 422, body = ImportRefusal), KeyedErrors, BodyErrors))]
pub(crate) async fn import(
    State(app): State<App>,
    Writer(caller): Writer,
    query: PageQuery,
    request: Request,
) -> Result<Response, ApiError> {
    let options = options_from(query)?;
    if !["text/csv", "application/zip", "application/octet-stream"]
        .contains(&file::media_type(request.headers()).as_str())
    {
        let message = "must be a file: send Content-Type: text/csv or application/zip";
        return Err(app::Error::invalid("body", message).into());
    }
    let file = file::received(&app, &caller, request).await?;
    match app.import_arrangements(&caller, file, options, upload::silent()).await? {
        ImportOutcome::Done(report) => {
            let data = Data { data: Import::from(&report) };
            Ok(respond::json(StatusCode::OK, respond::to_json(&data)))
        }
        ImportOutcome::Refused(problems) => Ok(refused(&problems)),
    }
}

/// The friendly table with two examples, to fill in and send back.
#[utoipa::path(get, path = "/api/v1/ict-arrangements/template", tag = "ICT arrangements", tag = "extension",
    responses((status = 200, body = String, content_type = "text/csv"), KeyedErrors))]
pub(crate) async fn template(Reader(_): Reader) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"ict-arrangements.csv\""),
    ];
    (headers, FLAT_TEMPLATE).into_response()
}

fn refused(problems: &Problems) -> Response {
    let first = problems.iter().next().map(ToString::to_string).unwrap_or_default();
    let body = ImportRefusal {
        error: format!("nothing was imported, {} problems were found; the first: {first}", problems.total()),
        problems: problems.iter().take(MAX_LISTED).map(ImportProblem::from).collect(),
        total: problems.total(),
    };
    respond::json(StatusCode::UNPROCESSABLE_ENTITY, respond::to_json(&body))
}

fn options_from(mut query: PageQuery) -> Result<ImportOptions, ApiError> {
    let template = query.text("template").map(Template::from_name);
    let is_read = |template: &Option<Template>| template.is_some_and(|known| !known.columns().is_empty());
    if template.as_ref().is_some_and(|template| !is_read(template)) {
        let known: Vec<_> = Template::read().map(Template::id).collect();
        query.complain("template", format_args!("must be one of {}", known.join(", ")));
    }
    let dry_run = match query.text("dry_run") {
        None | Some("false" | "0") => false,
        Some("true" | "1" | "") => true,
        Some(_) => {
            query.complain("dry_run", "must be true or false");
            false
        }
    };
    query.check()?;
    Ok(ImportOptions { template: template.flatten(), dry_run })
}
