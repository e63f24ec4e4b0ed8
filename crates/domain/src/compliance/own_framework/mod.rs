//! A framework of the institution's own: a house policy, the rules of a group, a standard that the catalogue lacks.
//!
//! Its requirements are kept as numbered sets that never change: every change makes a new set, and an approval by a
//! second person puts one in force. What is in force stays so while a change is prepared.

mod input;
mod requirement;
#[cfg(test)]
mod tests;

use crate::{
    assessment::Signed,
    field::fields,
    framework::Framework,
    identifier::{Id, Identified},
    moment::Moment,
    second_person::{Decider, remember},
    text::{Name, Prose},
    transition::lifecycle,
    wording::sentences,
};

pub use self::{
    input::OwnFrameworkInput,
    requirement::{OwnRequirement, OwnRequirementInput, RequirementWorld, slug},
};

/// The most frameworks an institution may have of its own.
pub const MOST_FRAMEWORKS: u64 = 50;
/// The most requirements one of them may have.
pub const MOST_REQUIREMENTS: usize = 1_500;
/// What all requirements of one may hold together, in bytes.
pub const MOST_BYTES: usize = 2 * 1024 * 1024;

lifecycle! {
    /// Where an own framework stands. A change of an approved one makes it a draft; what was approved stays in force.
    OwnFrameworkStatus ("an own framework", "ein eigenes Rahmenwerk") starts at Draft {
        Draft = "draft" ("Draft", "Entwurf") => [
            Approved ("Approve", "Freigeben"),
            Retired ("Retire", "Außer Kraft setzen"),
        ],
        Approved = "approved" ("Approved", "Freigegeben") => [
            Draft ("Revise", "Überarbeiten"),
            Retired ("Retire", "Außer Kraft setzen"),
        ],
        Retired = "retired" ("Retired", "Außer Kraft") => [
            Draft ("Take up again", "Wieder aufnehmen"),
        ],
    }
}

sentences! {
    /// Why an own framework cannot be stored or approved as asked.
    OwnFrameworkComplaint {
        Key =
            "must begin with a letter and have at most 31 lower-case letters, digits and single hyphens",
            "muss mit einem Buchstaben beginnen und darf höchstens 31 Kleinbuchstaben, Ziffern und einzelne Bindestriche haben";
        KeyTaken { other: String } =
            "is too close to the framework {other}: the ids of requirements could not be told apart",
            "liegt zu nah am Rahmenwerk {other}: Die Kennungen der Anforderungen ließen sich nicht unterscheiden";
        KeyFixed =
            "cannot be changed, because the ids of the requirements begin with it",
            "lässt sich nicht ändern, weil die Kennungen der Anforderungen damit beginnen";
        TooMany { most: u64 } =
            "has {most} entries already, which is the most: delete one first",
            "hat schon {most} Einträge, mehr sind nicht möglich: bitte zuerst einen löschen";
        SamePerson =
            "cannot be set to approved by a person who changed it since the last approval, nor with a key of theirs: ask another one",
            "lässt sich nicht von einer Person freigeben, die es seit der letzten Freigabe geändert hat, auch nicht mit ihrem Schlüssel: bitte eine andere Person fragen";
        OnlyApproval =
            "can be set to approved only without another change in the same request",
            "lässt sich nur ohne weitere Änderung in derselben Anfrage freigeben";
        NoRequirements =
            "can be set to approved only with at least one requirement",
            "lässt sich nur mit mindestens einer Anforderung freigeben";
        IsRetired =
            "is retired: take the framework up again before changing it",
            "ist außer Kraft: bitte das Rahmenwerk vor einer Änderung wieder aufnehmen";
        InForce =
            "is in force: retire it before deleting it",
            "ist in Kraft: bitte vor dem Löschen außer Kraft setzen";
        RequirementId { key: String } =
            "must begin with {key}- and have at most 80 lower-case letters, digits and single hyphens",
            "muss mit {key}- beginnen und darf höchstens 80 Kleinbuchstaben, Ziffern und einzelne Bindestriche haben";
        NoId =
            "is required, or a number from which it can be made",
            "fehlt: bitte angeben, oder eine Nummer, aus der sie gebildet werden kann";
        Twice = "stands there twice", "steht doppelt da";
        NotAMeasure = "is not a measure of the catalogue", "ist keine Maßnahme des Katalogs";
        NotARequirement = "is not a requirement of the catalogue", "ist keine Anforderung des Katalogs";
        TooManyRequirements { most: usize } =
            "must have at most {most} requirements",
            "darf höchstens {most} Anforderungen haben";
        TooMuchText { most: usize } =
            "must hold at most {most} bytes of text in all requirements together",
            "darf in allen Anforderungen zusammen höchstens {most} Byte Text enthalten";
        NoSheet =
            "must have a first sheet whose first row names the columns, among them title and text",
            "muss ein erstes Blatt haben, dessen erste Zeile die Spalten nennt, darunter Titel und Text";
        UnknownColumn { name: String } =
            "has the column {name}, which is not known here",
            "hat die Spalte {name}, die hier nicht bekannt ist";
        ColumnTwice { name: String } = "has the column {name} twice", "hat die Spalte {name} doppelt";
        NotOscal =
            "must be a workbook (XLSX) or an OSCAL catalogue in JSON with controls",
            "muss eine Arbeitsmappe (XLSX) oder ein OSCAL-Katalog in JSON mit Controls sein";
        TooDeep = "nests groups or controls too deeply", "verschachtelt Gruppen oder Controls zu tief";
    }
}

