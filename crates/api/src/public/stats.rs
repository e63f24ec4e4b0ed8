//! Platform statistics, all computed.

use app::catalogue::Edition;
use axum::response::Response;
use domain::wording::Language;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    body_cache::PublicBody,
    module::MODULES,
    wire::{PublicErrors, PublicRequest},
};
use crate::{ApiError, docs, extract::LanguageParams, respond};

/// Figures of the platform.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PlatformStats)]
pub(crate) struct Stats {
    modules: usize,
    measures: usize,
    evidence: usize,
    radar_signals: usize,
    /// Operations of the API.
    routes_count: usize,
    #[schema(example = "0.1.0")]
    platform_version: &'static str,
}

pub(super) const BODY: PublicBody =
    PublicBody { name: "stats", write: |edition, language| Ok(body(edition, language)) };

fn body(edition: &Edition, _: Language) -> Vec<u8> {
    respond::to_json(&Stats {
        modules: MODULES.len(),
        measures: edition.measures.len(),
        evidence: edition.evidence.len(),
        radar_signals: edition.signals.len(),
        routes_count: docs::routes().len(),
        platform_version: env!("CARGO_PKG_VERSION"),
    })
}

/// Gets the platform statistics.
#[utoipa::path(get, path = "/api/stats", operation_id = "getStats",
    tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = Stats), PublicErrors))]
pub(crate) async fn get(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}
