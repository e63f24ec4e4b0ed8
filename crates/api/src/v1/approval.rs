//! Approvals: decisions that need a second person, and the policy about them.

use app::{App, approval::ApprovalDecision, authz::Caller, pages::Precondition, search::HitKind};
use axum::{extract::State, response::Response};
use domain::{approval::Approval, approval_policy::StoredPolicy, id::ApprovalId};
use http::StatusCode;
use utoipa_axum::routes;

use super::{
    Subject,
    approval_wire::{
        ApprovalDetail, ApprovalItem, ApprovalNote, ApprovalParams, ApprovalPolicy, NewApproval,
    },
    record::{self, AsOfParams, Noun as _, RecordVersion},
    tag::TagParams,
    wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};
use crate::{
    ApiError,
    extract::{
        Body, IdPath, IdsPath, IfMatch, IfNoneMatch, KeyManager, ListParams, ListQuery, OptionalBody,
        PageParams, PageQuery, Reader, Writer,
    },
    respond::{self, Data, List},
};

pub(super) const SUBJECT: Subject = Subject {
    tag: "approvals",
    about: "Decisions that need a second person: asked for, decided in the workspace, carried out when granted.",
    found: Some((HitKind::Own("approval"), Approval::PATH)),
    routes: |router| {
        router
            .routes(routes!(list, create))
            .routes(routes!(get))
            .routes(routes!(grant))
            .routes(routes!(refuse))
            .routes(routes!(withdraw))
            .routes(routes!(versions))
            .routes(routes!(version))
            .routes(routes!(policy, put_policy))
    },
};

/// Lists approvals.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/approvals", tag = "approvals", params(ListParams, AsOfParams, TagParams, ApprovalParams),
    responses((status = 200, body = List<ApprovalItem>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::list::<Approval>(&app, &caller, query, &if_none_match).await
}

/// Asks for a decision.
///
/// It is pinned to the current version of the record and lapses when the record changes. What the policy leaves to the
/// caller alone is refused here: it is done directly.
#[utoipa::path(post, path = "/api/v1/approvals", tag = "approvals", request_body = NewApproval,
    responses((status = 201, body = Data<ApprovalDetail>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    record::create::<Approval>(&app, &caller, body).await
}

/// Gets an approval with its history.
#[utoipa::path(get, path = "/api/v1/approvals/{id}", tag = "approvals", params(("id" = String, Path)),
    responses((status = 200, body = Data<ApprovalDetail>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ApprovalId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    record::get::<Approval>(&app, &caller, id, &if_none_match).await
}

/// Grants an approval and carries out its action.
///
/// Only a person decides, in the workspace. Keys are always refused, with 403.
#[utoipa::path(post, path = "/api/v1/approvals/{id}/grant", tag = "approvals", request_body = ApprovalNote,
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
#[utoipa::path(post, path = "/api/v1/approvals/{id}/refuse", tag = "approvals", request_body = ApprovalNote,
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
#[utoipa::path(post, path = "/api/v1/approvals/{id}/withdraw", tag = "approvals", request_body = ApprovalNote,
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
    let (detail, revision) = app.decide_approval(caller, id, decision, note, precondition).await?;
    Ok(record::changed::<Approval>(app, &detail, revision))
}

/// Lists the versions of an approval.
///
/// Every change keeps the version before. The current version comes first.
#[utoipa::path(get, path = "/api/v1/approvals/{id}/versions", tag = "approvals",
    params(("id" = String, Path), PageParams),
    responses((status = 200, body = List<RecordVersion>), KeyedErrors))]
pub(crate) async fn versions(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ApprovalId>,
    query: PageQuery,
) -> Result<Response, ApiError> {
    record::versions::<Approval>(&app, &caller, id, query.check()?.page).await
}

/// Gets one version of an approval.
#[utoipa::path(get, path = "/api/v1/approvals/{id}/versions/{version}", tag = "approvals",
    params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<RecordVersion>), KeyedErrors))]
pub(crate) async fn version(
    State(app): State<App>,
    Reader(caller): Reader,
    IdsPath(id, version): IdsPath<ApprovalId, i64>,
) -> Result<Response, ApiError> {
    record::version::<Approval>(&app, &caller, id, version).await
}

/// Gets the policy of the institution.
#[utoipa::path(get, path = "/api/v1/approval-policy", tag = "approvals",
    responses((status = 200, body = Data<ApprovalPolicy>), KeyedErrors))]
pub(crate) async fn policy(State(app): State<App>, Reader(caller): Reader) -> Result<Response, ApiError> {
    let policy = app.approval_policy(&caller).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: ApprovalPolicy::from(&policy) })))
}

/// Sets the policy of the institution.
///
/// What is left out becomes as usual. A key needs `manage_keys`, and the person at the start of its chain must still be
/// an administrator. In the workspace, administrators confirm their identity first.
#[utoipa::path(put, path = "/api/v1/approval-policy", tag = "approvals", request_body = ApprovalPolicy,
    responses((status = 200, body = Data<ApprovalPolicy>), KeyedErrors, BodyErrors))]
pub(crate) async fn put_policy(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let sent: ApprovalPolicy = fields.read();
    let sent = fields.finish(Some(sent))?;
    let chosen = StoredPolicy::from(sent);
    let policy = app.choose_approval_policy(&caller, &chosen).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: ApprovalPolicy::from(&policy) })))
}
