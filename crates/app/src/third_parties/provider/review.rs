//! Due-diligence reviews: the questions, the scores computed from the answers, and findings for a "no".

use std::sync::Arc;

use catalogue::question::{Question, QuestionSection};
use domain::{
    change::Change,
    finding::{Finding, FindingInput},
    id::ProviderId,
    key_limits::Verb,
    moment::Moment,
    provider::{
        Answer, AnswerKind, AnswersInput, Dimension, NewReviewInput, Provider, ProviderComplaint, Questions,
        Review, ReviewAnswer, ReviewFile, ReviewScores, ReviewStatus, SubmissionInput, Weighed,
    },
    right::Resource,
    text::{Name, Prose},
    vocabulary::Severity,
    wording::{Label, Language},
};
use serde_json::{Value, json};
use store::{
    Reader, TenantScope, Tx, provider as providers, provider_review as rows,
    record::{self, RecordRow},
    review_link,
};

use super::{ReviewFilter, ReviewRow, scores_fields};
use crate::{
    Core, Error, Result,
    author::Author,
    catalogue::Edition,
    change_log::difference,
    records::{RecordKind, RecordRequest},
    words::{Kind, Texts},
};

/// A question with this weight is a key question: a "no" requires a finding.
const KEY_WEIGHT: u32 = 5;
/// The minimum weight of questions for a provider that supports no critical or important function.
const USUAL_WEIGHT: u32 = 4;
/// Of the section on concentration and exit, these questions are about dependence; the others are about leaving.
const ABOUT_DEPENDENCE: [&str; 2] = ["question-concentration-check", "question-substitutability"];

const FOUND: Label = Label::new(
    "Due diligence of {provider}: the key question \"{question}\" was answered with no. Warning sign: {flag}",
    "Dienstleisterprüfung {provider}: Die Schlüsselfrage „{question}“ wurde mit Nein beantwortet. Warnzeichen: {flag}",
);

/// A review with the catalogue that its questions come from.
#[derive(Debug, Clone)]
pub struct ReviewView {
    pub row: ReviewRow,
    pub edition: Arc<Edition>,
}

/// One question of a review. The catalogue may no longer contain it.
#[derive(Debug, Clone, Copy)]
pub struct AskedQuestion<'r> {
    pub id: &'r str,
    pub question: Option<&'r Question>,
    pub answer: Option<&'r ReviewAnswer>,
}

impl AskedQuestion<'_> {
    pub fn is_key(&self) -> bool {
        self.question.is_some_and(is_key)
    }

    /// In which form it is answered.
    pub fn kind(&self) -> AnswerKind {
        self.question.map_or(AnswerKind::YesNo, |question| question.answer)
    }

    /// Whether the provider is asked. A question that the catalogue no longer has may still be answered.
    pub fn is_for_provider(&self) -> bool {
        self.question.is_none_or(Question::is_for_provider)
    }
}

pub(super) fn is_key(question: &Question) -> bool {
    question.weight >= KEY_WEIGHT
}

impl ReviewView {
    pub fn questions(&self) -> impl Iterator<Item = AskedQuestion<'_>> {
        let record = &self.row.record;
        record.questions.iter().map(|id| AskedQuestion {
            id,
            question: self.edition.questions.get(id),
            answer: record.answers.get(id),
        })
    }

    /// The questions that the provider reads behind its link.
    pub fn provider_questions(&self) -> impl Iterator<Item = AskedQuestion<'_>> {
        self.questions().filter(AskedQuestion::is_for_provider)
    }
}

/// A new review of a provider.
#[derive(Debug)]
pub struct NewReview {
    pub provider: ProviderId,
    pub input: NewReviewInput,
}

/// The changes that requests make to a review.
#[derive(Debug, Clone)]
pub enum ReviewChange {
    Answers(AnswersInput),
    /// Issues a link that works until then.
    Send {
        until: Moment,
    },
    /// The answers that the provider sent through its link.
    Submission(SubmissionInput),
    /// A file that the provider sent through its link.
    File(ReviewFile),
    /// A finding is made of the "no" to a key question.
    Finding {
        question: String,
        language: Language,
    },
}

fn dimension(question: &Question) -> Dimension {
    match question.section {
        QuestionSection::InformationSecurity | QuestionSection::DataAndLocation => Dimension::Security,
        QuestionSection::Resilience | QuestionSection::Incidents | QuestionSection::TestingAndAssurance => {
            Dimension::Resilience
        }
        QuestionSection::ProviderProfile
        | QuestionSection::GovernanceAndRisk
        | QuestionSection::Subcontracting
        | QuestionSection::ContractAndAudit => Dimension::Compliance,
        QuestionSection::ConcentrationAndExit => {
            if ABOUT_DEPENDENCE.contains(&&*question.id) {
                Dimension::Concentration
            } else {
                Dimension::Exit
            }
        }
    }
}

