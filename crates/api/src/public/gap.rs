//! The gap analysis.

use app::catalogue::Sheet;
use axum::response::Response;

use super::wire::{PublicErrors, PublicRequest, ReferenceList, list as write};
use crate::{ApiError, extract::LanguageParams, reference::Gap};

pub(super) const SHEET: Sheet = Sheet { name: "gaps", write: write::<Gap> };

/// Lists the gap analysis of the frameworks.
///
/// There is at most one item for a requirement; requirements with audit steps of their own may have none.
#[utoipa::path(get, path = "/api/gap-analysis", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Gap>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&SHEET).await
}
