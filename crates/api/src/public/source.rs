//! The acts and publications that records cite.

use axum::response::Response;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{ApiError, extract::LanguageParams, reference::LegalSource};

pub(super) const BODY: PublicBody = PublicBody { name: "sources", write: write::<LegalSource> };

/// Lists the acts and publications that records cite, with the address of the official text.
#[utoipa::path(get, path = "/api/sources", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<LegalSource>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
