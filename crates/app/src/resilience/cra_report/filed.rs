//! Filed stages: their fields for the audit log, and corrections.

use domain::{
    correction::{Corrected, CorrectedField, CorrectionWish},
    cra_report::{CraReport, CraReportStatus, CraStage, Submission},
    incident::Regime,
    text::Prose,
    violation::ArchiveComplaint,
};
use serde_json::{Value, json};
use store::{Reader, Tx, cra_report::CraReportRow, history};

use crate::{Error, Result, author::Author, records::Corrects};

/// The stage as stored in the audit log and in earlier versions.
pub(super) fn fields(report: &CraReport, stage: CraStage) -> Value {
    report.submissions.of(stage).map_or(Value::Null, sent)
}

pub(super) fn sent(filed: &Submission) -> Value {
    let mut said = json!({
        "submitted_at": filed.submitted_at,
        "recorded_at": filed.recorded_at,
        "reference": filed.reference.as_ref().map(ToString::to_string),
    });
    if let Some(reason) = &filed.already_provided {
        said["already_provided"] = json!(Prose::as_str(reason));
    }
    said
}

/// The stages that a change records as sent, as events describe them.
pub(super) fn submitted(before: &CraReport, after: &CraReport) -> Vec<Value> {
    let stages = CraStage::ALL
        .iter()
        .map(|stage| (stage.as_str(), before.submissions.of(*stage).is_some(), after.submissions.of(*stage)));
    let interim = ("interim", before.interim.sent.is_some(), after.interim.sent.as_ref());
    let new = stages.chain([interim]).filter_map(|(stage, was_sent, filed)| {
        let filed = filed.filter(|_| !was_sent)?;
        Some(json!({
            "regime": Regime::Cra,
            "stage": stage,
            "submitted_at": filed.submitted_at,
            "reference": filed.reference.as_ref().map(ToString::to_string),
        }))
    });
    new.collect()
}

/// Whether a value was corrected that a filing or its clock depends on. Filing a stage is no correction.
pub(super) fn is_corrected(before: &CraReport, after: &CraReport) -> bool {
    let refiled = |stage: &CraStage| {
        let filed = before.submissions.of(*stage);
        filed.is_some() && filed != after.submissions.of(*stage)
    };
    let is_refiled = CraStage::ALL.iter().any(refiled) || before.interim.is_corrected(&after.interim);
    before.aware_at != after.aware_at || is_refiled
}

impl Corrects for CraReport {
    type Place = CraStage;

    const CORRECTED: &'static [CorrectedField] = &CraReport::CORRECTED;

    fn correct(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &CraReportRow,
        stage: &CraStage,
        wish: &CorrectionWish,
    ) -> Result<(Self, Corrected)> {
        if before.archived_at.is_some() {
            return Err(Error::invalid("report", ArchiveComplaint::Archived));
        }
        let record = &before.record;
        let after = if wish.field == CorrectedField::Submitted {
            record.taken_back(*stage, wish)?
        } else {
            let input = record.correction(*stage, wish)?;
            author.judge(|context| input.change(record, context))?
        };
        let corrected = author.corrected(tx, before, &after, *stage, wish.field)?;
        Ok((after, corrected))
    }
}

impl Author {
    /// What one field of a stage was, and what it is after a correction.
    fn corrected(
        &self,
        reader: &mut Reader<'_>,
        before: &CraReportRow,
        after: &CraReport,
        stage: CraStage,
        field: CorrectedField,
    ) -> Result<Corrected> {
        let value = |record: &CraReport| {
            let filed = record.submissions.of(stage)?;
            match field {
                CorrectedField::Reference => filed.reference.as_ref().map(ToString::to_string),
                _ => Some(filed.submitted_at.to_string()),
            }
        };
        let steps = history::of(reader, self.scope(), &before.id.to_string())?;
        let completes = |word: &str| word.parse().ok().and_then(CraReportStatus::completes) == Some(stage);
        let step = steps.iter().rfind(|step| step.from.as_ref() != Some(&step.to) && completes(&step.to));
        Ok(Corrected {
            place: stage.to_string(),
            before: value(&before.record),
            after: value(after),
            recorded_by: step.map(|step| step.actor.clone()),
            recorded_at: before.record.submissions.of(stage).map(|filed| filed.recorded_at),
        })
    }

    /// Keeps what a change of the report corrects of its filed stages.
    pub(super) fn keep_stage_corrections(
        &self,
        tx: &mut Tx<'_>,
        before: &CraReportRow,
        after: &CraReport,
        reason: Option<Prose>,
    ) -> Result<()> {
        let Some(reason) = reason else { return Ok(()) };
        for stage in CraStage::ALL.iter().copied().filter(|stage| after.submissions.of(*stage).is_some()) {
            for field in [CorrectedField::SubmittedAt, CorrectedField::Reference] {
                let value = self.corrected(tx, before, after, stage, field)?;
                if before.record.submissions.of(stage).is_none() || value.before == value.after {
                    continue;
                }
                let wish = CorrectionWish { field, value: value.after.clone(), reason: reason.clone() };
                self.keep_correction::<CraReport>(tx, before.id, value, &wish)?;
            }
        }
        self.keep_interim_corrections(tx, before, after, &reason)
    }

    /// The same for the intermediate report.
    fn keep_interim_corrections(
        &self,
        tx: &mut Tx<'_>,
        before: &CraReportRow,
        after: &CraReport,
        reason: &Prose,
    ) -> Result<()> {
        let (Some(first), Some(now)) = (&before.record.interim.sent, &after.interim.sent) else {
            return Ok(());
        };
        if !before.record.interim.is_corrected(&after.interim) {
            return Ok(());
        }
        let recorded_at = json!(first.recorded_at);
        let is_recorded = |content: &Value| content["interim"]["recorded_at"] == recorded_at;
        let recorded_by = self.recorder(tx, &before.id.to_string(), is_recorded)?.map(|(by, _)| by);
        for field in [CorrectedField::SubmittedAt, CorrectedField::Reference] {
            let value_of = |sent: &Submission| match field {
                CorrectedField::Reference => sent.reference.as_ref().map(ToString::to_string),
                _ => Some(sent.submitted_at.to_string()),
            };
            let value = Corrected {
                place: "interim".to_owned(),
                before: value_of(first),
                after: value_of(now),
                recorded_by: recorded_by.clone(),
                recorded_at: Some(first.recorded_at),
            };
            if value.before != value.after {
                let wish = CorrectionWish { field, value: value.after.clone(), reason: reason.clone() };
                self.keep_correction::<CraReport>(tx, before.id, value, &wish)?;
            }
        }
        Ok(())
    }
}
