//! Types and helpers of the public routes: responses from memory, in the caller's language and coding.

use std::{borrow::Cow, sync::Arc};

use app::{
    App, Result as AppResult,
    catalogue::{Edition, Records},
};
use axum::{
    body::Body,
    extract::{FromRequestParts, State},
    response::{IntoResponse, Response},
};
use domain::{moment::Day, wording::Language};
use http::{HeaderValue, header, request::Parts};
use serde::Serialize;
use utoipa::ToSchema;

use super::body_cache::{BodyCache, PublicBody};
use crate::{
    ApiError,
    docs::failures::failures,
    extract::{IfNoneMatch, Packed, Spoken},
    middleware::answer_cache::{CachedRequest, Lasting},
    reference::Reference,
    respond,
};

/// A list of reference records.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; the body is joined from records written before")]
pub(crate) struct ReferenceList<T> {
    data: Vec<T>,
    meta: ReferenceMeta,
}

/// The size of the list and the version of the catalogue.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReferenceMeta {
    /// Records in the list.
    pub count: u64,
    /// The version of the catalogue, as a day.
    #[schema(value_type = String, format = Date, example = "2026-11-14")]
    pub version: Day,
}

failures! {
    /// What every public route may answer besides its result.
    PublicErrors: 304, 422, 500, 503;
}

/// Everything about a request that a public response depends on.
#[derive(Debug)]
pub(crate) struct PublicRequest {
    app: App,
    language: Language,
    packed: Packed,
    bodies: BodyCache,
    if_none_match: IfNoneMatch,
    question: Option<CachedRequest>,
}

impl FromRequestParts<App> for PublicRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let State(app) =
            State::<App>::from_request_parts(parts, app).await.unwrap_or_else(|never| match never {});
        let Spoken(language) = Spoken::from_request_parts(parts, &app).await?;
        let packed = Packed::from_request_parts(parts, &app).await.unwrap_or_else(|never| match never {});
        let if_none_match =
            IfNoneMatch::from_request_parts(parts, &app).await.unwrap_or_else(|never| match never {});
        // Without the layer of the public routes, each request makes its body itself.
        let bodies = parts.extensions.get::<BodyCache>().cloned().unwrap_or_default();
        Ok(Self { app, language, packed, bodies, if_none_match, question: CachedRequest::of(parts) })
    }
}

/// Long enough to avoid repeated requests, short enough that a corrected record is soon seen.
const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("public, max-age=60");
const VARY: HeaderValue = HeaderValue::from_static("accept-encoding, accept-language");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

impl PublicRequest {
    pub(crate) fn edition(&self) -> Result<Arc<Edition>, ApiError> {
        Ok(self.app.catalogue()?)
    }

    /// The response with a body of the catalogue.
    pub(crate) async fn answer(self, body: &PublicBody) -> Result<Response, ApiError> {
        self.answer_as(body, JSON).await
    }

    /// The response with a body that is not JSON.
    pub(crate) async fn answer_as(
        self,
        body: &PublicBody,
        media_type: HeaderValue,
    ) -> Result<Response, ApiError> {
        self.answer_with(body.name.into(), body.write, media_type).await
    }

    /// The response with a JSON body of this name; there must be a bounded number of names.
    pub(crate) async fn answer_named(
        self,
        name: String,
        write: impl Fn(&Edition, Language) -> AppResult<Vec<u8>> + Send + Sync + 'static,
    ) -> Result<Response, ApiError> {
        self.answer_with(name.into(), write, JSON).await
    }

    async fn answer_with(
        self,
        name: Cow<'static, str>,
        write: impl Fn(&Edition, Language) -> AppResult<Vec<u8>> + Send + Sync + 'static,
        media_type: HeaderValue,
    ) -> Result<Response, ApiError> {
        let Packed(coding) = self.packed;
        let edition = self.app.catalogue()?;
        let body = self.bodies.get(&edition, name, (self.language, coding), Arc::new(write)).await?;
        let mut response = respond::validated(&body.validator, &self.if_none_match, || {
            let mut response = Body::from(body.bytes.clone()).into_response();
            if let Some(question) = self.question.filter(|_| body.is_final) {
                response.extensions_mut().insert(Lasting { question, edition: Arc::downgrade(&edition) });
            }
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, media_type);
            if let Some(name) = respond::coding_name(coding) {
                headers.insert(header::CONTENT_ENCODING, name);
            }
            response
        });
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, CACHE_CONTROL);
        headers.insert(header::VARY, VARY);
        headers.insert(header::CONTENT_LANGUAGE, respond::language_name(self.language));
        Ok(response)
    }
}

/// The list of all records of one kind.
pub(super) fn list<R: Reference>(edition: &Edition, language: Language) -> AppResult<Vec<u8>> {
    let records = edition.records(&R::set(), language)?;
    Ok(joined(&records, &[], edition))
}

/// `{"data": […], …, "meta": {…}}` with further members between data and meta.
pub(super) fn joined(records: &Records, further: &[(&str, Vec<u8>)], edition: &Edition) -> Vec<u8> {
    let meta = ReferenceMeta { count: records.len() as u64, version: edition.version };
    let mut body = b"{\"data\":".to_vec();
    respond::join(records.iter(), &mut body);
    for (name, value) in further {
        body.extend_from_slice(format!(",\"{name}\":").as_bytes());
        body.extend_from_slice(value);
    }
    body.extend_from_slice(b",\"meta\":");
    body.extend_from_slice(&respond::to_json(&meta));
    body.push(b'}');
    body
}
