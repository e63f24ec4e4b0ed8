//! One user: what can be changed, where the person is signed in, and closing the account.

use app::{
    api_key::ApiKeyRow,
    factor_removal::WaitingRemoval,
    open_work::{OpenWork, Successor},
    refused_sign_in::RefusedRow,
    session::SessionRow,
    user::{UserPatch, UserRow},
};
use axum::extract::{Path, State};
use domain::{
    id::{SessionId, UserId},
    page::PageRequest,
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::{ENDS_ON, HEIR, NAMES, address_of, last_day, link_page, role, state, user_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::refused_sign_ins,
    proof::ProvenAdministrator,
    respond::{self, Answer},
    route,
    texts::{
        common, identity_provider as provider, profile, refused_sign_in as refused_texts, user as texts,
    },
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
        table::{Column, table},
    },
};

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let user = workspace.app.people.user(visit.caller(), user_id(&id)?).await?;
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
            ("factors-removed", texts::REMOVAL_DONE),
            ("handed-over", texts::WAS_HANDED_OVER),
        ]))
        p { (state(visit, user)) }
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(address_of(user.id)) {
            (visit.form_token())
            (Field::text(visit, form, "name", common::NAME).at_most(Name::MAX).autocomplete("off").render())
            (role::choices(visit, form))
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
        @if let Some(removal) = &leaving.removal { (waiting(visit, user, removal)) }
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
            html! { (crate::pages::profile::browser(&session.agent)) },
            html! { (session.address) },
            visit.time(session.created_at),
            visit.time(session.seen_at),
            ui::post_button(visit, &end, visit.t(profile::END_SESSION)),
        ]
    };
    table(visit.t(profile::SESSIONS), &columns, &sessions.iter().map(row).collect::<Vec<_>>())
}

pub(super) async fn end_session(
    State(workspace): State<Workspace>,
    Path((user, session)): Path<(String, String)>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let user = user_id(&user)?;
    let session: SessionId = session.parse().map_err(|_| PageError::NotFound)?;
    workspace.app.access.end_session_of(posted.visit.caller(), user, session).await?;
    respond::go_to(&route::done(&address_of(user), "session-ended"))
}

pub(super) async fn unlink(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let id = user_id(&id)?;
    workspace.app.access.unlink_user(posted.visit.caller(), id).await?;
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

/// How much open work of each kind the person has.
fn open_work(visit: &Visit, leaving: &Leaving) -> String {
    let counted = |(kind, number): &(Label, usize)| format!("{}: {number}", kind.text(visit.language));
    leaving.work.iter().map(counted).collect::<Vec<_>>().join(", ")
}

/// The confirmation before an account is closed, with the open work under this name.
fn closing(visit: &Visit, user: &UserRow, form: &Form, leaving: &Leaving) -> Markup {
    let Leaving { heirs, keys, .. } = leaving;
    html! {
        details.confirm open[!form.complaints(HEIR).is_empty()] {
            summary.button.danger { (visit.t(texts::CLOSE)) span.unseen { " " (user.name.as_str()) } }
            form.confirm-body method="post" action={ (address_of(user.id)) "/close" } {
                (visit.form_token())
                p { (visit.fill(texts::CLOSE_ASK, &[("name", &user.name)])) }
                @if !leaving.work.is_empty() {
                    p { (visit.fill(texts::OPEN_WORK, &[("work", &open_work(visit, leaving))])) }
                    (field::select(visit, form, HEIR, texts::HAND_OVER, heirs))
                    p.hint { (visit.t(texts::HAND_OVER_HELP)) }
                }
                @if !keys.is_empty() {
                    p { (visit.t(texts::KEYS_MADE)) }
                    ul { @for key in keys { li { (key.name.as_str()) " " code { (key.prefix) "…" } } } }
                    (field::switch(visit, &revoking(form), REVOKE_KEYS, texts::REVOKE_KEYS, Some(texts::REVOKE_KEYS_HELP)))
                }
                div.form-end {
                    button.button.danger.solid type="submit" { (visit.t(texts::CLOSE)) }
                    @if !leaving.work.is_empty() {
                        button.button type="submit" formaction={ (address_of(user.id)) "/hand-over" } {
                            (visit.t(texts::HAND_OVER_SUBMIT))
                        }
                    }
                }
            }
        }
    }
}

/// The choice to leave the work under the name of the person.
const LEAVE: &str = "leave";
const REVOKE_KEYS: &str = "revoke_keys";

/// Revoking is ticked at first, because a person who leaves keeps a copy of every key they made. A form that was refused
/// shows what was chosen.
fn revoking(form: &Form) -> Form {
    if form.complaints(HEIR).is_empty() {
        Form::filled([(REVOKE_KEYS, "1".to_owned())])
    } else {
        form.clone()
    }
}

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
    removal: Option<WaitingRemoval>,
}

