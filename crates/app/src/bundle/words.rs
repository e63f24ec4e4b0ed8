//! The texts of the page in a bundle, in both languages.

use domain::wording::Label;

const fn word(english: &'static str, german: &'static str) -> Label {
    Label::new(english, german)
}

pub(super) const TITLE: Label = word("Audit bundle", "Prüfungspaket");
pub(super) const AS_OF: Label = word("As of the end of", "Stand am Ende des Tages");
pub(super) const FRAMEWORK: Label = word("Framework", "Rahmenwerk");
pub(super) const ALL_FRAMEWORKS: Label = word("all", "alle");
pub(super) const ENTRIES_FROM: Label = word("Audit entries from", "Protokolleinträge ab");
pub(super) const BEGINNING: Label = word("the beginning", "Beginn");
pub(super) const CATALOGUE: Label = word("Catalogue", "Katalog");
pub(super) const VERIFY: Label = word("How to check this bundle", "So wird dieses Paket geprüft");
pub(super) const VERIFY_TEXT: Label = word(
    "Nothing in this bundle has to be believed. The command below checks every byte, file, audit entry and claim; KEY is the \
     public key that the institution publishes at /api/bundle-key. A second verifier, in Python, is part of the \
     documentation of Tidewall.",
    "Nichts in diesem Paket muss geglaubt werden. Der Befehl unten prüft jedes Byte, jede Datei, jeden Protokolleintrag und \
     jede Aussage; KEY ist der öffentliche Schlüssel, den das Institut unter /api/bundle-key veröffentlicht. Ein zweites \
     Prüfprogramm in Python gehört zur Dokumentation von Tidewall.",
);
pub(super) const REQUIREMENTS: Label = word("Requirements", "Anforderungen");
pub(super) const NUMBER: Label = word("Number", "Nummer");
pub(super) const REQUIREMENT: Label = word("Requirement", "Anforderung");
pub(super) const STATUS: Label = word("Status", "Status");
pub(super) const APPROVED: Label = word("Approved", "Freigegeben");
pub(super) const RESTS_ON: Label = word("Rests on", "Stützt sich auf");
pub(super) const EVIDENCE: Label = word("Evidence files", "Nachweisdateien");
pub(super) const NOT_ASSESSED: Label = word("not assessed", "nicht bewertet");
pub(super) const VERSION: Label = word("version", "Version");
pub(super) const LISTS: Label = word("Lists", "Listen");
pub(super) const FILE: Label = word("File", "Datei");
pub(super) const BYTES: Label = word("Bytes", "Bytes");
pub(super) const MISSING: Label = word("Missing", "Fehlt");
pub(super) const NOTHING_MISSING: Label = word("Nothing is missing.", "Nichts fehlt.");
