//! The ICT risk register.

use app::catalogue::risk::{Level, RiskFilter, RiskStatus};
use axum::response::Response;
use serde::Deserialize;

use super::wire::{Envelope, KeyedErrors, NotModified, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams, Parsed},
    reference::{ReferenceQuery, Risk, SearchParams},
    schema::word,
};

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RiskParams {
    /// Only risks of this level.
    #[param(value_type = Option<word::Level>)]
    level: Option<Parsed<Level>>,
    /// Only risks with this status.
    #[param(value_type = Option<word::RiskStatus>)]
    status: Option<Parsed<RiskStatus>>,
}

/// Lists the ICT risks of the catalogue.
#[utoipa::path(get, path = "/api/v2/risk-register", operation_id = "listRisks",
    tag = "risk register", security(("bearer" = [])),
    params(RiskParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Risk>), NotModified, KeyedErrors))]
pub(crate) async fn list(mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let params: RiskParams = request.query.read();
    let filter =
        RiskFilter { level: params.level.map(Parsed::value), status: params.status.map(Parsed::value) };
    request.list::<Risk>(|record| filter.keeps(record), enveloped)
}
