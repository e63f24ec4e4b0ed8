//! Own frameworks as files: workbooks and OSCAL catalogues come in and go out.

use std::str::FromStr;

use app::{
    App, Error,
    own_framework::{Comparison, OwnFrameworkFormat, OwnFrameworkImport, OwnFrameworkImportOutcome},
    register::WORKBOOK_TYPE,
    report::Content,
};
use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use domain::id::OwnFrameworkId;
use http::{StatusCode, header};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wire::ContentName;
use crate::{
    ApiError,
    extract::{IdPath, IfMatch, PageQuery, Parsed, Reader, Writer, file},
    public::oscal::OscalDocument,
    respond::{self, Data},
    v1::{
        resilience::findings::import::{FindingImportRefusal, refused},
        wire::{FileErrors, KeyedErrors, NoSuchRecord, StaleError},
    },
};

/// The result of an import into an own framework.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnFrameworkImportResult {
    /// The ids of requirements that are new.
    created: Vec<String>,
    changed: Vec<String>,
    /// The ids of requirements that the file does not have.
    removed: Vec<String>,
    unchanged: u64,
    /// What the file says besides, of which nothing was taken.
    ignored: Vec<String>,
    /// `true` if nothing was stored.
    dry_run: bool,
}

impl From<OwnFrameworkImport> for OwnFrameworkImportResult {
    fn from(import: OwnFrameworkImport) -> Self {
        let OwnFrameworkImport { comparison, ignored, dry_run } = import;
        let Comparison { created, changed, removed, unchanged } = comparison;
        Self { created, changed, removed, unchanged, ignored, dry_run }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OwnFrameworkImportParams {
    /// `true` checks the file and compares it, but stores nothing.
    dry_run: Option<bool>,
}

/// The kind of file.
#[derive(Debug, Clone, Copy, ToSchema)]
#[schema(rename_all = "snake_case", as = OwnFrameworkFormat)]
pub(crate) enum FormatName {
    Xlsx,
    Oscal,
}

impl FromStr for FormatName {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, &'static str> {
        match word {
            "xlsx" => Ok(Self::Xlsx),
            "oscal" => Ok(Self::Oscal),
            _ => Err("must be one of oscal, xlsx"),
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OwnFrameworkExportParams {
    /// `oscal` (the default) is an OSCAL 1.2 catalogue in JSON, `xlsx` a workbook.
    #[param(inline, value_type = Option<FormatName>)]
    format: Option<Parsed<FormatName>>,
    /// `draft` (the default) for those that are worked on, `in_force` for the approved ones, or the number of a set.
    #[param(value_type = Option<String>)]
    content: Option<Parsed<ContentName>>,
}

/// Imports the requirements of an own framework from a workbook or an OSCAL catalogue.
///
/// The file takes the place of all requirements: those that it lacks are removed. Either all of it is imported or nothing.
/// The first row of the sheet `requirements`, or of the first sheet, names the columns: `id`, `chapter`, `number`,
/// `title`, `text`, `applicability`, `measures`, `based_on`. Controls of an OSCAL catalogue (JSON) become requirements,
/// their groups chapters; parameters are replaced by their labels.
#[utoipa::path(post, path = "/api/v1/own-frameworks/{id}/import", tag = "own frameworks",
    params(("id" = String, Path), OwnFrameworkImportParams),
    request_body(content(
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (String = "application/json"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, body = Data<OwnFrameworkImportResult>),
              (status = 422, body = FindingImportRefusal, description = "The file or a parameter is not valid. Nothing \
                  was imported. The errors of parameters are in `details` instead of `problems`."),
              FileErrors, NoSuchRecord, StaleError))]
pub(crate) async fn import(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<OwnFrameworkId>,
    IfMatch(precondition): IfMatch,
    mut query: PageQuery,
    request: Request,
) -> Result<Response, ApiError> {
    let params: OwnFrameworkImportParams = query.read();
    let dry_run = params.dry_run.unwrap_or(false);
    query.check()?;
    let upload = file::received(&app, &caller, request).await?;
    // What was sent whole is imported even if the caller no longer waits for the answer.
    let import =
        async move { app.compliance.import_own_framework(&caller, id, upload, dry_run, precondition).await };
    Ok(match tokio::spawn(import).await.map_err(Error::internal)?? {
        OwnFrameworkImportOutcome::Done(import) => {
            let data = OwnFrameworkImportResult::from(import);
            respond::json(StatusCode::OK, respond::to_json(&Data { data }))
        }
        OwnFrameworkImportOutcome::Refused(problems) => {
            respond::json(StatusCode::UNPROCESSABLE_ENTITY, refused(&problems))
        }
    })
}

/// Exports an own framework.
///
/// Both kinds of file can be imported again. The same framework gives the same file.
#[utoipa::path(get, path = "/api/v1/own-frameworks/{id}/export", tag = "own frameworks",
    params(("id" = String, Path), OwnFrameworkExportParams),
    responses((status = 200, content((OscalDocument = "application/json"),
        (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))), KeyedErrors))]
pub(crate) async fn export(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<OwnFrameworkId>,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let params: OwnFrameworkExportParams = query.read();
    query.check()?;
    let content = ContentName::wanted(params.content);
    let (format, kind) = match params.format {
        Some(Parsed(FormatName::Xlsx)) => (OwnFrameworkFormat::Xlsx, WORKBOOK_TYPE),
        None | Some(Parsed(FormatName::Oscal)) => (OwnFrameworkFormat::Oscal, "application/json"),
    };
    let file = app.compliance.own_framework_file(&caller, id, content, format).await?;
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
