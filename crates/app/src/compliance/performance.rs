//! Corrections of recorded performances of controls.

use domain::{
    control::{Control, Performance},
    correction::{Corrected, CorrectedField, CorrectionWish},
};
use store::{
    Tx,
    control::{self as rows, ControlRow},
};

use crate::{Error, Result, author::Author, records::Corrects};

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
