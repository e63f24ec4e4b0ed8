//! Requirements.

use app::catalogue::Sheet;
use axum::response::Response;

use super::wire::{PublicErrors, PublicRequest, ReferenceList, list as write};
use crate::{ApiError, extract::LanguageParams, reference::Requirement};

pub(super) const SHEET: Sheet = Sheet { name: "requirements", write: write::<Requirement> };

/// Every requirement of every framework, and how far measures cover it.
#[utoipa::path(get, path = "/api/requirements", tags = ["reference", "extension"], params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Requirement>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&SHEET).await
}
