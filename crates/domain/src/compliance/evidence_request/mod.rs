//! Requests for evidence: an auditor or a manager asks, an owner answers until a day with a text and evidence, and the
//! request is closed or opened again.

mod input;
#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

use crate::{
    field::fields,
    identifier::{Id, Identified},
    moment::{Day, Moment},
    text::{Name, Prose},
    tone::Tone,
    transition::{Lifecycle as _, Refused, lifecycle},
    vocabulary::vocabulary,
    wording::{sentence, sentences},
};

pub use self::input::{AnswerInput, Asked, EvidenceRequestInput, RequestStep};

lifecycle! {
    /// How far a request for evidence is.
    EvidenceRequestStatus ("a request for evidence", "eine Nachweisanforderung") starts at Open {
        Open = "open" ("Open", "Offen") => [
            Answered ("Answer", "Beantworten"),
        ],
        Answered = "answered" ("Answered", "Beantwortet") => [
            Closed ("Close", "Abschließen"),
            Open ("Open again", "Wieder öffnen"),
        ],
        Closed = "closed" ("Closed", "Abgeschlossen") => [
            Open ("Open again", "Wieder öffnen"),
        ],
    }
}

impl EvidenceRequestStatus {
    pub fn tone(self) -> Tone {
        match self {
            Self::Open => Tone::Notice,
            Self::Answered => Tone::Running,
            Self::Closed => Tone::Good,
        }
    }
}

vocabulary! {
    /// The orders of a list of requests: a field, with a minus sign for descending. The first is the default.
    EvidenceRequestSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Due = "due_on" ("Soonest due first", "Früheste Fälligkeit zuerst"),
        DueFalling = "-due_on" ("Latest due first", "Späteste Fälligkeit zuerst"),
    }
}

/// The content of a request, without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceRequest {
    pub reference: EvidenceRequestReference,
    /// What is asked for.
    pub text: Prose,
    /// The id of the record or the requirement it is about.
    pub subject: Option<Name>,
    /// Who answers.
    pub owner: Option<Name>,
    pub due_on: Day,
    pub status: EvidenceRequestStatus,
    /// The id of the person or the key that asked.
    pub asked_by: String,
    /// The last answer. It stays when the request is opened again.
    pub answer: Option<Prose>,
    pub answered_by: Option<String>,
    pub answered_at: Option<Moment>,
}

pub type EvidenceRequestId = Id<EvidenceRequest>;

impl Identified for EvidenceRequest {
    const PREFIX: &'static str = "erq";
}

fields! {
    /// The fields of a request for evidence.
    EvidenceRequest {
        REFERENCE,
        TITLE = "title" ("Request for evidence", "Nachweisanforderung"),
        TEXT = "text" ("What is asked for", "Was angefordert wird"),
        SUBJECT = "subject" ("About", "Betrifft"),
        OWNER,
        DUE_ON,
        STATUS,
        ASKED_BY = "asked_by" ("Asked by", "Angefordert von"),
        ANSWER = "answer" ("Answer", "Antwort"),
        ANSWERED_BY = "answered_by" ("Answered by", "Beantwortet von"),
        ANSWERED_AT = "answered_at" ("Answered", "Beantwortet"),
        EVIDENCE = "evidence" ("Evidence", "Nachweise"),
    }
}

impl EvidenceRequest {
    /// The first line of the text, by which lists name the request.
    pub fn title(&self) -> Name {
        let first = self.text.as_str().lines().find(|line| !line.trim().is_empty());
        first.and_then(Name::fitted).unwrap_or_else(Name::untitled)
    }

    pub fn is_open(&self) -> bool {
        self.status == EvidenceRequestStatus::Open
    }

    /// Whether it is not answered by the end of its due day.
    pub fn is_late(&self, today: Day) -> bool {
        self.is_open() && self.due_on < today
    }

    /// The request with an answer.
    pub fn answered(
        &self,
        answer: Prose,
        by: String,
        at: Moment,
    ) -> Result<Self, Refused<EvidenceRequestStatus>> {
        let status = self.status.moved(EvidenceRequestStatus::Answered)?;
        let (answer, answered_by, answered_at) = (Some(answer), Some(by), Some(at));
        Ok(Self { status, answer, answered_by, answered_at, ..self.clone() })
    }

    /// The request closed or opened again.
    pub fn moved(&self, to: EvidenceRequestStatus) -> Result<Self, Refused<EvidenceRequestStatus>> {
        Ok(Self { status: self.status.moved(to)?, ..self.clone() })
    }
}

/// The number of a request: `ER-0001`, counted per tenant without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EvidenceRequestReference(u32);

sentence! {
    /// The text is no reference of a request for evidence.
    NotAnEvidenceRequestReference =
        "must be a reference of a request for evidence like ER-0042",
        "muss das Kennzeichen einer Nachweisanforderung sein, etwa ER-0042";
}

impl EvidenceRequestReference {
    pub fn new(number: i64) -> Result<Self, NotAnEvidenceRequestReference> {
        let number = u32::try_from(number).ok().filter(|number| *number > 0);
        number.map(Self).ok_or(NotAnEvidenceRequestReference)
    }

    pub fn number(self) -> i64 {
        i64::from(self.0)
    }
}

impl fmt::Display for EvidenceRequestReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ER-{:04}", self.0)
    }
}

impl FromStr for EvidenceRequestReference {
    type Err = NotAnEvidenceRequestReference;

    fn from_str(text: &str) -> Result<Self, NotAnEvidenceRequestReference> {
        let number = text.strip_prefix("ER-").and_then(|digits| digits.parse().ok());
        let reference = Self::new(number.ok_or(NotAnEvidenceRequestReference)?)?;
        // One number has one spelling.
        if reference.to_string() == text { Ok(reference) } else { Err(NotAnEvidenceRequestReference) }
    }
}

impl serde::Serialize for EvidenceRequestReference {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

sentences! {
    /// Why a request for evidence cannot be stored, answered or removed.
    EvidenceRequestComplaint {
        NoSuchRecord =
            "must be the id of one of your records or of a requirement, or null",
            "muss einer Ihrer Datensätze oder eine Anforderung sein oder leer bleiben";
        NoEvidence =
            "must be the id of evidence of your institution",
            "muss ein Nachweis Ihres Instituts sein";
        Closed =
            "is closed: open it again before you change it",
            "ist abgeschlossen: bitte vor einer Änderung wieder öffnen";
        Kept =
            "is kept and cannot be deleted: close it",
            "bleibt erhalten und lässt sich nicht löschen: bitte abschließen";
    }
}
