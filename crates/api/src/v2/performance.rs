//! The technical performance overview.

use app::{
    App,
    performance::{Metric, Reading as AppReading, WINDOW},
};
use axum::{extract::State, response::Response};
use domain::{moment::Moment, page::Page, wording::Language};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{Envelope, KeyedErrors};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams},
    reference::{ReferenceQuery, SearchParams},
    respond,
    schema::word,
};

/// A performance figure of the service.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PerformanceReading)]
pub(crate) struct Reading {
    #[schema(value_type = word::Metric)]
    id: Metric,
    title: &'static str,
    /// Null if nothing has been measured yet.
    value: Option<f64>,
    #[schema(example = "ms")]
    unit: &'static str,
    /// The period the figure covers.
    window_seconds: u64,
    #[schema(value_type = String, format = DateTime)]
    measured_at: Moment,
}

impl Reading {
    fn new(reading: &AppReading, language: Language) -> Self {
        Self {
            id: reading.metric,
            title: reading.metric.label().text(language),
            value: reading.value,
            unit: reading.metric.unit(),
            window_seconds: WINDOW.as_secs(),
            measured_at: reading.measured_at,
        }
    }
}

impl From<&Self> for Reading {
    fn from(reading: &Self) -> Self {
        reading.clone()
    }
}

/// Gets the performance overview: request rate, response times, errors, queue and store.
#[utoipa::path(get, path = "/api/v2/performance/overview", operation_id = "getPerformanceOverview",
    tag = "operations", security(("bearer" = [])),
    params(PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Reading>), KeyedErrors))]
pub(crate) async fn overview(State(app): State<App>, request: ReferenceQuery) -> Result<Response, ApiError> {
    let request = request.checked()?;
    let (needle, language) = (request.needle(), request.language);
    let readings = app.operations.performance().await?;
    let readings = readings.iter().map(|reading| Reading::new(reading, language));
    let found: Vec<Reading> =
        readings.filter(|reading| needle.is_in_any(&[reading.id.as_str(), reading.title])).collect();
    let page = Page::cut(found.into_iter(), request.query.page);
    let body = respond::to_json(&Envelope::<Reading>::of(&page));
    Ok(respond::spoken(respond::json(StatusCode::OK, body), language))
}
