//! Level-2 acts, guidelines and circulars.

use axum::response::Response;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{ApiError, extract::LanguageParams, reference::FrameworkAct};

pub(super) const BODY: PublicBody = PublicBody { name: "acts", write: write::<FrameworkAct> };

/// Lists level-2 acts, guidelines and circulars.
#[utoipa::path(get, path = "/api/acts", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<FrameworkAct>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
