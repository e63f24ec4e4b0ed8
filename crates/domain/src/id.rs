//! Identifiers by their names, for the crates above this one: those that many files name. Any identifier can be imported
//! from the module of its record, and in this crate it is; the rest are from [`identifier`](crate::identifier).

pub use crate::{
    approval::ApprovalId,
    arrangement::ArrangementId,
    audit_note::AuditNoteId,
    comment::CommentId,
    control::ControlId,
    cra_report::CraReportId,
    custom_field::CustomFieldId,
    drill_run::DrillRunId,
    evidence::EvidenceId,
    evidence_request::EvidenceRequestId,
    finding::FindingId,
    function::FunctionId,
    identifier::*,
    incident::IncidentId,
    own_framework::OwnFrameworkId,
    programme::ProgrammeId,
    provider::{ProviderId, ReviewId},
    register_filing::RegisterFilingId,
    risk::RiskId,
    sample::SampleId,
    task::TaskId,
    test_case::TestCaseId,
    training::TrainingId,
    view::ViewId,
};
