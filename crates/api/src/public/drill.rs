//! Incident drills.

use axum::response::Response;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{ApiError, extract::LanguageParams, reference::Drill};

pub(super) const BODY: PublicBody = PublicBody { name: "drills", write: write::<Drill> };

/// Lists incident drill scenarios.
///
/// Each has tasks, success criteria and the reporting deadlines that it starts.
#[utoipa::path(get, path = "/api/incident-drills", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Drill>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
