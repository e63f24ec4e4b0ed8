//! Which functions fail when a provider fails, directly or through a supply chain. Nothing is stored.

use app::{App, Error};
use axum::{extract::State, response::Response};
use domain::{concentration, id::ArrangementId, rounding::Hundredths, violation::Complaint};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    analysis::{By, request_from},
    wire::{BodyErrors, KeyedErrors},
};
use crate::{
    ApiError,
    extract::{Body, Reader},
    respond::{self, Data},
};

/// The provider that fails. `basis`, `scope`, `as_of`, `currency` and `rates` are those of an analysis.
#[derive(Debug, ToSchema)]
#[schema(as = BlastRadiusRequest)]
#[expect(dead_code, reason = "documentation only; `blast_radius` reads the fields")]
pub(crate) struct FailureQuestion {
    /// The name or LEI of a provider or subcontractor.
    #[schema(example = "Nordlicht Cloud SE")]
    provider: String,
    /// `provider` (the default) lets only the legal entity fail, `group` its whole group.
    #[schema(nullable = false, example = "provider")]
    by: Option<String>,
    #[schema(nullable = false, example = "annual_cost")]
    basis: Option<String>,
    #[schema(nullable = false, example = "all")]
    scope: Option<String>,
    #[schema(format = Date, nullable = false)]
    as_of: Option<String>,
    #[schema(nullable = false, example = "EUR")]
    currency: Option<String>,
    #[schema(nullable = false, example = json!({ "USD": "0.92" }))]
    rates: Option<std::collections::BTreeMap<String, String>>,
}

/// The consequences of a failure. A failed link stops its arrangement, a failed arrangement its functions.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BlastRadius {
    /// The legal entities that fail.
    failing: Vec<String>,
    /// Arrangements that stop.
    arrangements: u32,
    /// Their share of the total.
    #[schema(value_type = f64)]
    share_pct: Hundredths,
    /// Critical functions that stop.
    critical_functions: u64,
    #[schema(value_type = f64)]
    critical_functions_pct: Hundredths,
    /// The critical functions first.
    functions: Vec<LostFunction>,
}

/// A function that stops.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LostFunction {
    name: String,
    critical: bool,
    /// From the provider to the one that fails; a single name if they are the same.
    path: Vec<String>,
    #[schema(value_type = Vec<String>)]
    arrangements: Vec<ArrangementId>,
}

impl From<&concentration::BlastRadius> for BlastRadius {
    fn from(radius: &concentration::BlastRadius) -> Self {
        let functions = radius.functions.iter().map(|function| LostFunction {
            name: function.name.to_string(),
            critical: function.critical,
            path: function.path.iter().map(ToString::to_string).collect(),
            arrangements: function.arrangements.clone(),
        });
        Self {
            failing: radius.failing.iter().map(ToString::to_string).collect(),
            arrangements: radius.arrangements,
            share_pct: radius.share.percent(),
            critical_functions: radius.critical_functions.part,
            critical_functions_pct: radius.critical_functions.percent(),
            functions: functions.collect(),
        }
    }
}

/// Calculates what stops when a provider fails.
///
/// Nothing is stored.
#[utoipa::path(post, path = "/api/v1/concentration-risk/blast-radius", tag = "concentration risk",
    request_body = FailureQuestion,
    responses((status = 200, body = Data<BlastRadius>), KeyedErrors, BodyErrors))]
pub(crate) async fn blast_radius(
    State(app): State<App>,
    Reader(caller): Reader,
    mut body: Body,
) -> Result<Response, ApiError> {
    let request = request_from(&mut body.fields);
    body.fields.require("provider");
    let provider = body.fields.text("provider");
    let by = body.fields.parse::<By>("by");
    let provider = body.fields.finish(provider)?;
    let radius = app.blast_radius(&caller, request, provider, by == Some(By::Group)).await?;
    let unknown = || {
        let message = "is not in an active arrangement or supply chain: give the name or the LEI as the register has it";
        Error::invalid("provider", Complaint::protocol(message))
    };
    let radius = radius.ok_or_else(unknown)?;
    let data = Data { data: BlastRadius::from(&radius) };
    Ok(respond::json(StatusCode::OK, respond::to_json(&data)))
}
