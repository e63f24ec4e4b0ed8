//! The catalogue of DORA measures.

use axum::response::Response;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{ApiError, extract::LanguageParams, reference::Measure};

pub(super) const BODY: PublicBody = PublicBody { name: "measures", write: write::<Measure> };

/// Lists DORA measures with their evidence and mappings.
#[utoipa::path(get, path = "/api/measures", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Measure>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
