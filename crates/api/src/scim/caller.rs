//! The directory behind the key.

use app::{
    Error,
    authz::{Caller, KeyHolder},
    scim,
};
use axum::extract::FromRequestParts;
use domain::key_limits::Verb;
use http::request::Parts;

use super::error::Failure;

/// A key whose scopes name the accounts, for reading or for writing as the method says.
#[derive(Debug)]
pub(super) struct Directory(pub Caller);

impl<S: Sync> FromRequestParts<S> for Directory {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let holder = parts.extensions.get::<KeyHolder>().ok_or(Error::Unauthenticated)?;
        let verb = if parts.method.is_safe() { Verb::Read } else { Verb::Write };
        scim::require(&holder.caller, verb)?;
        Ok(Self(holder.caller.clone()))
    }
}
