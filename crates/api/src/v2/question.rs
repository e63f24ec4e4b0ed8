//! Questions of the vendor risk assessment.

use axum::response::Response;

use super::wire::{Envelope, KeyedErrors, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams},
    reference::{Question, ReferenceQuery, SearchParams},
};

/// The questions of the vendor risk assessment, in the order they are asked.
#[utoipa::path(get, path = "/api/v2/vendor-risk-assessment", tag = "v2", security(("bearer" = [])),
    params(PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Question>), KeyedErrors))]
pub(crate) async fn list(request: ReferenceQuery) -> Result<Response, ApiError> {
    request.list::<Question>(|_| true, enveloped)
}
