use app::catalogue::{
    Edition, measure as source,
    measure::{Pillar, Provenance},
    record::Shelf,
    vocabulary::{Cadence, FrameworkId, Priority, Role},
};
use domain::wording::Language;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference, optional, owned};
use crate::schema::word;

/// A measure that a financial entity takes to meet requirements of DORA.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Measure {
    #[schema(example = "measure-ict-risk-framework-document")]
    id: String,
    title: String,
    summary: String,
    /// What to do.
    action: String,
    /// Why it is done.
    rationale: String,
    #[schema(value_type = word::Role)]
    owner: Role,
    #[schema(value_type = word::Cadence)]
    cadence: Cadence,
    #[schema(value_type = word::Priority)]
    priority: Priority,
    #[schema(value_type = word::Pillar)]
    pillar: Pillar,
    /// The articles of DORA it implements, as cited.
    articles: Vec<String>,
    /// The ids of the DORA requirements it implements.
    requirements: Vec<String>,
    /// The ids of the evidence that it is in operation.
    evidence: Vec<String>,
    /// Requirements of other frameworks that it also covers.
    mappings: Vec<Mapping>,
    citation: String,
    source: Option<String>,
}

/// A requirement of another framework that a measure also covers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReferenceMapping)]
pub(crate) struct Mapping {
    #[schema(value_type = word::FrameworkId)]
    framework: FrameworkId,
    requirement: String,
    #[schema(value_type = word::Provenance)]
    provenance: Provenance,
    /// The published crosswalk that the mapping is taken from.
    source: Option<String>,
}

impl Reference for Measure {
    type Source = source::Measure;

    const NAME: &'static str = "measures";

    fn shelf(edition: &Edition) -> &Shelf<source::Measure> {
        &edition.measures
    }

    fn new(measure: &source::Measure, edition: &Edition, language: Language) -> Self {
        let number = |id: &str| Some(edition.requirements.get(id)?.number.to_string());
        Self {
            id: measure.id.to_string(),
            title: measure.title.get(language).to_owned(),
            summary: measure.summary.get(language).to_owned(),
            action: measure.action.get(language).to_owned(),
            rationale: measure.rationale.get(language).to_owned(),
            owner: measure.owner,
            cadence: measure.cadence,
            priority: measure.priority,
            pillar: measure.pillar,
            articles: measure.requirements.iter().filter_map(|id| number(id)).collect(),
            requirements: owned(&measure.requirements),
            evidence: owned(&measure.evidence),
            mappings: measure.mappings.iter().map(Mapping::from).collect(),
            citation: measure.cite.to_string(),
            source: optional(measure.source.as_deref()),
        }
    }
}

impl From<&source::Mapping> for Mapping {
    fn from(mapping: &source::Mapping) -> Self {
        Self {
            framework: mapping.framework,
            requirement: mapping.requirement.to_string(),
            provenance: mapping.provenance,
            source: optional(mapping.source.as_deref()),
        }
    }
}
