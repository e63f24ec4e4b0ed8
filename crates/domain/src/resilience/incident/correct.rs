//! Corrections of reports that were recorded as sent. What was sent stays frozen; only what was recorded about the
//! sending changes.

use crate::{
    change::{Fields, happened},
    correction::{Corrected, CorrectedField, CorrectionComplaint, CorrectionWish},
    moment::Moment,
    violation::Violations,
    vocabulary::Word,
};

use super::{
    IncidentComplaint, due::Stage, filed_input::receipt_of, input::TimeField, record::FiledReport,
    record::Incident, words::Regime,
};

impl Incident {
    /// What of a recorded report can be corrected.
    pub const CORRECTED: [CorrectedField; 4] = [
        CorrectedField::SubmittedAt,
        CorrectedField::Reference,
        CorrectedField::Receipt,
        CorrectedField::Submitted,
    ];

    /// The incident after a correction of a recorded report: of the one that counts now, or of the first, second or
    /// later time it was sent. A report that is taken back was not sent, so its clock runs again.
    pub fn corrected(
        &self,
        (regime, stage, number): (Regime, Stage, Option<usize>),
        wish: &CorrectionWish,
        now: Moment,
    ) -> Result<(Self, Corrected), Violations> {
        let place = self.place_of(regime, stage, number).ok_or_else(nothing_recorded)?;
        let filed = self.filings.get(place).ok_or_else(nothing_recorded)?;
        let number = self.numbered_filings().get(place).map_or(1, |(number, _)| *number);
        let mut after = self.clone();
        let (before, value) = if wish.field == CorrectedField::Submitted {
            wish.check_taken_back()?;
            let rests_on_it =
                |later: &FiledReport| later.regime == regime && later.already_provided.is_some();
            if self.filings.iter().skip(place + 1).any(rests_on_it) {
                return Err(Violations::one("value", CorrectionComplaint::LaterFirst));
            }
            after.filings.remove(place);
            (Some(filed.at.to_string()), None)
        } else {
            let changed = self.changed(filed, wish, now)?;
            let values = (value_of(filed, wish.field), value_of(&changed, wish.field));
            if let Some(slot) = after.filings.get_mut(place) {
                *slot = changed;
            }
            values
        };
        let corrected = Corrected {
            place: format!("{regime}/{stage}/{number}"),
            before,
            after: value,
            recorded_by: filed.recorded_by.clone(),
            recorded_at: Some(filed.recorded_at),
        };
        Ok((after, corrected))
    }

    /// Where the report is among everything ever sent.
    fn place_of(&self, regime: Regime, stage: Stage, number: Option<usize>) -> Option<usize> {
        let of_stage = |(_, filed): &(usize, &FiledReport)| (filed.regime, filed.stage) == (regime, stage);
        let mut places = self.filings.iter().enumerate().filter(of_stage).map(|(place, _)| place);
        match number {
            Some(number) => places.nth(number.checked_sub(1)?),
            None => places.next_back().filter(|_| self.sent(regime, stage).is_some()),
        }
    }

    fn changed(
        &self,
        filed: &FiledReport,
        wish: &CorrectionWish,
        now: Moment,
    ) -> Result<FiledReport, Violations> {
        let mut fields = Fields::default();
        let mut after = filed.clone();
        let value = wish.change();
        match wish.field {
            CorrectedField::SubmittedAt => {
                let at = fields.required("value", &value, Some(filed.at), |text| happened(text, now));
                if at.is_some_and(|at| at < self.times.aware_at) {
                    let other = Word::of(TimeField::Aware);
                    fields.refuse("value", IncidentComplaint::Before { other, at: self.times.aware_at });
                }
                after.at = at.unwrap_or(filed.at);
            }
            CorrectedField::Reference => after.reference = fields.line("value", &value, None),
            _ => after.receipt = fields.optional("value", &value, None, |id| receipt_of(id)),
        }
        fields.finish(Some(after))
    }
}

fn nothing_recorded() -> Violations {
    Violations::one("stage", CorrectionComplaint::NothingRecorded)
}

fn value_of(filed: &FiledReport, field: CorrectedField) -> Option<String> {
    match field {
        CorrectedField::SubmittedAt => Some(filed.at.to_string()),
        CorrectedField::Reference => filed.reference.as_ref().map(ToString::to_string),
        _ => filed.receipt.map(|receipt| receipt.to_string()),
    }
}
