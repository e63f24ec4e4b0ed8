//! Incident drills.

use app::catalogue::{drill::DrillFilter, vocabulary::Difficulty};
use axum::response::Response;

use super::wire::{Envelope, KeyedErrors, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams},
    reference::{Drill, ReferenceQuery, SearchParams},
    schema::word,
};

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; the handler reads the values")]
pub(crate) struct DrillParams {
    #[param(schema_with = word::<Difficulty>)]
    difficulty: Option<String>,
}

/// Incident drill scenarios.
#[utoipa::path(get, path = "/api/v2/incident-drills", tag = "v2", security(("bearer" = [])),
    params(DrillParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Drill>), KeyedErrors))]
pub(crate) async fn list(mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let filter = DrillFilter { difficulty: request.query.filter("difficulty") };
    request.list::<Drill>(|record| filter.keeps(record), enveloped)
}
