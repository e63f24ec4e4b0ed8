//! Filed stages: their data, how they are recorded, and how they are corrected.

use super::{CraReport, CraReportInput, CraReportStatus, CraStage};
use crate::{
    change::{Change, Fields, happened},
    correction::{CorrectedField, CorrectionComplaint, CorrectionWish},
    moment::Moment,
    text::{Name, Prose},
    violation::{FieldComplaint, FilingComplaint, Violations},
};

/// A stage as it was filed with the authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// When it was filed; decides whether it was late.
    pub submitted_at: Moment,
    /// When the filing was recorded here.
    pub recorded_at: Moment,
    /// The authority's reference.
    pub reference: Option<Name>,
    /// Why nothing was filed: the content was provided with an earlier stage, at whose time it counts as filed.
    pub already_provided: Option<Prose>,
}

/// The stages that were filed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Submissions {
    pub early_warning: Option<Submission>,
    pub notification: Option<Submission>,
    pub final_report: Option<Submission>,
}

impl Submissions {
    pub fn of(&self, stage: CraStage) -> Option<&Submission> {
        match stage {
            CraStage::EarlyWarning => self.early_warning.as_ref(),
            CraStage::Notification => self.notification.as_ref(),
            CraStage::FinalReport => self.final_report.as_ref(),
        }
    }

    pub fn filed_at(&self, stage: CraStage) -> Option<Moment> {
        self.of(stage).map(|submission| submission.submitted_at)
    }

    /// Whether any stage was filed.
    pub fn any(&self) -> bool {
        CraStage::ALL.iter().any(|stage| self.of(*stage).is_some())
    }

    /// Whether the content of a stage was provided with an earlier one.
    pub fn is_provided(&self, stage: CraStage) -> bool {
        self.of(stage).is_some_and(|filed| filed.already_provided.is_some())
    }

    pub(super) fn put(&mut self, stage: CraStage, submission: Submission) {
        *self.slot(stage) = Some(submission);
    }

    fn slot(&mut self, stage: CraStage) -> &mut Option<Submission> {
        match stage {
            CraStage::EarlyWarning => &mut self.early_warning,
            CraStage::Notification => &mut self.notification,
            CraStage::FinalReport => &mut self.final_report,
        }
    }
}

impl CraReport {
    /// What of a filed stage can be corrected.
    pub const CORRECTED: [CorrectedField; 3] =
        [CorrectedField::SubmittedAt, CorrectedField::Reference, CorrectedField::Submitted];

    /// The request that makes a correction of a filed stage.
    pub fn correction(&self, stage: CraStage, wish: &CorrectionWish) -> Result<CraReportInput, Violations> {
        if self.submissions.of(stage).is_none() {
            return Err(Violations::one("stage", CorrectionComplaint::NothingRecorded));
        }
        let mut input = StageInput::default();
        match wish.field {
            CorrectedField::SubmittedAt => input.submitted_at = wish.change(),
            _ => input.reference = wish.change(),
        }
        Ok(CraReportInput {
            stages: Change::Set(vec![(stage, input)]),
            note: Change::Set(wish.reason.to_string()),
            ..CraReportInput::default()
        })
    }

    /// The report without a stage that was recorded by mistake: its clock runs again. Only the stage recorded last can be
    /// taken back, because the others rest on it.
    pub fn taken_back(&self, stage: CraStage, wish: &CorrectionWish) -> Result<Self, Violations> {
        wish.check_taken_back()?;
        if self.submissions.of(stage).is_none() {
            return Err(Violations::one("stage", CorrectionComplaint::NothingRecorded));
        }
        if self.status.completes() != Some(stage) {
            return Err(Violations::one("value", CorrectionComplaint::LaterFirst));
        }
        let mut after = self.clone();
        (after.status, *after.submissions.slot(stage)) = (self.status.before_filing(), None);
        Ok(after)
    }
}

/// A correction of a stage as a caller sent it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StageInput {
    pub submitted_at: Change<String>,
    pub reference: Change<String>,
}

impl CraReportInput {
    /// The filings after this request: earlier ones, corrected if requested, and the stage that its status completes.
    pub(super) fn read_submissions(
        &self,
        fields: &mut Fields,
        (current, provided): (Option<&CraReport>, Option<CraReport>),
        status: Option<CraReportStatus>,
        aware_at: Option<Moment>,
        now: Moment,
    ) -> Submissions {
        let current = provided.as_ref().or(current);
        let mut submissions = current.map(|c| c.submissions.clone()).unwrap_or_default();
        self.correct(fields, &mut submissions, aware_at, now);
        let moved = current.is_none_or(|c| status.is_some_and(|status| c.status != status));
        match status.filter(|_| moved).and_then(CraReportStatus::completes) {
            Some(stage) => {
                let submitted_at = match &self.submitted_at {
                    Change::Set(text) => filed_at(fields, "submitted_at", text, aware_at, now),
                    Change::Keep | Change::Clear => Some(now),
                };
                let reference = fields.line("submission_reference", &self.submission_reference, None);
                if let Some(submitted_at) = submitted_at {
                    let already_provided = None;
                    let filed = Submission { submitted_at, recorded_at: now, reference, already_provided };
                    submissions.put(stage, filed);
                }
            }
            // A refused status is reported separately.
            None if status.is_none() => {}
            None => {
                let sent = [
                    ("submitted_at", &self.submitted_at),
                    ("submission_reference", &self.submission_reference),
                ];
                for (field, _) in sent.into_iter().filter(|(_, change)| matches!(change, Change::Set(_))) {
                    fields.refuse(field, FilingComplaint::NoStage);
                }
            }
        }
        submissions
    }

    fn correct(
        &self,
        fields: &mut Fields,
        submissions: &mut Submissions,
        aware_at: Option<Moment>,
        now: Moment,
    ) {
        let Change::Set(stages) = &self.stages else { return };
        for (stage, input) in stages {
            let field = format!("stages.{stage}");
            let Some(before) = submissions.of(*stage).cloned() else {
                if *input != StageInput::default() {
                    fields.refuse(&field, FilingComplaint::NotFiled);
                }
                continue;
            };
            let at = format!("{field}.submitted_at");
            let submitted_at = match &input.submitted_at {
                Change::Keep => Some(before.submitted_at),
                Change::Clear => {
                    fields.refuse(&at, FieldComplaint::Null);
                    None
                }
                Change::Set(text) => filed_at(fields, &at, text, aware_at, now),
            };
            let reference =
                fields.line(&format!("{field}.reference"), &input.reference, before.reference.clone());
            let Some(submitted_at) = submitted_at else { continue };
            let after = Submission { submitted_at, reference, ..before.clone() };
            if after != before && !self.has_reason() {
                fields.refuse(&field, FilingComplaint::NoReason);
            }
            submissions.put(*stage, after);
        }
    }
}

/// A stage is filed after the manufacturer became aware of the case, and not in the future.
pub(super) fn filed_at(
    fields: &mut Fields,
    field: &str,
    text: &str,
    aware_at: Option<Moment>,
    now: Moment,
) -> Option<Moment> {
    let at = match happened(text, now) {
        Ok(at) => at,
        Err(error) => {
            fields.refuse(field, error);
            return None;
        }
    };
    if let Some(aware_at) = aware_at.filter(|aware_at| at < *aware_at) {
        fields.refuse(field, FilingComplaint::BeforeAware { at: aware_at });
        return None;
    }
    Some(at)
}
