//! Webhooks: list, create, change, delete.

pub(super) mod deliveries;

use app::{pages::Precondition, webhook::Webhook};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    event::EventKind,
    id::WebhookId,
    right::{Resource, Right},
    text::Name,
    violation::Violations,
    webhook::{Channel, Events, MAX_URL, WebhookDraft, WebhookPatch},
    wording::Label,
};
use maud::{Markup, html};

pub(super) use self::deliveries::health;

use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    proof::ProvenWriter,
    respond::{self, Answer},
    route,
    texts::{common, webhook as texts},
    ui::{
        self, Confirm,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        notice::complaints,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::WEBHOOKS, get(list).post(create))
        .route(&format!("{}/new", route::WEBHOOKS), get(ask))
        .route(&format!("{}/{{id}}", route::WEBHOOKS), get(show).post(change))
        .route(&format!("{}/{{id}}/delete", route::WEBHOOKS), post(delete))
        .route(&format!("{}/{{id}}/pause", route::WEBHOOKS), post(pause))
        .route(&format!("{}/{{id}}/resume", route::WEBHOOKS), post(resume))
        .route(&format!("{}/{{id}}/test", route::WEBHOOKS), post(deliveries::test))
        .route(&format!("{}/{{id}}/ask", route::WEBHOOKS), post(deliveries::ask))
        .route(&format!("{}/{{id}}/replay", route::WEBHOOKS), post(deliveries::replay))
        .route(&format!("{}/{{id}}/deliveries/{{delivery}}/retry", route::WEBHOOKS), post(deliveries::retry))
}

