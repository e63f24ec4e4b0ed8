//! Evidence.

use app::{App, evidence::Link, search::HitKind};
use axum::{
    extract::{FromRequest as _, Path, Request, State},
    response::{IntoResponse as _, Response},
};
use domain::{
    custom_field::{CUSTOM, CustomInput, Sent},
    evidence::{Evidence, EvidenceInput},
    id::EvidenceId,
};
use http::{HeaderMap, StatusCode};
use utoipa_axum::routes;

use super::{
    Subject, evidence_content, evidence_upload,
    evidence_wire::{EvidenceChange, EvidenceForm, EvidenceItem, EvidenceParams, NewLink, NewOwnEvidence},
    record::{self, AsOfParams, Noun as _, RecordVersion, RequirementParams},
    tag::TagParams,
    wire::{BodyErrors, KeyedErrors, NotModified, RangeError, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, IdPath, IdsPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageParams, PageQuery, Parsed,
        Reader, Writer, file,
    },
    respond::{self, Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "evidence",
    about: "What proves that something was done: files and addresses, attached to records.",
    found: Some((HitKind::Own("own_evidence"), Evidence::PATH)),
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(get, patch, delete))
            .routes(routes!(archive))
            .routes(routes!(restore))
            .routes(routes!(content))
            .routes(routes!(link))
            .routes(routes!(unlink))
            .routes(routes!(versions))
            .routes(routes!(version))
    },
};

/// Lists evidence.
///
/// The newest comes first.
#[utoipa::path(get, path = "/api/v1/evidence", tag = "evidence", params(ListParams, AsOfParams, TagParams,
    RequirementParams, EvidenceParams),
    responses((status = 200, body = List<EvidenceItem>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::list::<Evidence>(&app, &caller, query, &if_none_match).await
}

/// Adds evidence.
///
/// Send a file as `multipart/form-data`, or an address as JSON. The same file is stored once.
#[utoipa::path(post, path = "/api/v1/evidence", tag = "evidence",
    request_body(content((NewOwnEvidence = "application/json"), (EvidenceForm = "multipart/form-data"))),
    responses((status = 201, body = Data<EvidenceItem>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    request: Request,
) -> Result<Response, ApiError> {
    let sent = if file::media_type(request.headers()) == "multipart/form-data" {
        evidence_upload::received(&app, &caller, request).await?
    } else {
        let Body { mut fields, idempotency } = Body::from_request(request, &()).await?;
        let custom = CustomInput::of_json(fields.members(CUSTOM));
        let input: EvidenceInput = fields.read::<EvidenceChange>().into();
        let sent = fields.finish(Some(Sent { input, custom }))?;
        evidence_upload::Received { sent, file: None, idempotency }
    };
    let render = |detail: &_| respond::to_text(&Data { data: record::full::<Evidence>(detail) });
    let creation = app.add_evidence(&caller, sent.sent, sent.file, None, sent.idempotency, render).await?;
    Ok(respond::created(creation, Some(Evidence::PATH)))
}

/// Gets evidence.
#[utoipa::path(get, path = "/api/v1/evidence/{id}", tag = "evidence", params(("id" = String, Path)),
    responses((status = 200, body = Data<EvidenceItem>), KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<EvidenceId>,
) -> Result<Response, ApiError> {
    // The state changes with the day, so no 304 is returned.
    let (detail, revision) = app.record::<Evidence>(&caller, id).await?;
    Ok(record::changed::<Evidence>(&app, &detail, revision))
}

/// Downloads the file.
///
/// A part of it can be asked for with `Range`.
#[utoipa::path(get, path = "/api/v1/evidence/{id}/content", tag = "evidence", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "application/octet-stream"),
              (status = 206, body = String, content_type = "application/octet-stream"), NotModified, RangeError,
              KeyedErrors))]
pub(crate) async fn content(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<EvidenceId>,
    if_none_match: IfNoneMatch,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let content = app.evidence_content(&caller, id).await?;
    evidence_content::answer(content, &if_none_match, &headers).await
}

/// Updates evidence.
///
/// Fields that are absent keep their values. The file cannot be changed.
#[utoipa::path(patch, path = "/api/v1/evidence/{id}", tag = "evidence", request_body = EvidenceChange,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<EvidenceItem>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EvidenceId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    record::patch::<Evidence>(&app, &caller, id, precondition, body).await
}

/// Deletes evidence that need not be kept any longer.
#[utoipa::path(delete, path = "/api/v1/evidence/{id}", tag = "evidence", params(("id" = String, Path)),
    responses((status = 204), KeyedErrors, StaleError))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EvidenceId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::delete::<Evidence>(&app, &caller, id, precondition).await
}

/// Attaches evidence to a record.
#[utoipa::path(post, path = "/api/v1/evidence/{id}/links", tag = "evidence", request_body = NewLink,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<EvidenceItem>), KeyedErrors, BodyErrors))]
pub(crate) async fn link(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EvidenceId>,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    fields.require("type");
    fields.require("id");
    let request: NewLink = fields.read();
    let link = request.r#type.zip(request.id).map(|(Parsed(kind), target)| Link { kind, target });
    let link = fields.finish(link)?;
    let (detail, revision) = app.link_evidence(&caller, id, link).await?;
    Ok(record::changed::<Evidence>(&app, &detail, revision))
}

/// Detaches evidence from a record.
#[utoipa::path(delete, path = "/api/v1/evidence/{id}/links/{type}/{target}", tag = "evidence",
    params(("id" = String, Path), ("type" = String, Path), ("target" = String, Path)),
    responses((status = 204), KeyedErrors))]
pub(crate) async fn unlink(
    State(app): State<App>,
    Writer(caller): Writer,
    Path((id, kind, target)): Path<(String, String, String)>,
) -> Result<Response, ApiError> {
    let (Ok(id), Ok(kind)) = (id.parse(), kind.parse()) else { return Err(ApiError::not_found()) };
    app.unlink_evidence(&caller, id, Link { kind, target }).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Lists the versions of evidence.
///
/// Every change keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/evidence/{id}/versions", tag = "evidence",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<EvidenceId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<Evidence>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of evidence.
#[utoipa::path(get, path = "/api/v1/evidence/{id}/versions/{version}", tag = "evidence",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<EvidenceId, i64>,
) -> Result<Response, ApiError> {
    record::version::<Evidence>(&app, &caller, id, version).await
}

/// Archives evidence.
///
/// It leaves the lists and keeps its history.
#[utoipa::path(post, path = "/api/v1/evidence/{id}/archive", tag = "evidence", params(("id" = String, Path)),
    responses((status = 200, body = Data<EvidenceItem>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn archive(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EvidenceId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<Evidence>(&app, &caller, id, true, precondition).await
}

/// Restores evidence from the archive.
#[utoipa::path(post, path = "/api/v1/evidence/{id}/restore", tag = "evidence", params(("id" = String, Path)),
    responses((status = 200, body = Data<EvidenceItem>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn restore(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EvidenceId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    record::archive::<Evidence>(&app, &caller, id, false, precondition).await
}
