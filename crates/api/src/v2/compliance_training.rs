//! Training modules.

use app::catalogue::{training::TrainingFilter, vocabulary::Difficulty};
use axum::response::Response;
use serde::Deserialize;

use super::wire::{Envelope, KeyedErrors, NotModified, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams, Parsed},
    reference::{ReferenceQuery, SearchParams, Training},
    schema::word,
};

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TrainingParams {
    /// Only modules of this difficulty.
    #[param(value_type = Option<word::Difficulty>)]
    difficulty: Option<Parsed<Difficulty>>,
}

/// Lists training modules with their quiz questions.
#[utoipa::path(get, path = "/api/v2/compliance-training", operation_id = "listTrainingModules",
    tag = "training", security(("bearer" = [])),
    params(TrainingParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Training>), NotModified, KeyedErrors))]
pub(crate) async fn list(mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let filter =
        TrainingFilter { difficulty: request.query.read::<TrainingParams>().difficulty.map(Parsed::value) };
    request.list::<Training>(|record| filter.keeps(record), enveloped)
}
