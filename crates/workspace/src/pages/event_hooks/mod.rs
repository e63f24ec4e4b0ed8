//! Event hooks: list, create, change, rotate the secret, delete, and what was sent.

mod deliveries;

use app::{
    event_hook::{EventHook, NewSecret},
    pages::Precondition,
    record_event::EventSubject,
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    event_hook::{EventFilter, EventHookDraft, EventHookPatch, EventPatterns},
    id::EventHookId,
    right::{Resource, Right},
    text::Name,
    vocabulary::Severity,
    webhook::{Destination, MAX_URL},
    wording::Label,
};
use maud::{Markup, html};

use super::webhooks::{activity, deliveries::standing, host_of};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    proof::ProvenWriter,
    respond::{self, Answer},
    route,
    texts::{common, event_hook as texts, webhook as webhook_texts},
    ui::{
        self, Confirm,
        field::{self, Field},
        notice::complaints,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::EVENT_HOOKS, get(list).post(create))
        .route(&format!("{}/new", route::EVENT_HOOKS), get(ask))
        .route(&format!("{}/{{id}}", route::EVENT_HOOKS), get(show).post(change))
        .route(&format!("{}/{{id}}/delete", route::EVENT_HOOKS), post(delete))
        .route(&format!("{}/{{id}}/rotate", route::EVENT_HOOKS), post(rotate))
        .route(&format!("{}/{{id}}/replay", route::EVENT_HOOKS), post(deliveries::replay))
        .route(
            &format!("{}/{{id}}/deliveries/{{delivery}}/replay", route::EVENT_HOOKS),
            post(deliveries::resend),
        )
}

const NAMES: [(&str, Label); 6] = [
    ("name", common::NAME),
    ("url", texts::URL),
    ("events", texts::EVENTS),
    ("severity", texts::SEVERITY),
    ("owner", texts::OWNER),
    ("since", webhook_texts::REPLAY_SINCE),
];

fn address_of(id: EventHookId) -> String {
    format!("{}/{id}", route::EVENT_HOOKS)
}

fn hook_id(id: &str) -> Result<EventHookId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let page = workspace.app.messages.event_hooks(visit.caller(), requested(&visit)).await?;
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::Webhooks, Right::Write);
    let make = || ui::link_button(&format!("{}/new", route::EVENT_HOOKS), t(texts::NEW), true);
    let rows: Vec<_> = page.items.iter().map(|hook| row(&visit, hook)).collect();
    let columns = [
        Column::text(t(common::NAME)),
        Column::text(t(texts::URL)),
        Column::text(t(texts::EVENTS)),
        Column::tight(t(common::STATUS)),
        Column::text(t(webhook_texts::HEALTH)),
    ];
    let known = [("changed", texts::WAS_CHANGED), ("deleted", texts::WAS_DELETED)];
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

fn row(visit: &Visit, hook: &EventHook) -> Vec<Markup> {
    let record = &hook.record;
    vec![
        html! { a href=(address_of(record.id)) { (record.name.as_str()) } },
        html! { code.where { (host_of(&hook.url)) } },
        events(visit, hook),
        activity(visit, record.active),
        health(visit, hook),
    ]
}

fn events(view: &View, hook: &EventHook) -> Markup {
    let mut patterns = hook.record.events.iter().peekable();
    html! {
        @if patterns.peek().is_none() { (view.t(texts::ALL_EVENTS)) }
        @else { ul.plain { @for pattern in patterns { li { code { (pattern) } } } } }
    }
}

fn health(view: &View, hook: &EventHook) -> Markup {
    let record = &hook.record;
    standing(view, record.switched_off_at, record.health.failing_since, record.last_try)
}

async fn ask(visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Webhooks, Right::Write)?;
    respond::page(new_page(&visit, &Form::default()))
}

