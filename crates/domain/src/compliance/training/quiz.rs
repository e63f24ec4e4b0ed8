//! Taking a training: the quiz of a module, and the result of a course held elsewhere.

use super::{Training, TrainingComplaint, TrainingStatus};
use crate::{
    change::{Change, Fields},
    correction::{Corrected, CorrectedField, CorrectionWish},
    moment::Day,
    violation::{Complaint, FieldComplaint, Violations},
};

/// The least share of right answers with which a quiz is passed.
pub const PASS_PERCENT: u8 = 80;

/// A part of a whole in percent, rounded down, so that a score of 80 is always a pass.
pub fn percent(part: usize, whole: usize) -> u8 {
    let percent = part.saturating_mul(100).checked_div(whole).unwrap_or_default();
    u8::try_from(percent.min(100)).unwrap_or(100)
}

/// The result of a course held elsewhere, as a caller sent it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResultInput {
    pub passed_on: Change<String>,
    pub score: Change<f64>,
    /// The id of evidence, such as the certificate of the course.
    pub evidence: Change<String>,
}

impl Training {
    /// The training after an attempt at its quiz. `right` has the right option of each question.
    pub fn attempt(
        &self,
        right: &[u32],
        answers: &[Option<u32>],
        today: Day,
    ) -> Result<Self, TrainingComplaint> {
        if !self.is_open() {
            return Err(TrainingComplaint::AlreadyPassed);
        }
        if right.is_empty() {
            return Err(TrainingComplaint::NoQuiz);
        }
        let answers: Vec<Option<u32>> =
            (0..right.len()).map(|place| answers.get(place).copied().flatten()).collect();
        let hits = right.iter().zip(&answers).filter(|(right, chosen)| Some(**right) == **chosen).count();
        let score = percent(hits, right.len());
        let is_passed = score >= PASS_PERCENT;
        Ok(Self {
            status: if is_passed { TrainingStatus::Passed } else { TrainingStatus::Failed },
            attempts: self.attempts.saturating_add(1),
            score: Some(score),
            answers,
            passed_on: is_passed.then_some(today),
            ..self.clone()
        })
    }

    /// The training with the result of a course held elsewhere.
    pub fn with_result(&self, input: &ResultInput, today: Day) -> Result<Self, Violations> {
        if self.module.is_some() {
            return Err(Violations::one("training", TrainingComplaint::OnlyByQuiz));
        }
        if !self.is_open() {
            return Err(Violations::one("training", TrainingComplaint::AlreadyPassed));
        }
        let mut fields = Fields::default();
        let passed_on = fields.required("passed_on", &input.passed_on, None, |day| past(day, today));
        let score = fields.optional("score", &input.score, None, |score| whole(*score));
        let passed = passed_on.map(|day| Self {
            status: TrainingStatus::Passed,
            score,
            passed_on: Some(day),
            ..self.clone()
        });
        fields.finish(passed)
    }

    /// What of the result of a course held elsewhere can be corrected.
    pub const CORRECTED: [CorrectedField; 2] = [CorrectedField::PassedOn, CorrectedField::Score];

    /// The training after a correction of its result, with the value before and after. Without a day it was not passed
    /// after all, and is open again.
    pub fn corrected(&self, wish: &CorrectionWish, today: Day) -> Result<(Self, Corrected), Violations> {
        if self.module.is_some() {
            return Err(Violations::one("training", TrainingComplaint::OnlyByQuiz));
        }
        if self.is_open() {
            return Err(Violations::one("training", TrainingComplaint::NoResult));
        }
        let (mut fields, mut after) = (Fields::default(), self.clone());
        if wish.field == CorrectedField::PassedOn {
            after.passed_on = fields.optional("value", &wish.change(), None, |day| past(day, today));
            if after.passed_on.is_none() {
                (after.status, after.score) = (TrainingStatus::Assigned, None);
            }
        } else {
            after.score = fields.optional("value", &wish.change(), None, |text| points(text));
        }
        let value_of = |training: &Self| match wish.field {
            CorrectedField::PassedOn => training.passed_on.map(|day| day.to_string()),
            _ => training.score.map(|score| score.to_string()),
        };
        let corrected = Corrected {
            place: "result".to_owned(),
            before: value_of(self),
            after: value_of(&after),
            recorded_by: None,
            recorded_at: None,
        };
        fields.finish(Some((after, corrected)))
    }
}

fn past(text: &str, today: Day) -> Result<Day, Complaint> {
    let day: Day = text.parse()?;
    if day > today { Err(FieldComplaint::NotInTheFuture.into()) } else { Ok(day) }
}

fn whole(score: f64) -> Result<u8, TrainingComplaint> {
    // A whole number is printed without a point, and only then parses as one.
    points(&score.to_string())
}

fn points(text: &str) -> Result<u8, TrainingComplaint> {
    text.parse::<u8>().ok().filter(|score| *score <= 100).ok_or(TrainingComplaint::Score)
}
