//! Two concentration analyses compared.

use app::{
    App,
    analysis::{AnalysisComparison as AppComparison, AnalysisHead, HhiDifference},
};
use axum::{extract::State, response::Response};
use domain::{
    id::AnalysisId,
    moment::{Day, Moment},
    rounding::Hundredths,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::simulations::{KeptName, KeptShare};
use crate::{
    ApiError,
    extract::{PageQuery, Reader},
    respond::{self, Data},
    v1::wire::KeyedErrors,
};

/// One of the two analyses.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ComparedAnalysis {
    #[schema(value_type = String, example = "ana_01k9x14js0e00000000000000a")]
    id: AnalysisId,
    #[schema(value_type = String, format = DateTime)]
    analysed_at: Moment,
    #[schema(value_type = String, format = Date)]
    as_of: Day,
    basis: &'static str,
    scope: &'static str,
    level: String,
    breaches: u64,
    arrangements: u64,
}

impl From<&AnalysisHead> for ComparedAnalysis {
    fn from(head: &AnalysisHead) -> Self {
        Self {
            id: head.id,
            analysed_at: head.analysed_at,
            as_of: head.as_of,
            basis: head.basis.as_str(),
            scope: head.scope.as_str(),
            level: head.level.clone(),
            breaches: head.breaches,
            arrangements: head.arrangements,
        }
    }
}

/// The concentration of a dimension in both analyses.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ComparedHhi {
    dimension: String,
    #[schema(value_type = f64)]
    before: Hundredths,
    #[schema(value_type = f64)]
    after: Hundredths,
}

impl From<&HhiDifference> for ComparedHhi {
    fn from(hhi: &HhiDifference) -> Self {
        Self {
            dimension: hhi.dimension.clone(),
            before: Hundredths::new(hhi.before),
            after: Hundredths::new(hhi.after),
        }
    }
}

/// What changed from one analysis to another.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnalysisComparison {
    before: ComparedAnalysis,
    after: ComparedAnalysis,
    /// Whether both have the same basis and scope, so that shares compare one to one.
    alike: bool,
    hhi: Vec<ComparedHhi>,
    /// Entries that changed, the largest change of each dimension first, with the difference in percentage points.
    shares: Vec<KeptShare>,
    new_breaches: Vec<KeptName>,
    gone_breaches: Vec<KeptName>,
}

impl From<&AppComparison> for AnalysisComparison {
    fn from(compared: &AppComparison) -> Self {
        Self {
            before: (&compared.before.head).into(),
            after: (&compared.after.head).into(),
            alike: compared.is_alike(),
            hhi: compared.hhi.iter().map(ComparedHhi::from).collect(),
            shares: compared.shares.iter().map(KeptShare::from).collect(),
            new_breaches: compared.new_breaches.iter().map(KeptName::from).collect(),
            gone_breaches: compared.gone_breaches.iter().map(KeptName::from).collect(),
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ComparisonParams {
    /// The id of the earlier analysis.
    #[param(value_type = String)]
    from: Option<String>,
    /// The id of the later analysis; the latest by default.
    to: Option<String>,
}

/// Compares two analyses.
#[utoipa::path(get, path = "/api/v1/concentration-risk/comparison", operation_id = "compareAnalyses",
    tag = "concentration risk",
    params(ComparisonParams),
    responses((status = 200, body = Data<AnalysisComparison>), KeyedErrors))]
pub(crate) async fn compare(
    State(app): State<App>,
    Reader(caller): Reader,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let params: ComparisonParams = query.read();
    if params.from.is_none() {
        query.complain("from", "is required: the id of an analysis");
    }
    let from = query.id::<AnalysisId>("from", params.from.as_deref(), "an analysis");
    let to = query.id::<AnalysisId>("to", params.to.as_deref(), "an analysis");
    query.check()?;
    let from = from.ok_or_else(ApiError::not_found)?;
    let compared = app.third_parties.compare_analyses(&caller, from, to).await?;
    let body = Data { data: AnalysisComparison::from(&compared) };
    Ok(respond::json(StatusCode::OK, respond::to_json(&body)))
}
