//! Answers: a page, a page that refuses a form, a way on.
#![expect(clippy::unnecessary_wraps, reason = "a handler's last line is one of these")]

use axum::response::{IntoResponse as _, Redirect, Response};
use http::{HeaderValue, StatusCode, header};
use maud::Markup;

use crate::oops::Oops;

/// What a page handler answers.
pub(crate) type Answer = Result<Response, Oops>;

pub(crate) fn html(status: StatusCode, page: Markup) -> Response {
    let mut response = (status, page.into_string()).into_response();
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

pub(crate) fn page(page: Markup) -> Answer {
    Ok(html(StatusCode::OK, page))
}

/// The form again, with what was wrong beside each field.
pub(crate) fn refused(page: Markup) -> Answer {
    Ok(html(StatusCode::UNPROCESSABLE_ENTITY, page))
}

/// After a change: a page that can be reloaded without changing anything again.
pub(crate) fn go_to(address: &str) -> Answer {
    Ok(Redirect::to(address).into_response())
}
