//! Webhooks.

pub(crate) mod deliveries;
pub(crate) mod events;

use app::{App, webhook::Webhook as AppWebhook};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    event::EventKind,
    id::WebhookId,
    moment::Moment,
    text::Name,
    webhook::{Channel, Events, MAX_URL, WebhookDraft, WebhookPatch},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::{
    ApiError,
    extract::{
        Body, Fields, IdPath, IfMatch, IfNoneMatch, ListParams, ListQuery, Parsed, Reader, Switch, Writer,
    },
    respond::{self, Data, List},
    schema::body,
    v1::{
        Subject,
        wire::{BodyErrors, KeyedErrors, NotModified, StaleError, words},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "webhooks",
    about: "Notifications to Slack, Microsoft Teams and email, and their deliveries.",
    list: None,
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(get, put, patch, delete))
            .routes(routes!(deliveries::test))
            .routes(routes!(deliveries::list))
            .routes(routes!(deliveries::retry))
            .routes(routes!(deliveries::replay))
    },
};

words! {
    WebhookChannel = Channel, "The kind of destination.";
    EventName = EventKind, "The name of an event.";
}

/// A destination for notifications, and the events it receives.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Webhook {
    #[schema(value_type = String, example = "whk_01k9x14js0e00000000000000a")]
    id: WebhookId,
    #[schema(example = "Security operations channel")]
    name: String,
    channel: WebhookChannel,
    /// Complete for keys with the permission `write`; for others the secret part is masked.
    #[schema(format = "uri")]
    url: String,
    events: Vec<EventName>,
    active: bool,
    /// Whether messages may be sent. The owner of an email address outside the institution's domains has to agree first,
    /// with the link that was sent there.
    confirmed: bool,
    /// Whether deliveries are currently failing.
    failing: bool,
    last_delivery: Option<LastDelivery>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// The latest attempt to deliver.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LastDelivery {
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    outcome: deliveries::DeliveryOutcome,
}

body! {
    /// A webhook to create. It is active from the start.
    NewWebhook from WebhookChange {
        required: ["name", "channel", "url", "events"],
        without: ["active"],
        example: {
            "name": "Security operations channel",
            "channel": "slack",
            "url": "https://hooks.slack.com/services/T000/B000/token",
            "events": ["finding.created", "deadline.approaching"],
        }
    }
}

/// Changes to a webhook. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "active": false }))]
pub(crate) struct WebhookChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    name: Option<String>,
    #[schema(value_type = Option<WebhookChannel>, nullable = false)]
    channel: Option<Parsed<Channel>>,
    /// Must be an allowed destination of the channel. For email: `mailto:` and one address.
    #[schema(
        max_length = 512,
        format = "uri",
        nullable = false,
        example = "https://hooks.slack.com/services/T000/B000/token"
    )]
    url: Option<String>,
    #[schema(value_type = Option<Vec<EventName>>, min_items = 1, nullable = false)]
    events: Option<Vec<Parsed<EventKind>>>,
    /// Whether events are sent.
    #[schema(value_type = Option<bool>, nullable = false)]
    active: Option<Switch>,
}

