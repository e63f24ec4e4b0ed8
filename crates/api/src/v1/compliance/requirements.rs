//! What proves a requirement.

use app::{App, requirement_proof::RequirementProof as Proof};
use axum::{extract::State, response::Response};
use domain::{
    id::{ControlId, EvidenceId, FindingId, RiskId, TestCaseId},
    moment::{Day, Moment},
    page::Page,
    reference::FindingReference,
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    assessments::wire::AssessmentStatus,
    controls::wire::{ControlStatus, Effectiveness},
    evidence::wire::EvidenceState,
    risks::wire::RiskStatus,
};
use crate::{
    ApiError,
    extract::{IdPath, Reader},
    respond::{self, Data},
    v1::{
        resilience::{findings::wire::FindingStatus, test_cases::TestCaseStatus},
        wire::{KeyedErrors, Severity},
    },
};

/// What proves a requirement: its assessment, and the first 20 records of each kind with how many there are. The lists
/// of each kind take `requirement` for all of them.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RequirementProof {
    #[schema(example = "dora-art-05-01")]
    requirement: String,
    assessment: ProvingAssessment,
    controls: ProvingControls,
    evidence: ProvingEvidence,
    findings: ProvingFindings,
    test_cases: ProvingTestCases,
    risks: ProvingRisks,
}

/// What the institution says about the requirement.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProvingAssessment {
    status: AssessmentStatus,
    applies: bool,
    /// 0 while nothing was said.
    version: i64,
    #[schema(value_type = Option<String>, format = DateTime)]
    assessed_at: Option<Moment>,
    assessed_by: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    approved_at: Option<Moment>,
    approved_by: Option<String>,
}

macro_rules! part {
    ($(#[$about:meta])* $name:ident of $item:ident) => {
        $(#[$about])*
        #[derive(Debug, Serialize, ToSchema)]
        pub(crate) struct $name {
            total: u64,
            items: Vec<$item>,
        }

        impl $name {
            fn of<V>(page: &Page<V>, item: impl Fn(&V) -> $item) -> Self {
                Self { total: page.total, items: page.items.iter().map(item).collect() }
            }
        }
    };
}

part! {
    /// The own controls that address the requirement.
    ProvingControls of ProvingControl
}
part! {
    /// The evidence attached to the assessment or to one of the controls.
    ProvingEvidence of ProvingFile
}
part! {
    /// The tests that name a measure of the requirement or one of the controls.
    ProvingTestCases of ProvingTestCase
}
part! {
    /// The risks that name one of the controls.
    ProvingRisks of ProvingRisk
}

/// The findings that name the requirement, a measure of it or one of the controls.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProvingFindings {
    total: u64,
    open: u64,
    /// The open ones first.
    items: Vec<ProvingFinding>,
}

/// A control with its last performance.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProvingControl {
    #[schema(value_type = String)]
    id: ControlId,
    reference: String,
    title: String,
    status: ControlStatus,
    effectiveness: Effectiveness,
    #[schema(value_type = Option<String>, format = Date)]
    last_performed_on: Option<Day>,
}

/// A piece of evidence.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProvingFile {
    #[schema(value_type = String)]
    id: EvidenceId,
    title: String,
    state: EvidenceState,
    #[schema(value_type = Option<String>, format = Date)]
    valid_until: Option<Day>,
}

/// A finding.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProvingFinding {
    #[schema(value_type = String)]
    id: FindingId,
    #[schema(value_type = String)]
    reference: FindingReference,
    title: String,
    severity: Severity,
    status: FindingStatus,
}

/// A test with its last result.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProvingTestCase {
    #[schema(value_type = String)]
    id: TestCaseId,
    title: String,
    status: TestCaseStatus,
    #[schema(value_type = Option<String>, format = DateTime)]
    executed_at: Option<Moment>,
}

/// A risk.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProvingRisk {
    #[schema(value_type = String)]
    id: RiskId,
    reference: String,
    title: String,
    status: RiskStatus,
}

impl From<&Proof> for RequirementProof {
    fn from(proof: &Proof) -> Self {
        let (row, said) = (&proof.assessment.row, &proof.assessment.row.assessment);
        Self {
            requirement: row.requirement.clone(),
            assessment: ProvingAssessment {
                status: said.status.into(),
                applies: proof.assessment.applies(),
                version: row.version,
                assessed_at: said.assessed.as_ref().map(|signed| signed.at),
                assessed_by: said.assessed.as_ref().map(|signed| signed.by.clone()),
                approved_at: said.approved.as_ref().map(|signed| signed.at),
                approved_by: said.approved.as_ref().map(|signed| signed.by.clone()),
            },
            controls: ProvingControls::of(&proof.controls, |control| ProvingControl {
                id: control.row.id,
                reference: control.row.record.reference.to_string(),
                title: control.row.record.title.to_string(),
                status: control.row.record.status.into(),
                effectiveness: control.row.record.effectiveness().into(),
                last_performed_on: control.row.record.last_performed_on,
            }),
            evidence: ProvingEvidence::of(&proof.evidence, |evidence| ProvingFile {
                id: evidence.row.id,
                title: evidence.row.record.title.to_string(),
                state: evidence.state.into(),
                valid_until: evidence.row.record.valid_until,
            }),
            findings: ProvingFindings {
                total: proof.findings.total,
                open: proof.open_findings,
                items: proof.findings.items.iter().map(finding).collect(),
            },
            test_cases: ProvingTestCases::of(&proof.test_cases, |test| ProvingTestCase {
                id: test.row.id,
                title: test.row.record.title.to_string(),
                status: test.row.record.status.into(),
                executed_at: test.row.record.executed_at,
            }),
            risks: ProvingRisks::of(&proof.risks, |risk| ProvingRisk {
                id: risk.row.id,
                reference: risk.row.record.reference.to_string(),
                title: risk.row.record.title.to_string(),
                status: risk.row.record.status.into(),
            }),
        }
    }
}

fn finding(row: &app::finding::FindingRow) -> ProvingFinding {
    ProvingFinding {
        id: row.id,
        reference: row.record.reference,
        title: row.record.title.to_string(),
        severity: row.record.severity.into(),
        status: row.record.status.into(),
    }
}

/// Gets what proves a requirement: its assessment, controls, evidence, findings, tests and risks.
///
/// A key with scopes needs `read` for each of these resources.
#[utoipa::path(get, path = "/api/v1/requirements/{requirement}/proof", tag = "assessments",
    params(("requirement" = String, Path)),
    responses((status = 200, body = Data<RequirementProof>), KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(requirement): IdPath<String>,
) -> Result<Response, ApiError> {
    let proof = app.compliance.requirement_proof(&caller, &requirement).await?;
    let data = RequirementProof::from(&proof);
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data })))
}
