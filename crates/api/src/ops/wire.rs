//! What the operational routes share on the wire.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, header};
use serde::Serialize;

use crate::docs::failures::failures;

failures! {
    /// What an operational route may answer besides its result.
    OpenErrors: 500, 503;
    /// What an operational list may answer besides its result.
    PageErrors: 422, 500, 503;
}

/// An answer that holds for this moment only.
pub(crate) fn uncached(body: &impl Serialize) -> Response {
    let mut response = Json(body).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
