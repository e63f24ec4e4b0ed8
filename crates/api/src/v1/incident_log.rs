//! The log of an incident.

use app::{App, incident::LogEntry};
use axum::{extract::State, response::Response};
use domain::{
    id::IncidentId,
    incident::log::{LogInput, LogKind, LogLine},
    moment::Moment,
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{BodyErrors, KeyedErrors};
use crate::{
    ApiError,
    extract::{Body, IdPath, PageParams, PageQuery, Reader, Writer},
    respond::{self, Data, List},
};

/// A line to add to the log.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "kind": "call", "text": "Called the head of payments", "at": "2026-11-14T01:25:00Z" }))]
#[expect(dead_code, reason = "documentation only; the handler reads the fields")]
pub(crate) struct NewLogLine {
    /// `note`, `decision`, `call`, `measure` or `authority`; `note` when nothing is said.
    kind: Option<String>,
    /// When it happened; now when nothing is said.
    #[schema(format = DateTime)]
    at: Option<String>,
    #[schema(min_length = 1, max_length = 10_000)]
    text: String,
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
    let page = app.incident_log(&caller, id, query.check()?.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<IncidentLogLine>::of(&page))))
}

/// Adds a line to the log of an incident.
#[utoipa::path(post, path = "/api/v1/incidents/{id}/log", tag = "incidents", request_body = NewLogLine,
    params(("id" = String, Path)),
    responses((status = 201, body = Data<IncidentLogLine>), KeyedErrors, BodyErrors))]
pub(crate) async fn add(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<IncidentId>,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input = LogInput {
        kind: fields.text_change("kind"),
        at: fields.text_change("at"),
        text: fields.text_change("text"),
    };
    let input = fields.finish(Some(input))?;
    let (line, recorded_at) = app.log_incident(&caller, id, &input).await?;
    let data = IncidentLogLine::new(&line, &caller.actor().to_string(), recorded_at);
    Ok(respond::json(StatusCode::CREATED, respond::to_json(&Data { data })))
}
