//! Concentration-risk thresholds.

use app::App;
use axum::{extract::State, response::Response};
use domain::{moment::Moment, threshold::ThresholdsPatch};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Body, Fields, IfMatch, IfNoneMatch, Reader, Switch, Writer},
    respond::{self, Data},
    v1::wire::{BodyErrors, KeyedErrors, NotModified, StaleError},
};

/// The shares above which a concentration counts as a breach.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Thresholds {
    #[schema(minimum = 1, maximum = 100, example = 25)]
    provider_concentration_pct: u8,
    #[schema(minimum = 1, maximum = 100, example = 40)]
    sector_concentration_pct: u8,
    #[schema(minimum = 1, maximum = 100, example = 50)]
    regional_concentration_pct: u8,
    #[schema(minimum = 1, maximum = 100, example = 33)]
    technology_concentration_pct: u8,
    #[schema(minimum = 30, maximum = 730, example = 365)]
    review_frequency_days: u16,
    /// If `false`, nothing counts as a breach.
    enabled: bool,
    /// When they were last changed; null while the defaults apply.
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<Moment>,
}

/// Changes to the thresholds. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "provider_concentration_pct": 30, "review_frequency_days": 180 }))]
pub(crate) struct ThresholdsChange {
    #[schema(minimum = 1, maximum = 100, nullable = false)]
    provider_concentration_pct: Option<i64>,
    #[schema(minimum = 1, maximum = 100, nullable = false)]
    sector_concentration_pct: Option<i64>,
    #[schema(minimum = 1, maximum = 100, nullable = false)]
    regional_concentration_pct: Option<i64>,
    #[schema(minimum = 1, maximum = 100, nullable = false)]
    technology_concentration_pct: Option<i64>,
    #[schema(minimum = 30, maximum = 730, nullable = false)]
    review_frequency_days: Option<i64>,
    /// If `false`, nothing counts as a breach.
    #[schema(value_type = Option<bool>, nullable = false)]
    enabled: Option<Switch>,
}

impl From<&app::threshold::ThresholdsRow> for Thresholds {
    fn from(row: &app::threshold::ThresholdsRow) -> Self {
        Self {
            provider_concentration_pct: row.thresholds.provider.get(),
            sector_concentration_pct: row.thresholds.sector.get(),
            regional_concentration_pct: row.thresholds.regional.get(),
            technology_concentration_pct: row.thresholds.technology.get(),
            review_frequency_days: row.thresholds.review_frequency.get(),
            enabled: row.thresholds.enabled,
            updated_at: row.updated_at,
        }
    }
}

/// Gets the thresholds of the tenant.
#[utoipa::path(get, path = "/api/v1/concentration-risk/thresholds", tag = "concentration risk",
    responses((status = 200, body = Data<Thresholds>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let (row, revision) = app.third_parties.thresholds(&caller).await?;
    let validator = app.record_validator(row.version, revision);
    Ok(respond::record(&Thresholds::from(&row), &validator, &if_none_match))
}

/// Updates the thresholds of the tenant.
///
/// Fields that are absent keep their values.
#[utoipa::path(patch, path = "/api/v1/concentration-risk/thresholds", tag = "concentration risk",
    request_body = ThresholdsChange,
    responses((status = 200, body = Data<Thresholds>), KeyedErrors, StaleError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IfMatch(precondition): IfMatch,
    body: Body,
) -> Result<Response, ApiError> {
    let patch = patch_from(body.fields)?;
    let (row, revision) = app.third_parties.change_thresholds(&caller, patch, precondition).await?;
    let validator = app.record_validator(row.version, revision);
    Ok(respond::record(&Thresholds::from(&row), &validator, &IfNoneMatch::default()))
}

fn patch_from(mut fields: Fields) -> Result<ThresholdsPatch, ApiError> {
    let change: ThresholdsChange = fields.read();
    let patch = ThresholdsPatch {
        provider: fields.converted("provider_concentration_pct", change.provider_concentration_pct),
        sector: fields.converted("sector_concentration_pct", change.sector_concentration_pct),
        regional: fields.converted("regional_concentration_pct", change.regional_concentration_pct),
        technology: fields.converted("technology_concentration_pct", change.technology_concentration_pct),
        review_frequency: fields.converted("review_frequency_days", change.review_frequency_days),
        enabled: change.enabled.map(|Switch(on)| on),
    };
    fields.finish(Some(patch))
}
