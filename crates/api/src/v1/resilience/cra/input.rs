//! The input of a report under CRA Art. 14: the documented fields, and how they are parsed.

use std::collections::BTreeMap;

use domain::{
    change::Change,
    cra_report::{CraReportInput, CraStage, ProductInput, StageInput},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{CraReportKind, CraReportStatus};
use crate::{extract::Fields, schema::body, v1::wire::Severity};

/// The fields of a report. Each of the bodies below documents those that belong to it; the rules of the record decide
/// about the others.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct CraReportFields {
    #[schema(value_type = Option<CraReportKind>)]
    kind: Option<Option<String>>,
    product: Option<Option<NewCraProduct>>,
    #[schema(min_length = 1, max_length = 255)]
    title: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    description: Option<Option<String>>,
    cve: Option<Option<String>>,
    #[schema(value_type = Option<Severity>)]
    severity: Option<Option<String>>,
    #[schema(max_items = 200)]
    member_states: Option<Option<Vec<String>>>,
    /// Not in the future. Extension: a change corrects the start of the clocks until the first stage is filed; it needs
    /// a reason in `note`.
    #[schema(format = DateTime)]
    aware_at: Option<Option<String>>,
    /// Not in the future. Required before the final report on a vulnerability.
    #[schema(format = DateTime)]
    corrective_measure_at: Option<Option<String>>,
    /// Extension. Who has to see to it: an account or a plain name.
    #[schema(max_length = 255)]
    owner: Option<Option<String>>,
    /// Extension. The id of the finding that led to the report.
    finding_id: Option<Option<String>>,
    #[schema(value_type = Option<CraReportStatus>)]
    status: Option<Option<String>>,
    /// Extension. When the stage that the new status records was filed: not in the future, not before `aware_at`; the
    /// present when left out.
    #[schema(format = DateTime)]
    submitted_at: Option<Option<String>>,
    /// Extension. The authority's reference for that filing.
    #[schema(max_length = 255)]
    submission_reference: Option<Option<String>>,
    /// Extension. Stages of which nothing is filed, because their information was provided with the stage before
    /// (Art. 14(2) and (4), points (b) and (c)); each with the reason. They are passed, and count as filed when the stage
    /// before was. Without it a stage cannot be skipped.
    already_provided: Option<Option<CraProvided>>,
    /// Extension. When the CSIRT requested an intermediate report (Art. 14(6)).
    #[schema(format = DateTime)]
    interim_requested_at: Option<Option<String>>,
    /// Extension. When the intermediate report was sent.
    #[schema(format = DateTime)]
    interim_submitted_at: Option<Option<String>>,
    /// Extension. The authority's reference for the intermediate report.
    #[schema(max_length = 255)]
    interim_reference: Option<Option<String>>,
    /// Extension. Contents of the stages by the `field` of their points; `null` removes one. Of a report that belongs to an
    /// incident they are those of the incident.
    #[schema(value_type = Option<Object>)]
    contents: Option<Option<Map<String, Value>>>,
    /// Extension. Corrects stages filed before; needs a reason in `note`.
    stages: Option<Option<CraStageCorrections>>,
    /// Extension. Why the status moves, or the reason for a correction; kept in the history.
    #[schema(max_length = 10_000)]
    note: Option<Option<String>>,
}

/// A product with digital elements.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = CraProduct)]
pub(crate) struct NewCraProduct {
    #[schema(required = true, nullable = false, example = "Gateway 500")]
    name: Option<Option<String>>,
    version: Option<Option<String>>,
}

/// Why nothing is filed of a stage.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct CraProvided {
    #[schema(max_length = 10_000, example = "The early warning named the exploit and the measures.")]
    notification: Option<Option<String>>,
    #[schema(max_length = 10_000)]
    final_report: Option<Option<String>>,
}

/// The stages to correct.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct CraStageCorrections {
    early_warning: Option<Option<CraStageCorrection>>,
    notification: Option<Option<CraStageCorrection>>,
    final_report: Option<Option<CraStageCorrection>>,
}

