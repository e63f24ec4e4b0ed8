//! Deliveries of a webhook, and sending them again.
#![expect(unused_qualifications, reason = "the documentation macro qualifies what it names")]

use app::{
    App,
    delivery::{AttemptRow, DeliveryRow, TestReport},
};
use axum::{extract::State, response::Response};
use domain::{
    id::{DeliveryId, EventId, WebhookId},
    moment::Moment,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError,
    extract::{Body, Fields, IdPath, IdsPath, ListParams, ListQuery, Parsed, Reader, Writer},
    respond::{self, Data, List},
    v1::wire::{BodyErrors, KeyedErrors, words},
};

words! {
    DeliveryState = domain::delivery::DeliveryState, "The state of a delivery.";
    DeliveryOutcome = domain::delivery::AttemptClass, "The outcome of an attempt to deliver.";
}

/// The delivery of an event to a webhook or an event hook.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Delivery {
    #[schema(value_type = String, example = "dlv_01k9x14js0e00000000000000a")]
    id: DeliveryId,
    event: DeliveredEvent,
    state: DeliveryState,
    /// When the next attempt is due; null if none is.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_attempt_at: Option<Moment>,
    /// The attempts so far, oldest first.
    attempts: Vec<Attempt>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

/// The event that is delivered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DeliveredEvent {
    #[schema(value_type = String, example = "evt_01k9x14js0e00000000000000a")]
    id: EventId,
    /// The name of the event.
    #[schema(example = "finding.created")]
    r#type: String,
    #[schema(value_type = String, format = DateTime)]
    occurred_at: Moment,
}

/// An attempt to deliver.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Attempt {
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    latency_ms: u64,
    outcome: DeliveryOutcome,
    /// The reason in one word, such as `answered`, `timed_out` or `not_public`.
    reason: String,
    /// The HTTP or SMTP status, if there was an answer.
    status: Option<i64>,
    /// When the attempt after this one was due.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_attempt_at: Option<Moment>,
}

/// The outcome of a test message.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TestOutcome {
    outcome: DeliveryOutcome,
    /// The reason in one word, such as `answered`, `timed_out` or `not_public`.
    reason: &'static str,
    /// The HTTP or SMTP status, if there was an answer.
    status: Option<u16>,
    latency_ms: u64,
}

/// The time from which missed deliveries are sent again.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct ReplayRequest {
    #[schema(value_type = String, format = DateTime)]
    since: Option<Parsed<Moment>>,
}

/// The result of a replay.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Replayed {
    /// Deliveries that will be sent again.
    deliveries: u64,
}

/// Filters of the deliveries of a webhook.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeliveryFilters {
    /// Only deliveries in this state.
    #[param(value_type = Option<DeliveryState>)]
    state: Option<Parsed<domain::delivery::DeliveryState>>,
}

impl ReplayRequest {
    /// The time that a body names.
    pub(crate) fn since(mut fields: Fields) -> Result<Option<Moment>, ApiError> {
        let request: Self = fields.read();
        fields.finish(Some(request.since.map(Parsed::value)))
    }
}

impl Replayed {
    pub(crate) fn new(deliveries: u64) -> Self {
        Self { deliveries }
    }
}

impl DeliveryFilters {
    pub(crate) fn state(self) -> Option<domain::delivery::DeliveryState> {
        self.state.map(Parsed::value)
    }
}

impl From<&DeliveryRow> for Delivery {
    fn from(row: &DeliveryRow) -> Self {
        Self {
            id: row.id,
            event: DeliveredEvent { id: row.event, r#type: row.kind.clone(), occurred_at: row.occurred_at },
            state: row.state.into(),
            next_attempt_at: row.next_attempt_at,
            attempts: row.attempts.iter().map(Attempt::from).collect(),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&AttemptRow> for Attempt {
    fn from(row: &AttemptRow) -> Self {
        Self {
            at: row.at,
            latency_ms: row.latency_ms,
            outcome: row.class.into(),
            reason: row.reason.clone(),
            status: row.status,
            next_attempt_at: row.next_attempt_at,
        }
    }
}

impl From<TestReport> for TestOutcome {
    fn from(report: TestReport) -> Self {
        Self {
            outcome: report.class.into(),
            reason: report.reason,
            status: report.status,
            latency_ms: report.latency_ms,
        }
    }
}

/// Sends a test message to the destination of a webhook.
///
/// Also works for an inactive webhook. At most six test messages per minute and webhook.
#[utoipa::path(post, path = "/api/v1/webhooks/{webhook}/test", tag = "webhooks",
    params(("webhook" = String, Path)),
    responses((status = 200, body = Data<TestOutcome>), KeyedErrors))]
pub(crate) async fn test(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<WebhookId>,
) -> Result<Response, ApiError> {
    let report = app.messages.test_webhook(&caller, id).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: TestOutcome::from(report) })))
}

/// Lists the deliveries of a webhook with their attempts.
///
/// The newest events come first.
#[utoipa::path(get, path = "/api/v1/webhooks/{webhook}/deliveries", tag = "webhooks",
    params(("webhook" = String, Path, description = "The id of the webhook."), ListParams, DeliveryFilters),
    responses((status = 200, body = List<Delivery>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(webhook): IdPath<WebhookId>,
    ListQuery(mut query): ListQuery,
) -> Result<Response, ApiError> {
    let filters: DeliveryFilters = query.read();
    let query = query.check()?;
    let page = app.messages.deliveries(&caller, webhook, filters.state(), query.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<Delivery>::of(&page))))
}

/// Retries a delivery that failed or was missed.
///
/// The full number of attempts is available again.
#[utoipa::path(post, path = "/api/v1/webhooks/{webhook}/deliveries/{id}/retry", tag = "webhooks",
    params(("webhook" = String, Path), ("id" = String, Path)),
    responses((status = 200, body = Data<Delivery>), KeyedErrors))]
pub(crate) async fn retry(
    State(app): State<App>,
    Writer(caller): Writer,
    IdsPath(webhook, id): IdsPath<WebhookId, DeliveryId>,
) -> Result<Response, ApiError> {
    let row = app.messages.retry_delivery(&caller, webhook, id).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: Delivery::from(&row) })))
}

/// Sends all deliveries again that a webhook has missed since a given time.
///
/// These are deliveries that failed, and those that were due while the service had deactivated the webhook.
#[utoipa::path(post, path = "/api/v1/webhooks/{webhook}/deliveries/replay", tag = "webhooks",
    request_body = ReplayRequest, params(("webhook" = String, Path)),
    responses((status = 200, body = Data<Replayed>), KeyedErrors, BodyErrors))]
pub(crate) async fn replay(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(webhook): IdPath<WebhookId>,
    body: Body,
) -> Result<Response, ApiError> {
    let since = ReplayRequest::since(body.fields)?;
    let deliveries = app.messages.replay_deliveries(&caller, webhook, since).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: Replayed::new(deliveries) })))
}
