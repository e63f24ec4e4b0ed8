//! SCIM 2.0 (RFC 7643, 7644): a directory such as Entra ID or Okta keeps the accounts of one tenant.
//!
//! The surface has wire types, a form of errors and a description of its own, so it is not in the OpenAPI document:
//! `/scim/v2/Schemas` and its neighbours describe it. Keys, limits and security events are those of v1; a key must name
//! `accounts` among its scopes.

mod about;
mod caller;
mod draft;
mod error;
mod filter;
mod form;
mod group;
mod member;
mod patch;
mod query;
mod schema;
mod user;

use app::App;
use axum::{
    Router,
    routing::{any, get},
};

use crate::middleware::keyed::KeyedLayer;

/// The place of the surface below the public address.
const ROOT: &str = "/scim/v2";
const CORE_USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
const CORE_GROUP: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";
/// What Tidewall adds to a user; named as Entra ID wants extensions to be.
const EXTENSION: &str = "urn:ietf:params:scim:schemas:extension:tidewall:2.0:User";

pub(crate) fn router(app: &App) -> Router<App> {
    let at = |path: &str| format!("{ROOT}/{path}");
    Router::new()
        .route(&at("ServiceProviderConfig"), get(about::config))
        .route(&at("ResourceTypes"), get(about::types))
        .route(&at("ResourceTypes/{id}"), get(about::one_type))
        .route(&at("Schemas"), get(about::schemas))
        .route(&at("Schemas/{id}"), get(about::one_schema))
        .route(&at("Users"), get(user::list).post(user::create))
        .route(&at("Users/{id}"), get(user::read).put(user::replace).patch(user::patch).delete(user::remove))
        .route(&at("Groups"), get(group::list).post(group::fixed))
        .route(
            &at("Groups/{id}"),
            get(group::read).put(group::replace).patch(group::patch).delete(group::fixed),
        )
        .route(&at("{*rest}"), any(error::no_resource))
        .method_not_allowed_fallback(crate::error::wrong_method)
        .route_layer((axum::middleware::from_fn(form::layer), KeyedLayer::v1(app)))
}

/// The address of a resource as a directory reaches it.
fn location(app: &App, path: &str) -> String {
    format!("{}{ROOT}/{path}", app.senders.public_url)
}
