//! Performances of controls: recording one, and correcting what was recorded.

use domain::{
    control::{Control, Performance, PerformedInput},
    correction::{Corrected, CorrectedField, CorrectionWish},
    id::ControlId,
    right::{Resource, Right},
    text::Prose,
};
use serde_json::json;
use store::{
    Tx,
    control::{self as rows, ControlRow, PerformanceRow},
    record::{self, RecordRow},
};

use crate::{
    Error, Result,
    author::Author,
    pages::Precondition,
    records::{Corrects, check_live},
};

impl Corrects for Control {
    /// The number of the performance.
    type Place = i64;

    const CORRECTED: &'static [CorrectedField] = &Performance::CORRECTED;

    fn correct(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &ControlRow,
        number: &i64,
        wish: &CorrectionWish,
    ) -> Result<(Self, Corrected)> {
        let scope = author.scope();
        let row = rows::performance(tx, scope, before.id, *number)?.ok_or(Error::NotFound)?;
        let recorded = (row.number, row.actor.as_str(), row.recorded_at);
        let (performance, corrected) = row.performance.corrected(wish, recorded, author.now.day())?;
        let last = rows::correct_performance(tx, scope, before.id, (row.number, &performance))?;
        Ok((before.record.last_performed(last), corrected))
    }
}

impl Author {
    pub(super) fn perform(
        &self,
        tx: &mut Tx<'_>,
        id: ControlId,
        input: &PerformedInput,
        precondition: &Precondition,
    ) -> Result<()> {
        let before = record::get::<Control>(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.core.check_match(precondition, before.version)?;
        check_live(&before)?;
        // The status is a field of the control, which not every person who performs it may change.
        if input.implements {
            self.caller.require_right(Resource::Controls, Right::Own)?;
            self.require_owner(tx, Resource::Controls, before.record.owner.as_ref())?;
        }
        let (performance, record) = input.perform(&before.record, self.now.day())?;
        if record != before.record {
            let after = RecordRow { record, updated_at: self.now, ..before.clone() };
            self.store(tx, &before, &after)?;
        }
        let detail = json!({
            "reference": before.record.reference,
            "on": performance.on,
            "note": performance.note.as_ref().map(Prose::as_str),
            "evidence": performance.evidence,
        });
        let actor = self.caller.actor().to_string();
        rows::perform(
            tx,
            self.scope(),
            id,
            &PerformanceRow { number: 0, performance, recorded_at: self.now, actor },
        )?;
        self.audit(tx, "control.performed", id, &detail)
    }
}
