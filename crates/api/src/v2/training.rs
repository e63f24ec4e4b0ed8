//! Training modules.

use app::catalogue::{training::TrainingFilter, vocabulary::Difficulty};
use axum::response::Response;

use super::wire::{Envelope, KeyedErrors, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams},
    reference::{ReferenceQuery, SearchParams, Training},
    schema::word,
};

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; the handler reads the values")]
pub(crate) struct TrainingParams {
    #[param(schema_with = word::<Difficulty>)]
    difficulty: Option<String>,
}

/// Training modules, with questions that check what was learnt.
#[utoipa::path(get, path = "/api/v2/compliance-training", tag = "v2", security(("bearer" = [])),
    params(TrainingParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Training>), KeyedErrors))]
pub(crate) async fn list(mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let filter = TrainingFilter { difficulty: request.query.filter("difficulty") };
    request.list::<Training>(|record| filter.keeps(record), enveloped)
}
