//! The vendor scorecard.

use std::str::FromStr;

use app::catalogue::vendor::{Criticality, VendorFilter};
use axum::response::Response;
use serde::Deserialize;

use super::wire::{Envelope, KeyedErrors, NotModified, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams, Parsed},
    reference::{ReferenceQuery, SearchParams, Vendor},
    schema::word,
};

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct VendorParams {
    /// Only providers of this criticality.
    #[param(value_type = Option<word::Criticality>)]
    criticality: Option<Parsed<Criticality>>,
    /// Only providers with at least this overall score.
    #[param(value_type = Option<u8>, minimum = 0, maximum = 100)]
    min_score: Option<Parsed<MinScore>>,
}

/// A minimum score as sent by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MinScore(u8);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a whole number from 0 to 100")]
struct NotAScore;

impl FromStr for MinScore {
    type Err = NotAScore;

    fn from_str(text: &str) -> Result<Self, NotAScore> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let score = text.parse().ok().filter(|score| digits && *score <= 100);
        score.map(Self).ok_or(NotAScore)
    }
}

/// Lists provider archetypes with their scores.
#[utoipa::path(get, path = "/api/v2/vendor-scorecard", operation_id = "listVendors",
    tag = "vendors", security(("bearer" = [])),
    params(VendorParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Vendor>), NotModified, KeyedErrors))]
pub(crate) async fn list(mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let params: VendorParams = request.query.read();
    let filter = VendorFilter {
        criticality: params.criticality.map(Parsed::value),
        min_score: params.min_score.map(|Parsed(MinScore(score))| score),
    };
    request.list::<Vendor>(|vendor| filter.keeps(vendor), enveloped)
}
