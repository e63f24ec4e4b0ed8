//! The wire types of due-diligence reviews.

use std::collections::BTreeMap;

use app::{
    history::Detail,
    provider::{AskedQuestion, ReviewComparison as AppComparison, ReviewView},
};
use domain::{
    id::{EvidenceId, FindingId, ProviderId, ReviewId},
    moment::{Day, Moment},
    provider::{AnswerInput, AnswersInput, NewReviewInput},
    wording::Language,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    extract::Switch,
    v1::{
        third_parties::providers::wire::ReviewScores,
        wire::{HistoryStep, moves, words},
    },
};

words! {
    ReviewStatus = domain::provider::ReviewStatus, moves::<domain::provider::ReviewStatus>();
    ReviewAnswerWord = domain::provider::Answer, "The answer to a question.";
    ReviewAnswerKind = domain::provider::AnswerKind, "In which form a question is answered.";
    ReviewQuestions = domain::provider::Questions, "Which questions of the catalogue a review asks.";
}

/// A due-diligence review of a provider.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderReview {
    #[schema(value_type = String, example = "ddq_01k9x8v1q7m3t5n2p4r6s8w0yz")]
    id: ReviewId,
    #[schema(value_type = String)]
    provider_id: ProviderId,
    status: ReviewStatus,
    /// How many questions are asked.
    questions: u64,
    answered: u64,
    /// Until when the provider is asked to answer.
    #[schema(value_type = Option<String>, format = Date)]
    due_on: Option<Day>,
    #[schema(value_type = Option<String>, format = DateTime)]
    sent_at: Option<Moment>,
    /// When the last link stops working.
    #[schema(value_type = Option<String>, format = DateTime)]
    link_expires_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    submitted_at: Option<Moment>,
    /// Who answered, in the provider's own words.
    submitted_by: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    completed_on: Option<Day>,
    /// From the completion on.
    scores: Option<ReviewScores>,
    /// Findings by the id of the question that was answered with no.
    #[schema(value_type = BTreeMap<String, String>)]
    findings: BTreeMap<String, FindingId>,
    /// What the provider sent with its answers; each file is kept as evidence.
    files: Vec<ReviewFile>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

impl From<&ReviewView> for ProviderReview {
    fn from(review: &ReviewView) -> Self {
        let (row, record) = (&review.row, &review.row.record);
        Self {
            id: row.id,
            provider_id: record.provider_id,
            status: record.status.into(),
            questions: record.questions.len() as u64,
            answered: record.answered() as u64,
            due_on: record.due_on,
            sent_at: record.sent_at,
            link_expires_at: record.link_expires_at,
            submitted_at: record.submitted_at,
            submitted_by: record.submitted_by.as_ref().map(ToString::to_string),
            completed_on: record.completed_on,
            scores: record.scores.map(ReviewScores::from),
            findings: record.findings.clone(),
            files: record.files.iter().map(ReviewFile::from).collect(),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// A file that the provider sent.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderReviewFile)]
pub(crate) struct ReviewFile {
    #[schema(value_type = String, example = "evd_01k9x8v1q7m3t5n2p4r6s8w0yz")]
    evidence: EvidenceId,
    /// The question it is about; `null` if it is about all.
    question: Option<String>,
    name: String,
}

impl From<&domain::provider::ReviewFile> for ReviewFile {
    fn from(file: &domain::provider::ReviewFile) -> Self {
        Self { evidence: file.evidence, question: file.question.clone(), name: file.name.clone() }
    }
}

/// How a link is given out.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = ProviderReviewSending, example = json!({ "mail": true }))]
pub(crate) struct ReviewSending {
    /// `true` sends it to the contact of the provider.
    #[schema(value_type = Option<bool>, nullable = false)]
    pub(crate) mail: Option<Switch>,
}

/// A question of the review with its answer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewQuestion {
    /// The id of a question of the catalogue.
    #[schema(example = "question-exit-plan")]
    question: String,
    /// `null` once the catalogue no longer has it.
    title: Option<String>,
    /// The question as the provider reads it; `null` if the institution answers it itself.
    to_provider: Option<String>,
    /// In which form it is answered; only `yes_no` counts for the scores.
    kind: ReviewAnswerKind,
    section: Option<String>,
    /// From 1 to 5; 5 counts most.
    weight: Option<u32>,
    /// A "no" to a key question can become a finding.
    key: bool,
    /// `null` while it is not answered, and where the answer is a value or a file.
    answer: Option<ReviewAnswerWord>,
    /// The text, the number or the day (`2026-11-30`).
    value: Option<String>,
    note: Option<String>,
    #[schema(value_type = Vec<String>)]
    evidence: Vec<EvidenceId>,
}

impl ReviewQuestion {
    fn new(asked: &AskedQuestion<'_>, language: Language) -> Self {
        let question = asked.question;
        Self {
            question: asked.id.to_owned(),
            title: question.map(|question| question.title.get(language).to_owned()),
            to_provider: question
                .filter(|question| question.is_for_provider())
                .map(|question| question.for_provider().get(language).to_owned()),
            kind: asked.kind().into(),
            section: question.map(|question| question.section.to_string()),
            weight: question.map(|question| question.weight),
            key: asked.is_key(),
            answer: asked.answer.and_then(|answer| answer.answer).map(ReviewAnswerWord::from),
            value: asked.answer.and_then(|answer| answer.value.as_ref()).map(ToString::to_string),
            note: asked.answer.and_then(|answer| answer.note.as_ref()).map(ToString::to_string),
            evidence: asked.answer.map(|answer| answer.evidence.clone()).unwrap_or_default(),
        }
    }
}

/// A review with its questions and its history.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderReviewDetail {
    #[serde(flatten)]
    review: ProviderReview,
    /// In the order they are asked.
    answers: Vec<ReviewQuestion>,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

impl ProviderReviewDetail {
    pub(crate) fn new(detail: &Detail<ReviewView>, language: Language) -> Self {
        let review = &detail.record;
        Self {
            review: ProviderReview::from(review),
            answers: review.questions().map(|asked| ReviewQuestion::new(&asked, language)).collect(),
            history: detail.history.iter().map(HistoryStep::from).collect(),
        }
    }
}

impl From<&Detail<ReviewView>> for ProviderReviewDetail {
    fn from(detail: &Detail<ReviewView>) -> Self {
        Self::new(detail, Language::default())
    }
}

/// The link for the provider. It is shown this once.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewLink {
    /// It opens this questionnaire and nothing else, without an account.
    #[schema(example = "https://tidewall.example/due-diligence/…")]
    pub(crate) url: String,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) expires_at: Moment,
    /// The contact it was sent to; `null` if it was not sent by mail.
    pub(crate) mailed_to: Option<String>,
    /// Whether the mail waits until the owner of the address has agreed to mail of the institution.
    pub(crate) awaiting_confirmation: bool,
    pub(crate) review: ProviderReview,
}