/// The scores of a review, by the weights of the catalogue in use.
pub(super) fn scored(edition: &Edition, review: &Review) -> ReviewScores {
    let weighed = |id: &String| {
        let question = edition.questions.get(id).filter(|question| question.is_scored())?;
        let answer = review.answers.get(id).and_then(|answer| answer.answer);
        Some(Weighed { dimension: dimension(question), weight: question.weight, answer })
    };
    let questions: Vec<Weighed> = review.questions.iter().filter_map(weighed).collect();
    let mut weights = [0; 5];
    for (place, dimension) in weights.iter_mut().zip(edition.dimensions.iter()) {
        *place = dimension.weight;
    }
    ReviewScores::of(&questions, weights)
}

/// The selected questions, in the order of the sections.
fn chosen(edition: &Edition, questions: Questions, critical: bool) -> Vec<String> {
    let least = match questions {
        Questions::ByCriticality if !critical => USUAL_WEIGHT,
        Questions::ByCriticality | Questions::All => 0,
    };
    let mut asked: Vec<&Question> =
        edition.questions.iter().filter(|question| question.weight >= least).collect();
    asked.sort_by_key(|question| question.section);
    asked.into_iter().map(|question| question.id.to_string()).collect()
}

impl RecordKind for Review {
    type Input = NewReviewInput;
    type New = NewReview;
    type Change = ReviewChange;
    type View = ReviewView;

    const NOUN: &'static str = "review";
    const LIST: &'static str = "provider_reviews";
    const WORDS: Kind = Kind::new('q');
    const RESOURCE: Resource = Resource::Providers;
    const OWN_FIELDS: bool = false;

    fn create(author: &Author, tx: &mut Tx<'_>, new: &NewReview) -> Result<Self> {
        let NewReview { provider, input } = new;
        let scope = *author.scope();
        record::get::<Provider>(tx, &scope, *provider)?.ok_or(Error::NotFound)?;
        let (questions, due_on) = input.read()?;
        if rows::is_open(tx, &scope, *provider)? {
            return Err(Error::invalid("review", ProviderComplaint::Running));
        }
        let facts = providers::facts_of(tx, &scope, &[*provider])?;
        let critical = facts.get(provider).is_some_and(|facts| facts.critical_arrangements > 0);
        let asked = chosen(&*author.core.catalogue()?, questions, critical);
        if asked.is_empty() {
            return Err(Error::invalid("questions", ProviderComplaint::NoQuestions));
        }
        Ok(Self::new(*provider, asked, due_on))
    }

    fn change(author: &Author, tx: &mut Tx<'_>, before: &ReviewRow, change: &ReviewChange) -> Result<Self> {
        let review = &before.record;
        match change {
            ReviewChange::Answers(input) => {
                let edition = author.core.catalogue()?;
                let kind =
                    |id: &str| edition.questions.get(id).map_or(AnswerKind::YesNo, |asked| asked.answer);
                let after = input.change(review, &|id| Some(kind(id)))?;
                author.check_evidence(tx, &after)?;
                if after.status == ReviewStatus::Completed && review.status != ReviewStatus::Completed {
                    let scores = scored(&edition, &after);
                    return Ok(after.completed(author.now.day(), Some(scores)));
                }
                Ok(after)
            }
            ReviewChange::Send { until } => Ok(review.sent(author.now, *until)?),
            ReviewChange::Submission(input) => {
                let edition = author.core.catalogue()?;
                let kind = |id: &str| match edition.questions.get(id) {
                    Some(asked) => asked.is_for_provider().then_some(asked.answer),
                    None => Some(AnswerKind::YesNo),
                };
                Ok(input.change(review, &kind, author.now)?)
            }
            ReviewChange::File(file) => Ok(review.with_file(file.clone())?),
            ReviewChange::Finding { question, language } => {
                author.found_in_review(tx, review, question, *language)
            }
        }
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        let answer = |(question, answer): (&String, &ReviewAnswer)| {
            let fields = json!({
                "answer": answer.answer,
                "value": answer.value.as_ref().map(Prose::as_str),
                "note": answer.note.as_ref().map(Prose::as_str),
                "evidence": answer.evidence,
            });
            (question.clone(), fields)
        };
        let file = |file: &ReviewFile| json!({ "evidence": file.evidence, "question": file.question, "name": file.name });
        json!({
            "provider_id": self.provider_id,
            "status": self.status,
            "questions": self.questions.len(),
            "answers": self.answers.iter().map(answer).collect::<serde_json::Map<_, _>>(),
            "due_on": self.due_on,
            "sent_at": self.sent_at,
            "link_expires_at": self.link_expires_at,
            "submitted_at": self.submitted_at,
            "submitted_by": self.submitted_by.as_ref().map(Name::as_str),
            "completed_on": self.completed_on,
            "scores": self.scores.as_ref().map(scores_fields),
            "findings": self.findings,
            "files": self.files.iter().map(file).collect::<Vec<_>>(),
        })
    }

