//! The public key that audit bundles and approved documents of this installation are signed with.

use app::App;
use axum::{extract::State, response::Response};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::PublicErrors;
use crate::{ApiError, extract::IfNoneMatch, respond};

/// What an auditor compares the key in a bundle with.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BundleKey {
    #[schema(example = "Ed25519")]
    algorithm: &'static str,
    /// 64 hexadecimal digits.
    #[schema(example = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")]
    key: String,
    /// The SHA-256 of the key.
    fingerprint: String,
    /// The same key as other programs read it, such as openssl.
    #[schema(
        example = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n"
    )]
    pem: String,
}

/// Gets the public key of audit bundles and approved documents.
#[utoipa::path(get, path = "/api/bundle-key", tag = "reference", security(()),
    responses((status = 200, body = BundleKey), PublicErrors))]
pub(crate) async fn get(State(app): State<App>, copy: IfNoneMatch) -> Result<Response, ApiError> {
    let key = app.bundle_key().await?;
    let (fingerprint, pem) = (key.fingerprint(), key.pem());
    let shown = BundleKey { algorithm: "Ed25519", key: key.to_string(), fingerprint, pem };
    let full = || respond::json(StatusCode::OK, respond::to_json(&shown));
    Ok(respond::validated(&shown.fingerprint, &copy, full))
}
