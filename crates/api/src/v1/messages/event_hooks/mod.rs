//! Event hooks.

pub(crate) mod docs;

use app::{
    App,
    event_hook::{EventHook as AppHook, NewSecret},
    record_event::EventSubject,
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    event_hook::{EventFilter, EventHookDraft, EventHookPatch, EventPatterns},
    id::{DeliveryId, EventHookId},
    moment::Moment,
    text::Name,
    vocabulary::Severity as SeverityWord,
    webhook::{Destination, MAX_URL},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::webhooks::deliveries::{Delivery, DeliveryFilters, DeliveryOutcome, ReplayRequest, Replayed};
use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IdsPath, IfMatch, IfNoneMatch, ListParams, ListQuery, Parsed, Reader, Switch,
        Writer,
    },
    respond::{self, Data, List},
    schema::body,
    v1::wire::{BodyErrors, KeyedErrors, NotModified, Severity, StaleError},
};

/// A system of the tenant that receives events about its records.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventHook {
    #[schema(value_type = String, example = "evh_01k9x14js0e00000000000000a")]
    id: EventHookId,
    #[schema(example = "Data warehouse")]
    name: String,
    /// In full for keys with the permission `write`; for others only its origin.
    #[schema(format = "uri", example = "https://events.bank.example/tidewall")]
    url: String,
    /// The names of events, or patterns; empty for all.
    #[schema(example = json!(["finding.*", "*.deleted"]))]
    events: Vec<String>,
    filter: EventHookFilter,
    /// Whether events are sent.
    active: bool,
    /// Whether the latest attempts failed.
    failing: bool,
    /// The latest attempt; null before the first.
    last_delivery: Option<LastEventDelivery>,
    /// Until when events are signed with the secret before the current one as well; null if they are not.
    #[schema(value_type = Option<String>, format = DateTime)]
    previous_secret_until: Option<Moment>,
    /// Only in the answer that creates the event hook or its secret: signs the events.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=")]
    secret: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// Which of the events are sent. What is empty or null limits nothing. An event is also sent if the record had the
/// severity or the owner before it was written, so that a receiver learns that a record left its selection.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventHookFilter {
    /// Kinds of records.
    #[schema(example = json!(["finding"]))]
    kinds: Vec<String>,
    severity: Vec<Severity>,
    owner: Option<String>,
}

/// The latest attempt to send to an event hook.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LastEventDelivery {
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    outcome: DeliveryOutcome,
}

body! {
    /// A new event hook.
    NewEventHook from EventHookChange {
        required: ["name", "url"],
        without: [],
        example: {
            "name": "Data warehouse",
            "url": "https://events.bank.example/tidewall",
            "events": ["finding.*", "*.deleted"],
        }
    }
}

/// Changes to an event hook. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "active": false }))]
pub(crate) struct EventHookChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    name: Option<String>,
    /// An https address on port 443 of a public host, one that the operator allows.
    #[schema(
        max_length = 512,
        format = "uri",
        nullable = false,
        example = "https://events.bank.example/tidewall"
    )]
    url: Option<String>,
    /// Names of events such as `finding.created` and `report.submitted`, or patterns such as `finding.*` and
    /// `*.deleted`; empty for all.
    #[schema(max_items = 100, nullable = false)]
    events: Option<Vec<String>>,
    #[schema(nullable = false)]
    filter: Option<EventHookFilterChange>,
    /// Whether events are sent.
    #[schema(value_type = Option<bool>, nullable = false)]
    active: Option<Switch>,
}

/// Which of the events are sent. Parts that are absent limit nothing.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct EventHookFilterChange {
    #[schema(nullable = false)]
    kinds: Option<Vec<String>>,
    #[schema(value_type = Option<Vec<Severity>>, nullable = false)]
    severity: Option<Vec<Parsed<SeverityWord>>>,
    #[schema(min_length = 1, max_length = 255)]
    owner: Option<String>,
}

