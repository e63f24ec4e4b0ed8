//! Evidence.

pub(crate) mod download;
pub(crate) mod upload;
pub(crate) mod wire;

use app::{App, evidence::Link};
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

use self::wire::{EvidenceChange, EvidenceForm, EvidenceItem, EvidenceParams, NewLink, NewOwnEvidence};
use crate::{
    ApiError,
    extract::{Body, IdPath, IfNoneMatch, Parsed, Reader, Writer, file},
    respond::{self, Data},
    v1::{
        Subject, WholeList,
        record::{self, AsOfParams, Noun as _, RequirementParams, record_routes},
        records::tags::TagParams,
        wire::{BodyErrors, KeyedErrors, NotModified, RangeError},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "evidence",
    about: "What proves that something was done: files and addresses, attached to records.",
    list: Some(WholeList::all::<Evidence>()),
    routes: |router| {
        record_routes(router.routes(routes!(get)))
            .routes(routes!(create))
            .routes(routes!(content))
            .routes(routes!(link))
            .routes(routes!(unlink))
    },
};

record_routes! {
    Evidence, "evidence", EvidenceItem;

    /// Lists evidence.
    ///
    /// The newest comes first.
    list(EvidenceItem; AsOfParams, TagParams, RequirementParams, EvidenceParams);
    /// Updates evidence.
    ///
    /// Fields that are absent keep their values. The file cannot be changed.
    patch(EvidenceChange);
    /// Deletes evidence that need not be kept any longer.
    delete;
    archive(BodyErrors);
    restore(BodyErrors);
    versions;
    version;
}

/// Adds evidence.
///
/// Send a file as `multipart/form-data`, or an address as JSON. The same file is stored once.
#[utoipa::path(post, path = "/api/v1/evidence", operation_id = "addEvidence", tag = "evidence",
    request_body(content((NewOwnEvidence = "application/json"), (EvidenceForm = "multipart/form-data"))),
    responses((status = 201, body = Data<EvidenceItem>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    request: Request,
) -> Result<Response, ApiError> {
    let sent = if file::media_type(request.headers()) == "multipart/form-data" {
        upload::received(&app, &caller, request).await?
    } else {
        let Body { mut fields, idempotency } = Body::from_request(request, &()).await?;
        let custom = CustomInput::of_json(fields.members(CUSTOM));
        let input: EvidenceInput = fields.read::<EvidenceChange>().into();
        let sent = fields.finish(Some(Sent { input, custom }))?;
        upload::Received { sent, file: None, idempotency }
    };
    let render = |detail: &_| respond::to_text(&Data { data: record::full::<Evidence>(detail) });
    let creation =
        app.compliance.add_evidence(&caller, sent.sent, sent.file, None, sent.idempotency, render).await?;
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
    let (detail, revision) = app.records.record::<Evidence>(&caller, id).await?;
    Ok(record::changed::<Evidence>(&app, &detail, revision))
}

/// Downloads the file.
///
/// A part of it can be asked for with `Range`.
#[utoipa::path(get, path = "/api/v1/evidence/{id}/content", operation_id = "downloadEvidence",
    tag = "evidence", params(("id" = String, Path)),
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
    let content = app.compliance.evidence_content(&caller, id).await?;
    download::answer(content, &if_none_match, &headers).await
}

/// Attaches evidence to a record.
#[utoipa::path(post, path = "/api/v1/evidence/{id}/links", operation_id = "linkEvidence",
    tag = "evidence", request_body = NewLink,
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
    let (detail, revision) = app.compliance.link_evidence(&caller, id, link).await?;
    Ok(record::changed::<Evidence>(&app, &detail, revision))
}

/// Detaches evidence from a record.
#[utoipa::path(delete, path = "/api/v1/evidence/{id}/links/{type}/{target}", operation_id = "unlinkEvidence",
    tag = "evidence",
    params(("id" = String, Path), ("type" = String, Path), ("target" = String, Path)),
    responses((status = 204), KeyedErrors))]
pub(crate) async fn unlink(
    State(app): State<App>,
    Writer(caller): Writer,
    Path((id, kind, target)): Path<(String, String, String)>,
) -> Result<Response, ApiError> {
    let (Ok(id), Ok(kind)) = (id.parse(), kind.parse()) else { return Err(ApiError::not_found()) };
    app.compliance.unlink_evidence(&caller, id, Link { kind, target }).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
