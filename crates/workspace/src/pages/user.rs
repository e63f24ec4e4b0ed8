//! Users of the institution: list, invite, change, close.

use std::fmt::Display;

use app::{
    api_key::ApiKeyRow,
    open_work::OpenWork,
    refused_sign_in::RefusedRow,
    session::SessionRow,
    token::Token,
    user::{UserDraft, UserPatch, UserRow},
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    id::{SessionId, UserId},
    page::PageRequest,
    text::Name,
    user::Role,
    wording::Label,
};
use maud::{Markup, html};

use super::refused_sign_ins;
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    proof::ProvenAdministrator,
    respond::{self, Answer},
    route,
    texts::{
        common, identity_provider as provider, profile, refused_sign_in as refused_texts, user as texts,
    },
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        notice::complaints,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::USERS, get(list).post(invite))
        .route(&format!("{}/new", route::USERS), get(ask))
        .route(&format!("{}/{{id}}", route::USERS), get(show).post(change))
        .route(&format!("{}/{{id}}/link", route::USERS), post(issue_link))
        .route(&format!("{}/{{id}}/close", route::USERS), post(close))
        .route(&format!("{}/{{id}}/open", route::USERS), post(open))
        .route(&format!("{}/{{id}}/unlink", route::USERS), post(unlink))
        .route(&format!("{}/{{id}}/sessions/{{session}}", route::USERS), post(end_session))
}

fn address_of(id: UserId) -> String {
    format!("{}/{id}", route::USERS)
}

fn user_id(id: &str) -> Result<UserId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let page = workspace.app.users(visit.caller(), requested(&visit)).await?;
    let refused = workspace.app.refused_sign_ins(visit.caller()).await?;
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::PERSON)),
        Column::text(t(texts::ROLE)),
        Column::text(t(common::STATUS)),
        Column::text(t(texts::SECOND_FACTOR)),
        Column::text(t(texts::LAST_SIGN_IN)),
    ];
    let rows: Vec<_> = page.items.iter().map(|user| row(&visit, user)).collect();
    let known =
        [("changed", texts::WAS_CHANGED), ("closed", texts::WAS_CLOSED), ("opened", texts::WAS_OPENED)];
    let make = ui::link_button(&format!("{}/new", route::USERS), t(texts::INVITE), true);
    let make = visit.caller().may_administer().then_some(make);
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), make))
        (ui::notice::done(&visit, &known))
        (counted(&visit, page.total, texts::ONE, texts::MANY))
        (table(t(texts::TITLE), &columns, &rows))
        (pager(&visit, &page))
        (ui::section(t(refused_texts::TITLE), &refused_sign_ins::of_all(&visit, &refused)))
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn row(visit: &Visit, user: &UserRow) -> Vec<Markup> {
    let own = user.id == visit.session().user.id;
    vec![
        html! {
            @if visit.caller().may_administer() { a href=(address_of(user.id)) { (user.name.as_str()) } }
            @else { (user.name.as_str()) }
            @if own { span.quiet { " (" (visit.t(texts::YOU)) ")" } }
            br;
            span.quiet { (user.email.as_str()) }
        },
        html! { (visit.t(user.role.label())) },
        state(visit, user),
        if user.has_second_factor {
            badge(Tone::Good, visit.t(texts::ON))
        } else {
            badge(Tone::Neutral, visit.t(texts::OFF))
        },
        visit.time_or_never(user.signed_in_at),
    ]
}

fn state(view: &View, user: &UserRow) -> Markup {
    // A person who signs in with the identity provider has no password and is no longer only invited.
    let joined = user.has_password || user.signed_in_at.is_some();
    let state = match (user.is_shut(&view.zone, view.now), joined) {
        (true, _) => badge(Tone::Neutral, view.t(texts::CLOSED)),
        (false, false) => badge(Tone::Notice, view.t(texts::INVITED)),
        (false, true) => badge(Tone::Good, view.t(common::ACTIVE)),
    };
    html! {
        (state)
        @if let Some(last) = user.ends_on {
            br;
            span.quiet { (view.fill(texts::UNTIL, &[("day", &view.day(last))])) }
        }
    }
}

const NAMES: [(&str, Label); 5] = [
    ("email", texts::EMAIL),
    ("name", common::NAME),
    ("role", texts::ROLE),
    (ENDS_ON, texts::ENDS_ON),
    (HEIR, texts::HAND_OVER),
];

