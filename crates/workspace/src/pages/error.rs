//! A page for what went wrong: what happened, and what to do now.

use axum::response::Response;
use domain::wording::Label;
use http::{HeaderValue, header};
use maud::html;

use crate::{oops::Oops, respond, route, texts::error, ui, visit::View};

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

/// The same for everybody: whether somebody is signed in changes only where the way on leads.
pub(crate) fn page(view: &View, oops: Oops) -> Response {
    let (title, help) = told(oops);
    let (way, name) =
        if view.signed.is_some() { (route::HOME, error::HOME) } else { (route::SIGN_IN, error::SIGN_IN) };
    let content = html! {
        h1 { (view.t(title)) }
        p { (view.t(help)) }
        (ui::link_button(way, view.t(name), true))
    };
    let mut response = respond::html(oops.status(), ui::layout::bare(view, view.t(title), &content));
    if matches!(oops, Oops::Unavailable | Oops::Busy | Oops::TooMany) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
    }
    response
}
