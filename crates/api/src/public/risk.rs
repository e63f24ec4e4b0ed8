//! The ICT risk register.

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
    reference::{
        Reference as _, Risk,
        risk::{Category, Matrix},
    },
    respond,
};

/// The ICT risks, their categories, and the matrix that determines their levels.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; the body is joined from records written before")]
pub(crate) struct RiskRegister {
    data: Vec<Risk>,
    categories: Vec<Category>,
    matrix: Matrix,
    meta: ReferenceMeta,
}

pub(super) const BODY: PublicBody = PublicBody { name: "risk-register", write };

fn write(edition: &Edition, language: Language) -> AppResult<Vec<u8>> {
    let records = edition.records(&Risk::set(), language)?;
    let categories = respond::to_json(&Category::all(edition, language));
    let matrix = respond::to_json(&Matrix::of(edition, language));
    Ok(joined(&records, &[("categories", categories), ("matrix", matrix)], edition))
}

/// Gets the ICT risk register with its categories and the risk matrix.
#[utoipa::path(get, path = "/api/risk-register", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = RiskRegister), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
