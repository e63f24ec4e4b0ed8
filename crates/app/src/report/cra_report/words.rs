//! The words of the forms, in both languages.

use domain::wording::Label;

use super::super::words::word;

pub(super) const KIND: Label = word("Kind", "Art");
pub(super) const FILING: Label = word("Filing", "Einreichung");
pub(super) const STAGE_DUE: Label = word("Due", "Fällig");
pub(super) const SUBMITTED: Label = word("Submitted", "Eingereicht");
pub(super) const ADDRESSEE: Label = word("Addressee", "Empfänger");
pub(super) const ADDRESSEE_CRA: Label = word(
    "The CSIRT designated as coordinator and ENISA, through the single reporting platform",
    "Das als Koordinator benannte CSIRT und die ENISA, über die einheitliche Meldeplattform",
);
pub(super) const LEGAL_BASIS: Label = word("Legal basis", "Rechtsgrundlage");
pub(super) const KNOWN: Label = word("What is known", "Was bekannt ist");
pub(super) const PRODUCT: Label = word("Product", "Produkt");
pub(super) const PRODUCT_VERSION: Label = word("Version", "Version");
pub(super) const AWARE_AT: Label = word("Known since", "Bekannt seit");
pub(super) const CORRECTIVE_AT: Label =
    word("Corrective measure available since", "Korrekturmaßnahme verfügbar seit");
pub(super) const MEMBER_STATES: Label = word("Member States", "Mitgliedstaaten");
pub(super) const TO_FILL_IN: Label = word("To be filled in", "Auszufüllen");
pub(super) const ASKED_FOR: Label = word("Asked for", "Verlangt");
pub(super) const ANSWER: Label = word("Answer", "Angabe");
