//! Compliance scores.

use app::{
    App,
    catalogue::{Edition, vocabulary::FrameworkId},
    score::Score as AppScore,
};
use axum::{extract::State, response::Response};
use domain::{exact::Hundredths, page::Page, wording::Language};
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

/// How far one framework is covered.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names on the wire")]
#[schema(as = ComplianceScore)]
pub(crate) struct Score {
    #[schema(schema_with = word::<FrameworkId>)]
    framework: FrameworkId,
    title: String,
    /// The share of requirements that a measure with evidence meets, in per cent.
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    score: Hundredths,
    requirements: u64,
    covered: u64,
    partial: u64,
    gap: u64,
    /// Against the version of the catalogue before; null while no earlier one was seen.
    trend: Option<Trend>,
}

/// How a score moved.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ScoreTrend)]
pub(crate) struct Trend {
    #[schema(value_type = f64)]
    previous: Hundredths,
    /// Positive when it rose.
    #[schema(value_type = f64)]
    change: Hundredths,
}

impl Score {
    fn new(score: &AppScore, edition: &Edition, language: Language) -> Self {
        let status = &score.status;
        let framework = edition.frameworks.get(status.framework.as_str());
        let now = status.tally.coverage_pct();
        Self {
            framework: status.framework,
            title: framework.map(|framework| framework.title.get(language)).unwrap_or_default().to_owned(),
            score: now,
            requirements: status.tally.requirements,
            covered: status.tally.covered,
            partial: status.tally.partial,
            gap: status.tally.gap,
            trend: score.previous.map(|previous| Trend { previous, change: now.minus(previous) }),
        }
    }
}

impl From<&Self> for Score {
    fn from(score: &Self) -> Self {
        score.clone()
    }
}

/// How far each framework is covered, derived from the catalogue, with how that moved.
#[utoipa::path(get, path = "/api/v2/compliance-scores", tag = "v2", security(("bearer" = [])),
    params(PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Score>), KeyedErrors))]
pub(crate) async fn list(State(app): State<App>, request: ReferenceQuery) -> Result<Response, ApiError> {
    let request = request.checked()?;
    let (needle, language) = (request.needle(), request.language);
    let (edition, scores) = app.compliance_scores().await?;
    let scores = scores.iter().map(|score| Score::new(score, &edition, language));
    let found: Vec<Score> =
        scores.filter(|score| needle.is_in_any(&[score.framework.as_str(), &score.title])).collect();
    let page = Page::cut(found.into_iter(), request.query.page);
    let body = respond::to_json(&Envelope::<Score>::of(&page));
    Ok(respond::spoken(respond::json(StatusCode::OK, body), language))
}
