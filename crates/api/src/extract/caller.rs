//! The caller behind the key, with the permission a route needs.
//!
//! The key was checked and the request counted by the layer in front; here only the permission is asked for,
//! before anything else of the request is looked at.

use app::{
    Error,
    authz::{Caller, KeyHolder},
};
use axum::extract::FromRequestParts;
use domain::permission::Permission;
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

fn permitted(parts: &Parts, permission: Permission) -> Result<Caller, ApiError> {
    let caller = caller(parts)?;
    caller.require(permission)?;
    Handling::check_query(parts)?;
    Ok(caller)
}

impl<S: Sync> FromRequestParts<S> for Reader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let caller = caller(parts)?;
        Handling::check_query(parts)?;
        Ok(Self(caller))
    }
}

impl<S: Sync> FromRequestParts<S> for Writer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        permitted(parts, Permission::Write).map(Self)
    }
}

impl<S: Sync> FromRequestParts<S> for KeyManager {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        permitted(parts, Permission::ManageKeys).map(Self)
    }
}
