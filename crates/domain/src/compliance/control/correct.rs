//! Corrections of a recorded performance of a control.

use super::{Control, Performance};
use crate::{
    change::Fields,
    correction::{Corrected, CorrectedField, CorrectionWish},
    moment::{Day, Moment},
    text::Prose,
    violation::{FieldComplaint, Violations},
};

impl Performance {
    /// What of a performance can be corrected.
    pub const CORRECTED: [CorrectedField; 2] = [CorrectedField::On, CorrectedField::Note];

    /// The performance after a correction, with the value before and after.
    pub fn corrected(
        &self,
        wish: &CorrectionWish,
        (number, recorded_by, recorded_at): (i64, &str, Moment),
        today: Day,
    ) -> Result<(Self, Corrected), Violations> {
        let (mut fields, mut after) = (Fields::default(), self.clone());
        let value_of = |performance: &Self| match wish.field {
            CorrectedField::On => Some(performance.on.to_string()),
            _ => performance.note.as_ref().map(|note| Prose::as_str(note).to_owned()),
        };
        if wish.field == CorrectedField::On {
            let on = fields.required("value", &wish.change(), Some(self.on), |day| day.parse::<Day>());
            if on.is_some_and(|on| on > today) {
                fields.refuse("value", FieldComplaint::NotInTheFuture);
            }
            after.on = on.unwrap_or(self.on);
        } else {
            after.note = fields.prose("value", &wish.change(), None);
        }
        let corrected = Corrected {
            place: number.to_string(),
            before: value_of(self),
            after: value_of(&after),
            recorded_by: Some(recorded_by.to_owned()),
            recorded_at: Some(recorded_at),
        };
        fields.finish(Some((after, corrected)))
    }
}

impl Control {
    /// The control after the day of its last performance was corrected: due one interval after that day.
    #[must_use]
    pub fn last_performed(&self, last: Option<Day>) -> Self {
        if self.last_performed_on == last {
            return self.clone();
        }
        let next_due_on = last.and_then(|last| self.cadence.next_after(last)).or(self.next_due_on);
        Self { last_performed_on: last, next_due_on, ..self.clone() }
    }
}
