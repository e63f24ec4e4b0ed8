//! Stages whose content was provided with an earlier one, and the intermediate report.
//!
//! Art. 14(2)(b), (c) and (4)(b), (c) require the notification and the final report "unless the relevant information has
//! already been provided". Such a stage counts as filed when the stage before it was, which is also where the month of
//! the final report on an incident starts; that is our reading. A stage is never left out without a reason.

use super::{CraReport, CraReportInput, CraReportStatus, CraStage, Submission, filing::filed_at};
use crate::{
    change::{Change, Fields, happened},
    moment::Moment,
    text::Prose,
    violation::FilingComplaint,
};

/// An intermediate report on request: Art. 14(6). It has no number of hours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Interim {
    pub requested_at: Option<Moment>,
    pub sent: Option<Submission>,
}

impl Interim {
    /// Whether a request is not answered yet. What was sent before it answered another.
    pub fn is_owed(&self) -> bool {
        let answered = |asked: Moment| self.sent.as_ref().is_some_and(|sent| sent.submitted_at >= asked);
        self.requested_at.is_some_and(|asked| !answered(asked))
    }

    /// Whether a change corrects what was recorded as sent, instead of recording the answer to another request.
    pub fn is_corrected(&self, after: &Self) -> bool {
        let Some((before, now)) = self.sent.as_ref().zip(after.sent.as_ref()) else { return false };
        let differs = before.submitted_at != now.submitted_at || before.reference != now.reference;
        let asked_again = Self { requested_at: after.requested_at, sent: self.sent.clone() }.is_owed();
        differs && !asked_again
    }
}

impl CraReportInput {
    /// The report with the stages that were provided with earlier ones; `None` if the request names none.
    pub(super) fn read_provided(
        &self,
        fields: &mut Fields,
        current: Option<&CraReport>,
        now: Moment,
    ) -> Option<CraReport> {
        let Change::Set(stages) = &self.already_provided else { return None };
        let mut report = current.cloned()?;
        for (stage, reason) in stages {
            let field = format!("already_provided.{stage}");
            let (before, status) = match stage {
                CraStage::EarlyWarning => (None, report.status),
                CraStage::Notification => {
                    (report.submissions.early_warning.as_ref(), CraReportStatus::NotificationSent)
                }
                CraStage::FinalReport => {
                    (report.submissions.notification.as_ref(), CraReportStatus::FinalReportSent)
                }
            };
            let Some(submitted_at) = before.map(|filed| filed.submitted_at) else {
                fields.refuse(&field, FilingComplaint::NothingProvided);
                continue;
            };
            if report.submissions.of(*stage).is_some() {
                fields.refuse(&field, FilingComplaint::AlreadyFiled);
                continue;
            }
            match Prose::parse(reason) {
                Err(wrong) => fields.refuse(&field, wrong),
                Ok(reason) => {
                    let already_provided = Some(reason);
                    let filed =
                        Submission { submitted_at, recorded_at: now, reference: None, already_provided };
                    report.submissions.put(*stage, filed);
                    report.status = status;
                }
            }
        }
        Some(report)
    }

    /// The status after the request. Stages that were provided are passed, and a request that names none of them passes
    /// none.
    pub(super) fn read_status(
        &self,
        fields: &mut Fields,
        current: Option<&CraReport>,
        provided: Option<&CraReport>,
    ) -> Option<CraReportStatus> {
        let before = provided.or(current).map(|report| report.status);
        let is_reached = provided.is_some()
            && matches!((&self.status, before), (Change::Set(word), Some(at)) if word == at.as_str());
        if is_reached { before } else { fields.status(&self.status, before) }
    }

    pub(super) fn read_interim(
        &self,
        fields: &mut Fields,
        current: Option<&CraReport>,
        aware_at: Option<Moment>,
        now: Moment,
    ) -> Interim {
        let before = current.map(|report| report.interim.clone()).unwrap_or_default();
        let requested_at = fields.optional(
            "interim_requested_at",
            &self.interim_requested_at,
            before.requested_at,
            |text| happened(text, now),
        );
        let sent =
            match &self.interim_submitted_at {
                Change::Keep => before.sent.clone(),
                Change::Clear => {
                    if before.sent.is_some() {
                        fields.refuse("interim_submitted_at", FilingComplaint::StaysSent);
                    }
                    None
                }
                Change::Set(text) => {
                    filed_at(fields, "interim_submitted_at", text, aware_at, now).map(|submitted_at| {
                        Submission { submitted_at, recorded_at: now, reference: None, already_provided: None }
                    })
                }
            };
        let kept = before.sent.as_ref().and_then(|sent| sent.reference.clone());
        let reference = fields.line("interim_reference", &self.interim_reference, kept);
        let mut after = Interim { requested_at, sent: sent.map(|sent| Submission { reference, ..sent }) };
        if before.is_corrected(&after) {
            if !self.has_reason() {
                fields.refuse("interim_submitted_at", FilingComplaint::NoReason);
            }
            if let (Some(now), Some(first)) = (&mut after.sent, &before.sent) {
                now.recorded_at = first.recorded_at;
            }
        }
        after
    }
}
