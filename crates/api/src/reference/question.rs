use app::catalogue::{
    Edition,
    question::{self as source, AskedOf, QuestionSection},
    record::Shelf,
};
use domain::{provider::AnswerKind, wording::Language};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference, optional, owned, spoken};
use crate::schema::word;

/// A question of the vendor risk assessment.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AssessmentQuestion)]
pub(crate) struct Question {
    id: String,
    /// The question itself.
    title: String,
    /// The question as the provider reads it; `null` if the institution answers it itself.
    to_provider: Option<String>,
    /// Who answers it.
    #[schema(value_type = word::AskedOf)]
    asked: AskedOf,
    /// In which form it is answered; only `yes_no` counts for the scores of a review.
    #[schema(value_type = word::AnswerKind)]
    answer: AnswerKind,
    /// What a number counts.
    unit: Option<String>,
    #[schema(value_type = word::QuestionSection)]
    section: QuestionSection,
    /// The title of the section.
    section_title: String,
    /// From 1 to 5; 5 has the most weight.
    #[schema(minimum = 1, maximum = 5)]
    weight: u32,
    guidance: String,
    /// Evidence that supports a good answer.
    expected_evidence: Vec<String>,
    /// What the institution finds out itself.
    own_evidence: Vec<String>,
    /// An answer that should raise concern.
    red_flag: String,
    /// What an answer worth 0, 1 and 2 points says.
    scale: Vec<String>,
    measures: Vec<String>,
    citation: String,
    source: Option<String>,
}

impl Reference for Question {
    type Source = source::Question;

    const NAME: &'static str = "questions";

    fn shelf(edition: &Edition) -> &Shelf<source::Question> {
        &edition.questions
    }

    fn new(question: &source::Question, _: &Edition, language: Language) -> Self {
        Self {
            id: question.id.to_string(),
            title: question.title.get(language).to_owned(),
            to_provider: question.is_for_provider().then(|| question.for_provider().get(language).to_owned()),
            asked: question.asked,
            answer: question.answer,
            unit: question.unit.as_ref().map(|unit| unit.get(language).to_owned()),
            section: question.section,
            section_title: question.section.label().text(language).to_owned(),
            weight: question.weight,
            guidance: question.guidance.get(language).to_owned(),
            expected_evidence: spoken(&question.expected_evidence, language),
            own_evidence: spoken(&question.own_evidence, language),
            red_flag: question.red_flag.get(language).to_owned(),
            scale: spoken(&question.scale, language),
            measures: owned(&question.measures),
            citation: question.cite.to_string(),
            source: optional(question.source.as_deref()),
        }
    }
}
