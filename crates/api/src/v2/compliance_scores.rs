//! Compliance scores.

use app::{App, catalogue::Edition, score_day::FrameworkScore};
use axum::{extract::State, response::Response};
use domain::{
    framework::Framework,
    moment::Day,
    page::Page,
    rounding::Hundredths,
    score::{Score as Parts, Standing},
    wording::Language,
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{Envelope, KeyedErrors};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams, Reader},
    reference::{ReferenceQuery, SearchParams},
    respond,
    schema::word,
};

/// The score of the tenant for one framework, from its assessments, tests, findings and concentration limits.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names on the wire")]
#[schema(as = ComplianceScore)]
pub(crate) struct Score {
    #[schema(value_type = word::FrameworkId)]
    framework: Framework,
    title: String,
    /// 60 % of the part `assessments` and 40 % of the part `tests`, times the other two.
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    score: Hundredths,
    parts: ScoreParts,
    basis: ScoreBasis,
    /// The change since the latest earlier day; null if there is none.
    trend: Option<Trend>,
    /// The last thirty recorded days, latest first.
    history: Vec<ScoreOfDay>,
    /// Requirements of the framework in the catalogue.
    requirements: u64,
    /// Requirements covered by a measure with defined evidence.
    covered: u64,
    /// Requirements covered only by measures without defined evidence.
    partial: u64,
    /// Requirements not covered by any measure.
    gap: u64,
}

/// The parts of a score, each in per cent.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ScoreParts {
    /// How far the applicable requirements are met, by the tenant's own assessments and their approval.
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    assessments: Hundredths,
    /// The share of passed test cases.
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    tests: Hundredths,
    /// What remains after deductions for open findings.
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    findings: Hundredths,
    /// What remains after deductions for breached concentration limits.
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    thresholds: Hundredths,
}

/// The figures from which the parts are calculated.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ScoreBasis {
    /// Requirements that apply; 0 until the first one of any framework is assessed.
    applicable: u64,
    assessed: u64,
    test_cases: u64,
    passed: u64,
    open_findings: u64,
    finding_weight: u64,
    /// Out of four; null if the framework has no such limits.
    breached_limits: Option<u64>,
}

/// The change of a score.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ScoreTrend)]
pub(crate) struct Trend {
    #[schema(value_type = f64)]
    previous: Hundredths,
    /// Positive if the score has risen.
    #[schema(value_type = f64)]
    change: Hundredths,
    #[schema(value_type = String, format = Date)]
    since: Day,
}

/// The score on one day.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ScoreOfDay {
    #[schema(value_type = String, format = Date)]
    day: Day,
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    score: Hundredths,
}

impl Score {
    fn new(found: &FrameworkScore, edition: &Edition, language: Language, today: Day) -> Self {
        let Parts { value, assessments, tests, findings, thresholds } = found.score;
        let Standing {
            applicable,
            assessed,
            tests: test_cases,
            passed,
            open_findings,
            finding_weight,
            breached_limits,
            ..
        } = found.standing;
        let tally = found.coverage.as_ref().map(|status| status.tally).unwrap_or_default();
        let framework = edition.frameworks.get(found.framework.as_str());
        let history = found.days.iter().map(|kept| ScoreOfDay { day: kept.day, score: kept.score });
        Self {
            framework: found.framework,
            title: framework.map(|framework| framework.title.get(language)).unwrap_or_default().to_owned(),
            score: value,
            parts: ScoreParts { assessments, tests, findings, thresholds },
            basis: ScoreBasis {
                applicable,
                assessed,
                test_cases,
                passed,
                open_findings,
                finding_weight,
                breached_limits,
            },
            trend: found.before(today).map(|before| Trend {
                previous: before.score,
                change: value.minus(before.score),
                since: before.day,
            }),
            history: history.collect(),
            requirements: tally.requirements,
            covered: tally.covered,
            partial: tally.partial,
            gap: tally.gap,
        }
    }
}

impl From<&Self> for Score {
    fn from(score: &Self) -> Self {
        score.clone()
    }
}

/// Lists the compliance scores of the tenant by framework.
#[utoipa::path(get, path = "/api/v2/compliance-scores", tag = "compliance", security(("bearer" = [])),
    params(PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Score>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    request: ReferenceQuery,
) -> Result<Response, ApiError> {
    let request = request.checked()?;
    let (needle, language, today) = (request.needle(), request.language, app.clock.now().day());
    let (edition, scores) = app.compliance.framework_scores(&caller).await?;
    let scores = scores.iter().map(|score| Score::new(score, &edition, language, today));
    let found: Vec<Score> =
        scores.filter(|score| needle.is_in_any(&[score.framework.as_str(), &score.title])).collect();
    let page = Page::cut(found.into_iter(), request.query.page);
    let body = respond::to_json(&Envelope::<Score>::of(&page));
    Ok(respond::spoken(respond::json(StatusCode::OK, body), language))
}
