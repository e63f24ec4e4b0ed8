//! Corrections of what was recorded about the submission of a filing.

use domain::{
    correction::{Corrected, CorrectedField, CorrectionWish},
    incident::Regime,
    register_filing::{RegisterFiling, RegisterFilingStatus},
    text::Name,
};
use serde_json::{Value, json};
use store::{Tx, register_filing::RegisterFilingRow};

use crate::{Result, author::Author, records::Corrects};

/// What events say of a change that records the filing as submitted.
pub(super) fn submitted(before: &RegisterFiling, after: &RegisterFiling) -> Option<Value> {
    let is_step = before.status != after.status && after.status == RegisterFilingStatus::Submitted;
    let sent = after.submission.as_ref().filter(|_| is_step)?;
    Some(json!({
        "regime": Regime::Dora,
        "stage": null,
        "submitted_at": sent.at,
        "reference": sent.reference.as_ref().map(Name::as_str),
    }))
}

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
