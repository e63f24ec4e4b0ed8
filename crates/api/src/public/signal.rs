//! The regulatory radar.

use app::catalogue::Sheet;
use axum::response::Response;

use super::wire::{PublicErrors, PublicRequest, ReferenceList, list as write};
use crate::{ApiError, extract::LanguageParams, reference::Signal};

pub(super) const SHEET: Sheet = Sheet { name: "signals", write: write::<Signal> };

/// Regulatory radar signals from supervisory authorities, newest first.
#[utoipa::path(get, path = "/api/radar", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Signal>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&SHEET).await
}
