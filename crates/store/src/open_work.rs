//! Open work by the name it stands under: findings and programmes by owner, test cases by assignee.

use domain::id::{FindingId, ProgrammeId, TestCaseId};

use crate::{Reader, Result, TenantScope, sql::Value};

crate::sql! {
    FINDINGS = "SELECT id FROM findings WHERE tenant_id = $1 AND owner = $2 AND open = 1 ORDER BY id";
    TEST_CASES = "SELECT id FROM test_cases WHERE tenant_id = $1 AND assignee = $2 AND pending = 1 ORDER BY id";
    PROGRAMMES = "SELECT id FROM programmes WHERE tenant_id = $1 AND owner = $2 AND running = 1 ORDER BY id";
}

/// A person's open work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenWork {
    pub findings: Vec<FindingId>,
    pub test_cases: Vec<TestCaseId>,
    pub programmes: Vec<ProgrammeId>,
}

/// The open work under any of these names.
pub fn of(reader: &mut Reader<'_>, scope: &TenantScope, names: &[&str]) -> Result<OpenWork> {
    let mut work = OpenWork::default();
    for name in names {
        let of = || [scope.tenant().into(), Value::from(*name)];
        work.findings.extend(reader.query(&FINDINGS, &of(), |row| row.parse::<FindingId>(0))?);
        work.test_cases.extend(reader.query(&TEST_CASES, &of(), |row| row.parse::<TestCaseId>(0))?);
        work.programmes.extend(reader.query(&PROGRAMMES, &of(), |row| row.parse::<ProgrammeId>(0))?);
    }
    Ok(work)
}
