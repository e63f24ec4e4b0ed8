//! The catalogue of evidence.

use axum::response::Response;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{ApiError, extract::LanguageParams, reference::Evidence};

pub(super) const BODY: PublicBody = PublicBody { name: "evidence", write: write::<Evidence> };

/// Lists the evidence that measures are in operation.
#[utoipa::path(get, path = "/api/evidence", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Evidence>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
