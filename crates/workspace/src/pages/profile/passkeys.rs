//! The user's passkeys: which there are, a new one, and removing one.

use app::passkey::PasskeyRow;
use axum::{
    Router,
    extract::{Path, State},
    routing::post,
};
use domain::{id::PasskeyId, text::Name};
use http::{HeaderMap, StatusCode, header};
use maud::{Markup, html};

use super::{below, filled, page};
use crate::{
    Workspace, cookie,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::passkey::party,
    proof::Proven,
    respond::{self, Answer},
    route,
    texts::{common, passkey as texts},
    ui::{
        self, Confirm,
        field::Field,
        passkey,
        table::{Column, table},
    },
};

/// The field with the name, which differs from that of the person on the same page.
pub(super) const NAME: &str = "passkey_name";

pub(super) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::PASSKEYS, post(add))
        .route(&below("passkeys/new"), post(ask))
        .route(&below("passkeys/{id}/remove"), post(remove))
}

/// Its part of the profile page.
pub(super) fn part(workspace: &Workspace, visit: &Visit, form: &Form, passkeys: &[PasskeyRow]) -> Markup {
    let t = |label| visit.t(label);
    html! {
        p { (t(texts::HELP)) }
        @if passkeys.is_empty() { p.quiet { (t(texts::NONE)) } } @else { (list(visit, passkeys)) }
        @if workspace.relying_party().is_none() { p.quiet { (t(texts::NO_ADDRESS)) } } @else {
            form method="post" action=(below("passkeys/new")) {
                (visit.form_token())
                (Field::text(visit, form, NAME, texts::NAME).hint(texts::NAME_HINT).at_most(Name::MAX).render())
                div.form-end { button.button type="submit" { (t(texts::ADD)) } }
            }
        }
    }
}

fn list(visit: &Visit, passkeys: &[PasskeyRow]) -> Markup {
    let rows: Vec<_> = passkeys
        .iter()
        .map(|row| {
            let remove = Confirm {
                action: &below(&format!("passkeys/{}/remove", row.id)),
                opener: texts::REMOVE,
                about: row.name.as_str(),
                question: visit.fill(texts::REMOVE_ASK, &[("name", &row.name)]),
                sure: texts::REMOVE,
            };
            vec![
                html! { (row.name.as_str()) },
                visit.time(row.created_at),
                visit.time_or_never(row.used_at),
                remove.render(visit),
            ]
        })
        .collect();
    let columns = [
        Column::text(visit.t(common::NAME)),
        Column::text(visit.t(texts::CREATED)),
        Column::text(visit.t(texts::USED)),
        Column::actions(visit.t(common::ACTIONS)),
    ];
    table(visit.t(texts::TITLE), &columns, &rows)
}

/// The profile again with what is wrong.
async fn refused(workspace: &Workspace, visit: &Visit, mut form: Form, error: app::Error) -> Answer {
    form.refuse(error)?;
    respond::refused(page(workspace, visit, &form.or(&filled(visit.session()))).await?)
}

/// The page with the button that makes the passkey. It stands between the name and the device, because a fresh proof may
/// be asked for first.
async fn ask(State(workspace): State<Workspace>, Proven(posted): Proven) -> Answer {
    let Posted { visit, mut form } = posted;
    let party = party(&workspace)?;
    let name = form.checked(NAME, Name::parse);
    let asked = match form.finish(name) {
        Ok(name) => workspace
            .app
            .access
            .ask_for_new_passkey(visit.session(), &party)
            .await
            .map(|question| (name, question)),
        Err(error) => Err(error),
    };
    let (name, question) = match asked {
        Ok(asked) => asked,
        Err(error) => return refused(&workspace, &visit, form, error).await,
    };
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::NEW_TITLE), t(texts::NEW_INTRO), None))
        form.card method="post" action=(route::PASSKEYS) {
            (visit.form_token())
            input type="hidden" name=(NAME) value=(name.as_str());
            div.form-end {
                (passkey::create_button(&question, &visit.fill(texts::CREATE, &[("name", &name)])))
                a.button href=(route::PROFILE) { (t(common::CANCEL)) }
            }
            (passkey::status(&visit))
        }
    };
    let content = ui::layout::page(&visit, t(texts::NEW_TITLE), &content);
    let mut response = respond::html(StatusCode::OK, content);
    let kept = cookie::keep_passkey(&question.kept, workspace.is_https());
    response.headers_mut().append(header::SET_COOKIE, kept);
    Ok(response)
}

async fn add(State(workspace): State<Workspace>, headers: HeaderMap, Proven(posted): Proven) -> Answer {
    let Posted { visit, mut form } = posted;
    let (party, https) = (party(&workspace)?, workspace.is_https());
    let name = form.checked(NAME, Name::parse);
    let added = match form.finish(name) {
        Ok(name) => {
            let kept = cookie::passkey(&headers, https);
            let creation = passkey::creation(&form);
            workspace.app.access.add_passkey(visit.session(), (&party, name), kept, &creation).await
        }
        Err(error) => Err(error),
    };
    let mut response = match added {
        Ok(()) => respond::go_to(&route::done(route::PROFILE, "passkey-added"))?,
        Err(error) => refused(&workspace, &visit, form, error).await?,
    };
    response.headers_mut().append(header::SET_COOKIE, cookie::forget_passkey(https));
    Ok(response)
}

async fn remove(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    Proven(posted): Proven,
) -> Answer {
    let id: PasskeyId = id.parse().map_err(|_| PageError::NotFound)?;
    workspace.app.access.remove_passkey(posted.visit.session(), id).await?;
    respond::go_to(&route::done(route::PROFILE, "passkey-removed"))
}
