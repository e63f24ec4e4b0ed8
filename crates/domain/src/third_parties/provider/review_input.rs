//! The inputs of a review.

use std::collections::BTreeSet;

use super::{
    Answer, AnswerKind, ProviderComplaint, Questions, Review, ReviewAnswer, ReviewScores, ReviewStatus,
};
use crate::{
    change::{Change, Fields},
    evidence::EvidenceId,
    moment::{Day, Moment},
    text::{Name, Prose, TextError},
    violation::{Complaint, Violations},
};

/// The maximum length of the note to an answer: external users fill in questionnaires, and every save is stored.
const MAX_NOTE: usize = 2_000;
/// The maximum length of a number.
const MOST_DIGITS: usize = 18;

/// A review to begin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewReviewInput {
    pub questions: Change<String>,
    pub due_on: Change<String>,
}

impl NewReviewInput {
    pub fn read(&self) -> Result<(Questions, Option<Day>), Violations> {
        let mut fields = Fields::default();
        let questions =
            fields.required("questions", &self.questions, Some(Questions::ByCriticality), |word| {
                word.parse::<Questions>()
            });
        let due_on = fields.optional("due_on", &self.due_on, None, |day| day.parse());
        fields.finish(questions.map(|questions| (questions, due_on)))
    }
}

/// One answer as a caller sent it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerInput {
    pub question: Change<String>,
    /// Null or an empty word removes an answer.
    pub answer: Change<String>,
    /// The text, the number or the day; null or an empty word removes it.
    pub value: Change<String>,
    pub note: Change<String>,
    pub evidence: Change<Vec<String>>,
}

impl AnswerInput {
    fn read(&self, review: &Review, kinds: Kinds<'_>) -> Result<(String, Option<ReviewAnswer>), Complaint> {
        let asked = match &self.question {
            Change::Set(id) if review.questions.contains(id) => kinds(id).map(|kind| (id.clone(), kind)),
            _ => None,
        };
        let Some((question, kind)) = asked else { return Err(ProviderComplaint::NotAQuestion.into()) };
        let before = review.answers.get(&question);
        let answer = match &self.answer {
            Change::Set(word) if !word.is_empty() => Some(word.parse::<Answer>()?),
            Change::Keep => before.and_then(|before| before.answer),
            _ => None,
        };
        let value = match &self.value {
            Change::Set(text) if !text.trim().is_empty() => Some(value(kind, text)?),
            Change::Keep => before.and_then(|before| before.value.clone()),
            _ => None,
        };
        let note = match &self.note {
            Change::Set(text) if text.chars().count() > MAX_NOTE => {
                return Err(TextError::TooLong(MAX_NOTE).into());
            }
            Change::Set(text) if !text.trim().is_empty() => Some(Prose::parse(text)?),
            Change::Keep => before.and_then(|before| before.note.clone()),
            _ => None,
        };
        let evidence = match &self.evidence {
            Change::Set(ids) => ids.iter().map(|id| id.parse()).collect::<Result<Vec<EvidenceId>, _>>()?,
            Change::Keep => before.map(|before| before.evidence.clone()).unwrap_or_default(),
            Change::Clear => Vec::new(),
        };
        let is_given = match kind {
            AnswerKind::YesNo => answer.is_some(),
            _ => answer.is_some() || value.is_some() || note.is_some() || !evidence.is_empty(),
        };
        Ok((question, is_given.then_some(ReviewAnswer { answer, value, note, evidence })))
    }
}

/// In which form each question is answered; nothing for one that the sender is not asked.
pub type Kinds<'k> = &'k dyn Fn(&str) -> Option<AnswerKind>;

/// The value in the form that the question asks for.
fn value(kind: AnswerKind, text: &str) -> Result<Prose, Complaint> {
    let text = text.trim();
    if text.chars().count() > MAX_NOTE {
        return Err(TextError::TooLong(MAX_NOTE).into());
    }
    match kind {
        AnswerKind::YesNo => Err(ProviderComplaint::ValueOfYesNo.into()),
        AnswerKind::File => Err(ProviderComplaint::ValueOfFile.into()),
        AnswerKind::Text => Ok(Prose::parse(text)?),
        AnswerKind::Day => Ok(Prose::parse(&text.parse::<Day>()?.to_string())?),
        AnswerKind::Number => number(text),
    }
}

