//! Frameworks.

use app::catalogue::Sheet;
use axum::response::Response;

use super::wire::{PublicErrors, PublicRequest, ReferenceList, list as write};
use crate::{ApiError, extract::LanguageParams, reference::Framework};

pub(super) const SHEET: Sheet = Sheet { name: "frameworks", write: write::<Framework> };

/// Lists the frameworks with their sections.
#[utoipa::path(get, path = "/api/frameworks", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Framework>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&SHEET).await
}
