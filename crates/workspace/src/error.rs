//! Errors of pages, sorted by what the reader can do.

use std::any::Any;

use app::{Error, log_limit};
use axum::response::{IntoResponse as _, Response};
use domain::user::Role;
use http::StatusCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageError {
    /// Absent, deleted or another tenant's: the page does not say which.
    NotFound,
    /// The reader's role does not allow it; with the role that does, where one is known.
    Forbidden(Option<Role>),
    /// A change that our own pages did not send.
    Forged,
    /// The record was changed meanwhile.
    Stale,
    /// An invalid request that no form of ours would send.
    Malformed,
    /// The page cannot be shown as of a day, or the day is none.
    NotOfThePast,
    TooLarge,
    WrongMethod,
    /// Too many requests; try again later.
    TooMany,
    Unavailable,
    /// The storage of files does not answer.
    StorageAway,
    /// Other imports are in progress.
    Busy,
    /// Other reports and exports are in progress.
    BusyExports,
    Internal,
}

impl PageError {
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Forbidden(_) | Self::Forged => StatusCode::FORBIDDEN,
            Self::Stale => StatusCode::CONFLICT,
            Self::Malformed | Self::NotOfThePast => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable | Self::StorageAway | Self::Busy | Self::BusyExports => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<Error> for PageError {
    /// The log gets the details once; the page only shows what the reader can act on.
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound | Error::Unauthenticated => Self::NotFound,
            Error::RoleNeeded(role) => Self::Forbidden(Some(role)),
            Error::NotAdministrator => Self::Forbidden(Some(Role::Administrator)),
            Error::Forbidden(_)
            | Error::OutOfScope(_)
            | Error::WrongNetwork(..)
            | Error::KeysDoNotDecide
            | Error::PeopleDecide
            | Error::NotAuthor
            | Error::ProofNeeded => Self::Forbidden(None),
            Error::Stale | Error::Conflict(_) => Self::Stale,
            Error::Invalid(violations) => {
                tracing::debug!(%violations, "a request no form would send");
                Self::Malformed
            }
            // Pages with a step that can need an approval lead to the form that asks for it, and only the API has
            // cursors of events.
            Error::ApprovalRequired(_) | Error::CursorExpired => Self::Malformed,
            Error::Limited { .. } => Self::TooMany,
            Error::Busy => Self::Busy,
            Error::BusyExports => Self::BusyExports,
            Error::Unavailable(why) => {
                log_limit::answered_unavailable(&why);
                Self::Unavailable
            }
            Error::StorageAway(why) => {
                log_limit::answered_unavailable(&why);
                Self::StorageAway
            }
            Error::Internal(error) => {
                tracing::error!(error = &*error, "answered 500");
                Self::Internal
            }
        }
    }
}

/// A page panicked: a defect, which is logged before the response is sent.
#[expect(clippy::needless_pass_by_value, reason = "the layer's signature")]
pub(crate) fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let what = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("");
    tracing::error!(what, "a page panicked");
    (StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on our side. Please try again.").into_response()
}
