//! Imports findings from files, and returns the template to fill in.

use std::sync::Arc;

use app::{
    App, Error,
    authz::Caller,
    finding::{FindingImport, FindingImportOutcome, FindingImportReport, LineProblem, LineProblems},
    register::WORKBOOK_TYPE,
    upload::{self, Progress, Upload},
};
use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use domain::import::{Format, SourceName, csv::TEMPLATE, encoding::Encoding};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    error::Code,
    extract::{PageQuery, Parsed, Reader, Writer, file},
    respond::{self, Data},
    stream,
    v1::wire::{FileErrors, KeyedErrors},
};

/// The result of an import of findings.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FindingImportResult {
    #[schema(example = "sarif")]
    format: &'static str,
    /// What the findings are recognised by the next time: the name that was sent, or the format.
    #[schema(example = "Penetration test 2026")]
    source: String,
    /// Findings in the file.
    results: u64,
    added: u64,
    changed: u64,
    /// Closed findings that the file reports again.
    reopened: u64,
    /// Findings that were closed because the file no longer contains them.
    closed: u64,
    /// Findings that the file no longer contains and that stay open, because only a second person closes them; absent
    /// if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u64, required = false)]
    left_open: Option<u64>,
    unchanged: u64,
    /// Entries that are not findings: passed, suppressed or absent.
    skipped: u64,
    /// Entries that repeat another entry of the file.
    repeated: u64,
    /// `true` if nothing was stored.
    dry_run: bool,
}

/// Why nothing was imported.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FindingImportRefusal {
    error: String,
    /// Always `validation_failed`.
    code: Code,
    /// The first 200 problems.
    #[schema(required = false)]
    problems: Vec<FindingImportProblem>,
    /// The total number of problems.
    #[schema(required = false)]
    total: u64,
}

/// A problem in a line of the file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FindingImportProblem {
    line: u64,
    #[schema(example = "severity")]
    field: String,
    message: String,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FindingImportParams {
    /// The format of the file: `csv`, `sarif` or `trivy`. If absent, the content type and the file decide.
    #[param(value_type = Option<String>)]
    format: Option<Parsed<Format>>,
    /// The encoding of a CSV file: `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`. If absent, it is detected.
    #[param(value_type = Option<String>)]
    encoding: Option<Parsed<Encoding>>,
    /// The name of the source of the findings; by default the format. Findings are recognised, and closed when they are
    /// missing, only within their source.
    #[param(value_type = Option<String>, min_length = 1, max_length = 100)]
    source: Option<Parsed<SourceName>>,
    /// `true` closes findings of earlier imports from the same source, tool and target that the file no longer contains.
    close_missing: Option<bool>,
    /// `true` checks the file and counts the changes, but stores nothing.
    dry_run: Option<bool>,
}

impl From<&FindingImportReport> for FindingImportResult {
    fn from(report: &FindingImportReport) -> Self {
        Self {
            format: report.format.as_str(),
            source: report.source.as_str().to_owned(),
            results: report.results,
            added: report.added,
            changed: report.changed,
            reopened: report.reopened,
            closed: report.closed,
            left_open: Some(report.left_open).filter(|count| *count > 0),
            unchanged: report.unchanged,
            skipped: report.skipped,
            repeated: report.repeated,
            dry_run: report.dry_run,
        }
    }
}

impl From<&LineProblem> for FindingImportProblem {
    fn from(problem: &LineProblem) -> Self {
        let LineProblem { line, field, message } = problem.clone();
        Self { line, field, message: message.to_string() }
    }
}

/// Imports findings from a CSV, XLSX, SARIF 2.1.0 or Trivy JSON file.
///
/// Either the whole file is imported or nothing. Findings that were imported before are recognised, so importing the
/// same file twice changes nothing. The first sheet of a workbook is read like a CSV file. With `Accept: application/x-ndjson`, the answer is a stream of lines: progress as
/// `{"progress": {"step", "rows"}}`, and finally the result or the error.
#[utoipa::path(post, path = "/api/v1/findings/import", tag = "findings",
    params(FindingImportParams),
    request_body(content(
        (String = "text/csv"), (String = "application/sarif+json"), (String = "application/json"),
        (String = "application/octet-stream"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
    responses((status = 200, body = Data<FindingImportResult>),
              (status = 422, body = FindingImportRefusal, description = "The file or a parameter is not valid. Nothing \
                  was imported. The errors of parameters are in `details` instead of `problems`."),
              FileErrors))]
pub(crate) async fn import(
    State(app): State<App>,
    Writer(caller): Writer,
    query: PageQuery,
    request: Request,
) -> Result<Response, ApiError> {
    let options = options_from(query, request.headers())?;
    let streamed = wants_progress(request.headers());
    let file = file::received(&app, &caller, request).await?;
    if streamed {
        Ok(import_response(app, caller, file, options))
    } else {
        answered(app, caller, file, options).await
    }
}

/// Downloads a CSV template for the import of findings.
///
/// It has the column headings and one example.
#[utoipa::path(get, path = "/api/v1/findings/template", tag = "findings",
    responses((status = 200, body = String, content_type = "text/csv"), KeyedErrors))]
