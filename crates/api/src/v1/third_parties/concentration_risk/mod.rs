//! Concentration analyses: create one, read the latest, its breaches, and the history.

pub(crate) mod blast_radius;
pub(crate) mod comparison;
pub(crate) mod rates;
pub(crate) mod share_wire;
pub(crate) mod simulate;
pub(crate) mod simulations;
pub(crate) mod thresholds;
pub(crate) mod wire;

use std::str::FromStr;

use app::{App, analysis::AnalysisRequest};
use axum::{extract::State, response::Response};
use domain::{
    concentration::{Basis, Dimension, Scope},
    currency::Currency,
    moment::Day,
    page::PageRequest,
};
use serde::Deserialize;
use utoipa::{
    ToSchema,
    openapi::{RefOr, schema::Schema},
};
use utoipa_axum::routes;

use self::{
    rates::Rates,
    wire::{Analysis, AnalysisSummary, Breach, View},
};
use crate::{
    ApiError,
    extract::{
        IfNoneMatch, ListParams, ListQuery, OptionalBody, PageQuery, Parsed, Reader, Writer,
        query::{Limit, Offset, whole_number},
    },
    respond::{self, Data, List},
    v1::{
        Subject,
        wire::{BodyErrors, KeyedErrors, NotModified},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "concentration risk",
    about: "How much depends on single providers, sectors, regions and technologies.",
    list: None,
    routes: |router| {
        router
            .routes(routes!(analyse))
            .routes(routes!(latest))
            .routes(routes!(breaches))
            .routes(routes!(list))
            .routes(routes!(comparison::compare))
            .routes(routes!(simulate::simulate))
            .routes(routes!(simulations::list, simulations::create))
            .routes(routes!(simulations::get, simulations::delete))
            .routes(routes!(simulations::attach))
            .routes(routes!(rates::get, rates::put))
            .routes(routes!(blast_radius::blast_radius))
            .routes(routes!(thresholds::get, thresholds::patch))
    },
};

/// What to analyse. Every field is optional.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = AnalysisRequest, example = json!({ "basis": "annual_cost", "scope": "all", "rates": { "USD": "0.92" } }))]
pub(crate) struct AnalysisQuestion {
    /// How arrangements are weighted: `annual_cost` (the default), `arrangements` or `critical_functions`.
    #[schema(value_type = Option<String>)]
    pub(crate) basis: Option<Parsed<Basis>>,
    /// `all` arrangements (the default), or those that support `critical` functions.
    #[schema(value_type = Option<String>)]
    pub(crate) scope: Option<Parsed<Scope>>,
    /// The day to analyse. Defaults to today.
    #[schema(value_type = Option<String>, format = Date)]
    pub(crate) as_of: Option<Parsed<Day>>,
    /// The currency of the result. Defaults to the currency of the tenant.
    #[schema(value_type = Option<String>, example = "EUR")]
    pub(crate) currency: Option<Parsed<Currency>>,
    /// The exchange rate of each other currency to the currency of the result, as a decimal string. Defaults to the
    /// stored rate of the tenant.
    #[schema(value_type = Option<BTreeMap<String, String>>, example = json!({ "USD": "0.92" }))]
    pub(crate) rates: Option<Rates>,
}

/// How a result is shown.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ViewParams {
    /// `provider` (the default) shows legal entities, `group` combines them by ultimate parent.
    #[param(value_type = Option<String>)]
    by: Option<Parsed<By>>,
    /// Entries per dimension. The default and the maximum are 500; a larger number is treated as 500.
    #[param(inline, value_type = Option<EntryLimit>)]
    limit: Option<Parsed<Limit>>,
    /// The number of entries of each dimension to skip.
    #[param(inline, value_type = Option<Offset>)]
    offset: Option<Parsed<Offset>>,
}

#[derive(Debug)]
enum EntryLimit {}

impl utoipa::PartialSchema for EntryLimit {
    fn schema() -> RefOr<Schema> {
        whole_number(1, 500)
    }
}

