//! The register of information as a file: imports and exports official packages and tables, cell by cell.

use app::{
    App,
    authz::Caller,
    register::{ExportFormat, ImportOptions, RegisterImport, RegisterImportOutcome, WORKBOOK_TYPE},
    report::{Content, TableFormat},
};
use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use domain::{
    id::RegisterFilingId,
    moment::Day,
    register::{
        Template,
        filing::{Scope, difference::DifferencePart},
    },
    violation::Complaint,
    wording::Language,
};
use http::{StatusCode, header};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::rows::{ProblemCounts, RegisterCheck};
use crate::{
    ApiError,
    error::Code,
    extract::{PageQuery, Parsed, Reader, Writer, file},
    respond::{self, Data},
    v1::wire::{FileErrors, KeyedErrors, words},
};

words! {
    RegisterScope = Scope, "Whose register it is.";
}

/// The result of an import of the register.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegisterImportResult)]
pub(crate) struct Import {
    templates: Vec<ImportedTemplate>,
    /// What the rows changed in the ICT arrangements.
    arrangements: ImportedArrangements,
    readiness_pct: u8,
    /// The problems of the register as it is after the import.
    problems: ProblemCounts,
    /// The first 200 problems. Rows of the file are named by their line.
    checks: Vec<RegisterCheck>,
    /// `true` if nothing was stored.
    dry_run: bool,
}

/// A template of the file. Its rows replace those that were stored.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegisterImportTemplate)]
pub(crate) struct ImportedTemplate {
    #[schema(example = "B_05.01")]
    template: &'static str,
    rows: u64,
}

/// Arrangements that follow from the rows.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegisterImportArrangements)]
pub(crate) struct ImportedArrangements {
    added: u64,
    changed: u64,
}

/// Why nothing was imported.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegisterImportRefusal)]
pub(crate) struct ImportRefusal {
    error: String,
    /// Always `validation_failed`.
    code: Code,
    #[schema(required = false)]
    problems: Vec<RegisterCheck>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportParams {
    /// The template that a CSV file contains, such as `B_02.01`. Not needed for a package or a workbook.
    #[param(value_type = Option<String>)]
    template: Option<Parsed<Template>>,
    /// `true` checks the file, but stores nothing.
    dry_run: Option<bool>,
}

/// The kind of file.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RegisterExportFormat)]
pub(crate) enum FormatName {
    Package,
    Csv,
    Xlsx,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportParams {
    /// `package` (the default) is the official report package, `csv` one template or an archive of all, `xlsx` a workbook
    /// with one sheet for each template.
    #[param(inline)]
    format: Option<FormatName>,
    /// For a package: `individual` (the default) or `consolidated`.
    #[param(inline, value_type = Option<RegisterScope>)]
    scope: Option<Parsed<Scope>>,
    /// For a package; the last day of the previous year by default.
    #[param(value_type = Option<String>, format = Date)]
    reference_date: Option<Parsed<Day>>,
    /// For CSV: the template. If absent, all templates come in one archive.
    #[param(value_type = Option<String>)]
    template: Option<Parsed<Template>>,
    /// Only what changed since then, as CSV or XLSX with one line for each cell: the id of a filing, or `last` for the
    /// newest one.
    since: Option<String>,
}

impl From<&RegisterImport> for Import {
    fn from(import: &RegisterImport) -> Self {
        let templates = import.templates.iter();
        Self {
            templates: templates
                .map(|(template, rows)| ImportedTemplate { template: template.id(), rows: *rows })
                .collect(),
            arrangements: ImportedArrangements {
                added: import.arrangements.added,
                changed: import.arrangements.changed,
            },
            readiness_pct: import.readiness_pct,
            problems: import.problems.into(),
            checks: import.checks.iter().map(RegisterCheck::from).collect(),
            dry_run: import.dry_run,
        }
    }
}

/// Imports the register of information from a report package, a workbook or a template as CSV.
///
/// A workbook has one sheet for each template, named by its code such as `B_05.01`, with the column codes in the first row.
/// Every template in the file replaces the stored one; its cells are kept as they are. The answer lists what is wrong
/// with the register afterwards. A table that cannot be read is refused, and nothing is stored.
#[utoipa::path(post, path = "/api/v1/register/import", tag = "register of information",
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
    mut query: PageQuery,
    request: Request,
) -> Result<Response, ApiError> {
    let kind = file::media_type(request.headers());
    let params: ImportParams = query.read();
    let options = ImportOptions {
        template: params.template.map(Parsed::value),
        dry_run: params.dry_run.unwrap_or(false),
        workbook: kind == WORKBOOK_TYPE,
    };
    query.check()?;
    if !["text/csv", "application/zip", WORKBOOK_TYPE, "application/octet-stream"].contains(&kind.as_str()) {
        let message = "must be a file: send Content-Type: text/csv, application/zip or the one of XLSX";
        return Err(app::Error::invalid("body", Complaint::protocol(message)).into());
    }
    let file = file::received(&app, &caller, request).await?;
    match app.third_parties.import_register(&caller, file, options).await? {
        RegisterImportOutcome::Done(import) => {
            let data = Data { data: Import::from(&import) };
            Ok(respond::json(StatusCode::OK, respond::to_json(&data)))
        }
        RegisterImportOutcome::Refused(checks) => {
            let first = checks.first().map(|check| check.message.to_string()).unwrap_or_default();
            let body = ImportRefusal {
                error: format!(
                    "nothing was imported, {} problems were found; the first: {first}",
                    checks.len()
                ),
                code: Code::ValidationFailed,
                problems: checks.iter().map(RegisterCheck::from).collect(),
            };
            Ok(respond::json(StatusCode::UNPROCESSABLE_ENTITY, respond::to_json(&body)))
        }
    }
}

/// Exports the register of information.
///
/// The package holds all fifteen templates under their official names and can be filed as it is. The same register gives
/// the same file. A workbook has the column codes in the first row of each sheet and their titles in the second; every cell
/// is text, so that it can be edited and imported again.
#[utoipa::path(get, path = "/api/v1/register/export", operation_id = "exportRegister",
    tag = "register of information", params(ExportParams),
    responses((status = 200, content((String = "application/zip"), (String = "text/csv"),
        (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))), KeyedErrors))]