/// What was approved and holds now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InForce {
    pub title: Name,
    pub edition: Option<Name>,
    /// The number of the set of requirements.
    pub content: i64,
}

/// An own framework as it stands, without its identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnFramework {
    /// The beginning of the ids of its requirements; fixed.
    pub key: Framework,
    pub title: Name,
    pub description: Option<Prose>,
    /// What the institution calls this edition, such as `2027` or `3.1`.
    pub edition: Option<Name>,
    pub owner: Option<Name>,
    pub status: OwnFrameworkStatus,
    /// The number of the set of requirements that is worked on; 0 before the first.
    pub content: i64,
    /// How many requirements are in it.
    pub requirements: u64,
    pub in_force: Option<InForce>,
    /// Who changed something since the last approval.
    pub editors: Vec<String>,
    pub approved: Option<Signed>,
}

pub type OwnFrameworkId = Id<OwnFramework>;

impl Identified for OwnFramework {
    const PREFIX: &'static str = "ofw";
}

fields! {
    /// The fields of an own framework.
    OwnFramework {
        KEY = "key" ("Short name", "Kurzname"),
        TITLE,
        EDITION = "edition" ("Edition", "Ausgabe"),
        STATUS,
        OWNER,
        REQUIREMENTS = "requirements" ("Requirements", "Anforderungen"),
        CONTENT = "content" ("Set of requirements", "Stand der Anforderungen"),
        IN_FORCE = "in_force" ("In force", "In Kraft"),
        EDITORS = "editors" ("Changed since the last approval by", "Seit der letzten Freigabe geändert von"),
        APPROVED_AT = "approved_at" ("Approved", "Freigegeben"),
        APPROVED_BY = "approved_by" ("Approved by", "Freigegeben von"),
        DESCRIPTION,
    }
}

impl OwnFramework {
    /// This framework after a change by a person or key, who may not approve it then.
    #[must_use]
    pub fn edited_by(mut self, by: &str) -> Self {
        if self.status == OwnFrameworkStatus::Approved {
            self.status = OwnFrameworkStatus::Draft;
        }
        remember(&mut self.editors, by);
        self
    }

    /// Puts what is worked on in force.
    pub fn approved_by(&self, by: Decider<'_>, at: Moment) -> Result<Self, OwnFrameworkComplaint> {
        if self.requirements == 0 {
            return Err(OwnFrameworkComplaint::NoRequirements);
        }
        if by.is_editor {
            return Err(OwnFrameworkComplaint::SamePerson);
        }
        Ok(Self {
            status: OwnFrameworkStatus::Approved,
            in_force: Some(InForce {
                title: self.title.clone(),
                edition: self.edition.clone(),
                content: self.content,
            }),
            editors: Vec::new(),
            approved: Some(Signed { at, by: by.name.to_owned() }),
            ..self.clone()
        })
    }

    /// Takes it out of force.
    #[must_use]
    pub fn retired(self) -> Self {
        Self { status: OwnFrameworkStatus::Retired, in_force: None, ..self }
    }

    /// Whether the requirement set that is worked on differs from the one in force.
    pub fn is_in_revision(&self) -> bool {
        self.in_force.is_some() && self.status == OwnFrameworkStatus::Draft
    }
}

/// The framework among these whose ids could be taken for those of `key`.
pub fn too_close<'k>(key: &str, others: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let begins = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with('-'));
    others.into_iter().find(|&other| other == key || begins(key, other) || begins(other, key))
}
