//! API keys.

use std::str::FromStr;

use app::{
    App,
    api_key::{ApiKeyRow, KeyRequest, Maker, NewKey, Overlap},
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    actor::Actor,
    id::ApiKeyId,
    key_limits::{KeyLimits, Networks, Scopes},
    moment::Moment,
    permission::{Permission, Permissions},
    text::Name,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::{
    ApiError,
    extract::{Body, Fields, IdPath, KeyManager, ListParams, ListQuery, OptionalBody, Parsed},
    respond::{self, Data, List},
    schema::word,
    v1::{
        Subject,
        wire::{BodyErrors, KeyedErrors},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "keys",
    about: "API keys of the tenant.",
    list: None,
    routes: |router| router.routes(routes!(list, create)).routes(routes!(revoke)).routes(routes!(rotate)),
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
    #[schema(value_type = Vec<word::Permission>)]
    permissions: Vec<Permission>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    revoked_at: Option<Moment>,
    /// Accurate to the minute.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Moment>,
    /// Null for keys of earlier versions.
    created_by: Option<KeyMaker>,
    /// What the key can reach, such as `findings:read`; null: everything that its permissions allow.
    scopes: Option<Vec<String>>,
    /// The networks it can be used from; null: everywhere.
    networks: Option<Vec<String>>,
    /// The id of the key that replaces it; null if it was not rotated.
    #[schema(value_type = Option<String>)]
    replaced_by: Option<ApiKeyId>,
}

/// The creator of an API key.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeyMaker {
    /// `user`, `key` or `operator`.
    #[schema(example = "user")]
    r#type: &'static str,
    /// Null for the operator.
    id: Option<String>,
    /// Null for the operator.
    name: Option<String>,
}

impl From<&Maker> for KeyMaker {
    fn from(maker: &Maker) -> Self {
        let (kind, id) = match maker.actor {
            Actor::User(id) => ("user", Some(id.to_string())),
            Actor::Key(id) => ("key", Some(id.to_string())),
            Actor::Operator | Actor::System => ("operator", None),
        };
        Self { r#type: kind, id, name: maker.name.clone() }
    }
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
    #[schema(value_type = Vec<word::Permission>)]
    permissions: Vec<Permission>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Moment>,
    /// The path of the workspace page to continue on, or null.
    redirect_to: Option<String>,
    scopes: Option<Vec<String>>,
    networks: Option<Vec<String>>,
}

/// A new API key that replaces another one.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RotatedKey {
    #[serde(flatten)]
    key: CreatedKey,
    replaces: Option<ReplacedKey>,
}

/// The API key that was replaced.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReplacedKey {
    #[schema(value_type = String)]
    id: ApiKeyId,
    /// Works until then.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Moment,
}

/// How an API key is rotated.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "overlap_hours": 24 }))]
pub(crate) struct Rotation {
    /// For how many hours the replaced key still works.
    #[schema(nullable = false, minimum = 0, maximum = 720, default = 24)]
    overlap_hours: Option<i64>,
}

/// An API key to create. Without `permissions` it can only read.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = NewKey, example = json!({ "name": "Ticket system", "permissions": ["read", "write"] }))]
pub(crate) struct NewKeyRequest {
    #[schema(required = true, nullable = false, min_length = 1, max_length = 255)]
    name: Option<String>,
    /// The workspace page to continue on.
    #[schema(value_type = Option<RedirectTarget>)]
    redirect_to: Option<Option<Parsed<RedirectTarget>>>,
    /// The key in use must have each of them.
    #[schema(value_type = Option<Vec<word::Permission>>, nullable = false)]
    permissions: Option<Vec<Parsed<Permission>>>,
    /// Must be in the future, and not after the institution's maximum. If absent or null, the operator's default applies
    /// (one year).
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Option<Parsed<Moment>>>,
    /// Resources and verbs, such as `findings:read`. The resource is the first part of the path below `/api/v1/` or
    /// `/api/v2/`; the verb is `read` or `write`, and neither includes the other. If absent or null, everything that the
    /// permissions allow, or the scopes of the key in use.
    scopes: Option<Option<Vec<String>>>,
    /// Networks in CIDR notation, or single addresses. If absent or null, everywhere, or the networks of the key in use.
    networks: Option<Option<Vec<String>>>,
}

/// A page of the workspace.
#[derive(Debug, Clone, Copy, ToSchema)]
#[schema(rename_all = "kebab-case")]
pub(crate) enum RedirectTarget {
    Profile,
    ApiKeys,
}

impl RedirectTarget {
    fn path(self) -> &'static str {
        match self {
            Self::Profile => "/workspace/profile",
            Self::ApiKeys => "/workspace/api-keys",
        }
    }
}

impl FromStr for RedirectTarget {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, &'static str> {
        match word {
            "profile" => Ok(Self::Profile),
            "api-keys" => Ok(Self::ApiKeys),
            _ => Err("must be one of profile, api-keys, null"),
        }
    }
}

