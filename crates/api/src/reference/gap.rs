use app::catalogue::{
    Edition,
    compliance::Coverage,
    gap::{self as source, Effort},
    record::Shelf,
    vocabulary::{FrameworkId, Priority},
};
use domain::wording::Language;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference, optional, owned, spoken};
use crate::schema::word;

/// A requirement with the question to ask, the target state, and the typical gap.
#[derive(Debug, Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names on the wire")]
#[schema(as = GapItem)]
pub(crate) struct Gap {
    id: String,
    #[schema(value_type = word::FrameworkId)]
    framework: FrameworkId,
    requirement: String,
    /// The number of the requirement, as cited.
    #[schema(example = "Art. 6(5)")]
    number: String,
    title: String,
    question: String,
    /// The target state.
    target: String,
    typical_gap: String,
    #[schema(value_type = word::Priority)]
    priority: Priority,
    /// The effort that closing the gap usually takes.
    #[schema(value_type = word::Effort)]
    effort: Effort,
    /// How far the measures of the catalogue cover the requirement.
    #[schema(value_type = word::Coverage)]
    coverage: Coverage,
    /// The ids of the measures that close the gap.
    measures: Vec<String>,
    /// How to close it, in order.
    steps: Vec<String>,
    /// The ids of the evidence that shows it is closed.
    evidence: Vec<String>,
    citation: String,
    source: Option<String>,
}

impl Reference for Gap {
    type Source = source::Gap;

    const NAME: &'static str = "gaps";

    fn shelf(edition: &Edition) -> &Shelf<source::Gap> {
        &edition.gaps
    }

    fn new(gap: &source::Gap, edition: &Edition, language: Language) -> Self {
        let number = edition.requirements.get(&gap.requirement).map(|requirement| &*requirement.number);
        Self {
            id: gap.id.to_string(),
            framework: gap.framework,
            requirement: gap.requirement.to_string(),
            number: number.unwrap_or_default().to_owned(),
            title: gap.title.get(language).to_owned(),
            question: gap.question.get(language).to_owned(),
            target: gap.target.get(language).to_owned(),
            typical_gap: gap.typical_gap.get(language).to_owned(),
            priority: gap.priority,
            effort: gap.effort,
            coverage: edition.coverage_of(&gap.requirement).unwrap_or(Coverage::Gap),
            measures: owned(&gap.measures),
            steps: spoken(&gap.steps, language),
            evidence: owned(&gap.evidence),
            citation: gap.cite.to_string(),
            source: optional(gap.source.as_deref()),
        }
    }
}