impl From<&AppHook> for EventHook {
    fn from(hook: &AppHook) -> Self {
        let row = &hook.record;
        Self {
            id: row.id,
            name: row.name.to_string(),
            url: hook.url.clone(),
            events: row.events.iter().map(str::to_owned).collect(),
            filter: EventHookFilter {
                kinds: row.filter.kinds.clone(),
                severity: row.filter.severities.iter().map(|word| Severity::from(*word)).collect(),
                owner: row.filter.owner.as_ref().map(ToString::to_string),
            },
            active: row.active,
            failing: row.health.failing_since.is_some(),
            last_delivery: row
                .last_try
                .map(|last| LastEventDelivery { at: last.at, outcome: last.class.into() }),
            previous_secret_until: hook.former_until,
            secret: None,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&NewSecret> for EventHook {
    fn from(new: &NewSecret) -> Self {
        Self { secret: Some(new.secret.reveal()), ..Self::from(&new.hook) }
    }
}

/// Lists event hooks.
///
/// The oldest come first.
#[utoipa::path(get, path = "/api/v1/event-hooks", tag = "events", params(ListParams),
    responses((status = 200, body = List<EventHook>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |page: &_| respond::to_json(&List::<EventHook>::of(page));
    let rendered = app.messages.event_hook_page(&caller, query.page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Creates an event hook.
///
/// It receives what happens from now on. The answer contains its secret, which is not shown again.
#[utoipa::path(post, path = "/api/v1/event-hooks", tag = "events", request_body = NewEventHook,
    responses((status = 201, body = Data<EventHook>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    let draft = draft_from(&app, body.fields)?;
    let render = |new: &NewSecret| respond::to_text(&Data { data: EventHook::from(new) });
    let creation = app.messages.create_event_hook(&caller, draft, body.idempotency, render).await?;
    Ok(respond::created(creation, Some("/api/v1/event-hooks")))
}

/// Gets an event hook.
#[utoipa::path(get, path = "/api/v1/event-hooks/{hook}", tag = "events",
    params(("hook" = String, Path)),
    responses((status = 200, body = Data<EventHook>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<EventHookId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (hook, revision) = app.messages.event_hook(&caller, id).await?;
    let validator = app.record_validator(hook.record.version, revision);
    Ok(respond::record(&EventHook::from(&hook), &validator, &if_none_match))
}

/// Updates an event hook.
///
/// Fields that are absent keep their values; `filter` is replaced as a whole.
#[utoipa::path(patch, path = "/api/v1/event-hooks/{hook}", tag = "events", request_body = EventHookChange,
    params(("hook" = String, Path)),
    responses((status = 200, body = Data<EventHook>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EventHookId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let patch = patch_from(&app, body.fields)?;
    let (hook, revision) = app.messages.change_event_hook(&caller, id, patch, precondition).await?;
    let validator = app.record_validator(hook.record.version, revision);
    Ok(respond::record(&EventHook::from(&hook), &validator, &IfNoneMatch::default()))
}

/// Deletes an event hook.
#[utoipa::path(delete, path = "/api/v1/event-hooks/{hook}", tag = "events",
    params(("hook" = String, Path)),
    responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EventHookId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    app.messages.delete_event_hook(&caller, id, precondition).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Makes a new secret for an event hook.
///
/// The answer contains it, and it is not shown again. For 24 hours events are signed with the secret before as well.
#[utoipa::path(post, path = "/api/v1/event-hooks/{hook}/secret/rotate",
    operation_id = "rotateEventHookSecret", tag = "events",
    params(("hook" = String, Path)),
    responses((status = 200, body = Data<EventHook>), KeyedErrors))]
pub(crate) async fn rotate(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EventHookId>,
) -> Result<Response, ApiError> {
    let new = app.messages.rotate_event_hook(&caller, id).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: EventHook::from(&new) })))
}

/// Lists the deliveries of an event hook with their attempts.
///
/// The newest events come first.
#[utoipa::path(get, path = "/api/v1/event-hooks/{hook}/deliveries", tag = "events",
    params(("hook" = String, Path, description = "The id of the event hook."), ListParams, DeliveryFilters),
    responses((status = 200, body = List<Delivery>), KeyedErrors))]
pub(crate) async fn deliveries(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(hook): IdPath<EventHookId>,
    ListQuery(mut query): ListQuery,
) -> Result<Response, ApiError> {
    let filters: DeliveryFilters = query.read();
    let query = query.check()?;
    let page = app.messages.deliveries(&caller, hook, filters.state(), query.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<Delivery>::of(&page))))
}

