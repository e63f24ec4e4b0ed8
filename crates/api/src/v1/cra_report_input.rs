//! The input of a report under CRA Art. 14: the documented fields, and how they are parsed.

use domain::{
    change::Change,
    cra_report::{CraReportInput, CraStage, ProductInput, StageInput},
};
use utoipa::ToSchema;

use super::{
    cra_report::{CraProduct, CraReportKind, CraReportStatus},
    wire::Severity,
};
use crate::extract::Fields;

/// A report to create. Its kind cannot be changed later.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct NewCraReport {
    kind: CraReportKind,
    product: CraProduct,
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    cve: Option<String>,
    severity: Severity,
    #[schema(required = false, max_items = 200)]
    member_states: Vec<String>,
    /// Not in the future.
    #[schema(format = DateTime)]
    aware_at: String,
    /// Not in the future.
    #[schema(format = DateTime)]
    corrective_measure_at: Option<String>,
    /// Extension. Who has to see to it: an account or a plain name.
    #[schema(max_length = 255)]
    owner: Option<String>,
    /// Extension. The id of the finding that led to the report.
    finding_id: Option<String>,
}

/// A report to make out of an incident: the fields of `NewCraReport`. Kind, title, description, Member States, times,
/// owner and finding are taken from the incident where they are left out and it knows them.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "product": { "name": "Gateway 500" }, "severity": "high" }))]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct CraReportFromIncident {
    /// Taken from what was entered for the report of the incident, if that is one line.
    product: Option<CraProduct>,
    severity: Severity,
    /// Needed while the facts of the incident do not decide it.
    kind: Option<CraReportKind>,
    #[schema(min_length = 1, max_length = 255)]
    title: Option<String>,
}

/// What to change; a field left out stays as it is. Moving the status records that its stage was filed.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct CraReportChange {
    product: Option<CraProduct>,
    #[schema(min_length = 1, max_length = 255)]
    title: Option<String>,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    cve: Option<String>,
    severity: Option<Severity>,
    #[schema(max_items = 200)]
    member_states: Option<Vec<String>>,
    /// Extension. Corrects the start of the clocks until the first stage is filed; needs a reason in `note`.
    #[schema(format = DateTime)]
    aware_at: Option<String>,
    /// Not in the future. Required before the final report on a vulnerability.
    #[schema(format = DateTime)]
    corrective_measure_at: Option<String>,
    /// Extension. Who has to see to it: an account or a plain name.
    #[schema(max_length = 255)]
    owner: Option<String>,
    /// Extension. The id of the finding that led to the report.
    finding_id: Option<String>,
    status: Option<CraReportStatus>,
    /// Extension. When the stage that the new status records was filed: not in the future, not before `aware_at`; the
    /// present when left out.
    #[schema(format = DateTime)]
    submitted_at: Option<String>,
    /// Extension. The authority's reference for that filing.
    #[schema(max_length = 255)]
    submission_reference: Option<String>,
    /// Extension. Corrects stages filed before; needs a reason in `note`.
    stages: Option<CraStageCorrections>,
    /// Extension. Why the status moves, or the reason for a correction; kept in the history.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

/// The stages to correct.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `corrections` reads the fields")]
pub(crate) struct CraStageCorrections {
    early_warning: Option<CraStageCorrection>,
    notification: Option<CraStageCorrection>,
    final_report: Option<CraStageCorrection>,
}

/// What to correct of a filed stage; a field left out stays as it is.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `corrections` reads the fields")]
pub(crate) struct CraStageCorrection {
    #[schema(format = DateTime)]
    submitted_at: Option<String>,
    #[schema(max_length = 255)]
    reference: Option<String>,
}

pub(super) fn input_from(fields: &mut Fields) -> CraReportInput {
    CraReportInput {
        kind: fields.text_change("kind"),
        product: fields.object_change("product", |inner| ProductInput {
            name: inner.text_change("name"),
            version: inner.text_change("version"),
        }),
        title: fields.text_change("title"),
        description: fields.text_change("description"),
        cve: fields.text_change("cve"),
        severity: fields.text_change("severity"),
        member_states: fields.texts_change("member_states"),
        aware_at: fields.text_change("aware_at"),
        corrective_measure_at: fields.text_change("corrective_measure_at"),
        owner: fields.text_change("owner"),
        finding_id: fields.text_change("finding_id"),
        status: fields.text_change("status"),
        submitted_at: fields.text_change("submitted_at"),
        submission_reference: fields.text_change("submission_reference"),
        stages: fields.object_change("stages", corrections),
        note: fields.text_change("note"),
    }
}

fn corrections(stages: &mut Fields) -> Vec<(CraStage, StageInput)> {
    let of = |stage: &CraStage| {
        let input = stages.object_change(stage.as_str(), |inner| StageInput {
            submitted_at: inner.text_change("submitted_at"),
            reference: inner.text_change("reference"),
        });
        match input {
            Change::Set(input) => Some((*stage, input)),
            Change::Keep | Change::Clear => None,
        }
    };
    CraStage::ALL.iter().filter_map(of).collect()
}
