//! Errors as SCIM writes them (RFC 7644, 3.12): a status, a kind that programs know, a sentence.

use app::Error;
use axum::response::{IntoResponse, Response};
use domain::violation::{AccountComplaint, Violations};
use http::StatusCode;
use serde_json::{Value, json};

use super::form;
use crate::ApiError;

const SCHEMA: &str = "urn:ietf:params:scim:api:messages:2.0:Error";

/// An error on its way out.
#[derive(Debug)]
pub(super) enum Failure {
    App(Error),
    /// A status, the `scimType` where there is one, and a sentence.
    Plain(StatusCode, Option<&'static str>, String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::App(error)
    }
}

impl Failure {
    fn bad(kind: &'static str, detail: impl Into<String>) -> Self {
        Self::Plain(StatusCode::BAD_REQUEST, Some(kind), detail.into())
    }

    /// The body is no JSON, or not what the operation takes.
    pub(super) fn syntax(detail: impl Into<String>) -> Self {
        Self::bad("invalidSyntax", detail)
    }

    pub(super) fn value(detail: impl Into<String>) -> Self {
        Self::bad("invalidValue", detail)
    }

    pub(super) fn filter(detail: impl Into<String>) -> Self {
        Self::bad("invalidFilter", detail)
    }

    pub(super) fn path(detail: impl Into<String>) -> Self {
        Self::bad("invalidPath", detail)
    }

    /// An operation that names nothing to work on.
    pub(super) fn no_target(detail: impl Into<String>) -> Self {
        Self::bad("noTarget", detail)
    }

    /// An attribute that cannot be changed in this way.
    pub(super) fn fixed(detail: impl Into<String>) -> Self {
        Self::bad("mutability", detail)
    }

    pub(super) fn refused(status: StatusCode, detail: impl Into<String>) -> Self {
        Self::Plain(status, None, detail.into())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::Plain(status, kind, detail) => form::answer(status, &body(status, kind, &detail)),
            Self::App(Error::Invalid(violations)) => {
                let (status, kind) = meaning(&violations);
                form::answer(status, &body(status, kind, &violations.to_string()))
            }
            Self::App(error @ Error::OutOfScope(_)) => {
                let detail = format!(
                    "{error}: an administrator creates a key for the directory in the workspace under API keys, with \
                     accounts:read and accounts:write as its only resources"
                );
                form::answer(StatusCode::FORBIDDEN, &body(StatusCode::FORBIDDEN, None, &detail))
            }
            // The layer around all routes gives it its form.
            Self::App(error) => ApiError::App(error).into_response(),
        }
    }
}

/// What a refused input is to a directory.
fn meaning(violations: &Violations) -> (StatusCode, Option<&'static str>) {
    for complaint in violations.fields().values().flatten() {
        match complaint.declared() {
            Some(AccountComplaint::AddressTaken) => return (StatusCode::CONFLICT, Some("uniqueness")),
            Some(AccountComplaint::LastAdministrator) => return (StatusCode::CONFLICT, None),
            Some(AccountComplaint::AddressStays) => return (StatusCode::BAD_REQUEST, Some("mutability")),
            _ => {}
        }
    }
    (StatusCode::BAD_REQUEST, Some("invalidValue"))
}

pub(super) fn body(status: StatusCode, kind: Option<&str>, detail: &str) -> Value {
    let mut body = json!({ "schemas": [SCHEMA], "status": status.as_str(), "detail": detail });
    if let Some(kind) = kind {
        body["scimType"] = json!(kind);
    }
    body
}

pub(super) async fn no_resource() -> Failure {
    let detail = "there is no such resource: /scim/v2/ResourceTypes lists those that exist";
    Failure::refused(StatusCode::NOT_FOUND, detail)
}
