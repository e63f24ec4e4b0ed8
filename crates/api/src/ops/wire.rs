//! What the operational routes share on the wire.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use domain::vocabulary::Vocabulary;
use http::{HeaderValue, header};
use serde::Serialize;
use utoipa::{
    IntoResponses,
    openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, Type},
};

use crate::{error::ErrorBody, schema::word};

/// What an operational route may answer besides its result.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "documentation only")]
pub(crate) enum OpenErrors {
    /// Something unexpected happened; nothing more is said.
    #[response(status = 500)]
    Internal(#[to_schema] ErrorBody),
    /// The service cannot answer right now; `Retry-After` says when to try again.
    #[response(status = 503)]
    Unavailable(#[to_schema] ErrorBody),
}

/// What an operational list may answer besides its result.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "documentation only")]
pub(crate) enum PageErrors {
    /// A parameter is wrong; `details` names it.
    #[response(status = 422)]
    Invalid(#[to_schema] ErrorBody),
    /// Something unexpected happened; nothing more is said.
    #[response(status = 500)]
    Internal(#[to_schema] ErrorBody),
    /// The service cannot answer right now; `Retry-After` says when to try again.
    #[response(status = 503)]
    Unavailable(#[to_schema] ErrorBody),
}

/// One word of a closed list, or null while there is nothing to say.
pub(crate) fn word_or_null<V: Vocabulary>() -> Schema {
    let null = ObjectBuilder::new().schema_type(Type::Null);
    OneOfBuilder::new().item(word::<V>()).item(null).build().into()
}

/// An answer that holds for this moment only.
pub(crate) fn uncached(body: &impl Serialize) -> Response {
    let mut response = Json(body).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
