//! Audit bundles: asked for, made in the background, downloaded.

use app::{App, bundle::BundleRow};
use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use domain::{
    bundle::BundleWish,
    id::BundleId,
    moment::{Day, Moment},
    wording::Language,
};
use http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::{
    ApiError,
    extract::{Body, IdPath, IfNoneMatch, KeyManager, LanguageParams, ListParams, ListQuery, Parsed, Spoken},
    respond::{self, Data, List},
    schema::body,
    v1::{
        Subject,
        compliance::evidence::download,
        wire::{BodyErrors, ConflictError, Framework, KeyedErrors, NotModified, RangeError, words},
    },
};

const PATH: &str = "/api/v1/bundles";

pub(crate) const SUBJECT: Subject = Subject {
    tag: "audit bundles",
    about: "Everything about a day for an auditor, signed, as one file that proves itself.",
    list: None,
    routes: |router| {
        router.routes(routes!(create, list)).routes(routes!(get, delete)).routes(routes!(content))
    },
};

words! {
    BundleState = domain::bundle::BundleState, "How far a bundle is.";
}

/// An audit bundle.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Bundle {
    #[schema(value_type = String, example = "bdl_01k9x14js0e00000000000000a")]
    id: BundleId,
    /// The framework whose requirements and evidence it holds; null for all.
    framework: Option<Framework>,
    /// The day at whose end everything in it holds.
    #[schema(value_type = String, format = Date)]
    as_of: Day,
    /// The first day of the audit entries in it; null for all.
    #[schema(value_type = Option<String>, format = Date)]
    from: Option<Day>,
    #[schema(value_type = String, example = "en")]
    language: &'static str,
    state: BundleState,
    /// In percent.
    #[schema(minimum = 0, maximum = 100)]
    progress: i64,
    /// The id of the API key or user that asked for it.
    asked_by: String,
    #[schema(value_type = String, format = DateTime)]
    asked_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime)]
    made_at: Option<Moment>,
    /// The size of the file, once it is made.
    bytes: Option<u64>,
    /// The SHA-256 of the file, once it is made.
    sha256: Option<String>,
    /// The moment that the time stamp in the file states; null without one.
    #[schema(value_type = Option<String>, format = DateTime)]
    stamped_at: Option<Moment>,
    /// Why it could not be made.
    problem: Option<String>,
}

impl From<&BundleRow> for Bundle {
    fn from(row: &BundleRow) -> Self {
        Self {
            id: row.id,
            framework: row.wish.framework.map(Framework::from),
            as_of: row.wish.as_of,
            from: row.wish.from,
            language: row.wish.language.as_str(),
            state: row.state.into(),
            progress: row.progress,
            asked_by: row.asked_by.clone(),
            asked_at: row.asked_at,
            made_at: row.made_at,
            bytes: row.file.as_ref().map(|file| file.bytes),
            sha256: row.file.as_ref().map(|file| file.sha256.clone()),
            stamped_at: row.file.as_ref().and_then(|file| file.stamped_at),
            problem: row.problem.clone(),
        }
    }
}

body! {
    /// What a bundle should hold.
    NewBundle as "BundleInput" from BundleFields {
        required: ["as_of"],
        without: [],
        example: { "framework": "dora", "as_of": "2026-11-13", "language": "en" }
    }
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct BundleFields {
    /// Requirements and evidence of this framework alone.
    framework: Option<String>,
    /// The day at whose end everything in it holds, at the latest today. The same day gives the same bytes once it is over.
    #[schema(value_type = Option<String>, format = Date)]
    as_of: Option<Parsed<Day>>,
    /// The first day of the audit entries in it.
    #[schema(value_type = Option<String>, format = Date)]
    from: Option<Parsed<Day>>,
    /// `de` or `en`. Defaults to the language of the request.
    #[schema(value_type = Option<String>)]
    language: Option<Parsed<Language>>,
}

/// Asks for an audit bundle.
///
/// It is made in the background; `state` and `progress` say how far it is. A key needs `manage_keys`, because a bundle holds
/// the audit log. While one is being made, the same request is answered with that one, and another one with 409.
#[utoipa::path(post, path = "/api/v1/bundles", tag = "audit bundles", params(LanguageParams),
    request_body = NewBundle,
    responses((status = 202, body = Data<Bundle>), ConflictError, KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    Spoken(spoken): Spoken,
    mut body: Body,
) -> Result<Response, ApiError> {
    let edition = app.edition_of(&caller).await?;
    body.fields.require("as_of");
    let sent: BundleFields = body.fields.read();
    let framework = sent.framework.map(|id| body.fields.keep("framework", edition.framework_named(&id)));
    let wish = sent.as_of.map(|as_of| BundleWish {
        framework: framework.flatten(),
        as_of: as_of.value(),
        from: sent.from.map(Parsed::value),
        language: sent.language.map_or(spoken, Parsed::value),
    });
    let wish = body.fields.finish(wish)?;
    let render = |row: &_| respond::to_text(&Data { data: Bundle::from(row) });
    let asked = app.bundle.ask_for_bundle(&caller, wish, body.idempotency, render).await?;
    let mut response = respond::created(asked, Some(PATH));
    *response.status_mut() = StatusCode::ACCEPTED;
    Ok(response)
}

/// Lists all audit bundles.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/bundles", tag = "audit bundles", params(ListParams),
    responses((status = 200, body = List<Bundle>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |page: &_| respond::to_json(&List::<Bundle>::of(page));
    let rendered = app.bundle.bundle_page(&caller, query.page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Gets an audit bundle: how far it is.
#[utoipa::path(get, path = "/api/v1/bundles/{id}", tag = "audit bundles", params(("id" = String, Path)),
    responses((status = 200, body = Data<Bundle>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    IdPath(id): IdPath<BundleId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |row: &_| respond::to_json(&Data { data: Bundle::from(row) });
    let rendered = app.bundle.rendered_bundle(&caller, id, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Deletes an audit bundle.
///
/// Bundles are also deleted 30 days after they were asked for. The same day gives the same bytes again.
#[utoipa::path(delete, path = "/api/v1/bundles/{id}", tag = "audit bundles", params(("id" = String, Path)),
    responses((status = 204), ConflictError, KeyedErrors))]
pub(crate) async fn delete(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    IdPath(id): IdPath<BundleId>,
) -> Result<Response, ApiError> {
    app.bundle.delete_bundle(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Downloads an audit bundle.
///
/// A ZIP archive, whole or a range of it. `tidewall bundle verify` checks it without the service.
#[utoipa::path(get, path = "/api/v1/bundles/{id}/content", operation_id = "downloadBundle",
    tag = "audit bundles", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "application/zip"),
              (status = 206, body = String, content_type = "application/zip"), NotModified, RangeError, ConflictError,
              KeyedErrors))]
pub(crate) async fn content(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    IdPath(id): IdPath<BundleId>,
    if_none_match: IfNoneMatch,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    download::answer(app.bundle.bundle_content(&caller, id).await?, &if_none_match, &headers).await
}
