//! The tenant's exchange rates for analyses and simulations.

use std::collections::BTreeMap;

use app::{App, exchange_rate::RatesRow};
use axum::{extract::State, response::Response};
use domain::moment::{Day, Moment};
use http::StatusCode;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{Body, Parsed, Reader, Writer},
    respond::{self, Data},
    v1::wire::{BodyErrors, KeyedErrors},
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
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = ExchangeRatesInput, example = json!({ "valid_on": "2026-11-13", "rates": { "USD": "0.92" } }))]
pub(crate) struct NewExchangeRates {
    /// The day of the rates. Defaults to today.
    #[schema(value_type = Option<String>, format = Date)]
    valid_on: Option<Parsed<Day>>,
    #[schema(value_type = BTreeMap<String, String>, example = json!({ "USD": "0.92" }))]
    rates: Option<Rates>,
}

/// Exchange rates by currency, each as a decimal string.
#[derive(Debug, Default)]
pub(crate) struct Rates(BTreeMap<String, String>);

impl Rates {
    pub(crate) fn pairs(self) -> Vec<(String, String)> {
        self.0.into_iter().collect()
    }
}

impl<'de> Deserialize<'de> for Rates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rates = BTreeMap::deserialize(deserializer);
        rates.map(Self).map_err(|_| D::Error::custom("must be an object whose values are strings"))
    }
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
    Ok(answer(app.third_parties.exchange_rates(&caller).await?))
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
    let request: NewExchangeRates = body.fields.read();
    body.fields.require("rates");
    let rates = body.fields.finish(Some(request.rates.unwrap_or_default()))?;
    let valid_on = request.valid_on.map(Parsed::value);
    Ok(answer(app.third_parties.set_exchange_rates(&caller, valid_on, rates.pairs()).await?))
}