    /// Reviews are reached through their provider and are no search results.
    fn texts(&self) -> Texts<'_> {
        Texts::default()
    }

    fn search_text(_: &ReviewFilter) -> Option<&str> {
        None
    }

    fn views(
        core: &Core,
        _: &mut Reader<'_>,
        _: &TenantScope,
        rows: Vec<ReviewRow>,
    ) -> Result<Vec<ReviewView>> {
        let edition = core.catalogue()?;
        Ok(rows.into_iter().map(|row| ReviewView { row, edition: Arc::clone(&edition) }).collect())
    }

    fn row(view: &ReviewView) -> &ReviewRow {
        &view.row
    }

    /// A completed review updates the dates and the scores of its provider; a closed one accepts no answers by link.
    fn changed(author: &Author, tx: &mut Tx<'_>, before: &ReviewRow, after: &ReviewRow) -> Result<()> {
        if before.record.status == after.record.status {
            return Ok(());
        }
        if !after.record.status.is_open() {
            review_link::delete_of(tx, author.scope(), after.id)?;
        }
        match after.record.completed_on {
            Some(on) if after.record.status == ReviewStatus::Completed => {
                let provider = after.record.provider_id;
                let Some(row) = record::get::<Provider>(tx, author.scope(), provider)? else {
                    return Ok(());
                };
                let record = row.record.reviewed(on, after.record.scores);
                let changed = RecordRow { record, updated_at: author.now, ..row.clone() };
                author.store(tx, &row, &changed)?;
                let detail = difference(&row.record.fields(), &changed.record.fields());
                author.audit(tx, "provider.changed", provider, &detail)
            }
            _ => Ok(()),
        }
    }

    fn release(_: &Author, _: &mut Tx<'_>, _: &ReviewRow) -> Result<()> {
        Err(Error::invalid("review", ProviderComplaint::Kept))
    }
}

impl RecordRequest<Review> for NewReview {}

impl RecordRequest<Review> for ReviewChange {
    fn decides(&self, _: Option<&Review>) -> bool {
        matches!(self, Self::Send { .. })
    }

    fn note(&self) -> Option<Prose> {
        match self {
            Self::Answers(input) => input.note.as_note(),
            _ => None,
        }
    }
}

impl Author {
    /// Evidence that answers name must exist.
    fn check_evidence(&self, tx: &mut Tx<'_>, review: &Review) -> Result<()> {
        let mut ids: Vec<_> =
            review.answers.values().flat_map(|answer| answer.evidence.iter().copied()).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return Ok(());
        }
        let found = record::get_many::<domain::evidence::Evidence>(tx, self.scope(), &ids)?;
        if found.len() == ids.len() {
            return Ok(());
        }
        Err(Error::invalid("answers", domain::evidence::EvidenceComplaint::NoSuchRecord))
    }

    /// Creates a finding for the "no" to a key question, at most one per question.
    fn found_in_review(
        &self,
        tx: &mut Tx<'_>,
        review: &Review,
        id: &str,
        language: Language,
    ) -> Result<Review> {
        self.caller.require_noun("finding", Verb::Write)?;
        let edition = self.core.catalogue()?;
        let question = edition.questions.get(id).filter(|question| is_key(question));
        let said_no = review.answers.get(id).is_some_and(|answer| answer.answer == Some(Answer::No));
        let Some(question) = question.filter(|_| said_no) else {
            return Err(Error::invalid("question", ProviderComplaint::NotANo));
        };
        if review.findings.contains_key(id) {
            return Err(Error::invalid("question", ProviderComplaint::HasFinding));
        }
        let provider = record::get::<Provider>(tx, self.scope(), review.provider_id)?;
        let provider = provider.ok_or(Error::NotFound)?;
        let name = provider.record.name.as_str();
        let asked = question.title.get(language);
        let description = FOUND
            .text(language)
            .replacen("{flag}", question.red_flag.get(language), 1)
            .replacen("{question}", asked, 1)
            .replacen("{provider}", name, 1);
        let title = Name::fitted(&format!("{name}: {asked}")).unwrap_or_else(Name::untitled);
        let input = FindingInput {
            title: Change::Set(title.to_string()),
            description: Change::Set(description),
            severity: Change::Set(Severity::High.as_str().to_owned()),
            owner: provider.record.owner.map_or(Change::Keep, |owner| Change::Set(owner.to_string())),
            affected_asset: Change::Set(name.to_owned()),
            measures: Change::Set(question.measures.iter().map(ToString::to_string).collect()),
            ..FindingInput::default()
        };
        let finding = self.create::<Finding>(tx, &input)?;
        providers::link_finding(tx, self.scope(), review.provider_id, &finding.to_string())?;
        let mut after = review.clone();
        after.findings.insert(id.to_owned(), finding);
        Ok(after)
    }
}
