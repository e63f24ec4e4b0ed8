//! Requirements.

use axum::response::Response;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{ApiError, extract::LanguageParams, reference::Requirement};

pub(super) const BODY: PublicBody = PublicBody { name: "requirements", write: write::<Requirement> };

/// Lists the requirements of all frameworks with their coverage.
#[utoipa::path(get, path = "/api/requirements", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Requirement>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