fn role_choices(view: &View, form: &Form) -> Markup {
    let help = |role: Role| match role {
        Role::Viewer => texts::VIEWER_HELP,
        Role::Auditor => texts::AUDITOR_HELP,
        Role::Contributor => texts::CONTRIBUTOR_HELP,
        Role::Manager => texts::MANAGER_HELP,
        Role::Administrator => texts::ADMINISTRATOR_HELP,
    };
    let choices: Vec<_> = Role::ALL
        .iter()
        .map(|role| Choice::new(role.as_str(), view.t(role.label())).help(view.t(help(*role))))
        .collect();
    field::choices(view, form, "role", texts::ROLE, false, &choices)
}

fn last_day(visit: &Visit, form: &Form) -> Markup {
    Field::day(visit, form, ENDS_ON, texts::ENDS_ON).hint(texts::ENDS_ON_HINT).optional().render()
}

async fn ask(visit: Visit) -> Answer {
    visit.caller().require_administrator()?;
    respond::page(ask_page(&visit, &Form::filled([("role", Role::Viewer.to_string())])))
}

fn ask_page(visit: &Visit, form: &Form) -> Markup {
    let content = html! {
        (ui::head(visit.t(texts::INVITE), "", None))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(route::USERS) {
            (visit.form_token())
            (Field::text(visit, form, "name", common::NAME).at_most(Name::MAX).autocomplete("off").render())
            (Field::email(visit, form, "email", texts::EMAIL).autocomplete("off").render())
            (role_choices(visit, form))
            (last_day(visit, form))
            div.form-end {
                button.button.primary type="submit" { (visit.t(texts::INVITE_SUBMIT)) }
                a.button href=(route::USERS) { (visit.t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, visit.t(texts::INVITE), &content)
}

async fn invite(
    State(workspace): State<Workspace>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, mut form } = posted;
    let (email, name, role) = (form.parse("email"), form.checked("name", Name::parse), form.parse("role"));
    let ends_on = form.parse_optional(ENDS_ON);
    let draft = (|| Some(UserDraft { email: email?, name: name?, role: role? }))();
    let invited = match form.finish(draft) {
        Ok(draft) => workspace.app.invite_user_until(visit.caller(), draft, ends_on).await,
        Err(error) => Err(error),
    };
    match invited {
        Ok((user, token)) => respond::page(link_page(&workspace, &visit, &user, Some(&token))),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(ask_page(&visit, &form))
        }
    }
}

/// A link to hand over, or a notice that it was mailed.
fn link_page(workspace: &Workspace, visit: &Visit, user: &UserRow, token: Option<&Token>) -> Markup {
    let link = token.map(|token| format!("{}{}", workspace.options.public_url, crate::link_path(token)));
    let mailed = if link.is_some() { texts::LINK_MAILED } else { texts::LINK_ONLY_MAILED };
    let title = visit.fill(texts::LINK_TITLE, &[("name", &user.name)]);
    let content = html! {
        (ui::head(&title, "", None))
        div.card {
            @if let Some(link) = &link {
                (ui::secret(visit, visit.t(texts::LINK), link))
                p { (visit.fill(texts::LINK_HELP, &[("email", &user.email)])) }
            }
            @if workspace.app.sends_mail() { p { (visit.fill(mailed, &[("email", &user.email)])) } }
            (ui::link_button(route::USERS, visit.t(texts::BACK), true))
        }
    };
    ui::layout::page(visit, &title, &content)
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let user = workspace.app.user(visit.caller(), user_id(&id)?).await?;
    let last = user.ends_on.map(|day| day.to_string()).unwrap_or_default();
    let form =
        Form::filled([("name", user.name.to_string()), ("role", user.role.to_string()), (ENDS_ON, last)]);
    let leaving = Leaving::read(&workspace, &visit, &user).await?;
    respond::page(change_page(&visit, &user, &form, &leaving))
}

fn change_page(visit: &Visit, user: &UserRow, form: &Form, leaving: &Leaving) -> Markup {
    let t = |label| visit.t(label);
    let title = visit.fill(texts::CHANGE_TITLE, &[("name", &user.name)]);
    let content = html! {
        (ui::head(&title, user.email.as_str(), None))
        (ui::notice::done(visit, &[
            ("session-ended", profile::SESSION_ENDED),
            ("unlinked", provider::UNLINKED),
        ]))
        p { (state(visit, user)) }
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(address_of(user.id)) {
            (visit.form_token())
            (Field::text(visit, form, "name", common::NAME).at_most(Name::MAX).autocomplete("off").render())
            (role_choices(visit, form))
            (last_day(visit, form))
            div.form-end {
                button.button.primary type="submit" { (t(common::SAVE)) }
                a.button href=(route::USERS) { (t(common::CANCEL)) }
            }
        }
        @if user.disabled_at.is_some() {
            (ui::post_button(visit, &format!("{}/open", address_of(user.id)), t(texts::REOPEN)))
        } @else {
            @if user.id != visit.session().user.id { (resetting(visit, user, leaving.has_passkeys)) }
            (closing(visit, user, form, leaving))
        }
        @if leaving.linked {
            (ui::section(t(provider::TITLE), &html! {
                p { (t(provider::LINKED)) }
                (ui::post_button(visit, &format!("{}/unlink", address_of(user.id)), t(provider::UNLINK)))
                p.hint { (t(provider::UNLINK_HELP)) }
            }))
        }
        (ui::section(t(profile::SESSIONS), &browsers(visit, user, &leaving.sessions)))
        (ui::section(t(refused_texts::TITLE), &refused_sign_ins::of_account(visit, &leaving.refused)))
    };
    ui::layout::page(visit, &title, &content)
}

/// The user's signed-in browsers, each with a button that signs it out.
fn browsers(visit: &Visit, user: &UserRow, sessions: &[SessionRow]) -> Markup {
    if sessions.is_empty() {
        return html! { p.quiet { (visit.t(texts::NO_SESSIONS)) } };
    }
    let columns = [
        Column::text(visit.t(profile::BROWSER)),
        Column::text(visit.t(profile::ADDRESS)),
        Column::text(visit.t(profile::SINCE)),
        Column::text(visit.t(profile::SEEN)),
        Column::actions(visit.t(common::ACTIONS)),
    ];
    let row = |session: &SessionRow| {
        let end = format!("{}/sessions/{}", address_of(user.id), session.id);
        vec![
            html! { (super::profile::browser(&session.agent)) },
            html! { (session.address) },
            visit.time(session.created_at),
            visit.time(session.seen_at),
            ui::post_button(visit, &end, visit.t(profile::END_SESSION)),
        ]
    };
    table(visit.t(profile::SESSIONS), &columns, &sessions.iter().map(row).collect::<Vec<_>>())
}

async fn end_session(
    State(workspace): State<Workspace>,
    Path((user, session)): Path<(String, String)>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let user = user_id(&user)?;
    let session: SessionId = session.parse().map_err(|_| PageError::NotFound)?;
    workspace.app.end_session_of(posted.visit.caller(), user, session).await?;
    respond::go_to(&route::done(&address_of(user), "session-ended"))
}

async fn unlink(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let id = user_id(&id)?;
    workspace.app.unlink_user(posted.visit.caller(), id).await?;
    respond::go_to(&route::done(&address_of(id), "unlinked"))
}

fn resetting(visit: &Visit, user: &UserRow, has_passkeys: bool) -> Markup {
    html! {
        form.card method="post" action={ (address_of(user.id)) "/link" } {
            (visit.form_token())
            p { (visit.t(texts::RESET_HELP)) }
            @if user.has_second_factor || has_passkeys {
                (field::switch(visit, &Form::default(), "forget_second_factor",
                    texts::FORGET_SECOND_FACTOR, None))
            }
            button.button type="submit" { (visit.t(texts::RESET)) }
        }
    }
}

/// The confirmation before an account is closed, with the open work under this name.
fn closing(visit: &Visit, user: &UserRow, form: &Form, leaving: &Leaving) -> Markup {
    let Leaving { work, heirs, keys, .. } = leaving;
    let numbers: [(&str, &dyn Display); 13] = [
        ("findings", &work.findings.len()),
        ("test_cases", &work.test_cases.len()),
        ("programmes", &work.programmes.len()),
        ("controls", &work.controls.len()),
        ("risks", &work.risks.len()),
        ("assessments", &work.assessments.len()),
        ("evidence", &work.evidence.len()),
        ("functions", &work.functions.len()),
        ("filings", &work.filings.len()),
        ("providers", &work.providers.len()),
        ("tasks", &work.tasks.len()),
        ("incidents", &work.incidents.len()),
        ("cra_reports", &work.cra_reports.len()),
    ];
    html! {
        details.confirm open[!form.complaints(HEIR).is_empty()] {
            summary.button.danger { (visit.t(texts::CLOSE)) span.unseen { " " (user.name.as_str()) } }
            form.confirm-body method="post" action={ (address_of(user.id)) "/close" } {
                (visit.form_token())
                p { (visit.fill(texts::CLOSE_ASK, &[("name", &user.name)])) }
                @if work != &OpenWork::default() {
                    p { (visit.fill(texts::OPEN_WORK, &numbers)) }
                    (field::select(visit, form, HEIR, texts::HAND_OVER, heirs))
                }
                @if !keys.is_empty() {
                    p { (visit.t(texts::KEYS_MADE)) }
                    ul { @for key in keys { li { (key.name.as_str()) " " code { (key.prefix) "…" } } } }
                    (field::switch(visit, form, REVOKE_KEYS, texts::REVOKE_KEYS, Some(texts::REVOKE_KEYS_HELP)))
                }
                button.button.danger.solid type="submit" { (visit.t(texts::CLOSE)) }
            }
        }
    }
}

const HEIR: &str = "hand_over_to";
const REVOKE_KEYS: &str = "revoke_keys";
const ENDS_ON: &str = "ends_on";

/// The user's open work, possible new owners, sessions, and refused sign-ins.
#[derive(Default)]
struct Leaving {
    work: OpenWork,
    heirs: Vec<Choice>,
    /// Active keys of the user.
    keys: Vec<ApiKeyRow>,
    refused: Vec<RefusedRow>,
    sessions: Vec<SessionRow>,
    /// Whether they sign in with the identity provider.
    linked: bool,
    has_passkeys: bool,
}

impl Leaving {
    async fn read(workspace: &Workspace, visit: &Visit, user: &UserRow) -> Result<Self, PageError> {
        let (app, caller) = (&workspace.app, visit.caller());
        let refused = app.refused_sign_ins_of(caller, user.id).await?;
        if user.disabled_at.is_some() {
            return Ok(Self { refused, ..Self::default() });
        }
        let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
        let others = app.users(caller, all).await?.items.into_iter();
        let others = others.filter(|other| other.id != user.id && other.disabled_at.is_none());
        let mut heirs = vec![Choice::new("", visit.t(texts::LEAVE_WORK))];
        heirs.extend(others.map(|other| {
            Choice::new(other.id.to_string(), format!("{} ({})", other.name.as_str(), other.email.as_str()))
        }));
        let (work, sessions) =
            (app.open_work(caller, user.id).await?, app.sessions_of(caller, user.id).await?);
        let keys = app.keys_made_by(caller, user.id).await?;
        let linked = app.is_linked(caller, user.id).await?;
        let has_passkeys = app.has_passkeys(caller, user.id).await?;
        Ok(Self { work, heirs, keys, refused, sessions, linked, has_passkeys })
    }
}

async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, user_id(&id)?);
    let (name, role) = (form.checked("name", Name::parse), form.parse("role"));
    let ends_on = form.parse_optional(ENDS_ON);
    let patch = match form.finish(Some(())) {
        Ok(()) => UserPatch { name, role, active: None, ends_on: Some(ends_on) },
        Err(error) => return refused(&workspace, &visit, id, form, error).await,
    };
    match workspace.app.change_user(visit.caller(), id, patch).await {
        Ok(_) => respond::go_to(&route::done(route::USERS, "changed")),
        Err(error) => refused(&workspace, &visit, id, form, error).await,
    }
}

