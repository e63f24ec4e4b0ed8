//! The deliveries of a webhook, their results, and sending them again.

use app::{
    Error,
    delivery::DeliveryRow,
    webhook::{LastTry, WebhookRow},
};
use axum::extract::{Path, State};
use domain::{
    delivery::{AttemptClass, DeliveryState},
    event::EventKind,
    id::{DeliveryId, WebhookId},
    moment::{Day, Moment},
    page::{Page, PageRequest},
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{address_of, webhook_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::webhook as texts,
    ui::{
        self,
        badge::{Tone, badge},
        field::Field,
        notice::{complaints, notice},
        table::{Column, table},
    },
};

fn state_tone(state: DeliveryState) -> Tone {
    match state {
        DeliveryState::Waiting => Tone::Notice,
        DeliveryState::Sending => Tone::Running,
        DeliveryState::Delivered | DeliveryState::Accepted => Tone::Good,
        DeliveryState::Failed | DeliveryState::Dead => Tone::Critical,
        DeliveryState::Skipped => Tone::Muted,
    }
}

fn class_tone(class: AttemptClass) -> Tone {
    match class {
        AttemptClass::Delivered | AttemptClass::Accepted => Tone::Good,
        AttemptClass::Transient | AttemptClass::Interrupted => Tone::Warning,
        AttemptClass::OurFault | AttemptClass::Refused | AttemptClass::Dead => Tone::Critical,
    }
}

/// Whether the destination accepts messages.
pub(in crate::pages) fn health(view: &View, row: &WebhookRow) -> Markup {
    if row.pending {
        return badge(Tone::Notice, view.t(texts::PENDING));
    }
    standing(view, row.switched_off_at, row.health.failing_since, row.last_try)
}

/// The same of anything that is sent to.
pub(in crate::pages) fn standing(
    view: &View,
    switched_off_at: Option<Moment>,
    failing_since: Option<Moment>,
    last_try: Option<LastTry>,
) -> Markup {
    html! {
        @if let Some(since) = switched_off_at {
            (badge(Tone::Critical, view.t(texts::SWITCHED_OFF))) " " span.quiet { (view.time(since)) }
        } @else if let Some(since) = failing_since {
            (badge(Tone::Warning, view.t(texts::FAILING))) " " span.quiet { (view.time(since)) }
        } @else if let Some(last) = last_try {
            (badge(class_tone(last.class), view.t(last.class.label()))) " " span.quiet { (view.time(last.at)) }
        } @else {
            span.quiet { (view.t(texts::NOTHING_SENT)) }
        }
    }
}

/// The latest deliveries, for the page of their webhook.
pub(super) async fn part(
    workspace: &Workspace,
    visit: &Visit,
    id: WebhookId,
    form: &Form,
) -> Result<Markup, PageError> {
    let few = PageRequest::new(Some(20), None).unwrap_or_default();
    let page = workspace.app.messages.deliveries(visit.caller(), id, None, few).await?;
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::Webhooks, Right::Write);
    let address = address_of(id);
    Ok(ui::section(
        t(texts::DELIVERIES),
        &html! {
            (complaints(visit, form, &[("since", texts::REPLAY_SINCE), ("url", texts::URL), ("mail", texts::MAIL)]))
            @if may_write { (ui::post_button(visit, &format!("{address}/test"), t(texts::TEST))) }
            @if page.items.is_empty() { p.quiet { (t(texts::NOTHING_SENT)) } }
            @else { (list(visit, &page, |row| again(&address, row))) }
            @if may_write { (replay_form(visit, &address, form)) }
        },
    ))
}

/// Where a delivery that was missed is sent again.
fn again(address: &str, row: &DeliveryRow) -> Option<String> {
    row.state.is_missed().then(|| format!("{address}/deliveries/{}/retry", row.id))
}

pub(in crate::pages) fn replay_form(visit: &Visit, address: &str, form: &Form) -> Markup {
    html! {
        details.confirm {
            summary.button { (visit.t(texts::REPLAY)) }
            form.confirm-body method="post" action={ (address) "/replay" } {
                (visit.form_token())
                p { (visit.t(texts::REPLAY_HELP)) }
                (Field::day(visit, form, "since", texts::REPLAY_SINCE).render())
                button.button type="submit" { (visit.t(texts::REPLAY)) }
            }
        }
    }
}

