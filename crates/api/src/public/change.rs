//! What changed in the catalogue.

use app::catalogue::{Edition, Records};
use axum::response::Response;
use domain::moment::Day;
use serde::Deserialize;

use super::wire::{PublicErrors, PublicRequest, ReferenceList, joined};
use crate::{
    ApiError,
    extract::{FilterQuery, LanguageParams, Parsed},
    reference::{CatalogueChange, Reference as _},
};

/// Which changes.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ChangeParams {
    /// Only changes that the catalogue took in on this day or later.
    #[param(value_type = Option<String>, format = Date, example = "2026-11-01")]
    since: Option<Parsed<Day>>,
}

/// Lists what changed in the catalogue, by requirement.
///
/// Corrigenda and amendments of acts, and corrections of the catalogue, newest first.
#[utoipa::path(get, path = "/api/changes", tag = "reference", params(ChangeParams, LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<CatalogueChange>), PublicErrors))]
pub(crate) async fn list(
    request: PublicRequest,
    FilterQuery(mut query): FilterQuery,
) -> Result<Response, ApiError> {
    let params: ChangeParams = query.read();
    query.check()?;
    let since = params.since.map(Parsed::value);
    let edition = request.edition()?;
    let dates = edition.changes.iter().map(|change| change.date);
    let count = dates.filter(|date| since.is_none_or(|since| *date >= since)).count();
    // The newest come first, so the number of changes names the body; there are no more bodies than changes.
    let write = move |edition: &Edition, language| {
        let shown = edition.changes.iter().take(count);
        let records = Records::of(shown.map(|change| CatalogueChange::new(change, edition, language)))?;
        Ok(joined(&records, &[], edition))
    };
    request.answer_named(format!("changes {count}"), write).await
}
