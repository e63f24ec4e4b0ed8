//! Search across modules.

use app::{
    App,
    search::{Hit, HitKind, Kind, SearchText},
};
use axum::{extract::State, response::Response};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wire::{Envelope, KeyedErrors};
use crate::{
    ApiError, docs,
    extract::{LanguageParams, PageParams, PageQuery, Reader, Spoken},
    respond,
};

/// A record that matches a search.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SearchHit {
    /// The kind of record.
    #[schema(example = "measure")]
    r#type: &'static str,
    id: String,
    title: String,
    /// The best passage as escaped HTML, with the matches in `<mark>`.
    snippet: String,
    /// Between 0 and 1; higher is better.
    score: f64,
    /// The path of the record, or of the list that contains it.
    #[schema(example = "/api/v1/dora/measures/measure-ict-risk-framework-document")]
    url: String,
}

impl From<&Hit> for SearchHit {
    fn from(hit: &Hit) -> Self {
        Self {
            r#type: hit.kind.as_str(),
            id: hit.id.clone(),
            title: hit.title.clone(),
            snippet: hit.snippet.clone(),
            score: (f64::from(hit.score) * 10_000.0).round() / 10_000.0,
            url: address(hit),
        }
    }
}

/// The address of the record, or of the list that contains it, narrowed down if possible.
fn address(hit: &Hit) -> String {
    let id = &hit.id;
    let named = |list: &str| format!("{list}#{id}");
    let narrowed = |list: &str| format!("{list}?search={id}");
    let kind = match hit.kind {
        HitKind::Catalogue(kind) => kind,
        own @ HitKind::Own(_) => return format!("{}/{id}", docs::address_of(own).unwrap_or_default()),
    };
    match kind {
        Kind::Measure => format!("/api/v1/dora/measures/{id}"),
        Kind::Framework | Kind::Section => named("/api/frameworks"),
        Kind::Requirement => named("/api/requirements"),
        Kind::Reference => named("/api/acts"),
        Kind::Clock => named("/api/clocks"),
        Kind::Act => named("/api/sources"),
        Kind::Change => named("/api/changes"),
        Kind::Crosswalk => named("/api/oscal/mappings"),
        Kind::Provider => named("/api/critical-providers"),
        Kind::Evidence => named("/api/evidence"),
        Kind::Signal => named("/api/radar"),
        Kind::Risk | Kind::Category => narrowed("/api/v2/risk-register"),
        Kind::Vendor | Kind::Dimension => narrowed("/api/v2/vendor-scorecard"),
        Kind::Drill => narrowed("/api/v2/incident-drills"),
        Kind::Gap => narrowed("/api/v2/gap-analysis"),
        Kind::Milestone => narrowed("/api/v2/compliance-timeline"),
        Kind::Training => narrowed("/api/v2/compliance-training"),
        Kind::Question => narrowed("/api/v2/vendor-risk-assessment"),
        Kind::Widget => narrowed("/api/v2/dashboard-widgets"),
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct QuestionParams {
    /// The words to search for. The last word also matches as a prefix, unless a space follows it.
    #[param(required = true, nullable = false, min_length = 1, max_length = 200, pattern = r"\S")]
    q: Option<String>,
}

/// Searches the catalogue and the records of the tenant.
///
/// The best matches come first.
#[utoipa::path(get, path = "/api/v2/search", tag = "search", security(("bearer" = [])),
    params(QuestionParams, PageParams, LanguageParams),
    responses((status = 200, body = Envelope<SearchHit>), KeyedErrors))]
pub(crate) async fn search(
    State(app): State<App>,
    Reader(caller): Reader,
    Spoken(language): Spoken,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let question = SearchText::parse(query.read::<QuestionParams>().q.as_deref())?;
    let hits = app.reference.search(&caller, question, language, query.page).await?;
    let body = respond::to_json(&Envelope::<SearchHit>::of(&hits));
    Ok(respond::spoken(respond::json(StatusCode::OK, body), language))
}
