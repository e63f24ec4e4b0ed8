//! Corrections of reports on an incident that were recorded as sent.

use domain::{
    change::Change,
    correction::{Corrected, CorrectedField, CorrectionComplaint, CorrectionInput, CorrectionWish},
    cra_report::CraReport,
    evidence::Evidence,
    id::EvidenceId,
    incident::{Incident, Regime},
};
use store::{Tx, incident::IncidentRow, record};

use super::{ReportPlace, product::STEPS};
use crate::{Error, Result, author::Author, records::Corrects};

impl Corrects for Incident {
    type Place = ReportPlace;

    const CORRECTED: &'static [CorrectedField] = &Incident::CORRECTED;

    fn correct(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &IncidentRow,
        place: &ReportPlace,
        wish: &CorrectionWish,
    ) -> Result<(Self, Corrected)> {
        let ReportPlace { regime, stage, sent } = *place;
        let (after, corrected) = before.record.corrected((regime, stage, sent), wish, author.now)?;
        if wish.field == CorrectedField::Receipt
            && let Some(id) = &corrected.after
        {
            author.check_receipt(tx, id.parse().ok(), "value")?;
        }
        if regime == Regime::Cra {
            author.correct_at_cra_report(tx, &after, *place, &corrected, wish)?;
        }
        Ok((after, corrected))
    }
}

impl Author {
    /// A receipt is evidence of the same institution.
    pub(super) fn check_receipt(
        &self,
        tx: &mut Tx<'_>,
        receipt: Option<EvidenceId>,
        field: &str,
    ) -> Result<()> {
        match receipt {
            Some(id) if record::get::<Evidence>(tx, self.scope(), id)?.is_none() => {
                Err(Error::invalid(field, CorrectionComplaint::NotEvidence))
            }
            _ => Ok(()),
        }
    }

    /// Makes the same correction at the report of the incident, which keeps the clock, if the same was recorded there.
    fn correct_at_cra_report(
        &self,
        tx: &mut Tx<'_>,
        incident: &Incident,
        place: ReportPlace,
        corrected: &Corrected,
        wish: &CorrectionWish,
    ) -> Result<()> {
        let step = STEPS.into_iter().find(|(of, ..)| *of == place.stage);
        let (Some(report), Some((_, stage, _))) = (incident.cra_report, step) else { return Ok(()) };
        let row = record::get::<CraReport>(tx, self.scope(), report)?.ok_or(Error::NotFound)?;
        let Some(filed) = row.record.submissions.of(stage) else { return Ok(()) };
        let recorded = match wish.field {
            CorrectedField::SubmittedAt | CorrectedField::Submitted => Some(filed.submitted_at.to_string()),
            CorrectedField::Reference => filed.reference.as_ref().map(ToString::to_string),
            _ => return Ok(()),
        };
        if recorded != corrected.before {
            return Ok(());
        }
        let input = CorrectionInput {
            field: Change::Set(wish.field.to_string()),
            value: wish.change(),
            reason: Change::Set(wish.reason.to_string()),
        };
        self.correct::<CraReport>(tx, report, &stage, &input)
    }
}
