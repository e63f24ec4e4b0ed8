//! Requests for evidence: an auditor asks, an owner answers until a day.

pub(crate) mod wire;

use app::App;
use axum::{extract::State, response::Response};
use domain::{
    evidence_request::{AnswerInput, EvidenceRequest, RequestStep},
    id::EvidenceRequestId,
};
use utoipa_axum::routes;

use self::wire::{
    EvidenceRequestChange, EvidenceRequestDetail, EvidenceRequestItem, EvidenceRequestParams,
    NewEvidenceAnswer, NewEvidenceRequest, ReopenedRequest,
};
use crate::{
    ApiError,
    extract::{Body, IdPath, IfMatch, Writer},
    respond::Data,
    v1::{
        Subject, WholeList,
        record::{self, AsOfParams, record_routes},
        records::tags::TagParams,
        wire::{BodyErrors, KeyedErrors, StaleError},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "requests for evidence",
    about: "What auditors ask for: who answers until when, the answers with their evidence, and what is closed.",
    list: Some(WholeList::all::<EvidenceRequest>()),
    routes: |router| {
        record_routes(router).routes(routes!(answer)).routes(routes!(close)).routes(routes!(reopen))
    },
};

record_routes! {
    EvidenceRequest, "a request for evidence", EvidenceRequestDetail;

    /// Lists requests for evidence.
    ///
    /// The newest come first.
    list(EvidenceRequestItem; AsOfParams, TagParams, EvidenceRequestParams);
    /// Asks for evidence.
    ///
    /// The owner gets a notice and finds the request among their tasks. Without `owner` it is the owner of the subject.
    create(NewEvidenceRequest);
    get;
    /// Updates a request for evidence.
    ///
    /// Fields that are absent keep their values. A closed request is opened again before it is changed.
    patch(EvidenceRequestChange);
    versions;
    version;
}

/// Answers a request for evidence.
///
/// The evidence is attached to the request, and the person who asked gets a notice.
#[utoipa::path(post, path = "/api/v1/evidence-requests/{id}/answer", operation_id = "answerEvidenceRequest",
    tag = "requests for evidence",
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
    let (detail, revision) = app.compliance.answer_evidence_request(&caller, id, input, precondition).await?;
    Ok(record::changed::<EvidenceRequest>(&app, &detail, revision))
}

/// Closes a request for evidence that is answered.
#[utoipa::path(post, path = "/api/v1/evidence-requests/{id}/close", operation_id = "closeEvidenceRequest",
    tag = "requests for evidence",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<EvidenceRequestDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn close(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<EvidenceRequestId>,
    IfMatch(precondition): IfMatch,
) -> Result<Response, ApiError> {
    let step = RequestStep::Close;
    let (detail, revision) = app.compliance.move_evidence_request(&caller, id, step, precondition).await?;
    Ok(record::changed::<EvidenceRequest>(&app, &detail, revision))
}

/// Opens a request for evidence again.
///
/// The reason is in its history. The owner gets a notice; the earlier answer and its evidence stay.
#[utoipa::path(post, path = "/api/v1/evidence-requests/{id}/reopen", operation_id = "reopenEvidenceRequest",
    tag = "requests for evidence",
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
    let (detail, revision) = app.compliance.move_evidence_request(&caller, id, step, precondition).await?;
    Ok(record::changed::<EvidenceRequest>(&app, &detail, revision))
}
