//! Corrections of what was recorded about the submission of a filing.

use domain::{
    correction::{Corrected, CorrectedField, CorrectionWish},
    register_filing::RegisterFiling,
};
use store::{Tx, register_filing::RegisterFilingRow};

use crate::{Result, author::Author, records::Corrects};

impl Corrects for RegisterFiling {
    type Place = ();

    const CORRECTED: &'static [CorrectedField] = &RegisterFiling::CORRECTED;

    fn correct(
        author: &Author,
        _: &mut Tx<'_>,
        before: &RegisterFilingRow,
        (): &(),
        wish: &CorrectionWish,
    ) -> Result<(Self, Corrected)> {
        Ok(before.record.corrected(wish, author.now)?)
    }
}