impl ToSchema for EntryLimit {}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct BreachParams {
    /// `provider` (the default) shows legal entities, `group` combines them by ultimate parent.
    #[param(value_type = Option<String>)]
    by: Option<Parsed<By>>,
    /// Only breaches in this dimension: `provider`, `sector`, `region` or `technology`.
    #[param(value_type = Option<String>)]
    dimension: Option<Parsed<Dimension>>,
}

/// Analyses the concentration risk of the register and stores the result.
///
/// The body is optional.
#[utoipa::path(post, path = "/api/v1/concentration-risk/analyze", tag = "concentration risk",
    params(ViewParams), request_body = Option<AnalysisQuestion>,
    responses((status = 201, body = Data<Analysis>), KeyedErrors, BodyErrors))]
pub(crate) async fn analyse(
    State(app): State<App>,
    Writer(caller): Writer,
    query: PageQuery,
    OptionalBody(mut body): OptionalBody,
) -> Result<Response, ApiError> {
    let view = view_from(query)?;
    let question: AnalysisQuestion = body.fields.read();
    let request = body.fields.finish(Some(question.into()))?;
    let render = move |analysis: &_| respond::to_text(&Data { data: Analysis::of(analysis, &view) });
    let creation = app.third_parties.analyse(&caller, request, body.idempotency, Box::new(render)).await?;
    Ok(respond::created(creation, None))
}

/// Gets the latest concentration analysis.
///
/// The answer is 404 before the first analysis.
#[utoipa::path(get, path = "/api/v1/concentration-risk/latest", tag = "concentration risk", params(ViewParams),
    responses((status = 200, body = Data<Analysis>), NotModified, KeyedErrors))]
pub(crate) async fn latest(
    State(app): State<App>,
    Reader(caller): Reader,
    query: PageQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let view = view_from(query)?;
    let render = move |analysis: &_| respond::to_json(&Data { data: Analysis::of(analysis, &view) });
    let rendered = app.third_parties.latest_analysis(&caller, &format!("{view:?}"), Box::new(render)).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Lists the threshold breaches of the latest analysis.
#[utoipa::path(get, path = "/api/v1/concentration-risk/breaches", tag = "concentration risk",
    params(ListParams, BreachParams),
    responses((status = 200, body = List<Breach>), NotModified, KeyedErrors))]
pub(crate) async fn breaches(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(mut query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let params: BreachParams = query.read();
    let query = query.check()?;
    let render = |page: &_| respond::to_json(&List::<Breach>::of(page));
    let by_group = params.by == Some(Parsed(By::Group));
    let dimension = params.dimension.map(Parsed::value);
    let rendered = app.third_parties.breach_page(&caller, dimension, by_group, query.page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Lists all analyses without their entries.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/concentration-risk/analyses", tag = "concentration risk",
    params(ListParams),
    responses((status = 200, body = List<AnalysisSummary>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |page: &_| respond::to_json(&List::<AnalysisSummary>::of(page));
    let rendered = app.third_parties.analysis_page(&caller, query.page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Provider,
    Group,
}

impl FromStr for By {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        match text {
            "provider" => Ok(Self::Provider),
            "group" => Ok(Self::Group),
            _ => Err("must be one of provider, group"),
        }
    }
}

pub(crate) fn view_from(mut query: PageQuery) -> Result<View, ApiError> {
    let params: ViewParams = query.read();
    let by_group = params.by == Some(Parsed(By::Group));
    // A result is one record, so it is returned whole unless it is very large or the caller asks for less.
    let limit = params.limit.map_or(PageRequest::MAX_LIMIT.into(), |Parsed(Limit(limit))| limit);
    let offset = params.offset.map(|Parsed(Offset(offset))| offset);
    let query = query.check()?;
    let entries = PageRequest::new(Some(limit), offset).unwrap_or(query.page);
    Ok(View { entries, by_group })
}

impl From<AnalysisQuestion> for AnalysisRequest {
    fn from(question: AnalysisQuestion) -> Self {
        Self {
            basis: question.basis.map(Parsed::value).unwrap_or_default(),
            scope: question.scope.map(Parsed::value).unwrap_or_default(),
            as_of: question.as_of.map(Parsed::value),
            currency: question.currency.map(Parsed::value),
            rates: question.rates.unwrap_or_default().pairs(),
        }
    }
}
