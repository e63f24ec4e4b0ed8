//! Approvals: decisions that need a second person, and the policy about them.

pub(crate) mod wire;

use app::{App, approval::ApprovalDecision, authz::Caller, pages::Precondition};
use axum::{extract::State, response::Response};
use domain::{approval::Approval, id::ApprovalId};
use utoipa_axum::routes;

use self::wire::{ApprovalDetail, ApprovalItem, ApprovalNote, ApprovalParams, NewApproval};
use super::approval_policy;
use super::tags::TagParams;
use crate::{
    ApiError,
    extract::{Body, IdPath, IfMatch, OptionalBody, Writer},
    respond::Data,
    v1::{
        Subject, WholeList,
        record::{self, AsOfParams, record_routes},
        wire::{BodyErrors, KeyedErrors, StaleError},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "approvals",
    about: "Decisions that need a second person: asked for, decided in the workspace, carried out when granted.",
    list: Some(WholeList::drawn::<Approval>()),
    routes: |router| {
        record_routes(router)
            .routes(routes!(grant))
            .routes(routes!(refuse))
            .routes(routes!(withdraw))
            .routes(routes!(approval_policy::get, approval_policy::put))
    },
};

record_routes! {
    Approval, "an approval", ApprovalDetail;

    /// Lists approvals.
    ///
    /// The newest come first.
    list(ApprovalItem; AsOfParams, TagParams, ApprovalParams);
    /// Asks for a decision.
    ///
    /// It is pinned to the current version of the record and lapses when the record changes. What the policy leaves to the
    /// caller alone is refused here: it is done directly.
    create as "askForApproval"(NewApproval);
    get;
    versions;
    version;
}

/// Grants an approval and carries out its action.
///
/// Only a person decides, in the workspace. Keys are always refused, with 403.
#[utoipa::path(post, path = "/api/v1/approvals/{id}/grant", operation_id = "grantApproval",
    tag = "approvals", request_body = ApprovalNote,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<ApprovalDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn grant(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ApprovalId>,
    IfMatch(precondition): IfMatch,
    OptionalBody(body): OptionalBody,
) -> Result<Response, ApiError> {
    decide(&app, &caller, id, ApprovalDecision::Grant, precondition, body).await
}

/// Refuses an approval.
///
/// Only a person decides, in the workspace. Keys are always refused, with 403.
#[utoipa::path(post, path = "/api/v1/approvals/{id}/refuse", operation_id = "refuseApproval",
    tag = "approvals", request_body = ApprovalNote,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<ApprovalDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn refuse(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ApprovalId>,
    IfMatch(precondition): IfMatch,
    OptionalBody(body): OptionalBody,
) -> Result<Response, ApiError> {
    decide(&app, &caller, id, ApprovalDecision::Refuse, precondition, body).await
}

/// Withdraws a request of one's own.
#[utoipa::path(post, path = "/api/v1/approvals/{id}/withdraw", operation_id = "withdrawApproval",
    tag = "approvals", request_body = ApprovalNote,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<ApprovalDetail>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn withdraw(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ApprovalId>,
    IfMatch(precondition): IfMatch,
    OptionalBody(body): OptionalBody,
) -> Result<Response, ApiError> {
    decide(&app, &caller, id, ApprovalDecision::Withdraw, precondition, body).await
}

async fn decide(
    app: &App,
    caller: &Caller,
    id: ApprovalId,
    decision: ApprovalDecision,
    precondition: Precondition,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let request: ApprovalNote = fields.read();
    let note = fields.finish(Some(request.note.flatten()))?;
    let (detail, revision) = app.approval.decide_approval(caller, id, decision, note, precondition).await?;
    Ok(record::changed::<Approval>(app, &detail, revision))
}