pub(crate) async fn export(
    State(app): State<App>,
    Reader(caller): Reader,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let params: ExportParams = query.read();
    let template = params.template.map(Parsed::value);
    if let Some(since) = params.since {
        return changes(&app, &caller, query, (since, params.format, template)).await;
    }
    query.check()?;
    let format = match params.format.unwrap_or(FormatName::Package) {
        FormatName::Package => ExportFormat::Package {
            scope: params.scope.map_or(Scope::Individual, Parsed::value),
            reference_date: params.reference_date.map(Parsed::value),
        },
        FormatName::Csv => template.map_or(ExportFormat::Tables, ExportFormat::Table),
        FormatName::Xlsx => ExportFormat::Workbook(Language::English),
    };
    let file = app.third_parties.export_register(&caller, format).await?;
    let headers = [
        (header::CONTENT_TYPE, file.media_type.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", file.name)),
    ];
    Ok((headers, file.bytes).into_response())
}

/// The changes since a filing.
async fn changes(
    app: &App,
    caller: &Caller,
    mut query: PageQuery,
    (since, format, template): (String, Option<FormatName>, Option<Template>),
) -> Result<Response, ApiError> {
    let format = match format {
        None | Some(FormatName::Csv) => Some(TableFormat::Csv),
        Some(FormatName::Xlsx) => Some(TableFormat::Xlsx(Language::English)),
        Some(FormatName::Package) => None,
    };
    if format.is_none() {
        query.complain("format", "must be csv or xlsx for what changed");
    }
    let is_last = since == "last";
    let since = if is_last { None } else { query.id::<RegisterFilingId>("since", Some(&since), "a filing") };
    query.check()?;
    let (Some(format), false) = (format, since.is_none() && !is_last) else {
        return Err(ApiError::not_found());
    };
    let since = match since {
        Some(since) => since,
        None => app.report.newest_register_filing(caller).await?,
    };
    let part = DifferencePart { template, ..DifferencePart::default() };
    let file =
        app.report.register_changes_file(caller, since, None, part, (format, Language::English)).await?;
    let kind = match format {
        TableFormat::Csv => "text/csv; charset=utf-8; header=present",
        TableFormat::Xlsx(_) => WORKBOOK_TYPE,
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", file.name)),
    ];
    let body = match file.content {
        Content::Bytes(bytes) => Body::from(bytes),
        Content::Stored(file) => Body::from_stream(app::report::chunks(file)),
    };
    Ok((headers, body).into_response())
}
