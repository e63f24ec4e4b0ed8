use app::catalogue::{
    Edition, compliance::Coverage, framework as source, record::Shelf, vocabulary::FrameworkId,
};
use domain::wording::Language;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference, optional};
use crate::schema::word;

/// A requirement of a framework: an article, a paragraph, a clause, a control or a module.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Requirement {
    #[schema(example = "dora-art-06-05")]
    id: String,
    #[schema(value_type = word::FrameworkId)]
    framework: FrameworkId,
    section: String,
    /// The number, as cited.
    #[schema(example = "Art. 6(5)")]
    number: String,
    title: String,
    summary: String,
    /// The entities it is limited to; null if it applies to all.
    applies_to: Option<String>,
    /// The version of the framework it comes from, if relevant.
    version: Option<String>,
    /// How far the measures of the catalogue cover it.
    #[schema(value_type = word::Coverage)]
    coverage: Coverage,
    /// The ids of the measures that cover it.
    measures: Vec<String>,
    citation: String,
    source: Option<String>,
}

impl Reference for Requirement {
    type Source = source::Requirement;

    const NAME: &'static str = "requirements";

    fn shelf(edition: &Edition) -> &Shelf<source::Requirement> {
        &edition.requirements
    }

    fn new(requirement: &source::Requirement, edition: &Edition, language: Language) -> Self {
        Self {
            id: requirement.id.to_string(),
            framework: requirement.framework,
            section: requirement.section.to_string(),
            number: requirement.number.to_string(),
            title: requirement.title.get(language).to_owned(),
            summary: requirement.summary.get(language).to_owned(),
            applies_to: requirement.applies_to.map(|whom| whom.to_string()),
            version: optional(requirement.version.as_deref()),
            coverage: edition.coverage_of(&requirement.id).unwrap_or(Coverage::Gap),
            measures: edition.measures_for(&requirement.id).map(|measure| measure.id.to_string()).collect(),
            citation: requirement.cite.to_string(),
            source: optional(requirement.source.as_deref()),
        }
    }
}
