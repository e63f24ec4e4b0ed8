//! What can go wrong on the way to a page, sorted by what the reader is told.

use std::any::Any;

use app::Error;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oops {
    /// Absent, deleted or another tenant's: the reader is not told which.
    NotFound,
    Forbidden,
    /// A change that our own pages did not send.
    Forged,
    /// Another change came in between.
    Stale,
    /// What was sent makes no sense, and no form of ours would send it.
    Malformed,
    TooLarge,
    WrongMethod,
    /// Another address, another time.
    TooMany,
    Unavailable,
    /// Other imports are under way.
    Busy,
    Internal,
}

impl Oops {
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Forbidden | Self::Forged => StatusCode::FORBIDDEN,
            Self::Stale => StatusCode::CONFLICT,
            Self::Malformed => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable | Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<Error> for Oops {
    /// The log is told everything once; the reader only what they can act on.
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound | Error::Unauthenticated => Self::NotFound,
            Error::Forbidden(_)
            | Error::OutOfScope(_)
            | Error::WrongNetwork
            | Error::NotAdministrator
            | Error::ProofNeeded => Self::Forbidden,
            Error::Stale => Self::Stale,
            Error::Invalid(violations) => {
                tracing::debug!(%violations, "a request no form would send");
                Self::Malformed
            }
            Error::Limited { .. } => Self::TooMany,
            Error::Busy => Self::Busy,
            Error::Unavailable(why) => {
                tracing::warn!(%why, "answered 503");
                Self::Unavailable
            }
            Error::Internal(error) => {
                tracing::error!(error = &*error, "answered 500");
                Self::Internal
            }
        }
    }
}

/// A page panicked: a defect, and the last place to say so before the connection breaks.
#[expect(clippy::needless_pass_by_value, reason = "the layer's signature")]
pub(crate) fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let what = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("");
    tracing::error!(what, "a page panicked");
    (StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on our side. Please try again.").into_response()
}