fn address_of(id: WebhookId) -> String {
    format!("{}/{id}", route::WEBHOOKS)
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let page = workspace.app.messages.webhooks(visit.caller(), requested(&visit)).await?;
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::Webhooks, Right::Write);
    let make = || ui::link_button(&format!("{}/new", route::WEBHOOKS), t(texts::NEW), true);
    let rows: Vec<_> = page.items.iter().map(|webhook| row(&visit, webhook)).collect();
    let columns = [
        Column::text(t(common::NAME)),
        Column::text(t(texts::CHANNEL)),
        Column::text(t(texts::URL)),
        Column::text(t(texts::EVENTS)),
        Column::tight(t(common::STATUS)),
        Column::text(t(texts::HEALTH)),
    ];
    let known =
        [("created", texts::WAS_CREATED), ("changed", texts::WAS_CHANGED), ("deleted", texts::WAS_DELETED)];
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), (may_write && page.total > 0).then(make)))
        (ui::notice::done(&visit, &known))
        @if page.total == 0 { (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), may_write.then(make))) }
        @else {
            (counted(&visit, page.total, texts::ONE, texts::MANY))
            (table(t(texts::TITLE), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn row(visit: &Visit, webhook: &Webhook) -> Vec<Markup> {
    let record = &webhook.record;
    let events: Vec<_> = record.events.iter().map(|event| visit.t(event.label())).collect();
    vec![
        html! { a href=(address_of(record.id)) { (record.name.as_str()) } },
        html! { (visit.t(record.channel.label())) },
        html! { code.where { (host_of(&webhook.url)) } },
        html! { ul.plain { @for event in events { li { (event) } } } },
        activity(visit, record.active),
        health(visit, record),
    ]
}

pub(super) fn activity(view: &View, active: bool) -> Markup {
    if active {
        badge(Tone::Good, view.t(common::ACTIVE))
    } else {
        badge(Tone::Neutral, view.t(common::INACTIVE))
    }
}

/// Pausing and resuming take one click each.
fn switch(visit: &Visit, webhook: &Webhook) -> Markup {
    let (way, text) = if webhook.record.active { ("pause", texts::PAUSE) } else { ("resume", texts::RESUME) };
    ui::post_button(visit, &format!("{}/{way}", address_of(webhook.record.id)), visit.t(text))
}

/// The destination without its secret part.
pub(super) fn host_of(url: &str) -> &str {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = after_scheme.split(['/', '?']).next().unwrap_or(after_scheme);
    host.strip_prefix("mailto:").unwrap_or(host)
}

async fn ask(visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Webhooks, Right::Write)?;
    let events = EventKind::WORDS.iter().map(|event| ("events", (*event).to_owned()));
    let form = Form::filled([("channel", Channel::Slack.as_str().to_owned())].into_iter().chain(events));
    respond::page(new_page(&visit, &form))
}

fn new_page(visit: &Visit, form: &Form) -> Markup {
    let content = html! {
        (ui::head(visit.t(texts::NEW), visit.t(texts::INTRO), None))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(route::WEBHOOKS) {
            (visit.form_token())
            (fields(visit, form))
            div.form-end {
                button.button.primary type="submit" { (visit.t(texts::CREATE)) }
                a.button href=(route::WEBHOOKS) { (visit.t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, visit.t(texts::NEW), &content)
}

const NAMES: [(&str, Label); 4] =
    [("name", common::NAME), ("channel", texts::CHANNEL), ("url", texts::URL), ("events", texts::EVENTS)];

fn fields(view: &View, form: &Form) -> Markup {
    let channels = Channel::ALL
        .iter()
        .map(|channel| Choice::new(channel.as_str(), view.t(channel.label())))
        .collect::<Vec<_>>();
    let events = EventKind::ALL
        .iter()
        .map(|event| Choice::new(event.as_str(), view.t(event.label())))
        .collect::<Vec<_>>();
    html! {
        (Field::text(view, form, "name", common::NAME).hint(texts::NAME_HINT).at_most(Name::MAX).render())
        (field::choices(view, form, "channel", texts::CHANNEL, false, &channels))
        (Field::text(view, form, "url", texts::URL).hint(texts::URL_HINT).at_most(MAX_URL).render())
        (field::choices(view, form, "events", texts::EVENTS, true, &events))
    }
}

/// The fields of creating and changing.
struct Entered {
    name: Name,
    channel: Channel,
    url: String,
    events: Events,
}

fn entered(form: &mut Form) -> Result<Entered, app::Error> {
    let name = form.checked("name", Name::parse);
    let channel = form.parse("channel");
    let url = form.checked("url", |text| domain::text::line(text, MAX_URL).map(str::to_owned));
    let kinds: Result<Vec<EventKind>, _> = form.all("events").map(str::parse).collect();
    let events = match kinds {
        Ok(kinds) => form.checked("events", |_| Events::new(kinds)),
        Err(unknown) => form.checked("events", |_| Err(unknown)),
    };
    let url = url.map(|url| if channel == Some(Channel::Email) { mail_address(url) } else { url });
    let entered = (|| Some(Entered { name: name?, channel: channel?, url: url?, events: events? }))();
    form.finish(entered)
}

/// The address of a mail as the service stores it; people write the address alone.
fn mail_address(url: String) -> String {
    let has_scheme = url.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("mailto:"));
    if has_scheme || url.contains("://") { url } else { format!("mailto:{url}") }
}

async fn create(State(workspace): State<Workspace>, ProvenWriter(posted): ProvenWriter) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Webhooks, Right::Write)?;
    let messages = &workspace.app.messages;
    let made = match draft(&workspace, &mut form) {
        Ok(draft) => messages.create_webhook(visit.caller(), draft, None, |_| String::new()).await,
        Err(error) => Err(error),
    };
    match made {
        Ok(_) => respond::go_to(&route::done(route::WEBHOOKS, "created")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page(&visit, &form))
        }
    }
}

fn draft(workspace: &Workspace, form: &mut Form) -> Result<WebhookDraft, app::Error> {
    let Entered { name, channel, url, events } = entered(form)?;
    let destination = workspace
        .app
        .messages
        .check_destination(channel, &url)
        .map_err(|wrong: Violations| app::Error::Invalid(wrong))?;
    Ok(WebhookDraft { name, channel, destination, events })
}

fn webhook_id(id: &str) -> Result<WebhookId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    respond::page(page_of(&workspace, &visit, webhook_id(&id)?, None, &Form::default()).await?)
}

/// One webhook. `entered` contains a refused change, `asked` a refused replay.
async fn page_of(
    workspace: &Workspace,
    visit: &Visit,
    id: WebhookId,
    entered: Option<&Form>,
    asked: &Form,
) -> Result<Markup, PageError> {
    let (webhook, _) = workspace.app.messages.webhook(visit.caller(), id).await?;
    let sent = deliveries::part(workspace, visit, id, asked).await?;
    if !visit.may(Resource::Webhooks, Right::Write) {
        return Ok(facts_page(visit, &webhook, &sent));
    }
    let kept = filled(&webhook);
    Ok(change_page(visit, &webhook, entered.unwrap_or(&kept), &sent))
}

fn filled(webhook: &Webhook) -> Form {
    let record = &webhook.record;
    let mut pairs = vec![
        ("name", record.name.to_string()),
        ("channel", record.channel.to_string()),
        ("url", webhook.url.strip_prefix("mailto:").unwrap_or(&webhook.url).to_owned()),
    ];
    pairs.extend(record.events.iter().map(|event| ("events", event.to_string())));
    if record.active {
        pairs.push(("active", "1".into()));
    }
    Form::filled(pairs)
}

/// For readers without the right to change it.
fn facts_page(visit: &Visit, webhook: &Webhook, sent: &Markup) -> Markup {
    let record = &webhook.record;
    let content = html! {
        (ui::head(record.name.as_str(), visit.t(texts::SECRET_URL), None))
        dl.facts.card {
            dt { (visit.t(texts::CHANNEL)) } dd { (visit.t(record.channel.label())) }
            dt { (visit.t(texts::URL)) } dd { code { (webhook.url.strip_prefix("mailto:").unwrap_or(&webhook.url)) } }
            dt { (visit.t(texts::EVENTS)) }
            dd { ul.plain { @for event in record.events.iter() { li { (visit.t(event.label())) } } } }
            dt { (visit.t(texts::HEALTH)) } dd { (health(visit, record)) }
            dt { (visit.t(common::CHANGED)) } dd { (visit.time(record.updated_at)) }
        }
        (sent)
    };
    ui::layout::page(visit, record.name.as_str(), &content)
}

fn change_page(visit: &Visit, webhook: &Webhook, form: &Form, sent: &Markup) -> Markup {
    let record = &webhook.record;
    let action = format!("{}/delete", address_of(record.id));
    let confirm = Confirm {
        action: &action,
        opener: common::DELETE,
        about: record.name.as_str(),
        question: format!(
            "{} {}",
            visit.fill(texts::DELETE_ASK, &[("name", &record.name)]),
            visit.t(common::CANNOT_UNDO)
        ),
        sure: texts::DELETE_SURE,
    };
    let content = html! {
        (ui::head(record.name.as_str(), visit.t(texts::EDIT), None))
        (ui::notice::done(visit, &[
            ("retried", texts::WAS_RETRIED),
            ("replayed", texts::WAS_REPLAYED),
            ("paused", texts::WAS_PAUSED),
            ("resumed", texts::WAS_RESUMED),
            ("asked", texts::WAS_ASKED),
        ]))
        div.row { (activity(visit, record.active)) (health(visit, record)) (switch(visit, webhook)) }
        @if record.pending {
            p { (visit.t(texts::PENDING_HELP)) }
            (ui::post_button(visit, &format!("{}/ask", address_of(record.id)), visit.t(texts::ASK_AGAIN)))
        }
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(address_of(record.id)) {
            (visit.form_token())
            (fields(visit, form))
            (field::switch(visit, form, "active", common::ACTIVE, Some(texts::ACTIVE_HELP)))
            div.form-end {
                button.button.primary type="submit" { (visit.t(common::SAVE)) }
                a.button href=(route::WEBHOOKS) { (visit.t(common::CANCEL)) }
            }
        }
        (sent)
        (confirm.render(visit))
    };
    ui::layout::page(visit, record.name.as_str(), &content)
}

async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenWriter(posted): ProvenWriter,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, webhook_id(&id)?);
    visit.caller().require_right(Resource::Webhooks, Right::Write)?;
    let messages = &workspace.app.messages;
    let changed = match patch(&mut form) {
        Ok(patch) => messages.change_webhook(visit.caller(), id, patch, Precondition::None).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => respond::go_to(&route::done(route::WEBHOOKS, "changed")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page_of(&workspace, &visit, id, Some(&form), &Form::default()).await?)
        }
    }
}

