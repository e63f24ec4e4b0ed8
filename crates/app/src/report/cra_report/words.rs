//! The texts of the forms and of the list, in both languages.

use domain::wording::Label;

use super::super::words::word;

pub(super) const KIND: Label = word("Kind", "Art");
pub(super) const STAGE_DUE: Label = word("Due", "Fällig");
pub(super) const SUBMITTED: Label = word("Submitted", "Eingereicht");
pub(super) const ADDRESSEE: Label = word("Addressee", "Empfänger");
pub(super) const ADDRESSEE_CRA: Label = word(
    "The CSIRT designated as coordinator and ENISA, through the single reporting platform",
    "Das als Koordinator benannte CSIRT und die ENISA, über die einheitliche Meldeplattform",
);
pub(super) const LEGAL_BASIS: Label = word("Legal basis", "Rechtsgrundlage");
pub(super) const PRODUCT: Label = word("Product", "Produkt");
pub(super) const AWARE_AT: Label = word("Known since", "Bekannt seit");
pub(super) const CORRECTIVE_AT: Label =
    word("Corrective measure available since", "Korrekturmaßnahme verfügbar seit");
pub(super) const MEMBER_STATES: Label = word("Member States", "Mitgliedstaaten");
pub(super) const ASKED_FOR: Label = word("Asked for", "Verlangt");
pub(super) const ANSWER: Label = word("Answer", "Angabe");
pub(super) const STATE: Label = word("State", "Stand");
pub(super) const ALREADY_PROVIDED: Label =
    word("Provided with an earlier stage", "Mit einer früheren Stufe übermittelt");
pub(super) const RECORDED: Label = word("Recorded here", "Hier erfasst");
pub(super) const AUTHORITY_REFERENCE: Label = word("Reference of the authority", "Aktenzeichen der Behörde");
pub(super) const CONTENTS: Label = word("Required contents", "Vorgeschriebener Inhalt");
pub(super) const NOT_ENTERED: Label = word("Not entered", "Nicht angegeben");
pub(super) const YES: Label = word("Yes", "Ja");
pub(super) const NO: Label = word("No", "Nein");
pub(super) const REPORTS: Label = word("CRA reports", "CRA-Meldungen");
pub(super) const REPORT: Label = word("Report", "Meldung");
pub(super) const ARCHIVE: Label = word("Archive", "Archiv");
