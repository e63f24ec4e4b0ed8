//! Error responses: always JSON with a string `error`, never the details of a defect.

use std::collections::BTreeMap;

use app::{Error, approval::ApprovalWanted, log_limit};
use axum::{
    Json,
    response::{IntoResponse, Response},
};
use domain::violation::{Complaint, Violations};
use http::{HeaderValue, StatusCode, header};
use http_body_util::BodyExt as _;
use serde::Serialize;
use utoipa::ToSchema;

/// The body of an error.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Error)]
pub(crate) struct ErrorBody {
    /// What is wrong and what to do, as a sentence for people.
    #[schema(example = "there is no such record")]
    pub error: String,
    /// The kind of error, for programs: it stays the same when the sentence is reworded.
    pub code: Code,
    /// Only with the code `approval_required`: the body to ask for the approval with; its reason is for the caller to add.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, inline)]
    pub ask: Option<Ask>,
    /// Only with 422: the errors by field.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub details: BTreeMap<String, Vec<String>>,
}

/// What to send to `POST /api/v1/approvals`, with a reason.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Ask {
    #[schema(example = "fnd_01k9x14js0e00000000000000a")]
    pub subject: String,
    #[schema(example = "accept")]
    pub action: &'static str,
    /// What the decision is carried out with, if it needs that.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub details: BTreeMap<String, String>,
}

/// What went wrong, in one word that programs can rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ErrorCode)]
pub(crate) enum Code {
    Unauthorized,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    Conflict,
    Stale,
    CursorExpired,
    TooLarge,
    ValidationFailed,
    ApprovalRequired,
    RateLimited,
    Internal,
    Unavailable,
    StorageUnavailable,
}

/// The body of the error 429.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = RateLimitError)]
pub(crate) struct LimitBody {
    /// What is wrong and what to do, as a sentence for people.
    #[schema(example = "too many requests: wait 12 seconds")]
    pub error: String,
    /// Always `rate_limited`.
    pub code: Code,
    /// The limit that was exceeded, in requests per window.
    #[schema(example = 100)]
    pub limit: u32,
    /// The length of the window in seconds, followed by `s`.
    #[schema(example = "60s")]
    pub window: String,
    /// Whole seconds to wait before the next request.
    #[schema(example = 12)]
    pub retry_after: u64,
}

/// An error on its way out.
#[derive(Debug)]
pub enum ApiError {
    App(Error),
    /// The body is larger than this route takes.
    TooLarge,
    /// The file is larger than an import takes.
    ImportTooLarge,
    /// The range begins behind the end of a file of so many bytes.
    OutsideFile(u64),
    /// The file is larger than this many bytes.
    FileTooLarge(u64),
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        Self::App(error)
    }
}

impl From<Violations> for ApiError {
    fn from(violations: Violations) -> Self {
        Self::App(Error::Invalid(violations))
    }
}

impl ApiError {
    pub fn not_found() -> Self {
        Self::App(Error::NotFound)
    }

    /// The error as a line of a stream that has begun and can no longer return a status.
    pub(crate) async fn into_line(self) -> Vec<u8> {
        let body = self.into_response().into_body();
        body.collect().await.map(|body| body.to_bytes().to_vec()).unwrap_or_default()
    }
}

