//! Imports of records of any kind from tables.

use std::collections::BTreeMap;

use app::{
    App, Error,
    authz::Caller,
    finding::{LineProblem, LineProblems},
    records::{
        Importable, ImportedLine, LineOutcome, Mapping, PlannedColumn, RecordImport, RecordImportReport,
        require_import,
    },
    register::WORKBOOK_TYPE,
};
use axum::{
    extract::{FromRequestParts, Request, State},
    response::Response,
};
use domain::{exchange::ExchangeComplaint, violation::Violations};
use http::{StatusCode, request::Parts};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::comments::at_list;
use crate::{
    ApiError,
    extract::{LanguageParams, PageQuery, Spoken, Writer, file},
    respond::{self, Data},
    v1::{
        Subject, WholeList,
        resilience::findings::import::{FindingImportRefusal, refused},
        whole_list::Answer,
        wire::FileErrors,
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "imports",
    about: "Records of any kind from a table, such as a changed export.",
    list: None,
    routes: |router| {
        let lists = WholeList::every().filter(|list| list.import.is_some());
        lists.fold(router, |router, list| router.routes(at_list(&list.address(), routes!(import))))
    },
};

/// Imports records of one kind. Findings, incidents and ICT arrangements have imports of their own.
pub(crate) type Run = fn(App, Caller, Request, RecordImport) -> Answer;

/// What imports into a list, without the type of its records.
pub(crate) fn run_of<T: Importable>(
    app: App,
    caller: Caller,
    request: Request,
    options: RecordImport,
) -> Answer {
    Box::pin(run::<T>(app, caller, request, options))
}

/// What the import did.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecordImportResult {
    created: u64,
    changed: u64,
    unchanged: u64,
    /// Lines that are not possible; only in a dry run, because otherwise nothing is imported.
    refused: u64,
    /// `true` if nothing was stored.
    dry_run: bool,
    /// The columns of the file, in its order.
    columns: Vec<ImportedColumn>,
    /// What became of each line.
    lines: Vec<RecordImportLine>,
}

/// A column of the file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportedColumn {
    #[schema(example = "Fällig am")]
    heading: String,
    /// The column of the records that it was read as; null for one that was left out.
    #[schema(example = "next_due_on")]
    column: Option<String>,
}

/// A line of the file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecordImportLine {
    line: u64,
    /// `created`, `changed`, `unchanged` or `refused`.
    #[schema(example = "changed")]
    result: &'static str,
    /// The record; null for one that a dry run does not create.
    id: Option<String>,
    /// The columns with new values.
    changed: Vec<String>,
    /// Why it was refused, by field.
    details: BTreeMap<String, Vec<String>>,
}

impl From<&PlannedColumn> for ImportedColumn {
    fn from(column: &PlannedColumn) -> Self {
        Self { heading: column.heading.clone(), column: column.column.clone() }
    }
}

impl From<&ImportedLine> for RecordImportLine {
    fn from(line: &ImportedLine) -> Self {
        let (changed, details) = match &line.outcome {
            LineOutcome::Changed(names) => (names.clone(), BTreeMap::new()),
            LineOutcome::Refused(violations) => (Vec::new(), super::bulk::texts(violations)),
            LineOutcome::Created | LineOutcome::Unchanged => (Vec::new(), BTreeMap::new()),
        };
        Self { line: line.line, result: line.outcome.word(), id: line.id.clone(), changed, details }
    }
}

