//! `/.well-known/security.txt` (RFC 9116): the contact for reporting vulnerabilities of this installation.

use axum::{
    Router,
    extract::State,
    response::{IntoResponse as _, Response},
    routing::get,
};
use http::{StatusCode, header};

use crate::Workspace;

const PATH: &str = "/.well-known/security.txt";
/// The standard requires less than a year, so that readers do not rely on an outdated text.
const VALID_SECONDS: i64 = 180 * 24 * 3600;

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(PATH, get(show))
}

async fn show(State(workspace): State<Workspace>) -> Response {
    let Some(contact) = &workspace.options.security_contact else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let expires = workspace.app.clock.now().plus_seconds(VALID_SECONDS);
    let text = format!(
        "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en, de\nCanonical: {}{PATH}\n",
        workspace.options.public_url
    );
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}
