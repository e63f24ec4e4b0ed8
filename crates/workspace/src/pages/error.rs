//! A page for what went wrong: what happened, and what to do now.

use std::sync::Arc;

use axum::response::Response;
use domain::{text::Name, user::Email, wording::Label};
use http::{HeaderValue, header};
use maud::{Markup, html};

use crate::{
    Workspace,
    oops::Oops,
    respond, route,
    texts::error,
    ui::{self, navigation},
    visit::{View, Visit},
};

fn told(oops: Oops) -> (Label, Label) {
    match oops {
        Oops::NotFound => (error::NOT_FOUND, error::NOT_FOUND_HELP),
        Oops::Forbidden => (error::FORBIDDEN, error::FORBIDDEN_HELP),
        Oops::Forged => (error::FORGED, error::FORGED_HELP),
        Oops::Stale => (error::STALE, error::STALE_HELP),
        Oops::Malformed | Oops::WrongMethod => (error::MALFORMED, error::MALFORMED_HELP),
        Oops::TooLarge => (error::TOO_LARGE, error::TOO_LARGE_HELP),
        Oops::TooMany => (error::TOO_MANY, error::TOO_MANY_HELP),
        Oops::Unavailable => (error::UNAVAILABLE, error::UNAVAILABLE_HELP),
        Oops::Busy => (error::BUSY, error::BUSY_HELP),
        Oops::Internal => (error::INTERNAL, error::INTERNAL_HELP),
    }
}

/// A signed-in reader who asked for the wrong page keeps the menu. Every other fault gets a page that needs no store.
pub(crate) async fn page(workspace: &Workspace, view: &Arc<View>, oops: Oops) -> Response {
    let (title, _) = told(oops);
    let page = match Visit::new(view).filter(|_| matches!(oops, Oops::NotFound | Oops::Forbidden)) {
        Some(visit) => {
            let asked = details(workspace, &visit, oops).await;
            ui::layout::page(&visit, view.t(title), &content(view, oops, &asked))
        }
        None => ui::layout::bare(view, view.t(title), &content(view, oops, &html! {})),
    };
    let mut response = respond::html(oops.status(), page);
    if matches!(oops, Oops::Unavailable | Oops::Busy | Oops::TooMany) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
    }
    response
}

fn content(view: &View, oops: Oops, details: &Markup) -> Markup {
    let (title, help) = told(oops);
    let (way, name) =
        if view.signed.is_some() { (route::HOME, error::HOME) } else { (route::SIGN_IN, error::SIGN_IN) };
    html! {
        h1 { (view.t(title)) }
        p { (view.t(help)) }
        (details)
        p { (ui::link_button(way, view.t(name), true)) }
    }
}

/// Which page it was, and for a refusal the role that lacks it and the people who can change that.
async fn details(workspace: &Workspace, visit: &Visit, oops: Oops) -> Markup {
    let name = navigation::name_of(visit, visit.path());
    let forbidden = oops == Oops::Forbidden;
    // Without the names the page still says what happened.
    let ask = if forbidden {
        workspace.app.administrators(visit.caller()).await.unwrap_or_default()
    } else {
        vec![]
    };
    // The address itself is not repeated: a record of another tenant and one that never was look the same.
    html! {
        dl.facts {
            @if let Some(name) = name { dt { (visit.t(error::PAGE)) } dd { (name) } }
            @if forbidden { dt { (visit.t(error::YOUR_ROLE)) } dd { (visit.t(visit.session().user.role.label())) } }
            @if !ask.is_empty() { dt { (visit.t(error::ASK)) } dd { (contacts(&ask)) } }
        }
    }
}

fn contacts(all: &[(Name, Email)]) -> Markup {
    html! {
        ul.plain {
            @for (name, email) in all {
                li { (name.as_str()) ", " a href={ "mailto:" (email.as_str()) } { (email.as_str()) } }
            }
        }
    }
}
