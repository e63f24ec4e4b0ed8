//! Corrections of what was recorded as sent, submitted or performed. The first value is kept, with who recorded it, who
//! corrected it and why.

use crate::{
    change::{Change, Fields},
    moment::Moment,
    text::Prose,
    violation::{FieldComplaint, Violations},
    vocabulary::vocabulary,
    wording::sentences,
};

vocabulary! {
    /// What can be corrected.
    CorrectedField {
        SubmittedAt = "submitted_at" ("Sent at", "Gesendet am"),
        Reference = "reference" ("Authority's reference", "Aktenzeichen der Behörde"),
        Receipt = "receipt" ("Receipt", "Empfangsbestätigung"),
        /// Cleared if it was not sent after all: the clock then runs again.
        Submitted = "submitted" ("Recorded as sent", "Als gesendet erfasst"),
        On = "on" ("Performed on", "Durchgeführt am"),
        Note = "note" ("Note", "Notiz"),
        /// Of a course held elsewhere; cleared if it was not passed after all.
        PassedOn = "passed_on" ("Passed on", "Bestanden am"),
        Score = "score" ("Score in %", "Ergebnis in %"),
    }
}

sentences! {
    /// Why a correction was refused.
    CorrectionComplaint {
        NotHere { fields: String } =
            "cannot be corrected here: choose one of {fields}",
            "lässt sich hier nicht korrigieren: bitte eines von diesen wählen: {fields}";
        NothingRecorded =
            "is not recorded as sent, so there is nothing to correct",
            "ist nicht als gesendet erfasst, es gibt also nichts zu korrigieren";
        NoReason =
            "is missing: what was recorded cannot be corrected without a reason",
            "fehlt: Was erfasst wurde, lässt sich nur mit Begründung korrigieren";
        Same =
            "is what is recorded already: there is nothing to correct",
            "ist schon so erfasst: Es gibt nichts zu korrigieren";
        OnlyTakenBack =
            "can only be taken back: send null or false; record the stage again once it is sent",
            "lässt sich nur zurücknehmen: Sobald die Stufe gesendet ist, bitte neu erfassen";
        LaterFirst =
            "cannot be taken back before the stages recorded after it: take those back first",
            "lässt sich erst zurücknehmen, wenn die danach erfassten Stufen zurückgenommen sind";
        NotEvidence =
            "must be the id of one of your pieces of evidence: upload the receipt first",
            "muss einer Ihrer Nachweise sein: bitte die Empfangsbestätigung zuerst hochladen";
    }
}

/// A correction as a caller sent it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorrectionInput {
    pub field: Change<String>,
    pub value: Change<String>,
    pub reason: Change<String>,
}

/// A correction whose field and reason are valid; its value is judged by the rules of what it corrects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorrectionWish {
    pub field: CorrectedField,
    pub value: Option<String>,
    pub reason: Prose,
}

impl CorrectionInput {
    /// The correction, if it is about one of these fields.
    pub fn read(&self, allowed: &[CorrectedField]) -> Result<CorrectionWish, Violations> {
        let mut fields = Fields::default();
        let field = fields.required("field", &self.field, None, |word| {
            let known = CorrectedField::ALL.iter().copied().find(|field| field.as_str() == word.as_str());
            known.filter(|field| allowed.contains(field)).ok_or_else(|| {
                let words: Vec<&str> = allowed.iter().map(|field| field.as_str()).collect();
                CorrectionComplaint::NotHere { fields: words.join(", ") }
            })
        });
        let reason = match &self.reason {
            Change::Set(text) if !text.trim().is_empty() => {
                fields.required("reason", &self.reason, None, |text| Prose::parse(text))
            }
            _ => {
                fields.refuse("reason", CorrectionComplaint::NoReason);
                None
            }
        };
        let value = match &self.value {
            Change::Keep => {
                fields.refuse("value", FieldComplaint::Required);
                None
            }
            Change::Clear => None,
            Change::Set(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        };
        let wish = || Some(CorrectionWish { field: field?, value, reason: reason? });
        fields.finish(wish())
    }
}

impl CorrectionWish {
    /// The value as a field of a request.
    pub fn change(&self) -> Change<String> {
        Change::from(self.value.clone())
    }

    /// Refuses to record as sent by a correction: the stamp can only be taken back.
    pub fn check_taken_back(&self) -> Result<(), Violations> {
        match self.value.as_deref() {
            None | Some("false") => Ok(()),
            Some(_) => Err(Violations::one("value", CorrectionComplaint::OnlyTakenBack)),
        }
    }
}

/// A value that was recorded, and what it was corrected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrected {
    /// Which of the recorded facts of the record, such as a stage.
    pub place: String,
    pub before: Option<String>,
    pub after: Option<String>,
    pub recorded_by: Option<String>,
    pub recorded_at: Option<Moment>,
}

/// A correction as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    pub value: Corrected,
    pub field: CorrectedField,
    pub reason: Prose,
    pub corrected_by: String,
    pub corrected_at: Moment,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    fn input(field: &str, value: Change<String>, reason: &str) -> CorrectionInput {
        CorrectionInput {
            field: Change::Set(field.to_owned()),
            value,
            reason: Change::Set(reason.to_owned()),
        }
    }

    #[test]
    fn a_correction_needs_a_known_field_a_value_and_a_reason() {
        is_sound::<CorrectedField>();
        let allowed = [CorrectedField::Reference];
        let wish = input("reference", Change::Set(" A-1 ".to_owned()), "Typing error").read(&allowed);
        assert_eq!(wish.map(|wish| wish.value), Ok(Some("A-1".to_owned())));
        assert!(input("on", Change::Clear, "Typing error").read(&allowed).is_err());
        assert!(input("reference", Change::Keep, "Typing error").read(&allowed).is_err());
        assert!(input("reference", Change::Clear, " ").read(&allowed).is_err());
    }

    #[test]
    fn a_stamp_is_taken_back_and_never_set() {
        let allowed = [CorrectedField::Submitted];
        let read = |value| input("submitted", value, "Not sent").read(&allowed);
        for value in [Change::Clear, Change::Set("false".to_owned())] {
            assert_eq!(read(value).and_then(|wish| wish.check_taken_back()), Ok(()));
        }
        assert!(read(Change::Set("true".to_owned())).and_then(|wish| wish.check_taken_back()).is_err());
    }
}
