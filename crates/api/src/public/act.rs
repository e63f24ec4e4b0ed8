//! Level-2 acts, guidelines and circulars.

use app::catalogue::Sheet;
use axum::response::Response;

use super::wire::{PublicErrors, PublicRequest, ReferenceList, list as write};
use crate::{ApiError, extract::LanguageParams, reference::FrameworkAct};

pub(super) const SHEET: Sheet = Sheet { name: "acts", write: write::<FrameworkAct> };

/// Level-2 acts, guidelines and circulars that belong to the frameworks.
#[utoipa::path(get, path = "/api/acts", tags = ["reference", "extension"], params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<FrameworkAct>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&SHEET).await
}
