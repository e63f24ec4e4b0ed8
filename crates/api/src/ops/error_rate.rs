//! The share of responses with a 500.

use app::{
    App,
    traffic::{ErrorRate as AppRate, RouteRate as AppRouteRate},
};
use axum::{extract::State, response::Response};
use domain::rounding::Hundredths;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    health::percent,
    wire::{OpenErrors, uncached},
};
use crate::ApiError;

/// The share of answers with the status 500.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorRate {
    /// The period.
    #[schema(example = "1h")]
    window: &'static str,
    total: Rate,
    /// Routes with requests in the period, those with the most errors first.
    routes: Vec<RouteRate>,
}

/// Requests and errors.
#[derive(Debug, Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names on the wire")]
pub(crate) struct Rate {
    requests: u64,
    /// Answers with the status 500.
    errors: u64,
    /// The share of errors in per cent.
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    rate: Hundredths,
}

/// Requests and errors of a route.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RouteRate {
    /// The path template, or `unmatched` for requests to unknown paths.
    #[schema(example = "/api/v1/findings/{id}")]
    route: String,
    #[serde(flatten)]
    rate: Rate,
}

impl Rate {
    fn of(requests: u64, errors: u64) -> Self {
        Self { requests, errors, rate: percent(errors, requests) }
    }
}

impl From<&AppRouteRate> for RouteRate {
    fn from(rate: &AppRouteRate) -> Self {
        Self { route: rate.route.clone(), rate: Rate::of(rate.requests, rate.errors) }
    }
}

/// Gets the share of answers with the status 500 by route.
///
/// Covers the last hour, across nodes and restarts.
#[utoipa::path(get, path = "/api/errors/500-rate", operation_id = "getErrorRate",
    tag = "operations", security(()),
    responses((status = 200, body = ErrorRate), OpenErrors))]
pub(crate) async fn get(State(app): State<App>) -> Result<Response, ApiError> {
    let AppRate { requests, errors, routes } = app.operations.error_rate().await?;
    let routes = routes.iter().map(RouteRate::from).collect();
    Ok(uncached(&ErrorRate { window: "1h", total: Rate::of(requests, errors), routes }))
}