/// How long a client should wait when the service is unavailable.
const TRY_AGAIN: HeaderValue = HeaderValue::from_static("2");

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let error = match self {
            Self::TooLarge => return too_large("the body is larger than 1 MiB"),
            Self::ImportTooLarge => return too_large("the file is larger than 64 MiB: split it"),
            Self::OutsideFile(length) => {
                let message = format!("the range is outside the file, which has {length} bytes");
                return plain(StatusCode::RANGE_NOT_SATISFIABLE, Code::ValidationFailed, message);
            }
            Self::FileTooLarge(most) => {
                return too_large(&format!("the file has more than {most} bytes (evidence.max_file_bytes)"));
            }
            Self::App(error) => error,
        };
        let message = error.to_string();
        match error {
            Error::Unauthenticated => {
                let mut response = plain(StatusCode::UNAUTHORIZED, Code::Unauthorized, message);
                response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                response
            }
            Error::Forbidden(_)
            | Error::RoleNeeded(_)
            | Error::OutOfScope(_)
            | Error::WrongNetwork(..)
            | Error::KeysDoNotDecide
            | Error::PeopleDecide
            | Error::NotAuthor
            | Error::NotAdministrator
            | Error::ProofNeeded => plain(StatusCode::FORBIDDEN, Code::Forbidden, message),
            Error::NotFound => plain(StatusCode::NOT_FOUND, Code::NotFound, message),
            Error::Conflict(_) => plain(StatusCode::CONFLICT, Code::Conflict, message),
            Error::Stale => plain(StatusCode::PRECONDITION_FAILED, Code::Stale, message),
            Error::CursorExpired => plain(StatusCode::GONE, Code::CursorExpired, message),
            Error::Invalid(violations) => {
                let texts =
                    |complaints: &Vec<Complaint>| complaints.iter().map(ToString::to_string).collect();
                let fields = violations.fields().iter();
                let details = fields.map(|(field, complaints)| (field.clone(), texts(complaints))).collect();
                let body = ErrorBody { error: message, code: Code::ValidationFailed, ask: None, details };
                (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
            }
            Error::ApprovalRequired(wanted) => {
                let ApprovalWanted { subject, action, details, .. } = *wanted;
                let ask = Some(Ask { subject, action: action.as_str(), details });
                let body =
                    ErrorBody { error: message, code: Code::ApprovalRequired, ask, details: BTreeMap::new() };
                (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
            }
            Error::Limited { limit, window_seconds, retry_after } => {
                limited(message, limit, window_seconds, retry_after)
            }
            Error::Busy | Error::BusyExports => unavailable(Code::Unavailable, message),
            Error::Unavailable(why) => {
                log_limit::answered_unavailable(&why);
                unavailable(Code::Unavailable, message)
            }
            Error::StorageAway(why) => {
                log_limit::answered_unavailable(&why);
                unavailable(Code::StorageUnavailable, message)
            }
            Error::Internal(error) => {
                tracing::error!(error = &*error, "answered 500");
                internal()
            }
        }
    }
}

pub(crate) fn plain(status: StatusCode, code: Code, error: impl Into<String>) -> Response {
    let body = ErrorBody { error: error.into(), code, ask: None, details: BTreeMap::new() };
    (status, Json(body)).into_response()
}

fn too_large(message: &str) -> Response {
    plain(StatusCode::PAYLOAD_TOO_LARGE, Code::TooLarge, message)
}

fn unavailable(code: Code, message: String) -> Response {
    let mut response = plain(StatusCode::SERVICE_UNAVAILABLE, code, message);
    response.headers_mut().insert(header::RETRY_AFTER, TRY_AGAIN);
    response
}

/// The body of a 500 contains nothing more.
pub(crate) fn internal() -> Response {
    plain(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal, "internal server error")
}

fn limited(error: String, limit: u32, window_seconds: u64, retry_after: u64) -> Response {
    let body = LimitBody {
        error,
        code: Code::RateLimited,
        limit,
        window: format!("{window_seconds}s"),
        retry_after,
    };
    let mut response = (StatusCode::TOO_MANY_REQUESTS, Json(body)).into_response();
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
    response
}

pub(crate) async fn no_route() -> Response {
    plain(
        StatusCode::NOT_FOUND,
        Code::NotFound,
        "there is no such route: /api/docs describes those that exist",
    )
}

pub(crate) async fn wrong_method() -> Response {
    plain(
        StatusCode::METHOD_NOT_ALLOWED,
        Code::MethodNotAllowed,
        "this route does not take this method: see the Allow header",
    )
}
