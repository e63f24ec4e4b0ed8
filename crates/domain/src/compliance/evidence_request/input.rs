//! The requests that create, change, answer and move requests for evidence.

use super::{EvidenceRequest, EvidenceRequestReference, EvidenceRequestStatus};
use crate::{
    change::{Change, Fields, without_repeats},
    evidence::EvidenceId,
    moment::Day,
    text::{Name, Prose},
    violation::Violations,
};

/// The fields of a request for evidence as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EvidenceRequestInput {
    pub text: Change<String>,
    pub subject: Change<String>,
    pub owner: Change<String>,
    pub due_on: Change<String>,
}

/// What a caller asked for, judged by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    text: Prose,
    pub subject: Option<Name>,
    pub owner: Option<Name>,
    due_on: Day,
}

impl Asked {
    /// The new request of a person or a key.
    #[must_use]
    pub fn by(self, reference: EvidenceRequestReference, asked_by: String) -> EvidenceRequest {
        EvidenceRequest {
            reference,
            text: self.text,
            subject: self.subject,
            owner: self.owner,
            due_on: self.due_on,
            status: EvidenceRequestStatus::Open,
            asked_by,
            answer: None,
            answered_by: None,
            answered_at: None,
        }
    }
}

impl EvidenceRequestInput {
    pub fn create(&self) -> Result<Asked, Violations> {
        self.read(None)
    }

    /// Whether the caller said who answers, or that it is open who does.
    pub fn names_owner(&self) -> bool {
        !matches!(self.owner, Change::Keep)
    }

    /// The request after this change.
    pub fn change(&self, current: &EvidenceRequest) -> Result<EvidenceRequest, Violations> {
        let Asked { text, subject, owner, due_on } = self.read(Some(current))?;
        Ok(EvidenceRequest { text, subject, owner, due_on, ..current.clone() })
    }

    fn read(&self, current: Option<&EvidenceRequest>) -> Result<Asked, Violations> {
        let mut fields = Fields::default();
        let text =
            fields.required("text", &self.text, current.map(|c| c.text.clone()), |text| Prose::parse(text));
        let subject = fields.line("subject", &self.subject, current.and_then(|c| c.subject.clone()));
        let owner = fields.line("owner", &self.owner, current.and_then(|c| c.owner.clone()));
        let due_on = fields.required("due_on", &self.due_on, current.map(|c| c.due_on), |day| day.parse());
        let asked = text.zip(due_on).map(|(text, due_on)| Asked { text, subject, owner, due_on });
        fields.finish(asked)
    }
}

/// An answer as a caller sent it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerInput {
    pub text: Change<String>,
    /// The ids of evidence that the answer refers to.
    pub evidence: Change<Vec<String>>,
}

impl AnswerInput {
    pub fn read(&self) -> Result<(Prose, Vec<EvidenceId>), Violations> {
        let mut fields = Fields::default();
        let text = fields.required("text", &self.text, None, |text| Prose::parse(text));
        let evidence =
            fields.list("evidence", &self.evidence, None, |id: &String| id.trim().parse::<EvidenceId>());
        fields.finish(text.map(|text| (text, without_repeats(evidence))))
    }
}

/// A step that the person who asked takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestStep {
    Close,
    /// With the reason.
    Reopen(Change<String>),
}

impl RequestStep {
    pub fn status(&self) -> EvidenceRequestStatus {
        match self {
            Self::Close => EvidenceRequestStatus::Closed,
            Self::Reopen(_) => EvidenceRequestStatus::Open,
        }
    }

    /// The reason, which only opening again needs.
    pub fn reason(&self) -> Result<Option<Prose>, Violations> {
        let Self::Reopen(reason) = self else { return Ok(None) };
        let mut fields = Fields::default();
        let reason = fields.required("reason", reason, None, |text| Prose::parse(text));
        fields.finish(reason.map(Some))
    }
}
