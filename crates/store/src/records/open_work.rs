//! Open work by person: test cases by assignee, everything else by owner. Names match in any letter case.

use std::str::FromStr;

use domain::id::{
    ControlId, CraReportId, EvidenceId, FindingId, FunctionId, IncidentId, ProgrammeId, ProviderId,
    RegisterFilingId, RiskId, TaskId, TestCaseId,
};

use crate::{Reader, Result, TenantScope, params, sql::Statement};

crate::sql! {
    FINDINGS = "SELECT id FROM findings
                WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) AND open = 1 ORDER BY id";
    TEST_CASES = "SELECT id FROM test_cases
                  WHERE tenant_id = $1 AND LOWER(assignee) = LOWER($2) AND pending = 1 ORDER BY id";
    PROGRAMMES = "SELECT id FROM programmes
                  WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) AND running = 1 ORDER BY id";
    CONTROLS = "SELECT id FROM controls
                WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) AND status <> 'retired' AND archived = 0
                ORDER BY id";
    RISKS = "SELECT id FROM risks
             WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) AND status <> 'closed' AND archived = 0
                ORDER BY id";
    ASSESSMENTS = "SELECT requirement_id FROM assessments
                   WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) ORDER BY requirement_id";
    EVIDENCE = "SELECT id FROM evidence
                WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) AND archived = 0 ORDER BY id";
    FUNCTIONS = "SELECT id FROM functions
                 WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) AND archived = 0 ORDER BY id";
    FILINGS = "SELECT id FROM register_filings
               WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) AND pending = 1 ORDER BY id";
    INCIDENTS = "SELECT id FROM incidents
                 WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) AND open = 1 ORDER BY id";
    CRA_REPORTS = "SELECT id FROM cra_reports WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) AND running = 1
                   AND archived_at IS NULL ORDER BY id";
    PROVIDERS = "SELECT id FROM providers WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) ORDER BY id";
    TASKS = "SELECT id FROM tasks WHERE tenant_id = $1 AND LOWER(owner) = LOWER($2) AND open = 1 ORDER BY id";
}

/// A person's open work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenWork {
    pub findings: Vec<FindingId>,
    pub test_cases: Vec<TestCaseId>,
    pub programmes: Vec<ProgrammeId>,
    pub controls: Vec<ControlId>,
    pub risks: Vec<RiskId>,
    /// The ids of the requirements.
    pub assessments: Vec<String>,
    pub evidence: Vec<EvidenceId>,
    pub functions: Vec<FunctionId>,
    pub filings: Vec<RegisterFilingId>,
    pub providers: Vec<ProviderId>,
    pub tasks: Vec<TaskId>,
    pub incidents: Vec<IncidentId>,
    pub cra_reports: Vec<CraReportId>,
}

/// The open work under any of these names, which must differ in more than letter case.
pub fn of(reader: &mut Reader<'_>, scope: &TenantScope, names: &[&str]) -> Result<OpenWork> {
    let mut work = OpenWork::default();
    for name in names {
        ids(reader, scope, name, &FINDINGS, &mut work.findings)?;
        ids(reader, scope, name, &TEST_CASES, &mut work.test_cases)?;
        ids(reader, scope, name, &PROGRAMMES, &mut work.programmes)?;
        ids(reader, scope, name, &CONTROLS, &mut work.controls)?;
        ids(reader, scope, name, &RISKS, &mut work.risks)?;
        ids(reader, scope, name, &ASSESSMENTS, &mut work.assessments)?;
        ids(reader, scope, name, &EVIDENCE, &mut work.evidence)?;
        ids(reader, scope, name, &FUNCTIONS, &mut work.functions)?;
        ids(reader, scope, name, &FILINGS, &mut work.filings)?;
        ids(reader, scope, name, &PROVIDERS, &mut work.providers)?;
        ids(reader, scope, name, &TASKS, &mut work.tasks)?;
        ids(reader, scope, name, &INCIDENTS, &mut work.incidents)?;
        ids(reader, scope, name, &CRA_REPORTS, &mut work.cra_reports)?;
    }
    Ok(work)
}

fn ids<T: FromStr<Err: std::fmt::Display>>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    name: &str,
    statement: &Statement,
    found: &mut Vec<T>,
) -> Result<()> {
    let read: Vec<T> = reader.query(statement, params![scope.tenant(), name], |row| row.parse(0))?;
    found.extend(read);
    Ok(())
}