impl From<&AppWebhook> for Webhook {
    fn from(webhook: &AppWebhook) -> Self {
        let row = &webhook.record;
        Self {
            id: row.id,
            name: row.name.to_string(),
            channel: row.channel.into(),
            url: webhook.url.clone(),
            events: row.events.iter().map(EventName::from).collect(),
            active: row.active,
            confirmed: !row.pending,
            failing: row.health.failing_since.is_some(),
            last_delivery: row.last_try.map(|last| LastDelivery { at: last.at, outcome: last.class.into() }),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// Lists webhooks.
///
/// The oldest come first.
#[utoipa::path(get, path = "/api/v1/webhooks", tag = "webhooks", params(ListParams),
    responses((status = 200, body = List<Webhook>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |page: &_| respond::to_json(&List::<Webhook>::of(page));
    let rendered = app.messages.webhook_page(&caller, query.page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Creates a webhook.
#[utoipa::path(post, path = "/api/v1/webhooks", tag = "webhooks", request_body = NewWebhook,
    responses((status = 201, body = Data<Webhook>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    let draft = draft_from(&app, body.fields)?;
    let render = |webhook: &_| respond::to_text(&Data { data: Webhook::from(webhook) });
    let creation = app.messages.create_webhook(&caller, draft, body.idempotency, render).await?;
    Ok(respond::created(creation, Some("/api/v1/webhooks")))
}

/// Gets a webhook.
#[utoipa::path(get, path = "/api/v1/webhooks/{webhook}", tag = "webhooks",
    params(("webhook" = String, Path)),
    responses((status = 200, body = Data<Webhook>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<WebhookId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (webhook, revision) = app.messages.webhook(&caller, id).await?;
    let validator = app.record_validator(webhook.record.version, revision);
    Ok(respond::record(&Webhook::from(&webhook), &validator, &if_none_match))
}

/// Updates a webhook, like `PATCH`.
///
/// Fields that are absent keep their values.
#[utoipa::path(put, path = "/api/v1/webhooks/{webhook}", tag = "webhooks", request_body = WebhookChange,
    params(("webhook" = String, Path)),
    responses((status = 200, body = Data<Webhook>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn put(
    app: State<App>,
    writer: Writer,
    id: IdPath<WebhookId>,
    if_match: IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    patch(app, writer, id, if_match, body).await
}

/// Updates a webhook.
///
/// Fields that are absent keep their values.
#[utoipa::path(patch, path = "/api/v1/webhooks/{webhook}", tag = "webhooks", request_body = WebhookChange,
    params(("webhook" = String, Path)),
    responses((status = 200, body = Data<Webhook>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<WebhookId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let patch = patch_from(body.fields)?;
    let (webhook, revision) = app.messages.change_webhook(&caller, id, patch, precondition).await?;
    let validator = app.record_validator(webhook.record.version, revision);
    Ok(respond::record(&Webhook::from(&webhook), &validator, &IfNoneMatch::default()))
}

/// Deletes a webhook.
#[utoipa::path(delete, path = "/api/v1/webhooks/{webhook}", tag = "webhooks",
    params(("webhook" = String, Path)),
    responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<WebhookId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    app.messages.delete_webhook(&caller, id, precondition).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn draft_from(app: &App, mut fields: Fields) -> Result<WebhookDraft, ApiError> {
    for field in ["name", "channel", "url", "events"] {
        fields.require(field);
    }
    let request: WebhookChange = fields.read();
    let name = request.name.and_then(|name| fields.keep("name", Name::parse(&name)));
    let channel = request.channel.map(Parsed::value);
    let url = url(&mut fields, request.url);
    let events = events(&mut fields, request.events);
    if matches!(request.active, Some(Switch(false))) {
        fields.complain("active", "cannot be false on creation: create the webhook first, then PATCH it");
    }
    let destination = channel.zip(url).and_then(|(channel, url)| {
        let checked = app.allowlist.check(channel, &url);
        fields.keep("url", checked)
    });
    let draft = (|| {
        Some(WebhookDraft { name: name?, channel: channel?, destination: destination?, events: events? })
    })();
    fields.finish(draft)
}

fn patch_from(mut fields: Fields) -> Result<WebhookPatch, ApiError> {
    let request: WebhookChange = fields.read();
    let patch = WebhookPatch {
        name: request.name.and_then(|name| fields.keep("name", Name::parse(&name))),
        channel: request.channel.map(Parsed::value),
        url: url(&mut fields, request.url),
        events: events(&mut fields, request.events),
        active: request.active.map(|Switch(on)| on),
    };
    fields.finish(Some(patch))
}

fn url(fields: &mut Fields, text: Option<String>) -> Option<String> {
    fields.keep("url", domain::text::line(&text?, MAX_URL).map(str::to_owned))
}

fn events(fields: &mut Fields, kinds: Option<Vec<Parsed<EventKind>>>) -> Option<Events> {
    let kinds = kinds?.into_iter().map(Parsed::value).collect();
    fields.keep("events", Events::new(kinds))
}
