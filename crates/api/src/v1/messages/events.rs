//! The stream of events: every write to a record of the tenant, to pull.
#![expect(unused_qualifications, reason = "the documentation macro qualifies what it names")]

use app::{
    App,
    record_event::{EventPage, EventQuery, EventSubject as AppSubject, RecordEvent as AppEvent},
};
use axum::{extract::State, response::Response};
use domain::{
    id::{EventId, TenantId},
    moment::Moment,
    page::PageRequest,
    violation::{Complaint, Violations},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::event_hooks;
use crate::{
    ApiError,
    extract::{PageQuery, Parsed, Reader, query::Limit},
    respond,
    v1::{
        Subject,
        wire::{CursorError, KeyedErrors},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "events",
    about: "Every write to a record of the tenant and what else happened, to pull or to receive, so that a copy \
            elsewhere never drifts.",
    list: None,
    routes: |router| {
        router
            .routes(routes!(list))
            .routes(routes!(event_hooks::list, event_hooks::create))
            .routes(routes!(event_hooks::get, event_hooks::patch, event_hooks::delete))
            .routes(routes!(event_hooks::rotate))
            .routes(routes!(event_hooks::deliveries))
            .routes(routes!(event_hooks::resend))
            .routes(routes!(event_hooks::replay))
    },
};

/// A write to a record, or what happened besides.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecordEvent {
    /// The id of the event. It is the same whenever the event is read or sent again.
    #[schema(value_type = String, example = "evt_01k9x14js0e00000000000000a")]
    id: EventId,
    /// The kind of record and what happened to it: `created`, `changed`, `status_changed`, `archived` or `deleted`. Or
    /// what happened besides: `report.due`, `report.submitted`, `report.corrected`, `clock.approaching`,
    /// `analysis.finished` or `import.finished`.
    #[schema(example = "finding.status_changed")]
    r#type: String,
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    /// The id of the tenant.
    #[schema(value_type = String, example = "ten_01k9x14js0e00000000000000a")]
    tenant: TenantId,
    subject: EventSubject,
    /// Who wrote it: the id of a user or key, `operator` or `system`.
    #[schema(example = "key_01k9x14js0e00000000000000a")]
    actor: String,
    data: EventData,
}

/// The record that was written, or that something happened to. An analysis (`analysis`) has no versions; an import
/// (`finding_import`, `incident_import`, `register_import`) has the id of the tenant.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventSubject {
    #[schema(example = "fnd_01k9x14js0e00000000000000a")]
    id: String,
    #[schema(example = "finding")]
    kind: &'static str,
    /// Null for kinds without references.
    #[schema(example = "F-2026-0042")]
    reference: Option<String>,
    /// The version that the write made; of a deleted record the last one. Where the service only computed values of the
    /// record again, it is the version as before.
    version: i64,
}

/// What the write changed, in the form of the versions of the record.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventData {
    /// The record before; null for a new record, and where the service only computed values of it again.
    #[schema(value_type = Option<Object>)]
    before: Option<Value>,
    /// The record after; null for a deleted record.
    #[schema(value_type = Option<Object>)]
    after: Option<Value>,
    /// Only of what happened besides writes: what else there is to say about it, such as the stage of a report.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    detail: Option<Value>,
}

/// Some events, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Events {
    data: Vec<RecordEvent>,
    meta: EventsMeta,
}

/// Where the events end.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventsMeta {
    /// Events in this answer.
    count: u64,
    /// Send it as `after` to read on. It is there also if no event is, and can be used for 30 days.
    next_cursor: String,
    /// Whether there may be more events already.
    more: bool,
}

/// Which events are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventParams {
    /// Events per page. The maximum is 500; a larger number is treated as 500.
    #[param(inline, value_type = Option<Limit>)]
    limit: Option<Parsed<Limit>>,
    /// `meta.next_cursor` of the answer before. Without it, the events of the last 30 days are read from their
    /// beginning; `latest` answers no event and the cursor of this moment.
    after: Option<String>,
    /// Only events about records of these kinds, or about `analysis`, `finding_import`, `incident_import` or
    /// `register_import`, with commas between them.
    #[param(example = "finding,risk")]
    kinds: Option<String>,
}

impl RecordEvent {
    pub(crate) fn of(event: AppEvent, tenant: TenantId) -> Self {
        Self {
            id: event.id,
            r#type: event.name(),
            at: event.at,
            tenant,
            subject: EventSubject {
                id: event.record,
                kind: event.kind,
                reference: event.reference,
                version: event.version,
            },
            actor: event.actor,
            data: EventData { before: event.before, after: event.after, detail: event.detail },
        }
    }
}

/// Lists the writes to records and what else happened, in the order of the commits.
///
/// Events are kept for 30 days. A client that reads on with `meta.next_cursor` gets every event at least once and in
/// order, with deletions; none becomes visible before one that comes earlier in the order. A key whose scopes leave
/// out a resource gets no events about its records.
#[utoipa::path(get, path = "/api/v1/events", operation_id = "listEvents", tag = "events", params(EventParams),
    responses((status = 200, body = Events), KeyedErrors, CursorError))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let params: EventParams = query.read();
    query.check()?;
    let kinds = params.kinds.as_deref().map(kinds_of).transpose()?.unwrap_or_default();
    let page = PageRequest::new(params.limit.map(|Parsed(Limit(limit))| limit), None).unwrap_or_default();
    let asked = EventQuery { after: params.after, kinds, limit: page.limit() };
    let EventPage { events, next, more } = app.messages.events(&caller, asked).await?;
    let data: Vec<_> = events.into_iter().map(|event| RecordEvent::of(event, caller.tenant())).collect();
    let meta = EventsMeta { count: data.len() as u64, next_cursor: next, more };
    Ok(respond::json(StatusCode::OK, respond::to_json(&Events { data, meta })))
}

fn kinds_of(text: &str) -> Result<Vec<AppSubject>, Violations> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    let known = |word| AppSubject::of_noun(word).ok_or_else(|| Violations::one("kinds", unknown(word)));
    words.map(known).collect()
}

fn unknown(word: &str) -> Complaint {
    let nouns: Vec<_> = AppSubject::all().map(|subject| subject.noun).collect();
    let word: String = word.chars().take(80).collect();
    Complaint::protocol(format_args!("{word} is no kind of record: use {}", nouns.join(", ")))
}
