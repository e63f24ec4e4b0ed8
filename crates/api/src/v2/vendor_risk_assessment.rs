//! Questions of the vendor risk assessment.

use axum::response::Response;

use super::wire::{Envelope, KeyedErrors, NotModified, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams},
    reference::{Question, ReferenceQuery, SearchParams},
};

/// Lists the questions of the vendor risk assessment.
#[utoipa::path(get, path = "/api/v2/vendor-risk-assessment", operation_id = "listAssessmentQuestions",
    tag = "vendors", security(("bearer" = [])),
    params(PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Question>), NotModified, KeyedErrors))]
pub(crate) async fn list(request: ReferenceQuery) -> Result<Response, ApiError> {
    request.list::<Question>(|_| true, enveloped)
}
