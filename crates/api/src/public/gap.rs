//! The gap analysis.

use axum::response::Response;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{ApiError, extract::LanguageParams, reference::Gap};

pub(super) const BODY: PublicBody = PublicBody { name: "gaps", write: write::<Gap> };

/// Lists the gap analysis of the frameworks.
///
/// There is at most one item for a requirement; requirements with audit steps of their own may have none.
#[utoipa::path(get, path = "/api/gap-analysis", operation_id = "listReferenceGaps",
    tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Gap>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
