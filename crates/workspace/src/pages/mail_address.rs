//! The owner of a mail address outside the institution agrees to its mail, without an account. Opening the link alone
//! confirms nothing, because programs that examine mail open links too.

use app::mail_address::AskedAddress;
use axum::{Router, extract::State, routing::get};
use http::StatusCode;
use maud::{Markup, html};

use crate::{
    Workspace,
    extract::{Guest, View},
    link_cookie::{self, LinkToken},
    respond::{self, Answer},
    route,
    texts::mail_address as texts,
    ui::{self, badge::Tone, notice::notice},
};

/// How long the page may stay open before its link has to be opened again.
const OPEN_SECONDS: i64 = 60 * 60;

pub(crate) fn router() -> Router<Workspace> {
    let paths = link_cookie::paths(route::MAIL_ADDRESS);
    paths.iter().fold(Router::new(), |router, path| router.route(path, get(show).post(agree)))
}

async fn show(State(workspace): State<Workspace>, Guest(view): Guest, link: LinkToken) -> Answer {
    let Some(token) = link.token(&workspace, "mail_address") else { return Ok(gone(&view)) };
    match workspace.app.messages.asked_address(token).await? {
        Some(_) if link.is_in_address() => {
            link_cookie::exchanged(&workspace, route::MAIL_ADDRESS, token, OPEN_SECONDS)
        }
        Some(asked) => respond::page(page(&view, &asked)),
        None => Ok(gone(&view)),
    }
}

async fn agree(State(workspace): State<Workspace>, Guest(view): Guest, link: LinkToken) -> Answer {
    let Some(token) = link.token(&workspace, "mail_address") else { return Ok(gone(&view)) };
    if !workspace.app.messages.confirm_address(token).await? {
        return Ok(gone(&view));
    }
    link_cookie::exchanged(&workspace, route::MAIL_ADDRESS, token, OPEN_SECONDS)
}

fn page(view: &View, asked: &AskedAddress) -> Markup {
    let places: [(&str, &dyn std::fmt::Display); 2] =
        [("institution", &asked.institution), ("address", &asked.address)];
    let title = view.fill(texts::TITLE, &places);
    let content = html! {
        h1 { (title) }
        @if asked.is_confirmed {
            (notice(Tone::Good, &view.fill(texts::CONFIRMED, &places), &html! {}))
        } @else {
            p.intro { (view.fill(texts::INTRO, &places)) }
            form method="post" {
                button.button.primary.wide type="submit" { (view.t(texts::AGREE)) }
            }
            p.hint { (view.t(texts::OTHERWISE)) }
        }
    };
    ui::layout::bare(view, &title, &content)
}

fn gone(view: &View) -> axum::response::Response {
    let content = html! {
        h1 { (view.t(texts::GONE_TITLE)) }
        p { (view.t(texts::GONE)) }
    };
    respond::html(StatusCode::NOT_FOUND, ui::layout::bare(view, view.t(texts::GONE_TITLE), &content))
}
