//! Users of the institution: list, invite, change, close.

mod detail;
mod role;

use app::{
    token::Token,
    user::{UserDraft, UserRow},
};
use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use domain::{
    id::UserId,
    right::{Resource, Right},
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
    texts::{common, refused_sign_in as refused_texts, user as texts},
    ui::{
        self,
        badge::{Tone, badge},
        field::Field,
        notice::complaints,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::USERS, get(list).post(invite))
        .route(&format!("{}/new", route::USERS), get(ask))
        .route(&format!("{}/{{id}}", route::USERS), get(detail::show).post(detail::change))
        .route(&format!("{}/{{id}}/link", route::USERS), post(detail::issue_link))
        .route(&format!("{}/{{id}}/close", route::USERS), post(detail::close))
        .route(&format!("{}/{{id}}/hand-over", route::USERS), post(detail::hand_over))
        .route(&format!("{}/{{id}}/open", route::USERS), post(detail::open))
        .route(&format!("{}/{{id}}/unlink", route::USERS), post(detail::unlink))
        .route(&format!("{}/{{id}}/remove-factors", route::USERS), post(detail::remove_factors))
        .route(&format!("{}/{{id}}/sessions/{{session}}", route::USERS), post(detail::end_session))
}

fn address_of(id: UserId) -> String {
    format!("{}/{id}", route::USERS)
}

fn user_id(id: &str) -> Result<UserId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let page = workspace.app.people.users(visit.caller(), requested(&visit)).await?;
    let refused = workspace.app.access.refused_sign_ins(visit.caller()).await?;
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
    let make = visit.may(Resource::People, Right::Write).then_some(make);
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
            @if visit.may(Resource::People, Right::Write) { a href=(address_of(user.id)) { (user.name.as_str()) } }
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

const ENDS_ON: &str = "ends_on";
const HEIR: &str = "hand_over_to";

const NAMES: [(&str, Label); 5] = [
    ("email", texts::EMAIL),
    ("name", common::NAME),
    ("role", texts::ROLE),
    (ENDS_ON, texts::ENDS_ON),
    (HEIR, texts::HAND_OVER),
];

fn last_day(visit: &Visit, form: &Form) -> Markup {
    Field::day(visit, form, ENDS_ON, texts::ENDS_ON).hint(texts::ENDS_ON_HINT).optional().render()
}

async fn ask(visit: Visit) -> Answer {
    visit.caller().require_right(Resource::People, Right::Write)?;
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
            (role::choices(visit, form))
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
        Ok(draft) => workspace.app.access.invite_user_until(visit.caller(), draft, ends_on).await,
        Err(error) => Err(error),
    };
    match invited {
        Ok((user, token)) => respond::page(link_page(&workspace, &visit, &user, (Some(&token), false))),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(ask_page(&visit, &form))
        }
    }
}

/// A link to hand over, or a notice that it was mailed.
fn link_page(
    workspace: &Workspace,
    visit: &Visit,
    user: &UserRow,
    (token, waits): (Option<&Token>, bool),
) -> Markup {
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
            @if waits { p { strong { (visit.t(texts::REMOVAL_WAITS)) } } }
            (ui::link_button(route::USERS, visit.t(texts::BACK), true))
        }
    };
    ui::layout::page(visit, &title, &content)
}
