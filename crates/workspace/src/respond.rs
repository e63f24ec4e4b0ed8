//! Responses: a page, a page that refuses a form, a redirect.
#![expect(clippy::unnecessary_wraps, reason = "a handler's last line is one of these")]

use axum::response::{IntoResponse as _, Redirect, Response};
use http::{HeaderValue, StatusCode, header};
use maud::Markup;

use crate::error::PageError;

/// The result of a page handler.
pub(crate) type Answer = Result<Response, PageError>;

pub(crate) fn html(status: StatusCode, page: Markup) -> Response {
    let mut response = (status, page.into_string()).into_response();
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

pub(crate) fn page(page: Markup) -> Answer {
    Ok(html(StatusCode::OK, page))
}

/// The form again, with the violations beside each field.
pub(crate) fn refused(page: Markup) -> Answer {
    Ok(html(StatusCode::UNPROCESSABLE_ENTITY, page))
}

/// The form again, because another user changed the record first.
pub(crate) fn overtaken(page: Markup) -> Answer {
    Ok(html(StatusCode::CONFLICT, page))
}

/// After a change: a redirect to a page that can be reloaded without repeating the change.
pub(crate) fn go_to(address: &str) -> Answer {
    Ok(Redirect::to(address).into_response())
}