impl From<&RecordImportReport> for RecordImportResult {
    fn from(report: &RecordImportReport) -> Self {
        Self {
            created: report.count("created"),
            changed: report.count("changed"),
            unchanged: report.count("unchanged"),
            refused: report.count("refused"),
            dry_run: report.dry_run,
            columns: report.columns.iter().map(ImportedColumn::from).collect(),
            lines: report.lines.iter().map(RecordImportLine::from).collect(),
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RecordImportParams {
    /// `true` says for each line what would happen, and stores nothing.
    dry_run: Option<bool>,
    /// A JSON object that assigns headings of the file to columns, such as `{"Zu tun bis": "next_due_on"}`; null leaves
    /// a column out. It is remembered for files with the same headings.
    #[param(example = "{\"Zu tun bis\": \"next_due_on\"}")]
    mapping: Option<String>,
}

/// What imports into the list that a path names.
#[derive(Debug)]
pub(crate) struct ImportOf(Run);

impl<S: Send + Sync> FromRequestParts<S> for ImportOf {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let address = parts.uri.path().trim_end_matches("/import");
        let found = WholeList::every().find(|list| list.address() == address);
        found.and_then(|list| list.import).map(Self).ok_or_else(ApiError::not_found)
    }
}

/// Imports records from a CSV file or the first sheet of a workbook.
///
/// What an export wrote is read again: the columns have the names of the API or the headings of the workspace, in English
/// or German. A line with an `id` or a `reference` changes that record, another one creates a record; of assessments, a
/// line with a `requirement` changes its assessment. A column that is left out keeps its values, an empty cell clears its
/// value. All lines are imported, or nothing; the same file again changes nothing. At most 16 MiB and 10,000 lines.
#[utoipa::path(post, path = "/api/v1/{noun}/import", tag = "imports",
    params(RecordImportParams, LanguageParams),
    request_body(content((String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, body = Data<RecordImportResult>),
              (status = 422, body = FindingImportRefusal, description = "The file or a parameter is not valid. Nothing \
                  was imported. The errors of parameters are in `details` instead of `problems`."),
              FileErrors))]
pub(crate) async fn import(
    State(app): State<App>,
    Writer(caller): Writer,
    ImportOf(run): ImportOf,
    Spoken(language): Spoken,
    mut query: PageQuery,
    request: Request,
) -> Result<Response, ApiError> {
    let media_type = file::media_type(request.headers());
    if !["text/csv", WORKBOOK_TYPE, "application/octet-stream"].contains(&media_type.as_str()) {
        query.complain("body", "must be a file: send Content-Type: text/csv or the one of XLSX");
    }
    let params: RecordImportParams = query.read();
    query.read::<LanguageParams>();
    query.check()?;
    let mapping = params.mapping.as_deref().map(mapping).transpose()?;
    let options = RecordImport { dry_run: params.dry_run.unwrap_or_default(), mapping, language };
    run(app, caller, request, options).await
}

fn mapping(text: &str) -> Result<Mapping, ApiError> {
    let names = serde_json::from_str::<BTreeMap<String, Option<String>>>(text);
    names
        .map(Mapping::ByHeading)
        .map_err(|_| Error::from(Violations::one("mapping", ExchangeComplaint::NotAMapping)).into())
}

async fn run<T: Importable>(
    app: App,
    caller: Caller,
    request: Request,
    options: RecordImport,
) -> Result<Response, ApiError> {
    require_import::<T>(&caller)?;
    let upload = file::received(&app, &caller, request).await?;
    let report = app.records.import_records::<T>(&caller, upload, options).await?;
    if report.is_refused() && !report.dry_run {
        return Ok(respond::json(StatusCode::UNPROCESSABLE_ENTITY, refused(&problems(&report))));
    }
    let data = RecordImportResult::from(&report);
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}

/// The most problems that are reported.
const MAX_PROBLEMS: usize = 200;

fn problems(report: &RecordImportReport) -> LineProblems {
    let mut problems = LineProblems::default();
    for line in &report.lines {
        let LineOutcome::Refused(violations) = &line.outcome else { continue };
        for (field, messages) in violations.fields() {
            for message in messages {
                problems.total += 1;
                if problems.first.len() < MAX_PROBLEMS {
                    let (line, field) = (line.line, field.clone());
                    problems.first.push(LineProblem { line, field, message: message.clone() });
                }
            }
        }
    }
    problems
}
