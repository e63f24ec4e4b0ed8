//! Training modules with questions that check what was learnt.

use std::ops::RangeInclusive;

use crate::{
    block::Block,
    kind::Kind,
    language::{LANGUAGES, Text},
    record::{Record, Wording},
    vocabulary::{Difficulty, FrameworkId, Role},
};

#[derive(Debug, Clone)]
pub struct Training {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    pub difficulty: Difficulty,
    pub duration_minutes: u32,
    pub audience: Vec<Role>,
    pub frameworks: Vec<FrameworkId>,
    pub objectives: Vec<Text>,
    pub lessons: Vec<Lesson>,
    pub questions: Vec<QuizQuestion>,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
}

/// What is taught, in paragraphs.
#[derive(Debug, Clone)]
pub struct Lesson {
    pub title: Text,
    pub text: Vec<Text>,
}

#[derive(Debug, Clone)]
pub struct QuizQuestion {
    pub text: Text,
    pub options: Vec<Text>,
    /// The position of the right option, counted from 0.
    pub answer: u32,
    pub explanation: Text,
}

impl Lesson {
    /// The number of words of a lesson in each language: enough to teach, short enough to be read at once.
    pub const WORDS: RangeInclusive<usize> = 300..=600;

    fn read(block: &mut Block<'_, '_>) -> Self {
        let lesson = Self { title: block.text("title"), text: block.texts("text") };
        for language in LANGUAGES {
            let words: usize =
                lesson.text.iter().map(|part| part.get(language).split_whitespace().count()).sum();
            if !Self::WORDS.contains(&words) {
                let (least, most) = Self::WORDS.into_inner();
                let message = format_args!("has {words} words in {language}, not {least} to {most}");
                block.fault("text", message);
            }
        }
        lesson
    }
}

impl Training {
    /// The minimum number of questions of a module.
    pub const QUESTIONS: usize = 8;

    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        let training = Self {
            id: block.id(Kind::Training),
            title: block.text("title"),
            summary: block.text("summary"),
            difficulty: block.word("difficulty"),
            duration_minutes: block.number("duration_minutes", 1..=600),
            audience: block.words("audience"),
            frameworks: block.frameworks("frameworks"),
            objectives: block.texts("objectives"),
            lessons: block.list("lessons", Lesson::read),
            questions: block.list("questions", QuizQuestion::read),
            cite: block.cite(),
            source: block.optional_line("source"),
        };
        if training.lessons.is_empty() {
            block.fault("lessons", "must not be empty");
        }
        if training.questions.len() < Self::QUESTIONS {
            block.fault("questions", format_args!("must be at least {}", Self::QUESTIONS));
        }
        training
    }
}

impl QuizQuestion {
    fn read(block: &mut Block<'_, '_>) -> Self {
        let question = Self {
            text: block.text("text"),
            options: block.texts("options"),
            answer: block.number("answer", 0..=99),
            explanation: block.text("explanation"),
        };
        if question.options.len() < 2 {
            block.fault("options", "must give at least two to choose from");
        }
        if question.answer as usize >= question.options.len() {
            let last = question.options.len().saturating_sub(1);
            block.fault("answer", format_args!("must be an option, counted from 0 to {last}"));
        }
        question
    }
}

/// The filters of training modules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct TrainingFilter {
    pub difficulty: Option<Difficulty>,
}

impl TrainingFilter {
    pub fn keeps(self, training: &Training) -> bool {
        self.difficulty.is_none_or(|difficulty| difficulty == training.difficulty)
    }
}

impl Record for Training {
    fn kind(&self) -> Kind {
        Kind::Training
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.summary));
        self.objectives.iter().for_each(|text| visit(Wording::Both(text)));
        self.lessons.iter().for_each(|lesson| visit(Wording::Both(&lesson.title)));
        for question in &self.questions {
            visit(Wording::Both(&question.text));
            question.options.iter().for_each(|text| visit(Wording::Both(text)));
            visit(Wording::Both(&question.explanation));
        }
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
