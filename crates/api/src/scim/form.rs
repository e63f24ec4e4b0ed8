//! The form of answers: SCIM's own media type, never kept by anyone in between, errors as SCIM writes them.

use axum::{
    body::{Body, to_bytes},
    extract::{FromRequest, Request},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde_json::{Map, Value};

use super::error::{self, Failure};

const SCIM_JSON: &str = "application/scim+json";
/// The label of the v1 contract, which says nothing about SCIM.
const API_VERSION: HeaderName = HeaderName::from_static("x-api-version");
/// The largest body that is read; a thousand members of a group fit into it.
const MOST_BYTES: usize = 256 * 1024;

pub(super) fn answer(status: StatusCode, body: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static(SCIM_JSON))], body.to_string()).into_response()
}

/// The JSON object that was sent, whatever media type it was called.
#[derive(Debug)]
pub(super) struct Sent(pub Map<String, Value>);

impl<S: Sync> FromRequest<S> for Sent {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let too_large = |_| {
            let detail = "the body is larger than 256 KiB, or did not arrive to its end";
            Failure::refused(StatusCode::PAYLOAD_TOO_LARGE, detail)
        };
        let bytes = to_bytes(request.into_body(), MOST_BYTES).await.map_err(too_large)?;
        let sent = serde_json::from_slice(&bytes);
        sent.map(Self).map_err(|error| Failure::syntax(format!("the body must be a JSON object: {error}")))
    }
}

/// Around all routes: also a refused key, a limit or a defect is answered in the form a directory reads.
pub(super) async fn layer(request: Request, next: Next) -> Response {
    let (mut parts, body) = next.run(request).await.into_parts();
    parts.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    parts.headers.remove(API_VERSION);
    let failed = parts.status.is_client_error() || parts.status.is_server_error();
    let formed = parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| *kind == SCIM_JSON);
    if !failed || formed {
        return Response::from_parts(parts, body);
    }
    let detail = sentence(body).await.or_else(|| parts.status.canonical_reason().map(str::to_owned));
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(SCIM_JSON));
    let body = error::body(parts.status, None, &detail.unwrap_or_default());
    Response::from_parts(parts, Body::from(body.to_string()))
}

/// What the error of another surface says.
async fn sentence(body: Body) -> Option<String> {
    let bytes = to_bytes(body, MOST_BYTES).await.ok()?;
    let body: Value = serde_json::from_slice(&bytes).ok()?;
    body["error"].as_str().map(str::to_owned)
}
