//! The log of an incident.

use app::{App, incident::LogEntry};
use axum::{extract::State, response::Response};
use domain::{
    id::IncidentId,
    incident::log::{LogInput, LogKind, LogLine},
    moment::Moment,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Body, IdPath, PageParams, PageQuery, Reader, Writer},
    respond::{self, Data, List},
    v1::wire::{BodyErrors, KeyedErrors},
};

/// A line to add to the log.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "kind": "call", "text": "Called the head of payments", "at": "2026-11-14T01:25:00Z" }))]
pub(crate) struct NewLogLine {
    /// `note`, `decision`, `call`, `measure` or `authority`; `note` when nothing is said.
    kind: Option<Option<String>>,
    /// When it happened; now when nothing is said.
    #[schema(format = DateTime)]
    at: Option<Option<String>>,
    #[schema(required = true, nullable = false, min_length = 1, max_length = 10_000)]
    text: Option<Option<String>>,
}

/// A line of the log. Lines are added and never changed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IncidentLogLine {
    #[schema(value_type = String, example = "decision")]
    kind: LogKind,
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    text: String,
    /// The key or person that wrote it down.
    author: String,
    #[schema(value_type = String, format = DateTime)]
    recorded_at: Moment,
}

impl IncidentLogLine {
    fn new(line: &LogLine, author: &str, recorded_at: Moment) -> Self {
        Self {
            kind: line.kind,
            at: line.at,
            text: line.text.to_string(),
            author: author.to_owned(),
            recorded_at,
        }
    }
}

impl From<&LogEntry> for IncidentLogLine {
    fn from(entry: &LogEntry) -> Self {
        Self::new(&entry.row.line, &entry.row.actor, entry.row.recorded_at)
    }
}

/// Lists the log of an incident.
///
/// The latest line comes first.
#[utoipa::path(get, path = "/api/v1/incidents/{id}/log", tag = "incidents",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<IncidentLogLine>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<IncidentId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    let page = app.resilience.incident_log(&caller, id, query.check()?.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<IncidentLogLine>::of(&page))))
}

/// Adds a line to the log of an incident.
#[utoipa::path(post, path = "/api/v1/incidents/{id}/log", operation_id = "addIncidentLogLine",
    tag = "incidents", request_body = NewLogLine,
    params(("id" = String, Path)),
    responses((status = 201, body = Data<IncidentLogLine>), KeyedErrors, BodyErrors))]
pub(crate) async fn add(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<IncidentId>,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let request: NewLogLine = fields.read();
    let input = LogInput { kind: request.kind.into(), at: request.at.into(), text: request.text.into() };
    let input = fields.finish(Some(input))?;
    let (line, recorded_at) = app.resilience.log_incident(&caller, id, &input).await?;
    let data = IncidentLogLine::new(&line, &caller.actor().to_string(), recorded_at);
    Ok(respond::json(StatusCode::CREATED, respond::to_json(&Data { data })))
}
