//! Concentration analyses: make one, read the latest, its breaches, and the history.

use std::str::FromStr;

use app::{App, analysis::AnalysisRequest};
use axum::{extract::State, response::Response};
use domain::{concentration::Dimension, page::PageRequest};
use utoipa::{
    ToSchema,
    openapi::schema::{Object, ObjectBuilder, Type},
};

use super::{
    analysis_wire::{Analysis, AnalysisSummary, Breach, View},
    wire::{BodyErrors, KeyedErrors},
};
use crate::{
    ApiError,
    extract::{Fields, IfNoneMatch, OptionalBody, PageParams, PageQuery, Reader, Writer},
    respond::{self, Data, List},
};

/// What to analyse. Everything may be left out.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `request_from` reads the fields")]
pub(crate) struct AnalysisQuestion {
    /// What an arrangement weighs: `annual_cost` (the default), arrangements or `critical_functions`.
    basis: Option<String>,
    /// all (the default) or critical.
    scope: Option<String>,
    /// The day looked at; today unless given.
    #[schema(format = Date)]
    as_of: Option<String>,
    /// The currency of the result; the tenant's unless given.
    #[schema(example = "EUR")]
    currency: Option<String>,
    /// The rate of each other currency to that of the result, as text; for a currency left out, the rate the tenant
    /// keeps.
    #[schema(example = json!({ "USD": "0.92" }))]
    rates: Option<std::collections::BTreeMap<String, String>>,
}

/// How a result is shown.
#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `view_from` reads the values")]
pub(crate) struct ViewParams {
    /// `group` shows providers by the head of their group, `provider` (the default) by legal entity.
    by: Option<String>,
    /// Entries of each dimension; 500 unless given.
    #[param(schema_with = entries_schema)]
    limit: Option<u64>,
    /// Where the entries start.
    #[param(schema_with = crate::extract::query::offset_schema)]
    offset: Option<u64>,
}

/// Above 500 is applied as 500, so nothing bounds it from above.
fn entries_schema() -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).default(Some(500.into())).build()
}

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; `breaches` reads the values")]
pub(crate) struct BreachParams {
    /// `group` lists providers by the head of their group, `provider` (the default) by legal entity.
    by: Option<String>,
    /// provider, sector, region or technology.
    dimension: Option<String>,
}

/// Analyses the register and keeps the result. The body may be left out. Takes `Idempotency-Key`.
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
    let request = request_from(&mut body.fields);
    let request = body.fields.finish(Some(request))?;
    let render = move |analysis: &_| respond::to_text(&Data { data: Analysis::of(analysis, view) });
    let creation = app.analyse(&caller, request, body.idempotency, Box::new(render)).await?;
    Ok(respond::created(creation, None))
}

/// The latest analysis; 404 before the first.
#[utoipa::path(get, path = "/api/v1/concentration-risk/latest", tag = "concentration risk", params(ViewParams),
    responses((status = 200, body = Data<Analysis>), KeyedErrors))]
pub(crate) async fn latest(
    State(app): State<App>,
    Reader(caller): Reader,
    query: PageQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let view = view_from(query)?;
    let render = move |analysis: &_| respond::to_json(&Data { data: Analysis::of(analysis, view) });
    let rendered = app.latest_analysis(&caller, &format!("{view:?}"), Box::new(render)).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// The breaches of the latest analysis.
#[utoipa::path(get, path = "/api/v1/concentration-risk/breaches", tag = "concentration risk",
    params(PageParams, BreachParams),
    responses((status = 200, body = List<Breach>), KeyedErrors))]
pub(crate) async fn breaches(
    State(app): State<App>,
    Reader(caller): Reader,
    mut query: PageQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let by = query.filter::<By>("by");
    let dimension = query.filter::<Dimension>("dimension");
    let query = query.check()?;
    let render = |page: &_| respond::to_json(&List::<Breach>::of(page));
    let by_group = by == Some(By::Group);
    let rendered = app.breach_page(&caller, dimension, by_group, query.page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Every analysis so far without its entries, newest first.
#[utoipa::path(get, path = "/api/v1/concentration-risk/analyses", tag = "concentration risk", tag = "extension",
    params(PageParams),
    responses((status = 200, body = List<AnalysisSummary>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    query: PageQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |page: &_| respond::to_json(&List::<AnalysisSummary>::of(page));
    let rendered = app.analysis_page(&caller, query.page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
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

pub(super) fn view_from(mut query: PageQuery) -> Result<View, ApiError> {
    let by_group = query.filter::<By>("by") == Some(By::Group);
    let query = query.check()?;
    // A result is one record, so it comes whole unless it is very large or the caller wants less.
    let all = PageRequest::new(Some(PageRequest::MAX_LIMIT.into()), Some(query.page.offset()));
    let entries = if query.text("limit").is_some() { query.page } else { all.unwrap_or(query.page) };
    Ok(View { entries, by_group })
}

pub(super) fn request_from(fields: &mut Fields) -> AnalysisRequest {
    AnalysisRequest {
        basis: fields.parse("basis").unwrap_or_default(),
        scope: fields.parse("scope").unwrap_or_default(),
        as_of: fields.parse("as_of"),
        currency: fields.parse("currency"),
        rates: fields.text_pairs("rates").unwrap_or_default(),
    }
}
