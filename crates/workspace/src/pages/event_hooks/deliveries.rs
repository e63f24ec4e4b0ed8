//! What was sent to an event hook, and sending it again.

use app::delivery::DeliveryRow;
use axum::extract::{Path, State};
use domain::{
    delivery::DeliveryState,
    id::{DeliveryId, EventHookId},
    moment::Day,
    page::PageRequest,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{NAMES, address_of, hook_id, page_of};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::webhooks::deliveries::{list, replay_form},
    respond::{self, Answer},
    route,
    texts::{event_hook as texts, webhook as webhook_texts},
    ui::{self, notice::complaints},
};

/// The latest deliveries. One that is not being sent can be sent again, also if it arrived.
pub(super) async fn sent(
    workspace: &Workspace,
    visit: &Visit,
    id: EventHookId,
    form: &Form,
) -> Result<Markup, PageError> {
    let few = PageRequest::new(Some(20), None).unwrap_or_default();
    let page = workspace.app.messages.deliveries(visit.caller(), id, None, few).await?;
    let address = address_of(id);
    let again = |row: &DeliveryRow| {
        let is_still = row.state != DeliveryState::Sending && row.state != DeliveryState::Waiting;
        is_still.then(|| format!("{address}/deliveries/{}/replay", row.id))
    };
    let content = html! {
        (complaints(visit, form, &NAMES))
        @if page.items.is_empty() { p.quiet { (visit.t(texts::NOTHING_SENT)) } }
        @else { (list(visit, &page, again)) }
        @if visit.may(Resource::Webhooks, Right::Write) { (replay_form(visit, &address, form)) }
    };
    Ok(ui::section(visit.t(webhook_texts::DELIVERIES), &content))
}

pub(super) async fn resend(
    State(workspace): State<Workspace>,
    Path((id, delivery)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let id = hook_id(&id)?;
    let delivery: DeliveryId = delivery.parse().map_err(|_| PageError::NotFound)?;
    workspace.app.messages.resend_delivery(posted.visit.caller(), id, delivery).await?;
    respond::go_to(&route::done(&address_of(id), "retried"))
}

pub(super) async fn replay(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, hook_id(&id)?);
    visit.caller().require_right(Resource::Webhooks, Right::Write)?;
    let since: Option<Day> = form.parse("since");
    let replayed = match form.finish(since) {
        Ok(since) => workspace.app.messages.replay_deliveries(visit.caller(), id, Some(since.start())).await,
        Err(error) => Err(error),
    };
    match replayed {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "replayed")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page_of(&workspace, &visit, id, None, &form).await?)
        }
    }
}
