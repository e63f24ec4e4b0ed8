//! Frameworks.

use axum::response::Response;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{ApiError, extract::LanguageParams, reference::Framework};

pub(super) const BODY: PublicBody = PublicBody { name: "frameworks", write: write::<Framework> };

/// Lists the frameworks with their sections.
#[utoipa::path(get, path = "/api/frameworks", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Framework>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
