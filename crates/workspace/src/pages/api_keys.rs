//! API keys: list, create (shown once), revoke.

use app::{
    api_key::{ApiKeyRow, KeyRequest, Maker, NewKey, Overlap},
    idempotency::Idempotency,
    token::Token,
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    actor::Actor,
    id::ApiKeyId,
    key_limits::{KeyLimits, Networks, RESOURCES, Scopes},
    moment::{Day, Moment},
    permission::{Permission, Permissions},
    right::{Resource, Right},
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    proof::ProvenAdministrator,
    respond::{self, Answer},
    route,
    texts::{api_key as texts, common},
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
        .route(route::API_KEYS, get(list).post(create))
        .route(&format!("{}/new", route::API_KEYS), get(ask))
        .route(&format!("{}/{{id}}/rotate", route::API_KEYS), post(rotate))
        .route(&format!("{}/{{id}}/revoke", route::API_KEYS), post(revoke))
}

fn new_address() -> String {
    format!("{}/new", route::API_KEYS)
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let page = workspace.app.people.list_keys(visit.caller(), requested(&visit)).await?;
    let make = || ui::link_button(&new_address(), visit.t(texts::NEW), true);
    let make = visit.may(Resource::Keys, Right::Write).then(make);
    let t = |label| visit.t(label);
    let rows: Vec<_> = page.items.iter().map(|key| row(&visit, key)).collect();
    let columns = [
        Column::text(t(common::NAME)),
        Column::tight(t(texts::KEY)),
        Column::text(t(texts::PERMISSIONS)),
        Column::text(t(texts::MADE_BY)),
        Column::text(t(common::STATUS)),
        Column::text(t(texts::EXPIRES)),
        Column::text(t(texts::LAST_USED)),
        Column::actions(t(common::ACTIONS)),
    ];
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), make.clone().filter(|_| page.total > 0)))
        (ui::notice::done(&visit, &[("revoked", texts::WAS_REVOKED)]))
        @if page.total == 0 { (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), make)) }
        @else {
            (counted(&visit, page.total, texts::ONE, texts::MANY))
            (table(t(texts::TITLE), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn row(visit: &Visit, key: &ApiKeyRow) -> Vec<Markup> {
    let revoked = key.revoked_at.is_some();
    let state = match (revoked, key.works(visit.now), key.replaced_by) {
        (true, _, _) => badge(Tone::Neutral, visit.t(texts::REVOKED)),
        (false, false, _) => badge(Tone::Warning, visit.t(texts::EXPIRED)),
        (false, true, Some(_)) => badge(Tone::Notice, visit.t(texts::REPLACED)),
        (false, true, None) => badge(Tone::Good, visit.t(common::ACTIVE)),
    };
    let action = format!("{}/{}/revoke", route::API_KEYS, key.id);
    let confirm = Confirm {
        action: &action,
        opener: texts::REVOKE,
        about: key.name.as_str(),
        question: format!(
            "{} {}",
            visit.fill(texts::REVOKE_ASK, &[("name", &key.name)]),
            visit.t(common::CANNOT_UNDO)
        ),
        sure: texts::REVOKE_SURE,
    };
    vec![
        html! { (key.name.as_str()) },
        html! { code { (key.prefix) "…" } },
        rights(visit, key),
        maker(visit, key.created_by.as_ref()),
        state,
        visit.time_or_never(key.limits.ends_at),
        visit.time_or_never(key.last_used_at),
        html! {
            @if visit.may(Resource::Keys, Right::Write) {
                @if !revoked { (confirm.render(visit)) }
                @if key.works(visit.now) && key.replaced_by.is_none() { (rotating(visit, key)) }
            }
        },
    ]
}

/// A permission in a word or two.
fn in_short(permission: Permission) -> Label {
    match permission {
        Permission::Read => texts::MAY_READ,
        Permission::Write => texts::MAY_WRITE,
        Permission::ManageKeys => texts::MAY_MANAGE_KEYS,
    }
}

/// The permissions of the key, and its limits.
fn rights(view: &View, key: &ApiKeyRow) -> Markup {
    let narrowed = [
        key.limits.scopes.as_ref().map(|scopes| scopes.to_string().replace(',', ", ")),
        key.limits.networks.as_ref().map(|networks| networks.to_string().replace(',', ", ")),
    ];
    html! {
        (key.permissions.iter().map(|right| view.t(in_short(right))).collect::<Vec<_>>().join(", "))
        @for limit in narrowed.into_iter().flatten() { br; span.quiet { (limit) } }
    }
}

fn maker(visit: &Visit, maker: Option<&Maker>) -> Markup {
    let Some(maker) = maker else { return visit.or_none(None::<String>) };
    let name = maker.name.clone().unwrap_or_else(|| maker.actor.to_string());
    match maker.actor {
        Actor::User(_) => html! { (name) },
        Actor::Key(_) => html! { (visit.fill(texts::BY_KEY, &[("name", &name)])) },
        Actor::Operator | Actor::System => html! { (visit.t(texts::OPERATOR)) },
    }
}

/// The confirmation before a key is replaced. It contains a token, so that a repeated request creates one key.
fn rotating(visit: &Visit, key: &ApiKeyRow) -> Markup {
    let form = Form::filled([(OVERLAP, Overlap::default().in_hours().to_string())]);
    html! {
        details.confirm {
            summary.button { (visit.t(texts::ROTATE)) span.unseen { " " (key.name.as_str()) } }
            form.confirm-body method="post" action={ (route::API_KEYS) "/" (key.id) "/rotate" } {
                (visit.form_token())
                input type="hidden" name="once" value=(Token::random().reveal());
                input type="hidden" name="name" value=(key.name.as_str());
                p { (visit.fill(texts::ROTATE_ASK, &[("name", &key.name)])) }
                (Field::number(visit, &form, OVERLAP, texts::OVERLAP, (0, Overlap::MOST_HOURS)).render())
                button.button.primary type="submit" { (visit.t(texts::ROTATE_SURE)) }
            }
        }
    }
}

const OVERLAP: &str = "overlap_hours";

async fn ask(visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Keys, Right::Write)?;
    // A repeated form creates one key: the second response shows the same one again.
    let form = Form::filled([("once", Token::random().reveal().to_owned())]);
    respond::page(ask_page(&visit, &form))
}

fn permission_choices(visit: &Visit) -> Vec<Choice> {
    let offered = Permission::ALL.iter().filter(|permission| **permission != Permission::Read);
    let held = offered.filter(|permission| visit.caller().may(**permission));
    held.map(|permission| Choice::new(permission.as_str(), visit.t(permission.label()))).collect()
}

fn ask_page(visit: &Visit, form: &Form) -> Markup {
    let names = [
        ("name", common::NAME),
        ("permissions", texts::PERMISSIONS),
        ("expires_at", texts::EXPIRES),
        ("scopes", texts::SCOPES),
        ("networks", texts::NETWORKS),
    ];
    let content = html! {
        (ui::head(visit.t(texts::NEW), visit.t(texts::INTRO), None))
        (complaints(visit, form, &names))
        form.card method="post" action=(route::API_KEYS) {
            (visit.form_token())
            input type="hidden" name="once" value=(form.value("once"));
            (Field::text(visit, form, "name", common::NAME).hint(texts::NAME_HINT).at_most(Name::MAX).render())
            (field::choices(visit, form, "permissions", texts::PERMISSIONS, true, &permission_choices(visit)))
            p.hint { (visit.t(Permission::Read.label())) ". " (visit.t(texts::READ_ALWAYS)) }
            (Field::day(visit, form, "expires_at", texts::EXPIRES).hint(texts::EXPIRES_HINT).optional().render())
            (field::area(visit, form, "scopes", texts::SCOPES, Some(texts::SCOPES_HINT)))
            p.hint { (visit.fill(texts::RESOURCES, &[("names", &RESOURCES.join(", "))])) }
            p.hint { (visit.t(texts::ACCOUNTS)) }
            (field::area(visit, form, "networks", texts::NETWORKS, Some(texts::NETWORKS_HINT)))
            div.form-end {
                button.button.primary type="submit" { (visit.t(texts::CREATE)) }
                a.button href=(route::API_KEYS) { (visit.t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, visit.t(texts::NEW), &content)
}

async fn create(
    State(workspace): State<Workspace>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, mut form } = posted;
    let made = match request(&mut form) {
        Ok((request, once)) => {
            let reveal = |new: &NewKey| new.key.reveal().to_owned();
            workspace.app.people.create_key(visit.caller(), request, once, Box::new(reveal)).await
        }
        Err(error) => Err(error),
    };
    match made {
        Ok(created) => respond::page(created_page(&visit, form.value("name"), &created.body)),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(ask_page(&visit, &form))
        }
    }
}

fn request(form: &mut Form) -> Result<(KeyRequest, Option<Idempotency>), app::Error> {
    let name = form.checked("name", Name::parse);
    let chosen: Vec<String> = form.all("permissions").map(str::to_owned).collect();
    let permissions = form.checked("permissions", |_| Permissions::parse(&chosen.join(",")));
    let last_day: Option<Day> = form.parse_optional("expires_at");
    let scopes: Option<Scopes> = form.parse_optional("scopes");
    let networks: Option<Networks> = form.parse_optional("networks");
    let limits = KeyLimits { scopes, networks, ends_at: last_day.map(end_of) };
    let request = (|| Some(KeyRequest { name: name?, permissions: permissions?, limits }))();
    let request = form.finish(request)?;
    let once = once(form, format!("{request:?}"))?;
    Ok((request, once))
}

/// The token of a form that must create one key although it is sent twice.
fn once(form: &Form, request: String) -> Result<Option<Idempotency>, app::Error> {
    match form.value("once") {
        "" => Ok(None),
        once => Idempotency::new(&format!("workspace {once}"), request).map(Some),
    }
}

/// A key works until the end of its last day.
fn end_of(day: Day) -> Moment {
    day.plus_days(1).start()
}

fn created_page(visit: &Visit, name: &str, key: &str) -> Markup {
    let content = html! {
        (ui::head(visit.t(texts::CREATED_TITLE), name, None))
        div.card {
            (ui::secret(visit, visit.t(texts::KEY), key))
            p { (visit.t(texts::CREATED_HELP)) }
            (ui::link_button(route::API_KEYS, visit.t(texts::BACK), true))
        }
    };
    ui::layout::page(visit, visit.t(texts::CREATED_TITLE), &content)
}

async fn rotate(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, form } = posted;
    let id: ApiKeyId = id.parse().map_err(|_| PageError::NotFound)?;
    let hours = form.value(OVERLAP).trim().parse().unwrap_or(-1);
    let overlap = Overlap::hours(hours).map_err(|complaint| app::Error::invalid(OVERLAP, complaint))?;
    let once = once(&form, format!("rotate {id} {overlap:?}"))?;
    let reveal = |new: &NewKey| new.key.reveal().to_owned();
    let created =
        workspace.app.people.rotate_key(visit.caller(), id, overlap, once, Box::new(reveal)).await?;
    respond::page(created_page(&visit, form.value("name"), &created.body))
}

async fn revoke(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let id: ApiKeyId = id.parse().map_err(|_| PageError::NotFound)?;
    workspace.app.people.revoke_key(posted.visit.caller(), id).await?;
    respond::go_to(&route::done(route::API_KEYS, "revoked"))
}
