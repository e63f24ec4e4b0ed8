//! Requests for evidence: an auditor asks, an owner answers until a day.

use app::{App, search::HitKind};
use axum::{extract::State, response::Response};
use domain::{
    evidence_request::{AnswerInput, EvidenceRequest, RequestStep},
    id::EvidenceRequestId,
};
use utoipa_axum::routes;

use super::{
    Subject,
    evidence_request_wire::{
        EvidenceRequestChange, EvidenceRequestDetail, EvidenceRequestItem, EvidenceRequestParams,
        NewEvidenceAnswer, NewEvidenceRequest, ReopenedRequest,
    },
    record::{self, AsOfParams, Noun as _, RecordVersion},
    tag::TagParams,
    wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, IdPath, IdsPath, IfMatch, IfNoneMatch, ListParams, ListQuery, PageParams, PageQuery, Reader,
        Writer,
    },
    respond::{Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "requests for evidence",
    about: "What auditors ask for: who answers until when, the answers with their evidence, and what is closed.",
    found: Some((HitKind::Own("evidence_request"), EvidenceRequest::PATH)),
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(get, patch))
            .routes(routes!(answer))
            .routes(routes!(close))
            .routes(routes!(reopen))
            .routes(routes!(versions))
            .routes(routes!(version))
    },
};

/// Lists requests for evidence.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/evidence-requests", tag = "requests for evidence",
    params(ListParams, AsOfParams, TagParams, EvidenceRequestParams),
    responses((status = 200, body = List<EvidenceRequestItem>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::list::<EvidenceRequest>(&app, &caller, query, &if_none_match).await
}

/// Asks for evidence.
///
/// The owner gets a notice and finds the request among their tasks. Without `owner` it is the owner of the subject.
#[utoipa::path(post, path = "/api/v1/evidence-requests", tag = "requests for evidence",
    request_body = NewEvidenceRequest,
    responses((status = 201, body = Data<EvidenceRequestDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    record::create::<EvidenceRequest>(&app, &caller, body).await
}

/// Gets a request for evidence with its history.
#[utoipa::path(get, path = "/api/v1/evidence-requests/{id}", tag = "requests for evidence",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<EvidenceRequestDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<EvidenceRequestId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::get::<EvidenceRequest>(&app, &caller, id, &if_none_match).await
}

/// Updates a request for evidence.
///
/// Fields that are absent keep their values. A closed request is opened again before it is changed.
#[utoipa::path(patch, path = "/api/v1/evidence-requests/{id}", tag = "requests for evidence",
    request_body = EvidenceRequestChange, params(("id" = String, Path)),
    responses((status = 200, body = Data<EvidenceRequestDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EvidenceRequestId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    record::patch::<EvidenceRequest>(&app, &caller, id, precondition, body).await
}

/// Answers a request for evidence.
///
/// The evidence is attached to the request, and the person who asked gets a notice.
#[utoipa::path(post, path = "/api/v1/evidence-requests/{id}/answer", tag = "requests for evidence",
    request_body = NewEvidenceAnswer, params(("id" = String, Path)),
    responses((status = 200, body = Data<EvidenceRequestDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn answer(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EvidenceRequestId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input: AnswerInput = fields.read::<NewEvidenceAnswer>().into();
    let input = fields.finish(Some(input))?;
    let (detail, revision) = app.answer_evidence_request(&caller, id, input, precondition).await?;
    Ok(record::changed::<EvidenceRequest>(&app, &detail, revision))
}

/// Closes a request for evidence that is answered.
#[utoipa::path(post, path = "/api/v1/evidence-requests/{id}/close", tag = "requests for evidence",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<EvidenceRequestDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn close(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EvidenceRequestId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    let step = RequestStep::Close;
    let (detail, revision) = app.move_evidence_request(&caller, id, step, precondition).await?;
    Ok(record::changed::<EvidenceRequest>(&app, &detail, revision))
}

/// Opens a request for evidence again.
///
/// The reason is in its history. The owner gets a notice; the earlier answer and its evidence stay.
#[utoipa::path(post, path = "/api/v1/evidence-requests/{id}/reopen", tag = "requests for evidence",
    request_body = ReopenedRequest, params(("id" = String, Path)),
    responses((status = 200, body = Data<EvidenceRequestDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn reopen(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EvidenceRequestId>,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let request: ReopenedRequest = fields.read();
    let step = fields.finish(Some(RequestStep::Reopen(request.reason.into())))?;
    let (detail, revision) = app.move_evidence_request(&caller, id, step, precondition).await?;
    Ok(record::changed::<EvidenceRequest>(&app, &detail, revision))
}

/// Lists the versions of a request for evidence.
///
/// Every change keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/evidence-requests/{id}/versions", tag = "requests for evidence",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<EvidenceRequestId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<EvidenceRequest>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of a request for evidence.
#[utoipa::path(get, path = "/api/v1/evidence-requests/{id}/versions/{version}", tag = "requests for evidence",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<EvidenceRequestId, i64>,
) -> Result<Response, ApiError> {
    record::version::<EvidenceRequest>(&app, &caller, id, version).await
}
