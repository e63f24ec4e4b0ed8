//! A training: a module of the catalogue, or a course held elsewhere, assigned to one person until a day.
//!
//! A module is passed with its quiz, a course held elsewhere by a result that another person records.

mod input;
mod quiz;
#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

use crate::{
    field::fields,
    identifier::{Id, Identified, UserId},
    moment::Day,
    text::Name,
    tone::Tone,
    vocabulary::vocabulary,
    wording::{sentence, sentences},
};

pub use self::{
    input::{Assignment, AssignmentInput, TrainingInput},
    quiz::{PASS_PERCENT, ResultInput, percent},
};

vocabulary! {
    /// How far a training is, as stored. Whether it is late follows from its day.
    TrainingStatus {
        Assigned = "assigned" ("Assigned", "Zugewiesen"),
        Failed = "failed" ("Not passed yet", "Noch nicht bestanden"),
        Passed = "passed" ("Passed", "Bestanden"),
    }
}

vocabulary! {
    /// The state of a training on a day.
    TrainingState {
        Assigned = "assigned" ("Assigned", "Zugewiesen"),
        Failed = "failed" ("Not passed yet", "Noch nicht bestanden"),
        Late = "late" ("Late", "Überfällig"),
        Passed = "passed" ("Passed", "Bestanden"),
    }
}

impl TrainingStatus {
    /// The state on a day: what is not passed by the end of its due day is late.
    pub fn on(self, due_on: Day, today: Day) -> TrainingState {
        match self {
            Self::Passed => TrainingState::Passed,
            _ if due_on < today => TrainingState::Late,
            Self::Assigned => TrainingState::Assigned,
            Self::Failed => TrainingState::Failed,
        }
    }
}

impl TrainingState {
    pub fn tone(self) -> Tone {
        match self {
            Self::Assigned => Tone::Neutral,
            Self::Failed => Tone::Warning,
            Self::Late => Tone::Critical,
            Self::Passed => Tone::Good,
        }
    }
}

vocabulary! {
    /// The orders of a list of trainings: a field, with a minus sign for descending. The first is the default.
    TrainingSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Due = "due_on" ("Soonest due first", "Früheste Fälligkeit zuerst"),
        DueFalling = "-due_on" ("Latest due first", "Späteste Fälligkeit zuerst"),
    }
}

/// The content of a training, without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Training {
    pub reference: TrainingReference,
    /// The id of a module of the catalogue; `None` for a course held elsewhere.
    pub module: Option<String>,
    /// The title of the module when it was assigned, or of the course.
    pub title: Name,
    /// The provider of a course held elsewhere.
    pub provider: Option<Name>,
    pub person: UserId,
    pub due_on: Day,
    /// Whether the person is a member of the management body, whose trainings are counted apart: DORA Art. 5(4).
    pub management_body: bool,
    pub status: TrainingStatus,
    /// How often the quiz was taken.
    pub attempts: u32,
    /// Of the last attempt, or of the course: 0 to 100.
    pub score: Option<u8>,
    /// The options chosen in the last attempt, counted from 0; `None` where a question was left open.
    pub answers: Vec<Option<u32>>,
    pub passed_on: Option<Day>,
}

pub type TrainingId = Id<Training>;

impl Identified for Training {
    const PREFIX: &'static str = "trn";
}

fields! {
    /// The fields of a training.
    Training {
        REFERENCE,
        TITLE,
        MODULE = "module" ("Module", "Modul"),
        PROVIDER = "provider" ("Held by", "Veranstalter"),
        PERSON = "owner" ("Person", "Person"),
        MANAGEMENT_BODY = "management_body" ("Member of the management body", "Mitglied des Leitungsorgans"),
        STATE = "state" ("State", "Stand"),
        DUE_ON,
        ATTEMPTS = "attempts" ("Attempts", "Versuche"),
        SCORE = "score" ("Score", "Ergebnis"),
        PASSED_ON = "passed_on" ("Passed on", "Bestanden am"),
    }
}

impl Training {
    pub fn is_open(&self) -> bool {
        self.status != TrainingStatus::Passed
    }

    pub fn state(&self, today: Day) -> TrainingState {
        self.status.on(self.due_on, today)
    }
}

/// The number of a training: `TR-0001`, counted per tenant without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrainingReference(u32);

sentence! {
    /// The text is no reference of a training.
    NotATrainingReference =
        "must be a training's reference like TR-0042",
        "muss das Kennzeichen einer Schulung sein, etwa TR-0042";
}

impl TrainingReference {
    pub fn new(number: i64) -> Result<Self, NotATrainingReference> {
        u32::try_from(number).ok().filter(|number| *number > 0).map(Self).ok_or(NotATrainingReference)
    }

    pub fn number(self) -> i64 {
        i64::from(self.0)
    }
}

impl fmt::Display for TrainingReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TR-{:04}", self.0)
    }
}

impl FromStr for TrainingReference {
    type Err = NotATrainingReference;

    fn from_str(text: &str) -> Result<Self, NotATrainingReference> {
        let number = text.strip_prefix("TR-").and_then(|digits| digits.parse().ok());
        let reference = Self::new(number.ok_or(NotATrainingReference)?)?;
        // One number has one spelling.
        if reference.to_string() == text { Ok(reference) } else { Err(NotATrainingReference) }
    }
}

impl serde::Serialize for TrainingReference {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

sentences! {
    /// Why a training cannot be assigned, taken or changed.
    TrainingComplaint {
        NoModule =
            "must be the id of a training module of the catalogue",
            "muss ein Schulungsmodul des Katalogs sein";
        ModuleOrTitle =
            "is only for a course held elsewhere: leave it out, or leave out the module",
            "gilt nur für eine externe Schulung: bitte weglassen oder das Modul weglassen";
        WhatIsMissing =
            "is required: a module of the catalogue, or the title of a course held elsewhere",
            "fehlt: bitte ein Modul des Katalogs wählen oder den Titel einer externen Schulung angeben";
        NoPeople =
            "must name at least one person",
            "muss mindestens eine Person nennen";
        NoSuchPerson =
            "must be the id of a person with an open account",
            "muss eine Person mit offenem Konto sein";
        OnlyByQuiz =
            "is passed with the quiz of its module; a result is recorded for courses held elsewhere only",
            "wird mit dem Quiz des Moduls bestanden; Ergebnisse werden nur für externe Schulungen erfasst";
        NoQuiz =
            "has no quiz: its result is recorded by a manager",
            "hat kein Quiz: Das Ergebnis erfasst eine Person mit der Rolle „Leitend“";
        AlreadyPassed =
            "is passed already",
            "ist schon bestanden";
        NoResult =
            "has no recorded result, so there is nothing to correct",
            "hat kein erfasstes Ergebnis, es gibt also nichts zu korrigieren";
        NotOneself =
            "is recorded by another person than the one who took the course",
            "erfasst eine andere Person als die, die an der Schulung teilgenommen hat";
        Score =
            "must be a whole number from 0 to 100",
            "muss eine ganze Zahl von 0 bis 100 sein";
        NoEvidence =
            "must be the id of evidence of your institution",
            "muss ein Nachweis Ihres Instituts sein";
    }
}
