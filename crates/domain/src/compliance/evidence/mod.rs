//! Evidence: proof that something was done, as a file or a URL, with its validity and its retention.

mod file_name;
mod file_types;
mod input;
mod media;
#[cfg(test)]
mod tests;

use crate::{
    field::fields,
    identifier::{Id, Identified},
    moment::Day,
    text::{Name, Prose},
    vocabulary::vocabulary,
    wording::sentences,
};

pub use self::{
    file_name::{FileName, attachment},
    file_types::FileTypes,
    input::{EvidenceInput, KnownKind},
    media::{HEAD, media_type},
};
pub use crate::noun::LinkType;

vocabulary! {
    /// Whether evidence is still valid.
    EvidenceState {
        Current = "current" ("Current", "Gültig"),
        Expiring = "expiring" ("Expires soon", "Läuft bald ab"),
        Expired = "expired" ("Expired", "Abgelaufen"),
    }
}

/// Evidence expires soon when its last day is at most so many days ahead.
pub const SOON_DAYS: i64 = 30;
/// The default retention of evidence: five years (MaRisk AT 6).
pub const KEPT_YEARS: i32 = 5;
/// The maximum number of records that evidence can be attached to.
pub const MAX_LINKS: usize = 200;

/// The file of evidence; its bytes are stored separately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceFile {
    pub name: FileName,
    pub media_type: String,
    pub bytes: u64,
    /// In lower-case hexadecimal digits.
    pub sha256: String,
}

vocabulary! {
    /// The orders of a list of evidence: a field, with a minus sign for descending. The first is the default.
    EvidenceSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Expiry = "valid_until" ("Expiring first", "Zuerst ablaufende"),
        ExpiryFalling = "-valid_until" ("Expiring last first", "Zuletzt ablaufende zuerst"),
    }
}

/// The content of evidence, without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    pub title: Name,
    /// The kind of evidence in the catalogue.
    pub kind: Option<String>,
    pub description: Option<Prose>,
    pub file: Option<EvidenceFile>,
    pub url: Option<String>,
    pub collected_on: Day,
    /// The last day of validity; `None` if it does not expire.
    pub valid_until: Option<Day>,
    /// It cannot be deleted up to and including this day.
    pub keep_until: Day,
    pub keep_because: Option<Name>,
    pub owner: Option<Name>,
    /// Who added it, as the audit log names them.
    pub uploaded_by: String,
}

pub type EvidenceId = Id<Evidence>;

impl Identified for Evidence {
    const PREFIX: &'static str = "evd";
}

fields! {
    /// The fields of evidence.
    Evidence {
        TITLE,
        KIND = "kind" ("Kind", "Art"),
        DESCRIPTION,
        STATE = "state" ("Validity", "Gültigkeit"),
        FILE = "file" ("File", "Datei"),
        FILE_NAME = "file_name" ("File", "Datei"),
        BYTES = "bytes" ("Bytes", "Bytes"),
        SHA256 = "sha256" ("SHA-256", "SHA-256"),
        URL = "url" ("Address", "Adresse"),
        COLLECTED_ON = "collected_on" ("Collected on", "Erhoben am"),
        VALID_UNTIL = "valid_until" ("Valid until", "Gültig bis"),
        KEEP_UNTIL = "keep_until" ("Keep until", "Aufbewahren bis"),
        KEEP_BECAUSE = "keep_because" ("Legal basis of the retention", "Rechtsgrundlage der Aufbewahrung"),
        OWNER,
        UPLOADED_BY = "uploaded_by" ("Added by", "Hinzugefügt von"),
        LINKS = "links" ("Attached to", "Verknüpft mit"),
    }
}

impl Evidence {
    pub fn state(&self, today: Day) -> EvidenceState {
        match self.valid_until {
            Some(day) if day < today => EvidenceState::Expired,
            Some(day) if day <= today.plus_days(SOON_DAYS) => EvidenceState::Expiring,
            _ => EvidenceState::Current,
        }
    }

    /// Why it cannot be deleted today, if so.
    pub fn must_be_kept(&self, today: Day) -> Option<EvidenceComplaint> {
        (today <= self.keep_until).then_some(EvidenceComplaint::Kept { day: self.keep_until })
    }
}

sentences! {
    /// Why evidence cannot be stored, attached or deleted.
    EvidenceComplaint {
        Kept { day: Day } =
            "must be kept until {day} and cannot be deleted before",
            "muss bis {day} aufbewahrt werden und lässt sich vorher nicht löschen";
        KeptShorter { day: Day } =
            "can only be moved to a later day than {day}",
            "lässt sich nur auf einen späteren Tag als {day} verschieben";
        NotAnAddress =
            "must be an http or https address of at most 2000 characters",
            "muss eine http- oder https-Adresse mit höchstens 2000 Zeichen sein";
        NothingToShow =
            "is required: send a file, or an address in url",
            "fehlt: bitte eine Datei oder eine Adresse angeben";
        FileFixed =
            "cannot be changed: add the new file as evidence of its own",
            "lässt sich nicht ändern: bitte die neue Datei als eigenen Nachweis anlegen";
        NoKind =
            "must be the id of a kind of evidence of the catalogue",
            "muss eine Nachweisart des Katalogs sein";
        EmptyFile =
            "must not be empty",
            "darf nicht leer sein";
        TooLarge { most: u64 } =
            "must have at most {most} bytes (evidence.max_file_bytes)",
            "darf höchstens {most} Bytes haben (evidence.max_file_bytes)";
        QuotaReached { most: u64, held: u64 } =
            "would exceed the {most} bytes of files an institution may keep (evidence.quota_bytes); {held} are in use",
            "überschritte die {most} Bytes an Dateien, die ein Institut aufbewahren darf (evidence.quota_bytes); {held} sind belegt";
        TypeRefused { types: String } =
            "must have a type that the institution accepts: {types}; an administrator can change the list in the settings",
            "muss einen Typ haben, den das Institut annimmt: {types}; die Administration kann die Liste in den Einstellungen ändern";
        ContentDiffers { end: String } =
            "does not contain what its name says (.{end}): save it again in its own program, or send it as PDF",
            "enthält nicht, was der Name sagt (.{end}): bitte im eigenen Programm neu speichern oder als PDF senden";
        NoTypes { most: usize } =
            "must name 1 to {most} extensions, such as pdf, docx, csv",
            "muss 1 bis {most} Dateiendungen nennen, etwa pdf, docx, csv";
        NoExtension { end: String } =
            "must contain extensions of at most 10 letters and digits; {end} is none",
            "darf nur Dateiendungen aus höchstens 10 Buchstaben und Ziffern enthalten; {end} ist keine";
        NeverAccepted { end: String } =
            "cannot contain {end}: such files can run programs or scripts when they are opened",
            "darf {end} nicht enthalten: Solche Dateien können beim Öffnen Programme oder Skripte ausführen";
        Infected { name: String } =
            "was refused by the virus scanner: {name}",
            "wurde vom Virenscanner abgewiesen: {name}";
        NoSuchRecord =
            "must be the id of a record of this type",
            "muss ein vorhandener Eintrag dieser Art sein";
        TooManyLinks { most: usize } =
            "is attached to {most} records already, which is the most",
            "ist schon mit {most} Einträgen verknüpft; mehr sind nicht möglich";
    }
}
