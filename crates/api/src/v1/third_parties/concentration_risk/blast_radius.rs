//! Which functions fail when a provider fails, directly or through a supply chain. Nothing is stored.

use app::{App, Error};
use axum::{extract::State, response::Response};
use domain::{
    concentration::{self, Basis, Scope},
    currency::Currency,
    id::ArrangementId,
    moment::Day,
    rounding::Hundredths,
    violation::Complaint,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AnalysisQuestion, By, rates::Rates};
use crate::{
    ApiError,
    extract::{Body, Parsed, Reader},
    respond::{self, Data},
    v1::wire::{BodyErrors, KeyedErrors},
};

/// The provider that fails. `basis`, `scope`, `as_of`, `currency` and `rates` are those of an analysis.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = BlastRadiusRequest)]
pub(crate) struct FailureQuestion {
    /// The name or LEI of a provider or subcontractor.
    #[schema(required = true, nullable = false, example = "Nordlicht Cloud SE")]
    provider: Option<String>,
    /// `provider` (the default) lets only the legal entity fail, `group` its whole group.
    #[schema(value_type = Option<String>, nullable = false, example = "provider")]
    by: Option<Parsed<By>>,
    #[schema(value_type = Option<String>, nullable = false, example = "annual_cost")]
    basis: Option<Parsed<Basis>>,
    #[schema(value_type = Option<String>, nullable = false, example = "all")]
    scope: Option<Parsed<Scope>>,
    #[schema(value_type = Option<String>, format = Date, nullable = false)]
    as_of: Option<Parsed<Day>>,
    #[schema(value_type = Option<String>, nullable = false, example = "EUR")]
    currency: Option<Parsed<Currency>>,
    #[schema(value_type = Option<BTreeMap<String, String>>, nullable = false, example = json!({ "USD": "0.92" }))]
    rates: Option<Rates>,
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
#[utoipa::path(post, path = "/api/v1/concentration-risk/blast-radius", operation_id = "calculateBlastRadius",
    tag = "concentration risk",
    request_body = FailureQuestion,
    responses((status = 200, body = Data<BlastRadius>), KeyedErrors, BodyErrors))]
pub(crate) async fn blast_radius(
    State(app): State<App>,
    Reader(caller): Reader,
    mut body: Body,
) -> Result<Response, ApiError> {
    let question: FailureQuestion = body.fields.read();
    body.fields.require("provider");
    let provider = body.fields.finish(question.provider)?;
    let by_group = question.by == Some(Parsed(By::Group));
    let FailureQuestion { basis, scope, as_of, currency, rates, .. } = question;
    let request = AnalysisQuestion { basis, scope, as_of, currency, rates };
    let radius = app.third_parties.blast_radius(&caller, request.into(), provider, by_group).await?;
    let unknown = || {
        let message = "is not in an active arrangement or supply chain: give the name or the LEI as the register has it";
        Error::invalid("provider", Complaint::protocol(message))
    };
    let radius = radius.ok_or_else(unknown)?;
    let data = Data { data: BlastRadius::from(&radius) };
    Ok(respond::json(StatusCode::OK, respond::to_json(&data)))
}
