//! Successful responses: one record, one page, one creation.

use std::sync::Arc;

use app::{idempotency::Creation, pages::Rendered};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use domain::{page::Page, wording::Language};
use http::{HeaderValue, StatusCode, header, header::InvalidHeaderValue};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    error,
    extract::{IfNoneMatch, coding::Coding, cursor},
};

/// One record.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Data<T> {
    pub data: T,
}

/// Several records that are always given together.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct All<T> {
    pub data: Vec<T>,
}

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct List<T> {
    pub data: Vec<T>,
    pub meta: Meta,
}

/// The page and the size of the whole list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Meta {
    /// Items on this page.
    pub count: u64,
    /// Items that match in total.
    pub total: u64,
    /// The page size that was applied, at most 500.
    pub limit: u32,
    /// The number of items before this page.
    pub offset: u64,
    /// Send it as `cursor` to read on; null at the end, and in lists sorted by a field that can change.
    pub next_cursor: Option<String>,
}

impl<T> List<T> {
    pub(crate) fn of<R>(page: &Page<R>) -> Self
    where
        T: for<'r> From<&'r R>,
    {
        Self { data: page.items.iter().map(T::from).collect(), meta: Meta::of(page) }
    }
}

impl Meta {
    pub(crate) fn of<R>(page: &Page<R>) -> Self {
        Self {
            count: page.items.len() as u64,
            total: page.total,
            limit: page.request.limit(),
            offset: page.request.offset(),
            next_cursor: page.next.map(cursor::text_of),
        }
    }
}

/// A v1 list of records that are already serialised.
pub(crate) fn list_body(page: &Page<Arc<str>>) -> Vec<u8> {
    joined(page.items.iter().map(|record| &**record), &Meta::of(page))
}

/// Serialising our own wire types cannot fail: they contain no maps with unusual keys.
pub(crate) fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|error| {
        tracing::error!(%error, "a wire type did not serialise");
        b"null".to_vec()
    })
}

/// The same as text, for responses that are stored.
pub(crate) fn to_text(value: &impl Serialize) -> String {
    String::from_utf8(to_json(value)).unwrap_or_default()
}

pub(crate) fn json(status: StatusCode, body: impl Into<Bytes>) -> Response {
    let mut response = Response::new(axum::body::Body::from(body.into()));
    *response.status_mut() = status;
    // Room for the headers of the middleware, so that the map does not grow.
    response.headers_mut().reserve(HEADERS);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The approximate number of headers of a response to a keyed request.
const HEADERS: usize = 16;

/// One record with its `ETag`, or 304 if the client's copy is current.
pub(crate) fn record(value: &impl Serialize, validator: &str, if_none_match: &IfNoneMatch) -> Response {
    validated(validator, if_none_match, || json(StatusCode::OK, to_json(&Data { data: value })))
}

/// A rendered page with its `ETag`, or 304.
pub(crate) fn page(rendered: Rendered, if_none_match: &IfNoneMatch) -> Response {
    let Rendered { body, validator } = rendered;
    validated(&validator, if_none_match, || json(StatusCode::OK, body))
}

/// The response with the `ETag` of this validator, or 304 if the client's copy is current.
pub(crate) fn validated(
    validator: &str,
    if_none_match: &IfNoneMatch,
    full: impl FnOnce() -> Response,
) -> Response {
    let mut response =
        if if_none_match.fits(validator) { StatusCode::NOT_MODIFIED.into_response() } else { full() };
    match entity_tag(validator) {
        Ok(value) => {
            response.headers_mut().insert(header::ETAG, value);
            response
        }
        Err(_) => error::internal(),
    }
}

/// The validator in the form of its header.
fn entity_tag(validator: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    HeaderValue::from_str(&format!("\"{validator}\""))
}

/// 201 with the address of the created record; the stored response if it was created before.
pub(crate) fn created(creation: Creation, collection: Option<&str>) -> Response {
    let mut response = json(StatusCode::CREATED, creation.body);
    let location =
        collection.and_then(|path| HeaderValue::from_str(&format!("{path}/{}", creation.subject)).ok());
    if let Some(location) = location {
        response.headers_mut().insert(header::LOCATION, location);
        // A record with an address can be changed, and a change can name the version it is for.
        if let Ok(etag) = entity_tag(&creation.validator) {
            response.headers_mut().insert(header::ETAG, etag);
        }
    }
    if creation.replayed {
        response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
    }
    response
}

/// `{"data": […], "meta": …}` around records that are already serialised.
pub(crate) fn joined<'p>(records: impl Iterator<Item = &'p str> + Clone, meta: &impl Serialize) -> Vec<u8> {
    const FRAME: usize = 200;
    let mut body = Vec::with_capacity(records.clone().map(|record| record.len() + 1).sum::<usize>() + FRAME);
    body.extend_from_slice(b"{\"data\":");
    join(records, &mut body);
    body.extend_from_slice(b",\"meta\":");
    body.extend_from_slice(&to_json(meta));
    body.push(b'}');
    body
}

/// A JSON list of items that are already JSON.
pub(crate) fn join<'p>(parts: impl Iterator<Item = &'p str>, body: &mut Vec<u8>) {
    body.push(b'[');
    for (index, part) in parts.enumerate() {
        if index > 0 {
            body.push(b',');
        }
        body.extend_from_slice(part.as_bytes());
    }
    body.push(b']');
}

/// The name of a coding in its header; `None` for identity.
pub(crate) fn coding_name(coding: Coding) -> Option<HeaderValue> {
    (coding != Coding::Identity).then(|| HeaderValue::from_static(coding.as_str()))
}

pub(crate) fn language_name(language: Language) -> HeaderValue {
    HeaderValue::from_static(language.as_str())
}

/// Adds the headers for the language of the texts.
pub(crate) fn spoken(mut response: Response, language: Language) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LANGUAGE, language_name(language));
    headers.append(header::VARY, HeaderValue::from_static("accept-language"));
    response
}
