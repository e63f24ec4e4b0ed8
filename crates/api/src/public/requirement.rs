//! Requirements.

use app::catalogue::Edition;
use axum::{extract::Path, response::Response};
use domain::wording::Language;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{
    ApiError,
    docs::failures::failures,
    extract::LanguageParams,
    reference::{Requirement, WordedRequirement},
    respond,
};

pub(super) const BODY: PublicBody = PublicBody { name: "requirements", write: write::<Requirement> };

/// Lists the requirements of all frameworks with their coverage.
#[utoipa::path(get, path = "/api/requirements", tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Requirement>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}

failures! {
    /// What a route that names a requirement may answer besides.
    NoSuchRequirement: 404;
}

/// Gets a requirement with its official wording in the languages at hand.
#[utoipa::path(get, path = "/api/requirements/{requirement}", tag = "reference", security(()),
    params(("requirement" = String, Path, description = "The id of the requirement."), LanguageParams),
    responses((status = 200, body = WordedRequirement), NoSuchRequirement, PublicErrors))]
pub(crate) async fn get(
    Path(requirement): Path<String>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    request.edition()?.requirements.get(&requirement).ok_or_else(ApiError::not_found)?;
    let name = format!("/api/requirements/{requirement}");
    let write = move |edition: &Edition, language: Language| {
        let found = edition.requirements.get(&requirement).ok_or(app::Error::NotFound)?;
        Ok(respond::to_json(&WordedRequirement::new(found, edition, language)))
    };
    request.answer_named(name, write).await
}
