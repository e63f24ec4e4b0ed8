//! Shared by the operational routes.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, header};
use serde::Serialize;

use crate::docs::failures::failures;

failures! {
    /// The errors of an operational route.
    OpenErrors: 500, 503;
    /// The errors of an operational list.
    PageErrors: 422, 500, 503;
}

/// A response that must not be cached.
pub(crate) fn uncached(body: &impl Serialize) -> Response {
    let mut response = Json(body).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
