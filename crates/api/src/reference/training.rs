use app::catalogue::{
    Edition,
    record::Shelf,
    training as source,
    vocabulary::{Difficulty, FrameworkId, Role},
};
use domain::wording::Language;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference, optional, spoken};
use crate::schema::word;

/// A training module with quiz questions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TrainingModule)]
pub(crate) struct Training {
    id: String,
    title: String,
    summary: String,
    #[schema(value_type = word::Difficulty)]
    difficulty: Difficulty,
    duration_minutes: u32,
    #[schema(value_type = Vec<word::Role>)]
    audience: Vec<Role>,
    #[schema(value_type = Vec<word::FrameworkId>)]
    frameworks: Vec<FrameworkId>,
    objectives: Vec<String>,
    lessons: Vec<Lesson>,
    questions: Vec<QuizQuestion>,
    citation: String,
    source: Option<String>,
}

/// What is taught, in paragraphs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TrainingLesson)]
pub(crate) struct Lesson {
    title: String,
    text: Vec<String>,
}

/// A quiz question with its options.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct QuizQuestion {
    text: String,
    options: Vec<String>,
    /// The index of the correct option, starting from 0.
    answer: u32,
    explanation: String,
}

impl Reference for Training {
    type Source = source::Training;

    const NAME: &'static str = "trainings";

    fn shelf(edition: &Edition) -> &Shelf<source::Training> {
        &edition.trainings
    }

    fn new(training: &source::Training, _: &Edition, language: Language) -> Self {
        let question = |question: &source::QuizQuestion| QuizQuestion {
            text: question.text.get(language).to_owned(),
            options: spoken(&question.options, language),
            answer: question.answer,
            explanation: question.explanation.get(language).to_owned(),
        };
        let lesson = |lesson: &source::Lesson| Lesson {
            title: lesson.title.get(language).to_owned(),
            text: spoken(&lesson.text, language),
        };
        Self {
            id: training.id.to_string(),
            title: training.title.get(language).to_owned(),
            summary: training.summary.get(language).to_owned(),
            difficulty: training.difficulty,
            duration_minutes: training.duration_minutes,
            audience: training.audience.clone(),
            frameworks: training.frameworks.clone(),
            objectives: spoken(&training.objectives, language),
            lessons: training.lessons.iter().map(lesson).collect(),
            questions: training.questions.iter().map(question).collect(),
            citation: training.cite.to_string(),
            source: optional(training.source.as_deref()),
        }
    }
}