/// What to correct of a filed stage; a field left out stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct CraStageCorrection {
    #[schema(format = DateTime)]
    submitted_at: Option<Option<String>>,
    #[schema(max_length = 255)]
    reference: Option<Option<String>>,
}

/// The fields that only a change has.
const OF_CHANGES: [&str; 10] = [
    "contents",
    "status",
    "submitted_at",
    "submission_reference",
    "already_provided",
    "interim_requested_at",
    "interim_submitted_at",
    "interim_reference",
    "stages",
    "note",
];

body! {
    /// A report to create. Its kind cannot be changed later.
    NewCraReport from CraReportFields {
        required: ["kind", "product", "title", "severity", "aware_at"],
        without: OF_CHANGES
    }
}

body! {
    /// A report to make out of an incident: the fields of `NewCraReport`. Kind, title, description, Member States, times,
    /// owner and finding are taken from the incident where they are left out and it knows them, and the product from what
    /// was entered for the report of the incident, if that is one line. The kind is needed while the facts of the incident
    /// do not decide it.
    CraReportFromIncident from CraReportFields {
        required: ["severity"],
        without: OF_CHANGES,
        example: { "product": { "name": "Gateway 500" }, "severity": "high" }
    }
}

body! {
    /// What to change; a field left out stays as it is. Moving the status records that its stage was filed.
    CraReportChange from CraReportFields { required: [], without: ["kind"] }
}

pub(crate) fn input_from(fields: &mut Fields) -> CraReportInput {
    fields.read::<CraReportFields>().into()
}

impl From<CraReportFields> for CraReportInput {
    fn from(fields: CraReportFields) -> Self {
        Self {
            kind: fields.kind.into(),
            product: Change::<NewCraProduct>::from(fields.product).map(ProductInput::from),
            title: fields.title.into(),
            description: fields.description.into(),
            cve: fields.cve.into(),
            severity: fields.severity.into(),
            member_states: fields.member_states.into(),
            aware_at: fields.aware_at.into(),
            corrective_measure_at: fields.corrective_measure_at.into(),
            owner: fields.owner.into(),
            finding_id: fields.finding_id.into(),
            status: fields.status.into(),
            submitted_at: fields.submitted_at.into(),
            submission_reference: fields.submission_reference.into(),
            already_provided: Change::<CraProvided>::from(fields.already_provided).map(CraProvided::stages),
            interim_requested_at: fields.interim_requested_at.into(),
            interim_submitted_at: fields.interim_submitted_at.into(),
            interim_reference: fields.interim_reference.into(),
            stages: Change::<CraStageCorrections>::from(fields.stages).map(CraStageCorrections::stages),
            contents: Change::<Map<String, Value>>::from(fields.contents).map(texts),
            note: fields.note.into(),
        }
    }
}

/// The texts of the points; what is neither text nor null is kept as it was written.
fn texts(contents: Map<String, Value>) -> BTreeMap<String, Option<String>> {
    let text = |value: Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    };
    contents.into_iter().map(|(name, value)| (name, text(value))).collect()
}

impl From<NewCraProduct> for ProductInput {
    fn from(product: NewCraProduct) -> Self {
        Self { name: product.name.into(), version: product.version.into() }
    }
}

impl CraProvided {
    fn stages(self) -> Vec<(CraStage, String)> {
        let each = [(CraStage::Notification, self.notification), (CraStage::FinalReport, self.final_report)];
        each.into_iter().filter_map(|(stage, reason)| Some((stage, reason.flatten()?))).collect()
    }
}

impl CraStageCorrections {
    fn stages(self) -> Vec<(CraStage, StageInput)> {
        let each = [
            (CraStage::EarlyWarning, self.early_warning),
            (CraStage::Notification, self.notification),
            (CraStage::FinalReport, self.final_report),
        ];
        let named = each.into_iter().filter_map(|(stage, correction)| Some((stage, correction.flatten()?)));
        named.map(|(stage, correction)| (stage, StageInput::from(correction))).collect()
    }
}

impl From<CraStageCorrection> for StageInput {
    fn from(correction: CraStageCorrection) -> Self {
        Self { submitted_at: correction.submitted_at.into(), reference: correction.reference.into() }
    }
}
