//! Corrections of the recorded result of a course held elsewhere. A quiz is computed, so there is nothing to correct.

use domain::{
    correction::{Corrected, CorrectedField, CorrectionWish},
    training::Training,
};
use serde_json::Value;
use store::{Tx, training::TrainingRow};

use crate::{
    Result,
    author::Author,
    records::{Corrects, check_live},
};

impl Corrects for Training {
    type Place = ();

    const CORRECTED: &'static [CorrectedField] = &Training::CORRECTED;

    fn correct(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &TrainingRow,
        (): &(),
        wish: &CorrectionWish,
    ) -> Result<(Self, Corrected)> {
        check_live(before)?;
        author.check_other_person(tx, before)?;
        let (record, corrected) = before.record.corrected(wish, author.now.day())?;
        let is_recorded = |content: &Value| !content["passed_on"].is_null();
        let (recorded_by, recorded_at) = author.recorder(tx, &before.id.to_string(), is_recorded)?.unzip();
        Ok((record, Corrected { recorded_by, recorded_at, ..corrected }))
    }
}