fn new_page(visit: &Visit, form: &Form) -> Markup {
    let content = html! {
        (ui::head(visit.t(texts::NEW), visit.t(texts::INTRO), None))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(route::EVENT_HOOKS) {
            (visit.form_token())
            (fields(visit, form))
            div.form-end {
                button.button.primary type="submit" { (visit.t(texts::CREATE)) }
                a.button href=(route::EVENT_HOOKS) { (visit.t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, visit.t(texts::NEW), &content)
}

fn fields(view: &View, form: &Form) -> Markup {
    html! {
        (Field::text(view, form, "name", common::NAME).hint(texts::NAME_HINT).at_most(Name::MAX).render())
        (Field::text(view, form, "url", texts::URL).hint(texts::URL_HINT).at_most(MAX_URL).render())
        (field::area(view, form, "events", texts::EVENTS, Some(texts::EVENTS_HINT)))
        (field::choices(view, form, "severity", texts::SEVERITY, true, &field::words::<Severity>(view)))
        (Field::person(view, form, "owner", texts::OWNER).optional().render())
    }
}

/// The fields of creating and changing.
struct Entered {
    name: Name,
    destination: Destination,
    events: EventPatterns,
    severities: Vec<Severity>,
    owner: Option<Name>,
}

fn entered(workspace: &Workspace, form: &mut Form) -> Result<Entered, app::Error> {
    let name = form.checked("name", Name::parse);
    let destination = form.checked("url", |url| workspace.app.allowlist.check_event_hook(url));
    let patterns = form.all("events").flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
    let patterns: Vec<String> = patterns.map(str::to_owned).collect();
    let is_kind = |noun: &str| EventSubject::of_noun(noun).is_some();
    let events = form.checked("events", |_| EventPatterns::new(patterns, is_kind));
    let severities: Result<Vec<Severity>, _> = form.all("severity").map(str::parse).collect();
    let severities = form.checked("severity", |_| severities);
    let has_owner = !form.value("owner").trim().is_empty();
    let owner = if has_owner { form.checked("owner", Name::parse) } else { None };
    let entered = (|| {
        Some(Entered {
            name: name?,
            destination: destination?,
            events: events?,
            severities: severities?,
            owner,
        })
    })();
    form.finish(entered)
}

async fn create(State(workspace): State<Workspace>, ProvenWriter(posted): ProvenWriter) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Webhooks, Right::Write)?;
    let made = match entered(&workspace, &mut form) {
        Ok(Entered { name, destination, events, severities, owner }) => {
            let filter = EventFilter { kinds: Vec::new(), severities, owner };
            let draft = EventHookDraft { name, destination, events, filter, active: true };
            let render = |new: &NewSecret| new.secret.reveal();
            workspace.app.messages.create_event_hook(visit.caller(), draft, None, render).await
        }
        Err(error) => Err(error),
    };
    match made {
        Ok(created) => {
            let back = format!("{}/{}", route::EVENT_HOOKS, created.subject);
            respond::page(secret_page(&visit, &back, form.value("name"), &created.body))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page(&visit, &form))
        }
    }
}

fn secret_page(visit: &Visit, back: &str, name: &str, secret: &str) -> Markup {
    let content = html! {
        (ui::head(visit.t(texts::CREATED_TITLE), name, None))
        div.card {
            (ui::secret(visit, visit.t(texts::SECRET), secret))
            p { (visit.t(texts::SECRET_HELP)) }
            (ui::link_button(back, visit.t(texts::BACK), true))
        }
    };
    ui::layout::page(visit, visit.t(texts::CREATED_TITLE), &content)
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    respond::page(page_of(&workspace, &visit, hook_id(&id)?, None, &Form::default()).await?)
}

/// One event hook. `entered` contains a refused change, `asked` a refused replay.
async fn page_of(
    workspace: &Workspace,
    visit: &Visit,
    id: EventHookId,
    entered: Option<&Form>,
    asked: &Form,
) -> Result<Markup, PageError> {
    let (hook, _) = workspace.app.messages.event_hook(visit.caller(), id).await?;
    let sent = deliveries::sent(workspace, visit, id, asked).await?;
    let may_write = visit.may(Resource::Webhooks, Right::Write);
    let kept = filled(&hook);
    let record = &hook.record;
    let content = html! {
        (ui::head(record.name.as_str(), visit.t(texts::EDIT), None))
        (ui::notice::done(visit, &[
            ("retried", webhook_texts::WAS_RETRIED),
            ("replayed", webhook_texts::WAS_REPLAYED),
        ]))
        div.row { (activity(visit, record.active)) (health(visit, &hook)) }
        @if let Some(until) = hook.former_until {
            p { (visit.t(texts::FORMER_UNTIL)) " " (visit.time(until)) }
        }
        @if may_write { (change_form(visit, id, entered.unwrap_or(&kept))) (rotate_form(visit, id)) }
        @else {
            dl.facts.card {
                dt { (visit.t(texts::URL)) } dd { code { (hook.url) } }
                dt { (visit.t(texts::EVENTS)) } dd { (events(visit, &hook)) }
                dt { (visit.t(common::CHANGED)) } dd { (visit.time(record.updated_at)) }
            }
        }
        (sent)
        @if may_write { (confirm(visit, &hook)) }
    };
    Ok(ui::layout::page(visit, record.name.as_str(), &content))
}

fn filled(hook: &EventHook) -> Form {
    let record = &hook.record;
    let patterns: Vec<_> = record.events.iter().collect();
    let owner = record.filter.owner.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut pairs = vec![
        ("name", record.name.to_string()),
        ("url", hook.url.clone()),
        ("events", patterns.join("\n")),
        ("owner", owner),
    ];
    pairs.extend(record.filter.severities.iter().map(|severity| ("severity", severity.to_string())));
    if record.active {
        pairs.push(("active", "1".into()));
    }
    Form::filled(pairs)
}

fn change_form(visit: &Visit, id: EventHookId, form: &Form) -> Markup {
    html! {
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(address_of(id)) {
            (visit.form_token())
            (fields(visit, form))
            (field::switch(visit, form, "active", common::ACTIVE, Some(texts::ACTIVE_HELP)))
            div.form-end {
                button.button.primary type="submit" { (visit.t(common::SAVE)) }
                a.button href=(route::EVENT_HOOKS) { (visit.t(common::CANCEL)) }
            }
        }
    }
}

fn rotate_form(visit: &Visit, id: EventHookId) -> Markup {
    html! {
        p { (visit.t(texts::ROTATE_HELP)) }
        (ui::post_button(visit, &format!("{}/rotate", address_of(id)), visit.t(texts::ROTATE)))
    }
}

fn confirm(visit: &Visit, hook: &EventHook) -> Markup {
    let (record, action) = (&hook.record, format!("{}/delete", address_of(hook.record.id)));
    let ask = visit.fill(texts::DELETE_ASK, &[("name", &record.name)]);
    let confirm = Confirm {
        action: &action,
        opener: common::DELETE,
        about: record.name.as_str(),
        question: format!("{ask} {}", visit.t(common::CANNOT_UNDO)),
        sure: texts::DELETE_SURE,
    };
    confirm.render(visit)
}

async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenWriter(posted): ProvenWriter,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, hook_id(&id)?);
    visit.caller().require_right(Resource::Webhooks, Right::Write)?;
    // The form has no field for kinds, which programs can set: they stay as they are.
    let kinds = workspace.app.messages.event_hook(visit.caller(), id).await?.0.record.filter.kinds;
    let changed = match entered(&workspace, &mut form) {
        Ok(Entered { name, destination, events, severities, owner }) => {
            let patch = EventHookPatch {
                name: Some(name),
                destination: Some(destination),
                events: Some(events),
                filter: Some(EventFilter { kinds, severities, owner }),
                active: Some(form.is_checked("active")),
            };
            workspace.app.messages.change_event_hook(visit.caller(), id, patch, Precondition::None).await
        }
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => respond::go_to(&route::done(route::EVENT_HOOKS, "changed")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page_of(&workspace, &visit, id, Some(&form), &Form::default()).await?)
        }
    }
}

async fn rotate(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenWriter(posted): ProvenWriter,
) -> Answer {
    let (visit, id) = (posted.visit, hook_id(&id)?);
    let new = workspace.app.messages.rotate_event_hook(visit.caller(), id).await?;
    let name = new.hook.record.name.as_str();
    respond::page(secret_page(&visit, &address_of(id), name, &new.secret.reveal()))
}

async fn delete(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenWriter(posted): ProvenWriter,
) -> Answer {
    workspace
        .app
        .messages
        .delete_event_hook(posted.visit.caller(), hook_id(&id)?, Precondition::None)
        .await?;
    respond::go_to(&route::done(route::EVENT_HOOKS, "deleted"))
}
