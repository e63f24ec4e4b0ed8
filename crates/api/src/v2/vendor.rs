//! The vendor scorecard.

use std::str::FromStr;

use app::catalogue::vendor::VendorFilter;
use axum::response::Response;

use super::wire::{Envelope, KeyedErrors, NotModified, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams},
    reference::{ReferenceQuery, SearchParams, Vendor},
    schema::word,
};

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; the handler reads the values")]
pub(crate) struct VendorParams {
    /// Only providers of this criticality.
    #[param(value_type = Option<word::Criticality>)]
    criticality: Option<String>,
    /// Only providers with at least this overall score.
    #[param(minimum = 0, maximum = 100)]
    min_score: Option<u8>,
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
#[utoipa::path(get, path = "/api/v2/vendor-scorecard", tag = "vendors", security(("bearer" = [])),
    params(VendorParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Vendor>), NotModified, KeyedErrors))]
pub(crate) async fn list(mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let filter = VendorFilter {
        criticality: request.query.filter("criticality"),
        min_score: request.query.filter("min_score").map(|MinScore(score)| score),
    };
    request.list::<Vendor>(|vendor| filter.keeps(vendor), enveloped)
}