/// Deliveries, each with the button that sends it again where there is one.
pub(in crate::pages) fn list(
    visit: &Visit,
    page: &Page<DeliveryRow>,
    again: impl Fn(&DeliveryRow) -> Option<String>,
) -> Markup {
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::Webhooks, Right::Write);
    let columns = [
        Column::text(t(texts::EVENT)),
        Column::tight(t(crate::texts::common::STATUS)),
        Column::number(t(texts::TRIES)),
        Column::text(t(texts::LAST_TRY)),
        Column::actions(t(crate::texts::common::ACTIONS)),
    ];
    let rows: Vec<_> = page
        .items
        .iter()
        .map(|row| {
            let again = again(row).filter(|_| may_write);
            vec![
                html! { (event_name(visit, &row.kind)) br; span.quiet { (visit.time(row.occurred_at)) } },
                badge(state_tone(row.state), t(row.state.label())),
                html! { (row.attempt) },
                last_try(visit, row),
                html! { @if let Some(again) = again { (ui::post_button(visit, &again, t(texts::RETRY))) } },
            ]
        })
        .collect();
    table(t(texts::DELIVERIES), &columns, &rows)
}

/// Events of webhooks have words for people; those of event hooks are shown as programs name them.
fn event_name(view: &View, name: &str) -> Markup {
    let known = name.parse::<EventKind>().ok();
    known.map_or_else(|| html! { code { (name) } }, |kind| html! { (view.t(kind.label())) })
}

fn last_try(view: &View, row: &DeliveryRow) -> Markup {
    html! {
        @if let Some(class) = row.last_class {
            (view.t(class.label()))
            @if let Some(status) = row.last_status { " (" (status) ")" }
        }
        @if let Some(next) = row.next_attempt_at {
            br; span.quiet { (view.t(texts::NEXT_TRY)) " " (view.time(next)) }
        }
    }
}

pub(super) async fn test(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (visit, id) = (posted.visit, webhook_id(&id)?);
    let report = match workspace.app.messages.test_webhook(visit.caller(), id).await {
        Ok(report) => report,
        Err(error @ Error::Invalid(_)) => return refused(&workspace, &visit, id, error).await,
        Err(error) => return Err(PageError::from(error)),
    };
    let t = |label| visit.t(label);
    let content = html! {
        p {
            (t(report.class.label()))
            @if let Some(status) = report.status { " (" (status) ")" }
            ", " (report.latency_ms) " ms"
        }
    };
    let content = html! {
        (ui::head(t(texts::TEST), t(texts::TEST_HELP), None))
        (notice(class_tone(report.class), t(report.class.label()), &content))
        (ui::link_button(&address_of(id), t(texts::BACK), true))
    };
    respond::page(ui::layout::page(&visit, t(texts::TEST), &content))
}

/// Sends the link to the address of a webhook that waits for its owner once more.
pub(super) async fn ask(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (visit, id) = (posted.visit, webhook_id(&id)?);
    match workspace.app.messages.ask_webhook_address(visit.caller(), id).await {
        Ok(()) => respond::go_to(&route::done(&address_of(id), "asked")),
        Err(error @ Error::Invalid(_)) => refused(&workspace, &visit, id, error).await,
        Err(error) => Err(PageError::from(error)),
    }
}

/// The page again with the reason.
async fn refused(workspace: &Workspace, visit: &Visit, id: WebhookId, error: Error) -> Answer {
    let mut form = Form::default();
    form.refuse(error)?;
    respond::refused(super::page_of(workspace, visit, id, None, &form).await?)
}

pub(super) async fn retry(
    State(workspace): State<Workspace>,
    Path((id, delivery)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let id = webhook_id(&id)?;
    let delivery: DeliveryId = delivery.parse().map_err(|_| PageError::NotFound)?;
    workspace.app.messages.retry_delivery(posted.visit.caller(), id, delivery).await?;
    respond::go_to(&route::done(&address_of(id), "retried"))
}

pub(super) async fn replay(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, webhook_id(&id)?);
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
            respond::refused(super::page_of(&workspace, &visit, id, None, &form).await?)
        }
    }
}
