//! How many test cases there are, updated with every change, so that no list and no programme has to count rows.

use std::collections::BTreeMap;

use domain::{any_of::AnyOf, id::ProgrammeId, test_case::TestCaseStatus, test_type::TestType};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Row, Value},
    test_case::TestCaseRow,
};

crate::sql! {
    ADD = "INSERT INTO test_case_counts (tenant_id, programme_id, test_type, status, n) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (tenant_id, programme_id, test_type, status)
           DO UPDATE SET n = test_case_counts.n + excluded.n";
    OF = "SELECT programme_id, test_type, status, n FROM test_case_counts
          WHERE tenant_id = $1 AND programme_id = $2";
    OF_MANY = differs("the portable dialect has no list parameters",
        sqlite "SELECT programme_id, test_type, status, n FROM test_case_counts
                WHERE tenant_id = $1 AND programme_id IN (SELECT value FROM json_each($2))",
        postgres "SELECT programme_id, test_type, status, n FROM test_case_counts
                  WHERE tenant_id = $1
                    AND programme_id IN (SELECT json_array_elements_text(CAST(CAST($2 AS TEXT) AS JSON)))");
    FORGET = "DELETE FROM test_case_counts WHERE tenant_id = $1 AND programme_id = $2";
}

/// The counts of one programme, or of all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestCaseCounts(BTreeMap<(TestType, TestCaseStatus), i64>);

impl TestCaseCounts {
    /// The sum of the counts of this type and status, where they are given.
    pub fn matching(
        &self,
        test_type: impl Into<AnyOf<TestType>>,
        status: impl Into<AnyOf<TestCaseStatus>>,
    ) -> u64 {
        let (test_type, status) = (test_type.into(), status.into());
        let kept = self.0.iter().filter(|((have_type, have_status), _)| {
            test_type.allows(have_type) && status.allows(have_status)
        });
        u64::try_from(kept.map(|(_, n)| n).sum::<i64>()).unwrap_or(0)
    }

    pub fn total(&self) -> u64 {
        self.matching(AnyOf::default(), AnyOf::default())
    }

    /// Those with a result.
    pub fn executed(&self) -> u64 {
        [TestCaseStatus::Passed, TestCaseStatus::Failed].map(|status| self.with_status(status)).iter().sum()
    }

    pub fn with_status(&self, status: TestCaseStatus) -> u64 {
        self.matching(AnyOf::default(), status)
    }
}

/// Adds or subtracts one test case. Archived ones have counters of their own, so that all other counters leave them
/// out.
pub(crate) fn count(tx: &mut Tx<'_>, scope: &TenantScope, row: &TestCaseRow, by: i64) -> Result<()> {
    let test_case = &row.record;
    let place =
        |programme: String| if row.archived_at.is_some() { archive_key(&programme) } else { programme };
    for programme in [String::new(), test_case.programme_id.to_string()].map(place) {
        let (test_type, status) = (test_case.test_type.as_str(), test_case.status.as_str());
        tx.count(&ADD, params![scope.tenant(), programme, test_type, status], by)?;
    }
    Ok(())
}

fn read(row: &Row<'_>) -> Result<(String, TestType, TestCaseStatus, i64)> {
    Ok((row.get(0)?, row.parse(1)?, row.parse(2)?, row.get(3)?))
}

/// The counts of one programme, or of the whole tenant.
pub fn of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    programme: Option<ProgrammeId>,
) -> Result<TestCaseCounts> {
    let programme = programme.map_or_else(String::new, |id| id.to_string());
    let mut counts = TestCaseCounts::default();
    for (_, test_type, status, n) in reader.query(&OF, params![scope.tenant(), programme], read)? {
        counts.0.insert((test_type, status), n);
    }
    Ok(counts)
}

/// How many archived test cases a programme has.
pub fn archived(reader: &mut Reader<'_>, scope: &TenantScope, programme: ProgrammeId) -> Result<u64> {
    let key = archive_key(&programme.to_string());
    let rows = reader.query(&OF, params![scope.tenant(), key], read)?;
    Ok(u64::try_from(rows.iter().map(|(.., n)| n).sum::<i64>()).unwrap_or(0))
}

fn archive_key(programme: &str) -> String {
    format!("archived:{programme}")
}

/// The counts of several programmes in one query, in their order.
pub fn of_many(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    programmes: impl Iterator<Item = ProgrammeId>,
) -> Result<Vec<TestCaseCounts>> {
    let keys: Vec<String> = programmes.map(|id| id.to_string()).collect();
    let mut found: BTreeMap<String, TestCaseCounts> = BTreeMap::new();
    if !keys.is_empty() {
        let rows = reader.query(&OF_MANY, params![scope.tenant(), Value::json(&keys)], read)?;
        for (programme, test_type, status, n) in rows {
            found.entry(programme).or_default().0.insert((test_type, status), n);
        }
    }
    Ok(keys.iter().map(|key| found.remove(key).unwrap_or_default()).collect())
}

/// Deletes the counts of a deleted programme.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, programme: ProgrammeId) -> Result<()> {
    for key in [programme.to_string(), archive_key(&programme.to_string())] {
        tx.execute(&FORGET, params![scope.tenant(), key])?;
    }
    Ok(())
}
