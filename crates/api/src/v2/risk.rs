//! The ICT risk register.

use app::catalogue::risk::{Level, RiskFilter, RiskStatus};
use axum::response::Response;

use super::wire::{Envelope, KeyedErrors, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams},
    reference::{ReferenceQuery, Risk, SearchParams},
    schema::word,
};

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; the handler reads the values")]
pub(crate) struct RiskParams {
    #[param(schema_with = word::<Level>)]
    level: Option<String>,
    #[param(schema_with = word::<RiskStatus>)]
    status: Option<String>,
}

/// The ICT risk register.
#[utoipa::path(get, path = "/api/v2/risk-register", tag = "v2", security(("bearer" = [])),
    params(RiskParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Risk>), KeyedErrors))]
pub(crate) async fn list(mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let filter = RiskFilter { level: request.query.filter("level"), status: request.query.filter("status") };
    request.list::<Risk>(|record| filter.keeps(record), enveloped)
}
