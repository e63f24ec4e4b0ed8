//! Imports the register from a file, and returns the template to fill in.

use app::{
    App,
    register::{ImportOptions, ImportOutcome, ImportReport, WORKBOOK_TYPE},
    upload,
};
use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use domain::{
    register::{FLAT_TEMPLATE, Notice, Problem, Problems, Template},
    violation::Complaint,
    wording::Language,
};
use http::{StatusCode, header};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    error::Code,
    extract::{PageQuery, Reader, Writer, file},
    respond::{self, Data},
    v1::wire::{FileErrors, KeyedErrors},
};

/// The maximum number of problems in one response.
const MAX_LISTED: usize = 200;

/// The result of an import of arrangements.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ArrangementImportResult)]
pub(crate) struct Import {
    /// Arrangements in the file.
    arrangements: u64,
    added: u64,
    changed: u64,
    unchanged: u64,
    /// Contracts that no row refers to; their cost is not counted.
    unused_contracts: Vec<String>,
    /// Accepted, but worth knowing: cells that the supervisor would flag.
    notices: Vec<ImportNotice>,
    /// `true` if nothing was stored.
    dry_run: bool,
}

/// A notice about a file that was accepted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ArrangementImportNotice)]
pub(crate) struct ImportNotice {
    /// The official template; null if the notice concerns the whole file.
    #[schema(example = "B_05.01")]
    template: Option<&'static str>,
    /// The number of rows concerned.
    rows: u64,
    #[schema(
        example = "B_05.01 c0060 is empty in 5 rows, first in line 2: the supervisor notes this as v8852_m"
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
#[schema(as = ArrangementImportRefusal)]
pub(crate) struct ImportRefusal {
    error: String,
    /// Always `validation_failed`.
    code: Code,
    /// The first 200 problems.
    #[schema(required = false)]
    problems: Vec<ImportProblem>,
    /// The total number of problems.
    #[schema(required = false)]
    total: u64,
}

/// A problem in the file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ArrangementImportProblem)]
pub(crate) struct ImportProblem {
    /// The official template, or `arrangements` for the simple table.
    #[schema(example = "B_02.02")]
    template: String,
    /// The row of the file; null if the problem concerns the whole table.
    row: Option<u32>,
    #[schema(example = "c0060")]
    column: Option<String>,
    /// The id of the rule.
    rule: &'static str,
    /// What is wrong.
    finding: String,
    /// How to correct it.
    remedy: String,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportParams {
    /// The official template that a CSV file contains, such as `B_02.01`. If absent, the simple table is expected.
    template: Option<String>,
    /// `true` checks the file and counts the changes, but stores nothing.
    #[param(value_type = Option<bool>)]
    dry_run: Option<String>,
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
            finding: problem.finding.to_string(),
            remedy: problem.remedy.to_string(),
        }
    }
}

/// Imports ICT arrangements from a CSV file, the first sheet of a workbook or a zipped report package.
///
/// A CSV file holds the simple table of the template or one official template of the register of information. Either
/// the whole file is imported or nothing. Arrangements with a known reference are updated, others are added, none is
/// removed.
#[utoipa::path(post, path = "/api/v1/ict-arrangements/import", tag = "ICT arrangements",
    params(ImportParams), request_body(content((String = "text/csv"), (Vec<u8> = "application/zip"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, body = Data<Import>),
              (status = 422, body = ImportRefusal, description = "The file or a parameter is not valid. Nothing was \
                  imported. The errors of parameters are in `details` instead of `problems`."),
              FileErrors))]
pub(crate) async fn import(
    State(app): State<App>,
    Writer(caller): Writer,
    query: PageQuery,
    request: Request,
) -> Result<Response, ApiError> {
    let options = options_from(query)?;
    if !["text/csv", "application/zip", WORKBOOK_TYPE, "application/octet-stream"]
        .contains(&file::media_type(request.headers()).as_str())
    {
        let message = "must be a file: send Content-Type: text/csv, application/zip or the one of XLSX";
        return Err(app::Error::invalid("body", Complaint::protocol(message)).into());
    }
    let file = file::received(&app, &caller, request).await?;
    match app.third_parties.import_arrangements(&caller, file, options, upload::silent()).await? {
        ImportOutcome::Done(report) => {
            let data = Data { data: Import::from(&report) };
            Ok(respond::json(StatusCode::OK, respond::to_json(&data)))
        }
        ImportOutcome::Refused(problems) => Ok(refused(&problems)),
    }
}

/// Downloads a CSV template for the import of ICT arrangements.
///
/// It has the column headings and two examples.
#[utoipa::path(get, path = "/api/v1/ict-arrangements/template", tag = "ICT arrangements",
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
        code: Code::ValidationFailed,
        problems: problems.iter().take(MAX_LISTED).map(ImportProblem::from).collect(),
        total: problems.total(),
    };
    respond::json(StatusCode::UNPROCESSABLE_ENTITY, respond::to_json(&body))
}

fn options_from(mut query: PageQuery) -> Result<ImportOptions, ApiError> {
    let params: ImportParams = query.read();
    let template = params.template.as_deref().map(Template::from_name);
    let is_read = |template: &Option<Template>| template.is_some_and(Template::is_read);
    if template.as_ref().is_some_and(|template| !is_read(template)) {
        let known: Vec<_> = Template::READ.into_iter().map(Template::id).collect();
        query.complain("template", format_args!("must be one of {}", known.join(", ")));
    }
    let dry_run = match params.dry_run.as_deref() {
        None | Some("false" | "0") => false,
        Some("true" | "1" | "") => true,
        Some(_) => {
            query.complain("dry_run", "must be true or false");
            false
        }
    };
    query.check()?;
    Ok(ImportOptions { template: template.flatten(), dry_run, workbook: false })
}
