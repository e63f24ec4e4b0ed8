use app::catalogue::{
    Edition,
    record::Shelf,
    vendor::{self as source, Criticality, DimensionId},
};
use domain::{rounding::Hundredths, wording::Language};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference, optional, owned, spoken};
use crate::schema::word;

/// A typical kind of ICT provider, not a real company, with scores in five dimensions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = VendorArchetype)]
pub(crate) struct Vendor {
    id: String,
    title: String,
    summary: String,
    #[schema(value_type = word::Criticality)]
    criticality: Criticality,
    /// The types of ICT services it provides, S01 to S19 as in the register of information.
    service_types: Vec<String>,
    scores: Scores,
    /// The average of the scores, weighted by dimension.
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    overall_score: Hundredths,
    strengths: Vec<String>,
    weaknesses: Vec<String>,
    /// The ids of the measures that address its weaknesses.
    measures: Vec<String>,
    citation: String,
    source: Option<String>,
}

/// Scores from 0 to 100; higher is better.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = VendorScores)]
pub(crate) struct Scores {
    #[schema(maximum = 100)]
    security: u32,
    #[schema(maximum = 100)]
    resilience: u32,
    #[schema(maximum = 100)]
    compliance: u32,
    #[schema(maximum = 100)]
    concentration: u32,
    #[schema(maximum = 100)]
    exit: u32,
}

/// A dimension of the scores.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = VendorDimension)]
pub(crate) struct Dimension {
    #[schema(value_type = word::DimensionId)]
    id: DimensionId,
    title: String,
    summary: String,
    /// The weight in the overall score; the five weights add up to 100.
    weight_pct: u32,
    citation: String,
}

impl Reference for Vendor {
    type Source = source::Vendor;

    const NAME: &'static str = "vendors";

    fn shelf(edition: &Edition) -> &Shelf<source::Vendor> {
        &edition.vendors
    }

    fn new(vendor: &source::Vendor, _: &Edition, language: Language) -> Self {
        Self {
            id: vendor.id.to_string(),
            title: vendor.title.get(language).to_owned(),
            summary: vendor.summary.get(language).to_owned(),
            criticality: vendor.criticality,
            service_types: vendor.service_types.iter().map(ToString::to_string).collect(),
            scores: vendor.scores.into(),
            overall_score: vendor.overall,
            strengths: spoken(&vendor.strengths, language),
            weaknesses: spoken(&vendor.weaknesses, language),
            measures: owned(&vendor.measures),
            citation: vendor.cite.to_string(),
            source: optional(vendor.source.as_deref()),
        }
    }
}

impl From<source::Scores> for Scores {
    fn from(scores: source::Scores) -> Self {
        Self {
            security: scores.get(DimensionId::Security),
            resilience: scores.get(DimensionId::Resilience),
            compliance: scores.get(DimensionId::Compliance),
            concentration: scores.get(DimensionId::Concentration),
            exit: scores.get(DimensionId::Exit),
        }
    }
}

impl Dimension {
    pub(crate) fn all(edition: &Edition, language: Language) -> Vec<Self> {
        let dimension = |dimension: &source::Dimension| Self {
            id: dimension.id,
            title: dimension.title.get(language).to_owned(),
            summary: dimension.summary.get(language).to_owned(),
            weight_pct: dimension.weight,
            citation: dimension.cite.to_string(),
        };
        edition.dimensions.iter().map(dimension).collect()
    }
}
