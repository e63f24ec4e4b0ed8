//! The texts of the forms and of the list, in both languages.

use domain::wording::Label;

use super::super::words::word;

pub(super) const STAGE_DUE: Label = word("Due", "Fällig");
pub(super) const ADDRESSEE: Label = word("Addressee", "Empfänger");
pub(super) const ADDRESSEE_CRA: Label = word(
    "The CSIRT designated as coordinator and ENISA, through the single reporting platform",
    "Das als Koordinator benannte CSIRT und die ENISA, über die einheitliche Meldeplattform",
);
pub(super) const LEGAL_BASIS: Label = word("Legal basis", "Rechtsgrundlage");
pub(super) const ASKED_FOR: Label = word("Asked for", "Verlangt");
pub(super) const ANSWER: Label = word("Answer", "Angabe");
pub(super) const STATE: Label = word("State", "Stand");
pub(super) const NOT_ENTERED: Label = word("Not entered", "Nicht angegeben");
pub(super) const REPORTS: Label = word("CRA reports", "CRA-Meldungen");
pub(super) const REPORT: Label = word("Report", "Meldung");
pub(super) const ARCHIVE: Label = word("Archive", "Archiv");
