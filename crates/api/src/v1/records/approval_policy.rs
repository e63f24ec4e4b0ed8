//! The policy about decisions that need a second person.

use app::App;
use axum::{extract::State, response::Response};
use domain::approval_policy::StoredPolicy;
use http::StatusCode;

use super::approvals::wire::ApprovalPolicy;
use crate::{
    ApiError,
    extract::{Body, KeyManager, Reader},
    respond::{self, Data},
    v1::wire::{BodyErrors, KeyedErrors},
};

/// Gets the policy of the institution.
#[utoipa::path(get, path = "/api/v1/approval-policy", tag = "approvals",
    responses((status = 200, body = Data<ApprovalPolicy>), KeyedErrors))]
pub(crate) async fn get(State(app): State<App>, Reader(caller): Reader) -> Result<Response, ApiError> {
    let policy = app.approval.approval_policy(&caller).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: ApprovalPolicy::from(&policy) })))
}

/// Sets the policy of the institution.
///
/// What is left out becomes as usual. A key needs `manage_keys`, and the person at the start of its chain must still be
/// an administrator. In the workspace, administrators confirm their identity first.
#[utoipa::path(put, path = "/api/v1/approval-policy", operation_id = "setApprovalPolicy",
    tag = "approvals", request_body = ApprovalPolicy,
    responses((status = 200, body = Data<ApprovalPolicy>), KeyedErrors, BodyErrors))]
pub(crate) async fn put(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let sent: ApprovalPolicy = fields.read();
    let sent = fields.finish(Some(sent))?;
    let chosen = StoredPolicy::from(sent);
    let policy = app.approval.choose_approval_policy(&caller, &chosen).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: ApprovalPolicy::from(&policy) })))
}
