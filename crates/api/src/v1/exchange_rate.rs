//! The tenant's exchange rates for analyses and simulations.

use std::collections::BTreeMap;

use app::{App, exchange_rate::RatesRow};
use axum::{extract::State, response::Response};
use domain::moment::{Day, Moment};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{BodyErrors, KeyedErrors};
use crate::{
    ApiError,
    extract::{Body, Reader, Writer},
    respond::{self, Data},
};

/// The stored exchange rates.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct ExchangeRates {
    /// The currency that the rates convert to; null if no rates are stored.
    #[schema(example = "EUR")]
    currency: Option<String>,
    /// The day of the rates.
    #[schema(value_type = Option<String>, format = Date)]
    valid_on: Option<Day>,
    /// The value of one unit of each currency, as a decimal string.
    #[schema(example = json!({ "USD": "0.92" }))]
    rates: BTreeMap<String, String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<Moment>,
}

/// All exchange rates; an empty object removes them.
#[derive(Debug, ToSchema)]
#[schema(as = ExchangeRatesInput, example = json!({ "valid_on": "2026-11-13", "rates": { "USD": "0.92" } }))]
#[expect(dead_code, reason = "documentation only; `put` reads the fields")]
pub(crate) struct NewExchangeRates {
    /// The day of the rates. Defaults to today.
    #[schema(format = Date)]
    valid_on: Option<String>,
    #[schema(example = json!({ "USD": "0.92" }))]
    rates: BTreeMap<String, String>,
}

impl From<RatesRow> for ExchangeRates {
    fn from(row: RatesRow) -> Self {
        Self {
            currency: Some(row.base.to_string()),
            valid_on: Some(row.valid_on),
            rates: row.rates,
            updated_at: Some(row.updated_at),
        }
    }
}

fn answer(row: Option<RatesRow>) -> Response {
    let data = Data { data: row.map(ExchangeRates::from).unwrap_or_default() };
    respond::json(StatusCode::OK, respond::to_json(&data))
}

/// Gets the stored exchange rates.
#[utoipa::path(get, path = "/api/v1/concentration-risk/rates", tag = "concentration risk",
    responses((status = 200, body = Data<ExchangeRates>), KeyedErrors))]
pub(crate) async fn get(State(app): State<App>, Reader(caller): Reader) -> Result<Response, ApiError> {
    Ok(answer(app.exchange_rates(&caller).await?))
}

/// Replaces the stored exchange rates.
///
/// Analyses and simulations use them for every currency that the request gives no rate for.
#[utoipa::path(put, path = "/api/v1/concentration-risk/rates", tag = "concentration risk",
    request_body = NewExchangeRates,
    responses((status = 200, body = Data<ExchangeRates>), KeyedErrors, BodyErrors))]
pub(crate) async fn put(
    State(app): State<App>,
    Writer(caller): Writer,
    mut body: Body,
) -> Result<Response, ApiError> {
    body.fields.require("rates");
    let (valid_on, rates) = (body.fields.parse("valid_on"), body.fields.text_pairs("rates"));
    let rates = body.fields.finish(Some(rates.unwrap_or_default()))?;
    Ok(answer(app.set_exchange_rates(&caller, valid_on, rates).await?))
}
