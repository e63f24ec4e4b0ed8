//! Filed stages: their fields for the audit log, and corrections.

use domain::{
    cra_report::{CraReport as Record, CraStage, Submission},
    text::Prose,
};
use serde_json::{Value, json};

/// The stage as stored in the audit log and in earlier versions.
pub(super) fn fields(report: &Record, stage: CraStage) -> Value {
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

/// Whether a value was corrected that a filing or its clock depends on. Filing a stage is no correction.
pub(super) fn is_corrected(before: &Record, after: &Record) -> bool {
    let refiled = |stage: &CraStage| {
        let filed = before.submissions.of(*stage);
        filed.is_some() && filed != after.submissions.of(*stage)
    };
    before.aware_at != after.aware_at || CraStage::ALL.iter().any(refiled)
}
