//! Record ids in paths. An invalid one gives the same response as one that does not exist.

use std::str::FromStr;

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;

use crate::ApiError;

/// A record and the one it belongs to, which comes first in the path.
#[derive(Debug)]
pub(crate) struct IdsPath<A, B>(pub A, pub B);

impl<A: FromStr, B: FromStr, S: Send + Sync> FromRequestParts<S> for IdsPath<A, B> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let ids =
            path.ok().and_then(|Path((outer, inner))| Some(Self(outer.parse().ok()?, inner.parse().ok()?)));
        ids.ok_or_else(ApiError::not_found)
    }
}

#[derive(Debug)]
pub(crate) struct IdPath<T>(pub T);

impl<T: FromStr, S: Send + Sync> FromRequestParts<S> for IdPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Ok(Path(text)) = Path::<String>::from_request_parts(parts, state).await else {
            return Err(ApiError::not_found());
        };
        text.parse().map(Self).map_err(|_| ApiError::not_found())
    }
}
