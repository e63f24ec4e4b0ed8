//! Regulatory clocks.

use axum::response::Response;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{ApiError, extract::LanguageParams, reference::Clock};

pub(super) const BODY: PublicBody = PublicBody { name: "clocks", write: write::<Clock> };

/// Lists the reporting deadlines of CRA, DORA and NIS2.
#[utoipa::path(get, path = "/api/clocks", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Clock>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
