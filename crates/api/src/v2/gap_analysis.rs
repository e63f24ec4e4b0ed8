//! The gap analysis.

use app::catalogue::gap::GapFilter;
use axum::response::Response;
use serde::Deserialize;

use super::wire::{Envelope, KeyedErrors, NotModified, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams},
    reference::{Gap, ReferenceQuery, SearchParams},
    schema::word,
};

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct GapParams {
    /// Only requirements of this framework.
    #[param(value_type = Option<word::FrameworkId>)]
    framework: Option<String>,
}

/// Lists the gap analysis of the frameworks.
#[utoipa::path(get, path = "/api/v2/gap-analysis", operation_id = "listGaps",
    tag = "gap analysis", security(("bearer" = [])),
    params(GapParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Gap>), NotModified, KeyedErrors))]
pub(crate) async fn list(mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let params: GapParams = request.query.read();
    let framework = request.query.framework("framework", params.framework.as_deref(), &request.edition);
    let filter = GapFilter { framework };
    request.list::<Gap>(|record| filter.keeps(record), enveloped)
}
