//! Error pages: what happened, and what to do now.

use std::sync::Arc;

use axum::response::Response;
use domain::{text::Name, user::Email, wording::Label};
use http::{HeaderValue, StatusCode, header};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond, route,
    texts::error,
    ui::{self, navigation},
};

fn wording(failure: PageError) -> (Label, Label) {
    match failure {
        PageError::NotFound => (error::NOT_FOUND, error::NOT_FOUND_HELP),
        PageError::Forbidden(_) => (error::FORBIDDEN, error::FORBIDDEN_HELP),
        PageError::Forged => (error::FORGED, error::FORGED_HELP),
        PageError::Stale => (error::STALE, error::STALE_HELP),
        PageError::Malformed | PageError::WrongMethod => (error::MALFORMED, error::MALFORMED_HELP),
        PageError::NotOfThePast => (error::NOT_OF_THE_PAST, error::NOT_OF_THE_PAST_HELP),
        PageError::TooLarge => (error::TOO_LARGE, error::TOO_LARGE_HELP),
        PageError::TooMany => (error::TOO_MANY, error::TOO_MANY_HELP),
        PageError::Unavailable => (error::UNAVAILABLE, error::UNAVAILABLE_HELP),
        PageError::StorageAway => (error::STORAGE_AWAY, error::STORAGE_AWAY_HELP),
        PageError::Busy => (error::BUSY, error::BUSY_HELP),
        PageError::BusyExports => (error::BUSY_EXPORTS, error::BUSY_EXPORTS_HELP),
        PageError::Internal => (error::INTERNAL, error::INTERNAL_HELP),
    }
}

/// A signed-in reader of a missing page keeps the menu. All other errors get a page that needs no store.
pub(crate) async fn page(workspace: &Workspace, view: &Arc<View>, failure: PageError) -> Response {
    let (title, _) = wording(failure);
    let page =
        match Visit::new(view).filter(|_| matches!(failure, PageError::NotFound | PageError::Forbidden(_))) {
            Some(visit) => {
                let asked = details(workspace, &visit, failure).await;
                ui::layout::page(&visit, view.t(title), &content(view, failure, &asked))
            }
            None => ui::layout::bare(view, view.t(title), &content(view, failure, &html! {})),
        };
    let mut response = respond::html(failure.status(), page);
    if matches!(failure.status(), StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
    }
    response
}

fn content(view: &View, failure: PageError, details: &Markup) -> Markup {
    let (title, help) = wording(failure);
    let (way, name) =
        if view.signed.is_some() { (route::HOME, error::HOME) } else { (route::SIGN_IN, error::SIGN_IN) };
    html! {
        h1 { (view.t(title)) }
        p { (view.t(help)) }
        (details)
        p { (ui::link_button(way, view.t(name), true)) }
    }
}

/// The page, and for a refusal the missing role and the users who can grant it.
async fn details(workspace: &Workspace, visit: &Visit, failure: PageError) -> Markup {
    let name = navigation::name_of(visit, visit.path());
    let (forbidden, needed) = match failure {
        PageError::Forbidden(needed) => (true, needed),
        _ => (false, None),
    };
    // Without the names the page still says what happened.
    let ask = if forbidden {
        workspace.app.people.administrators(visit.caller()).await.unwrap_or_default()
    } else {
        vec![]
    };
    // The address itself is not repeated: another tenant's record and one that never existed must look the same.
    html! {
        dl.facts {
            @if let Some(name) = name { dt { (visit.t(error::PAGE)) } dd { (name) } }
            @if forbidden { dt { (visit.t(error::YOUR_ROLE)) } dd { (visit.t(visit.session().user.role.label())) } }
            @if let Some(role) = needed { dt { (visit.t(error::ROLE_NEEDED)) } dd { (visit.t(role.label())) } }
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
