//! The vendor scorecard.

use app::{Result as AppResult, catalogue::Edition};
use axum::response::Response;
use domain::wording::Language;
use utoipa::ToSchema;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceMeta, joined},
};
use crate::{
    ApiError,
    extract::LanguageParams,
    reference::{Reference as _, Vendor, vendor::Dimension},
    respond,
};

/// The provider archetypes and the five dimensions of their scores.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; the body is joined from records written before")]
pub(crate) struct VendorScorecard {
    data: Vec<Vendor>,
    dimensions: Vec<Dimension>,
    meta: ReferenceMeta,
}

pub(super) const BODY: PublicBody = PublicBody { name: "vendor-scorecard", write };

fn write(edition: &Edition, language: Language) -> AppResult<Vec<u8>> {
    let records = edition.records(&Vendor::set(), language)?;
    let dimensions = respond::to_json(&Dimension::all(edition, language));
    Ok(joined(&records, &[("dimensions", dimensions)], edition))
}

/// Gets the vendor scorecard with scores in five dimensions.
#[utoipa::path(get, path = "/api/vendor-scorecard", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = VendorScorecard), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
