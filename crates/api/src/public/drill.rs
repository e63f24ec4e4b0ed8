//! Incident drills.

use app::catalogue::Sheet;
use axum::response::Response;

use super::wire::{PublicErrors, PublicRequest, ReferenceList, list as write};
use crate::{ApiError, extract::LanguageParams, reference::Drill};

pub(super) const SHEET: Sheet = Sheet { name: "drills", write: write::<Drill> };

/// Lists incident drill scenarios.
///
/// Each has tasks, success criteria and the reporting deadlines that it starts.
#[utoipa::path(get, path = "/api/incident-drills", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Drill>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&SHEET).await
}