impl From<&ApiKeyRow> for Key {
    fn from(row: &ApiKeyRow) -> Self {
        Self {
            id: row.id,
            name: row.name.to_string(),
            prefix: row.prefix.clone(),
            permissions: row.permissions.iter().collect(),
            created_at: row.created_at,
            expires_at: row.limits.ends_at,
            revoked_at: row.revoked_at,
            last_used_at: row.last_used_at,
            created_by: row.created_by.as_ref().map(KeyMaker::from),
            scopes: texts(row.limits.scopes.as_ref().map(Scopes::iter)),
            networks: texts(row.limits.networks.as_ref().map(Networks::iter)),
            replaced_by: row.replaced_by,
        }
    }
}

fn texts(items: Option<impl Iterator<Item: ToString>>) -> Option<Vec<String>> {
    items.map(|items| items.map(|item| item.to_string()).collect())
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
    let page = app.people.list_keys(&caller, query.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<Key>::of(&page))))
}

/// Creates an API key.
///
/// A key that is created with another key never exceeds it: not in permissions, scopes, networks or life.
#[utoipa::path(post, path = "/api/v1/keys", tag = "keys", request_body = NewKeyRequest,
    responses((status = 201, body = Data<CreatedKey>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    body: Body,
) -> Result<Response, ApiError> {
    let (request, redirect_to) = request_from(body.fields)?;
    let render = move |new: &NewKey| {
        let data = created(new, redirect_to.map(str::to_owned));
        respond::to_text(&Data { data })
    };
    let creation = app.people.create_key(&caller, request, body.idempotency, Box::new(render)).await?;
    Ok(respond::created(creation, None))
}

/// Replaces an API key by a new one with the same name, permissions, scopes and networks.
///
/// The replaced key works until the overlap is over, so that programs can be changed without an interruption. The new
/// key gets as long a life as the replaced one had. If a key is used to rotate, the new key ends no later than the key in
/// use and the replaced one, and the overlap for another key than itself is at least one hour.
#[utoipa::path(post, path = "/api/v1/keys/{id}/rotate", tag = "keys",
    params(("id" = String, Path)), request_body(content = Option<Rotation>),
    responses((status = 201, body = Data<RotatedKey>), KeyedErrors, BodyErrors))]
pub(crate) async fn rotate(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    IdPath(id): IdPath<ApiKeyId>,
    OptionalBody(mut body): OptionalBody,
) -> Result<Response, ApiError> {
    let request: Rotation = body.fields.read();
    let overlap =
        request.overlap_hours.and_then(|hours| body.fields.keep("overlap_hours", Overlap::hours(hours)));
    let overlap = body.fields.finish(Some(overlap.unwrap_or_default()))?;
    let render = |new: &NewKey| {
        let replaces = new.replaces.map(|(id, expires_at)| ReplacedKey { id, expires_at });
        respond::to_text(&Data { data: RotatedKey { key: created(new, None), replaces } })
    };
    let creation = app.people.rotate_key(&caller, id, overlap, body.idempotency, Box::new(render)).await?;
    Ok(respond::created(creation, None))
}

/// Revokes an API key.
///
/// Takes effect within one second on every node.
#[utoipa::path(delete, path = "/api/v1/keys/{id}", operation_id = "revokeKey", tag = "keys",
    params(("id" = String, Path)), responses((status = 204, description = "Revoked. No body."), KeyedErrors))]
pub(crate) async fn revoke(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    IdPath(id): IdPath<ApiKeyId>,
) -> Result<Response, ApiError> {
    app.people.revoke_key(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn created(new: &NewKey, redirect_to: Option<String>) -> CreatedKey {
    CreatedKey {
        id: new.record.id,
        name: new.record.name.to_string(),
        key: new.key.reveal().to_owned(),
        prefix: new.record.prefix.clone(),
        permissions: new.record.permissions.iter().collect(),
        created_at: new.record.created_at,
        expires_at: new.record.limits.ends_at,
        redirect_to,
        scopes: texts(new.record.limits.scopes.as_ref().map(Scopes::iter)),
        networks: texts(new.record.limits.networks.as_ref().map(Networks::iter)),
    }
}

fn request_from(mut fields: Fields) -> Result<(KeyRequest, Option<&'static str>), ApiError> {
    fields.require("name");
    let request: NewKeyRequest = fields.read();
    let name = request.name.and_then(|name| fields.keep("name", Name::parse(&name)));
    let permissions = request.permissions.map(|names| names.into_iter().map(Parsed::value).collect());
    let scopes = request.scopes.flatten();
    let scopes =
        scopes.and_then(|names| fields.keep("scopes", Scopes::new(names.iter().map(String::as_str))));
    let networks = request.networks.flatten();
    let networks =
        networks.and_then(|names| fields.keep("networks", Networks::new(names.iter().map(String::as_str))));
    let key = name.map(|name| KeyRequest {
        name,
        permissions: permissions.unwrap_or(Permissions::READ_ONLY),
        limits: KeyLimits { scopes, networks, ends_at: request.expires_at.flatten().map(Parsed::value) },
    });
    let key = fields.finish(key)?;
    Ok((key, request.redirect_to.flatten().map(|Parsed(target)| target.path())))
}