fn patch(form: &mut Form) -> Result<WebhookPatch, app::Error> {
    let Entered { name, channel, url, events } = entered(form)?;
    Ok(WebhookPatch {
        name: Some(name),
        channel: Some(channel),
        url: Some(url),
        events: Some(events),
        active: Some(form.is_checked("active")),
    })
}

async fn pause(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenWriter(posted): ProvenWriter,
) -> Answer {
    set_active(&workspace, &posted.visit, &id, false).await
}

async fn resume(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenWriter(posted): ProvenWriter,
) -> Answer {
    set_active(&workspace, &posted.visit, &id, true).await
}

async fn set_active(workspace: &Workspace, visit: &Visit, id: &str, active: bool) -> Answer {
    let id = webhook_id(id)?;
    let patch = WebhookPatch { active: Some(active), ..WebhookPatch::default() };
    workspace.app.messages.change_webhook(visit.caller(), id, patch, Precondition::None).await?;
    respond::go_to(&route::done(&address_of(id), if active { "resumed" } else { "paused" }))
}

async fn delete(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenWriter(posted): ProvenWriter,
) -> Answer {
    let caller = posted.visit.caller();
    workspace.app.messages.delete_webhook(caller, webhook_id(&id)?, Precondition::None).await?;
    respond::go_to(&route::done(route::WEBHOOKS, "deleted"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_shows_where_but_not_the_secret() {
        assert_eq!(host_of("https://hooks.slack.com/services/T/B/secret"), "hooks.slack.com");
        assert_eq!(host_of("mailto:ict@bank.example"), "ict@bank.example");
        assert_eq!(host_of("https://x.example?sig=secret"), "x.example");
    }
}
