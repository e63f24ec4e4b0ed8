//! Imports candidates for incidents from a CSV file.

use app::{
    App, Error,
    incident::{IncidentImportOutcome, IncidentImportReport},
};
use axum::{
    extract::{Request, State},
    response::Response,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{PageQuery, Writer, file},
    respond::{self, Data},
    v1::{
        resilience::findings::import::{FindingImportRefusal, refused},
        wire::FileErrors,
    },
};

/// The result of an import of candidates.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IncidentImportResult {
    /// Lines of the file.
    lines: u64,
    /// Incidents that were opened.
    added: u64,
    /// Lines with the title and time of detection of an incident that is there already.
    skipped: u64,
    /// `true` if nothing was stored.
    dry_run: bool,
}

impl From<&IncidentImportReport> for IncidentImportResult {
    fn from(report: &IncidentImportReport) -> Self {
        let IncidentImportReport { lines, added, skipped, dry_run } = *report;
        Self { lines, added, skipped, dry_run }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct IncidentImportParams {
    /// `true` checks the file and counts the incidents, but stores nothing.
    dry_run: Option<bool>,
}

/// Imports candidates for incidents from a CSV file or the first sheet of a workbook.
///
/// Every line opens an incident that is to be classified. Either the whole file is imported or nothing; lines that are
/// incidents already are skipped. Columns: `title`, `detected_at`, `aware_at`, `occurred_at`, `regimes`,
/// `description`, `functions`, `providers`, `root_cause`.
#[utoipa::path(post, path = "/api/v1/incidents/import", tag = "incidents",
    params(IncidentImportParams), request_body(content((String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, body = Data<IncidentImportResult>),
              (status = 422, body = FindingImportRefusal, description = "The file or a parameter is not valid. Nothing \
                  was imported. The errors of parameters are in `details` instead of `problems`."),
              FileErrors))]
pub(crate) async fn import(
    State(app): State<App>,
    Writer(caller): Writer,
    mut query: PageQuery,
    request: Request,
) -> Result<Response, ApiError> {
    let params: IncidentImportParams = query.read();
    let dry_run = params.dry_run.unwrap_or(false);
    query.check()?;
    let upload = file::received(&app, &caller, request).await?;
    // A complete upload is imported even if the client has disconnected.
    let import = async move { app.resilience.import_incidents(&caller, upload, dry_run).await };
    let outcome = tokio::spawn(import).await.map_err(Error::internal)??;
    Ok(match &outcome {
        IncidentImportOutcome::Done(report) => {
            let data = IncidentImportResult::from(report);
            respond::json(StatusCode::OK, respond::to_json(&Data { data }))
        }
        IncidentImportOutcome::Refused(problems) => {
            respond::json(StatusCode::UNPROCESSABLE_ENTITY, refused(problems))
        }
    })
}