pub(crate) async fn template(Reader(_): Reader) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"findings.csv\""),
    ];
    (headers, TEMPLATE).into_response()
}

/// A complete upload is imported even if the client has disconnected.
async fn answered(
    app: App,
    caller: Caller,
    file: Upload,
    options: FindingImport,
) -> Result<Response, ApiError> {
    let import =
        async move { app.resilience.import_findings(&caller, file, options, upload::silent()).await };
    let outcome = tokio::spawn(import).await.map_err(Error::internal)??;
    Ok(match &outcome {
        FindingImportOutcome::Done(report) => respond::json(StatusCode::OK, done(report)),
        FindingImportOutcome::Refused(problems) => {
            respond::json(StatusCode::UNPROCESSABLE_ENTITY, refused(problems))
        }
    })
}

/// The same, reported line by line while it runs. It continues if the client disconnects.
fn import_response(app: App, caller: Caller, file: Upload, options: FindingImport) -> Response {
    let (lines, body) = stream::lines();
    let progress: Progress = {
        let lines = lines.clone();
        Arc::new(move |step, rows| {
            let progress = serde_json::json!({ "progress": { "step": step.as_str(), "rows": rows } });
            lines.try_send(progress.to_string().into_bytes());
        })
    };
    tokio::spawn(async move {
        let last = match app.resilience.import_findings(&caller, file, options, progress).await {
            Ok(FindingImportOutcome::Done(report)) => done(&report),
            Ok(FindingImportOutcome::Refused(problems)) => refused(&problems),
            Err(error) => ApiError::from(error).into_line().await,
        };
        lines.send(last).await;
    });
    let mut response = Response::new(body);
    let media_type = HeaderValue::from_static("application/x-ndjson");
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response
}

fn done(report: &FindingImportReport) -> Vec<u8> {
    respond::to_json(&Data { data: FindingImportResult::from(report) })
}

pub(crate) fn refused(problems: &LineProblems) -> Vec<u8> {
    let first = problems.first.first().map(ToString::to_string).unwrap_or_default();
    respond::to_json(&FindingImportRefusal {
        error: format!("nothing was imported, {} problems were found; the first: {first}", problems.total),
        code: Code::ValidationFailed,
        problems: problems.first.iter().map(FindingImportProblem::from).collect(),
        total: problems.total,
    })
}

fn options_from(mut query: PageQuery, headers: &HeaderMap) -> Result<FindingImport, ApiError> {
    let media_type = file::media_type(headers);
    let by_type = match media_type.as_str() {
        "text/csv" => Some(Format::Csv),
        "application/sarif+json" => Some(Format::Sarif),
        "application/json" | "application/octet-stream" | WORKBOOK_TYPE => None,
        _ => {
            let message = "must be a file: send Content-Type: text/csv, application/sarif+json, application/json or the \
                           one of XLSX";
            query.complain("body", message);
            None
        }
    };
    let params: FindingImportParams = query.read();
    let named = params.format.map(Parsed::value);
    if named == Some(Format::OsvScanner) {
        query.complain("format", "must be one of csv, sarif, trivy");
    }
    let options = FindingImport {
        format: named.or(by_type),
        encoding: params.encoding.map(Parsed::value),
        source: params.source.map(Parsed::value),
        close_missing: params.close_missing.unwrap_or_default(),
        dry_run: params.dry_run.unwrap_or_default(),
    };
    query.check()?;
    Ok(options)
}

fn wants_progress(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|one| {
        one.split(';').next().is_some_and(|name| name.trim().eq_ignore_ascii_case("application/x-ndjson"))
    })
}
