//! Taking a training: the quiz of its module, and the result of a course held elsewhere.
//!
//! The score is computed here from the answers of the catalogue, which no page with open questions shows.

use std::sync::Arc;

use catalogue::training::{QuizQuestion, Training as Module};
use domain::{
    actor::Actor,
    change::Change,
    evidence::{Evidence, LinkType},
    id::{EvidenceId, TrainingId, UserId},
    key_limits::Verb,
    page::PageRequest,
    right::{Resource, Right},
    training::{ResultInput, Training, TrainingComplaint},
};
use store::{Revision, Tx, evidence_link::Link, record};

use super::{TrainingFilter, TrainingRow, TrainingView};
use crate::{
    Compliance, Error, Result, author::Author, authz::Caller, catalogue::Edition, history::Detail,
    pages::Precondition, records::check_live,
};

/// A training with its module.
#[derive(Debug)]
pub struct Quiz {
    pub training: TrainingView,
    edition: Arc<Edition>,
}

/// A question that the last attempt answered wrongly.
#[derive(Debug)]
pub struct Mistake<'q> {
    /// Counted from 1.
    pub number: usize,
    pub question: &'q QuizQuestion,
    /// The chosen option; `None` if the question was left open.
    pub chosen: Option<u32>,
}

impl Quiz {
    /// `None` for a course held elsewhere, and for a module that the catalogue no longer has.
    pub fn module(&self) -> Option<&Module> {
        self.edition.trainings.get(self.training.row.record.module.as_deref()?)
    }

    /// What the last attempt answered wrongly.
    pub fn mistakes(&self) -> Vec<Mistake<'_>> {
        let questions = self.module().map_or(&[][..], |module| module.questions.as_slice());
        let answers = &self.training.row.record.answers;
        let asked = questions.iter().zip(answers).enumerate();
        let wrong = asked.filter(|(_, (question, chosen))| **chosen != Some(question.answer));
        wrong
            .map(|(place, (question, chosen))| Mistake { number: place + 1, question, chosen: *chosen })
            .collect()
    }
}

/// The person who takes a training: keys and jobs take none.
fn taker(caller: &Caller) -> Result<UserId> {
    match caller.actor() {
        Actor::User(person) => Ok(person),
        Actor::Key(_) | Actor::Operator | Actor::System => Err(Error::NotFound),
    }
}

impl Compliance {
    /// A training that the caller may see, with its module.
    pub async fn quiz(&self, caller: &Caller, id: TrainingId) -> Result<Quiz> {
        let (detail, _) = self.training(caller, id).await?;
        Ok(Quiz { training: detail.record, edition: self.catalogue()? })
    }

    /// The same for the person who takes it, while it is to be taken.
    pub async fn open_quiz(&self, caller: &Caller, id: TrainingId) -> Result<Quiz> {
        let (person, quiz) = (taker(caller)?, self.quiz(caller, id).await?);
        let row = &quiz.training.row;
        let is_open = row.record.is_open() && row.archived_at.is_none();
        if row.record.person == person && is_open && quiz.module().is_some() {
            Ok(quiz)
        } else {
            Err(Error::NotFound)
        }
    }

    /// Whether the caller has yet to pass a training of this module, so that no page shows them its answers.
    pub async fn is_learning(&self, caller: &Caller, module: &str) -> Result<bool> {
        let Actor::User(person) = caller.actor() else { return Ok(false) };
        let filter = TrainingFilter {
            person: Some(person),
            module: module.to_owned().into(),
            ..TrainingFilter::default()
        };
        let page = self.records.records::<Training>(caller, &filter, PageRequest::default()).await?;
        Ok(page.items.iter().any(|training| training.row.record.is_open()))
    }

    /// Records an attempt at the quiz of the caller's own training. Option and question are counted from 0.
    pub async fn take_training(
        &self,
        caller: &Caller,
        id: TrainingId,
        answers: Vec<Option<u32>>,
    ) -> Result<()> {
        let (person, edition) = (taker(caller)?, self.catalogue()?);
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.attempt(tx, (id, person), &edition, &answers);
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Records the result of a course held elsewhere.
    pub async fn record_training_result(
        &self,
        caller: &Caller,
        id: TrainingId,
        input: ResultInput,
        precondition: Precondition,
    ) -> Result<(Detail<TrainingView>, Revision)> {
        caller.require_right(Resource::Trainings, Right::Write)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.record_result(tx, id, &input, &precondition);
        self.db.tenant(caller.scope()).write(write).await?;
        self.training(caller, id).await
    }
}

impl Author {
    fn attempt(
        &self,
        tx: &mut Tx<'_>,
        (id, person): (TrainingId, UserId),
        edition: &Edition,
        answers: &[Option<u32>],
    ) -> Result<()> {
        let before = self.current::<Training>(tx, id, &Precondition::None)?;
        if before.record.person != person {
            return Err(Error::NotFound);
        }
        check_live(&before)?;
        let module = before.record.module.as_deref().and_then(|module| edition.trainings.get(module));
        let right: Vec<u32> =
            module.iter().flat_map(|module| &module.questions).map(|question| question.answer).collect();
        let attempted = before.record.attempt(&right, answers, self.now.day());
        let record = attempted.map_err(|complaint| Error::invalid("training", complaint))?;
        let after = self.replace(tx, &before, record, None)?;
        self.audit_change(tx, &before, &after)
    }

    /// Refuses the person who took the course. A key stands for the person who created it.
    pub(super) fn check_other_person(&self, tx: &mut Tx<'_>, row: &TrainingRow) -> Result<()> {
        if self.decider(tx, "", &[row.record.person.to_string()])?.is_editor {
            return Err(Error::invalid("training", TrainingComplaint::NotOneself));
        }
        Ok(())
    }

    fn record_result(
        &self,
        tx: &mut Tx<'_>,
        id: TrainingId,
        input: &ResultInput,
        precondition: &Precondition,
    ) -> Result<()> {
        let before = self.current::<Training>(tx, id, precondition)?;
        check_live(&before)?;
        self.check_other_person(tx, &before)?;
        let record = before.record.with_result(input, self.now.day())?;
        let evidence = self.named_evidence(tx, input)?;
        let after = self.replace(tx, &before, record, None)?;
        self.audit_change(tx, &before, &after)?;
        match evidence {
            Some(evidence) => {
                self.attach(tx, evidence, &Link { kind: LinkType::Training, target: id.to_string() })
            }
            None => Ok(()),
        }
    }

    /// The evidence that a result names.
    fn named_evidence(&self, tx: &mut Tx<'_>, input: &ResultInput) -> Result<Option<EvidenceId>> {
        let Change::Set(text) = &input.evidence else { return Ok(None) };
        self.caller.require_noun("evidence", Verb::Write)?;
        let found = match text.trim().parse::<EvidenceId>() {
            Ok(id) => record::get::<Evidence>(tx, self.scope(), id)?.map(|row| row.id),
            Err(_) => None,
        };
        match found {
            Some(id) => Ok(Some(id)),
            None => Err(Error::invalid("evidence", TrainingComplaint::NoEvidence)),
        }
    }
}