/// Sends a delivery again, also one that arrived.
///
/// It keeps the id of its event, by which the receiver recognises it.
#[utoipa::path(post, path = "/api/v1/event-hooks/{hook}/deliveries/{id}/replay", tag = "events",
    params(("hook" = String, Path), ("id" = String, Path)),
    responses((status = 200, body = Data<Delivery>), KeyedErrors))]
pub(crate) async fn resend(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(hook, id): IdsPath<EventHookId, DeliveryId>,
) -> Result<Response, ApiError> {
    let row = app.messages.resend_delivery(&caller, hook, id).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: Delivery::from(&row) })))
}

/// Sends all deliveries again that an event hook has missed since a given time.
///
/// These are deliveries that failed, and those that were due while the service had deactivated the event hook.
#[utoipa::path(post, path = "/api/v1/event-hooks/{hook}/deliveries/replay", tag = "events",
    request_body = ReplayRequest, params(("hook" = String, Path)),
    responses((status = 200, body = Data<Replayed>), KeyedErrors, BodyErrors))]
pub(crate) async fn replay(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(hook): IdPath<EventHookId>,
    body: Body,
) -> Result<Response, ApiError> {
    let since = ReplayRequest::since(body.fields)?;
    let deliveries = app.messages.replay_deliveries(&caller, hook, since).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: Replayed::new(deliveries) })))
}

fn draft_from(app: &App, mut fields: Fields) -> Result<EventHookDraft, ApiError> {
    for field in ["name", "url"] {
        fields.require(field);
    }
    let patch = read(app, &mut fields);
    let draft = (|| {
        Some(EventHookDraft {
            name: patch.name?,
            destination: patch.destination?,
            events: patch.events.unwrap_or_default(),
            filter: patch.filter.unwrap_or_default(),
            active: patch.active.unwrap_or(true),
        })
    })();
    fields.finish(draft)
}

fn patch_from(app: &App, mut fields: Fields) -> Result<EventHookPatch, ApiError> {
    let patch = read(app, &mut fields);
    fields.finish(Some(patch))
}

fn read(app: &App, fields: &mut Fields) -> EventHookPatch {
    let request: EventHookChange = fields.read();
    EventHookPatch {
        name: request.name.and_then(|name| fields.keep("name", Name::parse(&name))),
        destination: request.url.and_then(|url| destination(app, fields, &url)),
        events: request.events.and_then(|events| fields.keep("events", EventPatterns::new(events, is_kind))),
        filter: request.filter.and_then(|filter| filter_from(fields, filter)),
        active: request.active.map(|Switch(on)| on),
    }
}

fn destination(app: &App, fields: &mut Fields, text: &str) -> Option<Destination> {
    let url = fields.keep("url", domain::text::line(text, MAX_URL).map(str::to_owned))?;
    fields.keep("url", app.allowlist.check_event_hook(&url))
}

fn filter_from(fields: &mut Fields, filter: EventHookFilterChange) -> Option<EventFilter> {
    let kinds = EventFilter::check_kinds(filter.kinds.unwrap_or_default(), is_kind);
    let kinds = fields.keep("filter.kinds", kinds);
    let severities = filter.severity.unwrap_or_default().into_iter().map(Parsed::value).collect();
    let owner = match filter.owner {
        Some(owner) => Some(fields.keep("filter.owner", Name::parse(&owner))?),
        None => None,
    };
    Some(EventFilter { kinds: kinds?, severities, owner })
}

fn is_kind(noun: &str) -> bool {
    EventSubject::of_noun(noun).is_some()
}
