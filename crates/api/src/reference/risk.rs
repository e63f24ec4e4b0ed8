use app::catalogue::{
    Edition,
    record::Shelf,
    risk::{self as source, CategoryId, Level, RiskStatus, Treatment},
    vocabulary::Role,
};
use domain::wording::Language;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference, optional, owned, spoken};
use crate::schema::word;

/// An ICT risk.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IctRisk)]
pub(crate) struct Risk {
    #[schema(example = "risk-ransomware-core-banking")]
    id: String,
    title: String,
    summary: String,
    /// Why it can happen.
    cause: String,
    /// What happens.
    event: String,
    /// What follows from it.
    effect: String,
    /// What shows early that it is growing.
    indicator: String,
    #[schema(value_type = word::CategoryId)]
    category: CategoryId,
    /// The residual level, after treatment.
    #[schema(value_type = word::Level)]
    level: Level,
    #[schema(value_type = word::RiskStatus)]
    status: RiskStatus,
    /// The rating before treatment.
    inherent: Rating,
    /// The rating after treatment.
    residual: Rating,
    #[schema(value_type = word::Treatment)]
    treatment: Treatment,
    #[schema(value_type = word::Role)]
    owner: Role,
    /// The ids of the measures that treat it.
    measures: Vec<String>,
    citation: String,
    source: Option<String>,
}

/// A rating in the risk matrix.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RiskRating)]
pub(crate) struct Rating {
    #[schema(minimum = 1, maximum = 5)]
    likelihood: u8,
    #[schema(minimum = 1, maximum = 5)]
    impact: u8,
    #[schema(value_type = word::Level)]
    level: Level,
}

/// A category of risks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RiskCategory)]
pub(crate) struct Category {
    #[schema(value_type = word::CategoryId)]
    id: CategoryId,
    title: String,
    /// The number of risks in the category.
    risks: usize,
}

/// The matrix that determines the level from likelihood and impact.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RiskMatrix)]
pub(crate) struct Matrix {
    /// What each likelihood from 1 to 5 means.
    likelihood: Vec<String>,
    /// What each impact from 1 to 5 means.
    impact: Vec<String>,
    /// Rows are likelihood 1 to 5, columns are impact 1 to 5.
    #[schema(value_type = Vec<Vec<String>>)]
    levels: Vec<Vec<Level>>,
    citation: String,
}

impl Reference for Risk {
    type Source = source::Risk;

    const NAME: &'static str = "risks";

    fn shelf(edition: &Edition) -> &Shelf<source::Risk> {
        &edition.risks
    }

    fn new(risk: &source::Risk, _: &Edition, language: Language) -> Self {
        Self {
            id: risk.id.to_string(),
            title: risk.title.get(language).to_owned(),
            summary: risk.summary.get(language).to_owned(),
            cause: risk.cause.get(language).to_owned(),
            event: risk.event.get(language).to_owned(),
            effect: risk.effect.get(language).to_owned(),
            indicator: risk.indicator.get(language).to_owned(),
            category: risk.category,
            level: risk.level(),
            status: risk.status,
            inherent: risk.inherent.into(),
            residual: risk.residual.into(),
            treatment: risk.treatment,
            owner: risk.owner,
            measures: owned(&risk.measures),
            citation: risk.cite.to_string(),
            source: optional(risk.source.as_deref()),
        }
    }
}

impl From<source::Rating> for Rating {
    fn from(rating: source::Rating) -> Self {
        Self { likelihood: rating.likelihood, impact: rating.impact, level: rating.level }
    }
}

impl Category {
    pub(crate) fn all(edition: &Edition, language: Language) -> Vec<Self> {
        let count = |id| edition.risks.iter().filter(|risk| risk.category == id).count();
        let category = |category: &source::Category| Self {
            id: category.id,
            title: category.title.get(language).to_owned(),
            risks: count(category.id),
        };
        edition.categories.iter().map(category).collect()
    }
}

impl Matrix {
    pub(crate) fn of(edition: &Edition, language: Language) -> Self {
        let matrix = &edition.matrix;
        Self {
            likelihood: spoken(&matrix.likelihood, language),
            impact: spoken(&matrix.impact, language),
            levels: matrix.levels.iter().map(|row| row.to_vec()).collect(),
            citation: matrix.cite.to_string(),
        }
    }
}