async fn refused(
    workspace: &Workspace,
    visit: &Visit,
    id: UserId,
    mut form: Form,
    error: app::Error,
) -> Answer {
    form.refuse(error)?;
    let user = workspace.app.user(visit.caller(), id).await?;
    let leaving = Leaving::read(workspace, visit, &user).await?;
    respond::refused(change_page(visit, &user, &form, &leaving))
}

async fn issue_link(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, form } = posted;
    let forgets = form.is_checked("forget_second_factor");
    let (user, token) = workspace.app.reset_user(visit.caller(), user_id(&id)?, forgets).await?;
    // If the link is mailed, the administrator does not see it, because it would let them act as this user.
    let shown = (!workspace.app.sends_mail() || !user.has_password).then_some(&token);
    respond::page(link_page(&workspace, &visit, &user, shown))
}

async fn close(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, user_id(&id)?);
    let heir = form.parse_optional(HEIR);
    let closed = match form.finish(Some(())) {
        Ok(()) => {
            let revoke_keys = form.is_checked(REVOKE_KEYS);
            workspace.app.close_user(visit.caller(), id, heir, revoke_keys).await
        }
        Err(error) => Err(error),
    };
    match closed {
        Ok(_) => respond::go_to(&route::done(route::USERS, "closed")),
        Err(error) => refused(&workspace, &visit, id, form, error).await,
    }
}

async fn open(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, user_id(&id)?);
    let patch = UserPatch { active: Some(true), ..UserPatch::default() };
    match workspace.app.change_user(visit.caller(), id, patch).await {
        Ok(_) => respond::go_to(&route::done(route::USERS, "opened")),
        Err(error) => refused(&workspace, &visit, id, form, error).await,
    }
}
