//! Incident drills.

use app::catalogue::{drill::DrillFilter, vocabulary::Difficulty};
use axum::response::Response;
use serde::Deserialize;

use super::wire::{Envelope, KeyedErrors, NotModified, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams, Parsed},
    reference::{Drill, ReferenceQuery, SearchParams},
    schema::word,
};

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DrillParams {
    /// Only drills of this difficulty.
    #[param(value_type = Option<word::Difficulty>)]
    difficulty: Option<Parsed<Difficulty>>,
}

/// Lists incident drill scenarios.
#[utoipa::path(get, path = "/api/v2/incident-drills", tag = "incident drills", security(("bearer" = [])),
    params(DrillParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Drill>), NotModified, KeyedErrors))]
pub(crate) async fn list(mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let filter =
        DrillFilter { difficulty: request.query.read::<DrillParams>().difficulty.map(Parsed::value) };
    request.list::<Drill>(|record| filter.keeps(record), enveloped)
}
