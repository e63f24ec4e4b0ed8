//! Corrections of what was recorded about the submission of a filing. The package itself never changes.

use super::{RegisterFiling, RegisterFilingComplaint, Submission};
use crate::{
    change::{Fields, happened},
    correction::{Corrected, CorrectedField, CorrectionComplaint, CorrectionWish},
    moment::Moment,
    violation::Violations,
};

impl RegisterFiling {
    /// What of a submission can be corrected.
    pub const CORRECTED: [CorrectedField; 2] = [CorrectedField::SubmittedAt, CorrectedField::Reference];

    /// The filing after a correction of its submission, which cannot have been before the package was frozen.
    pub fn corrected(&self, wish: &CorrectionWish, now: Moment) -> Result<(Self, Corrected), Violations> {
        let nothing = || Violations::one("status", CorrectionComplaint::NothingRecorded);
        let sent = self.submission.as_ref().ok_or_else(nothing)?;
        let (mut fields, mut after) = (Fields::default(), sent.clone());
        let (before, value) = if wish.field == CorrectedField::Reference {
            after.reference = fields.line("value", &wish.change(), None);
            let text = |sent: &Submission| sent.reference.as_ref().map(ToString::to_string);
            (text(sent), text(&after))
        } else {
            let at = fields.required("value", &wish.change(), Some(sent.at), |text| happened(text, now));
            if at.is_some_and(|at| at < self.frozen.at) {
                fields.refuse("value", RegisterFilingComplaint::BeforeFrozen { at: self.frozen.at });
            }
            after.at = at.unwrap_or(sent.at);
            (Some(sent.at.to_string()), Some(after.at.to_string()))
        };
        let corrected = Corrected {
            place: self.frozen.edition.to_string(),
            before,
            after: value,
            recorded_by: Some(sent.by.clone()),
            recorded_at: None,
        };
        fields.finish(Some((Self { submission: Some(after), ..self.clone() }, corrected)))
    }
}
