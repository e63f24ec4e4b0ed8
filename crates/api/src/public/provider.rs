//! Designated critical ICT providers.

use axum::response::Response;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{ApiError, extract::LanguageParams, reference::Provider};

pub(super) const BODY: PublicBody = PublicBody { name: "critical-providers", write: write::<Provider> };

/// Lists the critical ICT third-party providers designated by the European supervisors.
#[utoipa::path(get, path = "/api/critical-providers", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Provider>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
