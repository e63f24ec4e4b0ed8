//! API keys.

use app::{
    App,
    api_key::{ApiKeyRow, KeyRequest, NewKey},
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    id::ApiKeyId,
    moment::Moment,
    permission::{Permission, Permissions},
    text::Name,
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{BodyErrors, KeyedErrors};
use crate::{
    ApiError,
    extract::{Body, Fields, IdPath, KeyManager, ListParams, ListQuery},
    respond::{self, Data, List},
};

/// An API key without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Key {
    #[schema(value_type = String, example = "key_01k9x14js0e00000000000000a")]
    id: ApiKeyId,
    #[schema(example = "Ticket system")]
    name: String,
    /// The public part at the beginning of the key.
    #[schema(example = "tw_aB3dE5gH")]
    prefix: String,
    #[schema(value_type = Vec<PermissionName>)]
    permissions: Vec<&'static str>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    revoked_at: Option<Moment>,
    /// Accurate to the minute.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Moment>,
}

/// A new API key with its secret.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedKey {
    #[schema(value_type = String)]
    id: ApiKeyId,
    name: String,
    /// The complete key. It is not shown again.
    key: String,
    prefix: String,
    #[schema(value_type = Vec<PermissionName>)]
    permissions: Vec<&'static str>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Moment>,
    /// The path of the workspace page to continue on, or null.
    redirect_to: Option<String>,
}

/// A permission of an API key. Every key has `read`.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "snake_case", as = Permission)]
#[expect(dead_code, reason = "documentation only")]
pub(crate) enum PermissionName {
    Read,
    Write,
    ManageKeys,
}

/// An API key to create. Without `permissions` it can only read.
#[derive(Debug, ToSchema)]
#[schema(as = NewKey, example = json!({ "name": "Ticket system", "permissions": ["read", "write"] }))]
#[expect(dead_code, reason = "documentation only; `request_from` reads the fields")]
pub(crate) struct NewKeyRequest {
    #[schema(min_length = 1, max_length = 255)]
    name: String,
    /// The workspace page to continue on.
    redirect_to: Option<RedirectTarget>,
    /// The key in use must have each of them.
    #[schema(required = false)]
    permissions: Vec<PermissionName>,
    /// Must be in the future. If absent, the key does not expire.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<String>,
}

/// A page of the workspace.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "documentation only")]
pub(crate) enum RedirectTarget {
    Profile,
    ApiKeys,
}

impl From<&ApiKeyRow> for Key {
    fn from(row: &ApiKeyRow) -> Self {
        Self {
            id: row.id,
            name: row.name.to_string(),
            prefix: row.prefix.clone(),
            permissions: row.permissions.iter().map(Permission::as_str).collect(),
            created_at: row.created_at,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
            last_used_at: row.last_used_at,
        }
    }
}

/// Lists the API keys of the tenant, without their secrets.
///
/// The oldest come first.
#[utoipa::path(get, path = "/api/v1/keys", tag = "keys", params(ListParams),
    responses((status = 200, body = List<Key>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    ListQuery(query): ListQuery,
) -> Result<Response, ApiError> {
    let page = app.list_keys(&caller, query.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<Key>::of(&page))))
}

/// Creates an API key.
#[utoipa::path(post, path = "/api/v1/keys", tag = "keys", request_body = NewKeyRequest,
    responses((status = 201, body = Data<CreatedKey>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    body: Body,
) -> Result<Response, ApiError> {
    let (request, redirect_to) = request_from(body.fields)?;
    let render = move |new: &NewKey| {
        let data = created(new, redirect_to.clone());
        respond::to_text(&Data { data })
    };
    let creation = app.create_key(&caller, request, body.idempotency, Box::new(render)).await?;
    Ok(respond::created(creation, None))
}

/// Revokes an API key.
///
/// Takes effect within one second on every node.
#[utoipa::path(delete, path = "/api/v1/keys/{id}", tag = "keys",
    params(("id" = String, Path)), responses((status = 204, description = "Revoked. No body."), KeyedErrors))]
pub(crate) async fn revoke(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    IdPath(id): IdPath<ApiKeyId>,
) -> Result<Response, ApiError> {
    app.revoke_key(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn created(new: &NewKey, redirect_to: Option<String>) -> CreatedKey {
    CreatedKey {
        id: new.record.id,
        name: new.record.name.to_string(),
        key: new.key.reveal().to_owned(),
        prefix: new.record.prefix.clone(),
        permissions: new.record.permissions.iter().map(Permission::as_str).collect(),
        created_at: new.record.created_at,
        expires_at: new.record.expires_at,
        redirect_to,
    }
}

fn request_from(mut fields: Fields) -> Result<(KeyRequest, Option<String>), ApiError> {
    fields.require("name");
    let name = fields.checked("name", Name::parse);
    let redirect_to = fields.nullable_text("redirect_to").flatten().map(|target| match target.as_str() {
        "profile" | "api-keys" => Ok(format!("/workspace/{target}")),
        _ => Err("must be one of profile, api-keys, null"),
    });
    let redirect_to = redirect_to.and_then(|target| fields.keep("redirect_to", target));
    let permissions = fields.texts("permissions").and_then(|names| {
        let parsed: Result<Permissions, _> = names.iter().map(|name| name.parse::<Permission>()).collect();
        fields.keep("permissions", parsed)
    });
    let expires_at = fields.nullable_text("expires_at").flatten();
    let expires_at = expires_at.and_then(|text| fields.keep("expires_at", text.parse::<Moment>()));
    let request = name.map(|name| KeyRequest {
        name,
        permissions: permissions.unwrap_or(Permissions::READ_ONLY),
        expires_at,
    });
    let request = fields.finish(request)?;
    Ok((request, redirect_to))
}
