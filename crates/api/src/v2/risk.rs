//! The ICT risk register.

use app::catalogue::risk::RiskFilter;
use axum::response::Response;

use super::wire::{Envelope, KeyedErrors, NotModified, enveloped};
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
    /// Only risks of this level.
    #[param(value_type = Option<word::Level>)]
    level: Option<String>,
    /// Only risks with this status.
    #[param(value_type = Option<word::RiskStatus>)]
    status: Option<String>,
}

/// Lists the ICT risks of the catalogue.
#[utoipa::path(get, path = "/api/v2/risk-register", tag = "risk register", security(("bearer" = [])),
    params(RiskParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Risk>), NotModified, KeyedErrors))]
pub(crate) async fn list(mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let filter = RiskFilter { level: request.query.filter("level"), status: request.query.filter("status") };
    request.list::<Risk>(|record| filter.keeps(record), enveloped)
}
