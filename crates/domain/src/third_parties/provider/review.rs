//! A due-diligence review: questions of the catalogue, answered by the provider or for it.

use std::collections::BTreeMap;

use super::{ProviderComplaint, ReviewScores};
use crate::{
    change::Fields,
    evidence::EvidenceId,
    field::fields,
    finding::FindingId,
    identifier::{Id, Identified},
    moment::{Day, Moment},
    provider::ProviderId,
    text::{Name, Prose},
    transition::lifecycle,
    violation::Violations,
    vocabulary::vocabulary,
};

lifecycle! {
    /// The status of a due-diligence review.
    ReviewStatus ("a review", "eine Prüfung") starts at Draft {
        Draft = "draft" ("Being prepared", "In Vorbereitung") => [
            Sent ("Send", "Versenden"),
            Completed ("Complete", "Abschließen"),
            Cancelled ("Cancel the review", "Prüfung abbrechen"),
        ],
        Sent = "sent" ("With the provider", "Beim Dienstleister") => [
            Submitted ("Submit", "Abgeben"),
            Completed ("Complete", "Abschließen"),
            Cancelled ("Cancel the review", "Prüfung abbrechen"),
        ],
        Submitted = "submitted" ("Answered", "Beantwortet") => [
            Sent ("Send back", "Zurückgeben"),
            Completed ("Complete", "Abschließen"),
            Cancelled ("Cancel the review", "Prüfung abbrechen"),
        ],
        Completed = "completed" ("Completed", "Abgeschlossen") => [],
        Cancelled = "cancelled" ("Cancelled", "Abgebrochen") => [],
    }
}

impl ReviewStatus {
    /// Whether the review can still change.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Draft | Self::Sent | Self::Submitted)
    }
}

vocabulary! {
    /// The answer to a question.
    Answer {
        Yes = "yes" ("Yes", "Ja"),
        Partly = "partly" ("Partly", "Teilweise"),
        No = "no" ("No", "Nein"),
        NotApplicable = "not_applicable" ("Not applicable", "Nicht zutreffend"),
    }
}

vocabulary! {
    /// In which form a question is answered.
    AnswerKind {
        YesNo = "yes_no" ("Yes, partly or no", "Ja, teilweise oder nein"),
        Text = "text" ("Text", "Text"),
        Number = "number" ("Number", "Zahl"),
        Day = "day" ("Day", "Datum"),
        File = "file" ("File", "Datei"),
    }
}

vocabulary! {
    /// Which questions of the catalogue a review asks.
    Questions {
        All = "all" ("All questions", "Alle Fragen"),
        ByCriticality = "by_criticality" ("By criticality", "Nach Kritikalität"),
    }
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewAnswer {
    /// Of a question that asks for text, a number, a day or a file, at most the institution's own judgement.
    pub answer: Option<Answer>,
    /// The text, the number or the day.
    pub value: Option<Prose>,
    pub note: Option<Prose>,
    pub evidence: Vec<EvidenceId>,
}

/// The content of a review, without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    pub provider_id: ProviderId,
    pub status: ReviewStatus,
    /// Ids of questions of the catalogue, in order. They stay when the catalogue changes.
    pub questions: Vec<String>,
    /// By the id of the question.
    pub answers: BTreeMap<String, ReviewAnswer>,
    /// The deadline for the provider's answers.
    pub due_on: Option<Day>,
    pub sent_at: Option<Moment>,
    /// When the link expires; `None` before the first is issued.
    pub link_expires_at: Option<Moment>,
    pub submitted_at: Option<Moment>,
    /// Who answered, in the provider's own words.
    pub submitted_by: Option<Name>,
    pub completed_on: Option<Day>,
    /// From the completion on.
    pub scores: Option<ReviewScores>,
    /// The findings created for a "no", by the id of the question.
    pub findings: BTreeMap<String, FindingId>,
    /// What the provider sent with its answers, oldest first.
    pub files: Vec<ReviewFile>,
}

pub type ReviewId = Id<Review>;

impl Identified for Review {
    const PREFIX: &'static str = "ddq";
}

fields! {
    /// The fields of a due diligence.
    Review {
        PROVIDER = "provider_id" ("Provider", "Dienstleister"),
        STATUS,
        QUESTIONS = "questions" ("Questions", "Fragen"),
        ANSWERS = "answers" ("Answers", "Antworten"),
        ANSWER = "answer" ("Answer", "Antwort"),
        VALUE = "value" ("Value", "Wert"),
        ANSWER_NOTE = "note" ("Explanation", "Erläuterung"),
        EVIDENCE = "evidence" ("Evidence", "Nachweise"),
        DUE_ON = "due_on" ("Answers wanted by", "Antworten erbeten bis"),
        SENT_AT = "sent_at" ("Sent", "Versandt"),
        LINK_EXPIRES_AT = "link_expires_at" ("Link works until", "Link gilt bis"),
        SUBMITTED_AT = "submitted_at" ("Submitted", "Abgegeben"),
        SUBMITTED_BY = "submitted_by" ("Answered by", "Beantwortet von"),
        COMPLETED_ON = "completed_on" ("Completed on", "Abgeschlossen am"),
        SCORES = "scores" ("Scores", "Bewertung"),
        FINDINGS = "findings" ("Findings", "Feststellungen"),
        FILES = "files" ("Files of the provider", "Dateien des Dienstleisters"),
    }
}

/// So many files a provider can send with one questionnaire.
pub const MOST_FILES: usize = 20;

/// A file that the provider sent; it is kept as evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewFile {
    pub evidence: EvidenceId,
    /// The question it is about; nothing if it is about all.
    pub question: Option<String>,
    pub name: String,
}

impl Review {
    /// A review that is made now.
    #[must_use]
    pub fn new(provider_id: ProviderId, questions: Vec<String>, due_on: Option<Day>) -> Self {
        Self {
            provider_id,
            status: ReviewStatus::Draft,
            questions,
            answers: BTreeMap::new(),
            due_on,
            sent_at: None,
            link_expires_at: None,
            submitted_at: None,
            submitted_by: None,
            completed_on: None,
            scores: None,
            findings: BTreeMap::new(),
            files: Vec::new(),
        }
    }

    /// How many questions are answered.
    pub fn answered(&self) -> usize {
        self.questions.iter().filter(|id| self.is_answered(id)).count()
    }

    /// Whether the question has an answer, or a file that was sent for it.
    pub fn is_answered(&self, question: &str) -> bool {
        self.answers.contains_key(question)
            || self.files.iter().any(|file| file.question.as_deref() == Some(question))
    }

    /// Refuses a file about this question, or about all, that the review does not take.
    pub fn takes_file(&self, question: Option<&str>) -> Result<(), Violations> {
        let mut fields = Fields::default();
        if !self.takes_answers_by_link() {
            fields.refuse("file", ProviderComplaint::AlreadySubmitted);
        }
        if self.files.len() >= MOST_FILES {
            fields.refuse("file", ProviderComplaint::TooManyFiles { most: MOST_FILES });
        }
        if question.is_some_and(|id| !self.questions.iter().any(|asked| asked == id)) {
            fields.refuse("question", ProviderComplaint::NotAQuestion);
        }
        fields.finish(Some(()))
    }

    /// The review with a file that came through the link.
    pub fn with_file(&self, file: ReviewFile) -> Result<Self, Violations> {
        self.takes_file(file.question.as_deref())?;
        let mut after = self.clone();
        after.files.push(file);
        Ok(after)
    }

    /// Whether a link opens the questionnaire for answers.
    pub fn takes_answers_by_link(&self) -> bool {
        self.status == ReviewStatus::Sent
    }
}
