//! The gap analysis.

use app::catalogue::{gap::GapFilter, vocabulary::FrameworkId};
use axum::response::Response;

use super::wire::{Envelope, KeyedErrors, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams},
    reference::{Gap, ReferenceQuery, SearchParams},
    schema::word,
};

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; the handler reads the values")]
pub(crate) struct GapParams {
    #[param(schema_with = word::<FrameworkId>)]
    framework: Option<String>,
}

/// The framework gap analysis.
#[utoipa::path(get, path = "/api/v2/gap-analysis", tag = "v2", security(("bearer" = [])),
    params(GapParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Gap>), KeyedErrors))]
pub(crate) async fn list(mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let filter = GapFilter { framework: request.query.filter("framework") };
    request.list::<Gap>(|record| filter.keeps(record), enveloped)
}
