//! The catalogue of evidence.

use app::catalogue::Sheet;
use axum::response::Response;

use super::wire::{PublicErrors, PublicRequest, ReferenceList, list as write};
use crate::{ApiError, extract::LanguageParams, reference::Evidence};

pub(super) const SHEET: Sheet = Sheet { name: "evidence", write: write::<Evidence> };

/// Lists the evidence that measures are in operation.
#[utoipa::path(get, path = "/api/evidence", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Evidence>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&SHEET).await
}