/// A number as people write it, with a comma or a point.
fn number(text: &str) -> Result<Prose, Complaint> {
    let plain = text.replacen(',', ".", 1);
    let is_number = plain.len() <= MOST_DIGITS
        && plain.starts_with(|first: char| first.is_ascii_digit())
        && plain.ends_with(|last: char| last.is_ascii_digit())
        && plain.chars().all(|one| one.is_ascii_digit() || one == '.')
        && plain.parse::<f64>().is_ok();
    if is_number { Ok(Prose::parse(&plain)?) } else { Err(ProviderComplaint::NotANumber.into()) }
}

/// Answers to some questions of a review; the others stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswersInput {
    pub answers: Vec<AnswerInput>,
    pub due_on: Change<String>,
    pub status: Change<String>,
    /// Recorded in the history.
    pub note: Change<String>,
}

impl AnswersInput {
    /// The review after these answers and an optional transition. Sending has a route of its own, because it returns
    /// a link.
    pub fn change(&self, review: &Review, kinds: Kinds<'_>) -> Result<Review, Violations> {
        let mut fields = Fields::default();
        if !self.answers.is_empty() && !review.status.is_open() {
            fields.refuse("answers", ProviderComplaint::AnswersClosed);
        }
        let answers = answered(&mut fields, review, &self.answers, kinds);
        let due_on = fields.optional("due_on", &self.due_on, review.due_on, |day| day.parse());
        let status = fields.status(&self.status, Some(review.status));
        let moved = match status {
            Some(to @ (ReviewStatus::Sent | ReviewStatus::Submitted)) if to != review.status => {
                fields.refuse("status", ProviderComplaint::NotSendable);
                None
            }
            other => other,
        };
        let after = moved.map(|status| Review { status, answers, due_on, ..review.clone() });
        fields.finish(after)
    }
}

/// The provider's submission through its link.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubmissionInput {
    pub answers: Vec<AnswerInput>,
    /// Who answered.
    pub name: Change<String>,
    /// Whether the questionnaire is submitted; otherwise the answers are only saved.
    pub submit: bool,
}

impl SubmissionInput {
    pub fn change(&self, review: &Review, kinds: Kinds<'_>, now: Moment) -> Result<Review, Violations> {
        let mut fields = Fields::default();
        if !review.takes_answers_by_link() {
            fields.refuse("answers", ProviderComplaint::AlreadySubmitted);
        }
        let answers = answered(&mut fields, review, &self.answers, kinds);
        let saved = fields.line("name", &self.name, review.submitted_by.clone());
        if self.submit {
            if saved.is_none() {
                fields.required("name", &Change::<String>::Keep, None, |text| Name::parse(text));
            }
            if answers.is_empty() && review.files.is_empty() {
                fields.refuse("answers", ProviderComplaint::NothingAnswered);
            }
        }
        let mut after = Review { answers, submitted_by: saved, ..review.clone() };
        if self.submit {
            after.status = ReviewStatus::Submitted;
            after.submitted_at = Some(now);
        }
        fields.finish(Some(after))
    }
}

impl Review {
    /// The review after a link was issued to the provider.
    pub fn sent(&self, now: Moment, link_expires_at: Moment) -> Result<Self, Violations> {
        let mut fields = Fields::default();
        if !self.status.is_open() {
            fields.refuse("review", ProviderComplaint::NotSendable);
        }
        let sent = Self {
            status: ReviewStatus::Sent,
            sent_at: Some(now),
            link_expires_at: Some(link_expires_at),
            submitted_at: None,
            ..self.clone()
        };
        fields.finish(Some(sent))
    }

    /// The completed review.
    #[must_use]
    pub fn completed(&self, on: Day, scores: Option<ReviewScores>) -> Self {
        Self { completed_on: Some(on), scores, ..self.clone() }
    }
}

fn answered(
    fields: &mut Fields,
    review: &Review,
    inputs: &[AnswerInput],
    kinds: Kinds<'_>,
) -> std::collections::BTreeMap<String, ReviewAnswer> {
    let read = |input: &AnswerInput| input.read(review, kinds);
    let read = fields.list("answers", &Change::Set(inputs.to_vec()), None, read);
    let (mut answers, mut seen) = (review.answers.clone(), BTreeSet::new());
    for (question, answer) in read {
        if !seen.insert(question.clone()) {
            fields.refuse("answers", ProviderComplaint::TwiceAnswered);
        }
        match answer {
            Some(answer) => answers.insert(question, answer),
            None => answers.remove(&question),
        };
    }
    answers
}