impl Leaving {
    async fn read(workspace: &Workspace, visit: &Visit, user: &UserRow) -> Result<Self, PageError> {
        let (app, caller) = (&workspace.app, visit.caller());
        let refused = app.access.refused_sign_ins_of(caller, user.id).await?;
        if user.disabled_at.is_some() {
            return Ok(Self { refused, ..Self::default() });
        }
        let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
        let others = app.people.users(caller, all).await?.items.into_iter();
        let others = others.filter(|other| other.id != user.id && other.disabled_at.is_none());
        let mut heirs = vec![Choice::new("", visit.t(texts::CHOOSE_HEIR))];
        heirs.extend(others.map(|other| {
            Choice::new(other.id.to_string(), format!("{} ({})", other.name.as_str(), other.email.as_str()))
        }));
        heirs.push(Choice::new(LEAVE, visit.t(texts::LEAVE_WORK)));
        let (work, sessions) =
            (app.people.open_work(caller, user.id).await?, app.access.sessions_of(caller, user.id).await?);
        let keys = app.people.keys_made_by(caller, user.id).await?;
        let linked = app.access.is_linked(caller, user.id).await?;
        let has_passkeys = app.access.has_passkeys(caller, user.id).await?;
        let removal = app.access.waiting_removal(caller, user.id).await?;
        Ok(Self { work, heirs, keys, refused, sessions, linked, has_passkeys, removal })
    }
}

pub(super) async fn change(
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
    match workspace.app.people.change_user(visit.caller(), id, patch).await {
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
    let user = workspace.app.people.user(visit.caller(), id).await?;
    let leaving = Leaving::read(workspace, visit, &user).await?;
    respond::refused(change_page(visit, &user, &form, &leaving))
}

pub(super) async fn issue_link(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, form } = posted;
    let forgets = form.is_checked("forget_second_factor");
    let (user, token) = workspace.app.access.reset_user(visit.caller(), user_id(&id)?, forgets).await?;
    // If the link is mailed, the administrator does not see it, because it would let them act as this user.
    let shown = (!workspace.app.sends_mail() || !user.has_password).then_some(&token);
    let waits = workspace.app.access.waiting_removal(visit.caller(), user.id).await?.is_some();
    respond::page(link_page(&workspace, &visit, &user, (shown, waits)))
}

/// Another administrator confirms that second factor and passkeys are removed.
pub(super) async fn remove_factors(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, user_id(&id)?);
    match workspace.app.access.confirm_removal(visit.caller(), id).await {
        Ok(()) => respond::go_to(&route::done(&address_of(id), "factors-removed")),
        Err(error) => refused(&workspace, &visit, id, form, error).await,
    }
}

/// A removal of second factor and passkeys that waits for another administrator.
fn waiting(visit: &Visit, user: &UserRow, removal: &WaitingRemoval) -> Markup {
    html! {
        (ui::section(visit.t(texts::REMOVAL_TITLE), &html! {
            p { (visit.fill(texts::REMOVAL_ASKED, &[("time", &visit.moment(removal.asked_at))])) }
            @if removal.may_confirm {
                (ui::post_button(visit, &format!("{}/remove-factors", address_of(user.id)), visit.t(texts::REMOVAL_CONFIRM)))
            } @else { p.hint { (visit.t(texts::REMOVAL_WAITS)) } }
        }))
    }
}

pub(super) async fn close(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, user_id(&id)?);
    let successor = successor(&mut form);
    let closed = match form.finish(Some(())) {
        Ok(()) => {
            let revoke_keys = form.is_checked(REVOKE_KEYS);
            workspace.app.people.close_user(visit.caller(), id, successor, revoke_keys).await
        }
        Err(error) => Err(error),
    };
    match closed {
        Ok(_) => respond::go_to(&route::done(route::USERS, "closed")),
        Err(error) => refused(&workspace, &visit, id, form, error).await,
    }
}

fn successor(form: &mut Form) -> Successor {
    match form.value(HEIR) {
        LEAVE => Successor::LeftAsItIs,
        _ => form.parse_optional(HEIR).map_or(Successor::NotChosen, Successor::Person),
    }
}

/// Hands the open work over while the account stays open.
pub(super) async fn hand_over(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, user_id(&id)?);
    let heir = form.parse_optional(HEIR);
    let handed = match form.finish(Some(())) {
        Ok(()) => workspace.app.people.hand_over_work(visit.caller(), id, heir).await,
        Err(error) => Err(error),
    };
    match handed {
        Ok(()) => respond::go_to(&route::done(&address_of(id), "handed-over")),
        Err(error) => refused(&workspace, &visit, id, form, error).await,
    }
}

pub(super) async fn open(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, user_id(&id)?);
    let patch = UserPatch { active: Some(true), ..UserPatch::default() };
    match workspace.app.people.change_user(visit.caller(), id, patch).await {
        Ok(_) => respond::go_to(&route::done(route::USERS, "opened")),
        Err(error) => refused(&workspace, &visit, id, form, error).await,
    }
}