/// How one score changed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ScoreChange {
    /// A dimension, or `overall`.
    dimension: String,
    before: Option<u8>,
    after: Option<u8>,
    /// In points; `null` where one of them is missing.
    difference: Option<i16>,
}

/// An answer that is another one now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnswerChange {
    question: String,
    before: Option<ReviewAnswerWord>,
    after: Option<ReviewAnswerWord>,
}

/// The last two completed reviews beside each other.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewComparison {
    #[schema(value_type = String)]
    before: ReviewId,
    #[schema(value_type = String)]
    after: ReviewId,
    scores: Vec<ScoreChange>,
    /// Questions of both reviews that were answered otherwise.
    answers: Vec<AnswerChange>,
}

impl From<&AppComparison> for ReviewComparison {
    fn from(comparison: &AppComparison) -> Self {
        let score = |change: &app::provider::ScoreDifference| ScoreChange {
            dimension: change.dimension.map_or("overall", |dimension| dimension.as_str()).to_owned(),
            before: change.before,
            after: change.after,
            difference: change.before.zip(change.after).map(|(from, to)| i16::from(to) - i16::from(from)),
        };
        let answer = |change: &app::provider::AnswerDifference| AnswerChange {
            question: change.question.clone(),
            before: change.before.map(ReviewAnswerWord::from),
            after: change.after.map(ReviewAnswerWord::from),
        };
        Self {
            before: comparison.before.id,
            after: comparison.after.id,
            scores: comparison.scores.iter().map(score).collect(),
            answers: comparison.answers.iter().map(answer).collect(),
        }
    }
}

/// A review to begin.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "questions": "by_criticality", "due_on": "2027-03-31" }))]
pub(crate) struct NewProviderReview {
    /// `all`, or `by_criticality` (the default): all for a provider behind a critical or important function, otherwise
    /// those of weight 4 and 5.
    #[schema(value_type = Option<ReviewQuestions>)]
    questions: Option<Option<String>>,
    #[schema(format = Date)]
    due_on: Option<Option<String>>,
}

impl From<NewProviderReview> for NewReviewInput {
    fn from(review: NewProviderReview) -> Self {
        Self { questions: review.questions.into(), due_on: review.due_on.into() }
    }
}

/// Answers and moves of a review. What is absent stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "answers": [{ "question": "question-exit-plan", "answer": "partly" }] }))]
pub(crate) struct ProviderReviewChange {
    #[schema(max_items = 200)]
    answers: Option<Option<Vec<NewReviewAnswer>>>,
    #[schema(format = Date)]
    due_on: Option<Option<String>>,
    /// `completed` or `cancelled`; sending has a route of its own.
    #[schema(value_type = Option<ReviewStatus>, nullable = false)]
    status: Option<Option<String>>,
    /// Why the status changes; recorded in the history.
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

impl From<ProviderReviewChange> for AnswersInput {
    fn from(change: ProviderReviewChange) -> Self {
        let answers = change.answers.flatten().unwrap_or_default();
        Self {
            answers: answers.into_iter().map(AnswerInput::from).collect(),
            due_on: change.due_on.into(),
            status: change.status.into(),
            note: change.note.into(),
        }
    }
}

/// An answer to one question.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewReviewAnswer {
    #[schema(required = true, nullable = false)]
    question: Option<Option<String>>,
    /// `null` takes the answer back. Of a question that asks for a value or a file it is the institution's own
    /// judgement, which does not count for the scores.
    #[schema(value_type = Option<ReviewAnswerWord>)]
    answer: Option<Option<String>>,
    /// The answer to a question of the kind `text`, `number` or `day`.
    #[schema(max_length = 2_000)]
    value: Option<Option<String>>,
    #[schema(max_length = 2_000)]
    note: Option<Option<String>>,
    /// Ids of evidence.
    evidence: Option<Option<Vec<String>>>,
}

impl From<NewReviewAnswer> for AnswerInput {
    fn from(answer: NewReviewAnswer) -> Self {
        Self {
            question: answer.question.into(),
            answer: answer.answer.into(),
            value: answer.value.into(),
            note: answer.note.into(),
            evidence: answer.evidence.into(),
        }
    }
}

/// Which "no" becomes a finding.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "question": "question-exit-plan" }))]
pub(crate) struct NewReviewFinding {
    #[schema(required = true, nullable = false)]
    pub(crate) question: Option<String>,
}
