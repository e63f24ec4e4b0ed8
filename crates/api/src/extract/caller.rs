//! Extractors for the caller, with the permission a route needs.
//!
//! The middleware has already checked the key and counted the request; here only the permission is checked, before
//! anything else of the request is read.

use app::{
    Error,
    authz::{Caller, KeyHolder},
};
use axum::extract::FromRequestParts;
use domain::{
    key_limits::{Verb, resource_of},
    permission::Permission,
};
use http::request::Parts;

use crate::{ApiError, middleware::unknown::Handling};

/// Any valid key.
#[derive(Debug)]
pub(crate) struct Reader(pub Caller);

/// A key with `write`.
#[derive(Debug)]
pub(crate) struct Writer(pub Caller);

/// A key with `manage_keys`.
#[derive(Debug)]
pub(crate) struct KeyManager(pub Caller);

fn caller(parts: &Parts) -> Result<Caller, ApiError> {
    let holder = parts.extensions.get::<KeyHolder>();
    holder.map(|holder| holder.caller.clone()).ok_or(ApiError::App(Error::Unauthenticated))
}

/// Checks the key's scopes for the resource of the path. The effect of a route decides the verb, not its method: a
/// simulation is a POST and changes nothing.
fn within_scope(parts: &Parts, caller: &Caller, verb: Verb) -> Result<(), ApiError> {
    match resource_of(parts.uri.path()) {
        Some(resource) => Ok(caller.require_scope(resource, verb)?),
        None => Ok(()),
    }
}

fn permitted(parts: &Parts, permission: Permission, verb: Verb) -> Result<Caller, ApiError> {
    let caller = caller(parts)?;
    caller.require(permission)?;
    within_scope(parts, &caller, verb)?;
    Handling::check_query(parts)?;
    Ok(caller)
}

impl<S: Sync> FromRequestParts<S> for Reader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let caller = caller(parts)?;
        within_scope(parts, &caller, Verb::Read)?;
        Handling::check_query(parts)?;
        Ok(Self(caller))
    }
}

impl<S: Sync> FromRequestParts<S> for Writer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        permitted(parts, Permission::Write, Verb::Write).map(Self)
    }
}

impl<S: Sync> FromRequestParts<S> for KeyManager {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let verb = if parts.method.is_safe() { Verb::Read } else { Verb::Write };
        permitted(parts, Permission::ManageKeys, verb).map(Self)
    }
}
