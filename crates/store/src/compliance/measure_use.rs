//! Results of tests and findings by the measures, requirements and own controls they name. Updated with every change of either; the
//! effectiveness of the controls concerned is recomputed in the same transaction. The table keys all by their ids,
//! which cannot collide.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{
    control::Proof,
    finding::Finding,
    id::{ControlId, TestCaseId},
    test_case::{TestCase, TestCaseStatus},
    vocabulary::Severity,
};

use crate::{
    Error, Reader, Result, TenantScope, Tx, control, params,
    sql::{Row, Value},
};

crate::sql! {
    FORGET = "DELETE FROM measure_uses WHERE tenant_id = $1 AND record_id = $2";
    PUT = "INSERT INTO measure_uses (tenant_id, measure_id, kind, record_id, outcome) VALUES ($1, $2, $3, $4, $5)";
    OF = "SELECT kind, outcome, COUNT(*) FROM measure_uses WHERE tenant_id = $1 AND measure_id = $2
          GROUP BY kind, outcome";
    /// One row for each owner that has open findings: `$2` lists pairs of an owner and a measure.
    OPEN = differs("each engine has its own way to bind a list",
        sqlite "SELECT json_each.key, COUNT(DISTINCT u.record_id)
                FROM json_each($2) CROSS JOIN json_each(json_each.value) json_measures CROSS JOIN measure_uses u
                WHERE u.tenant_id = $1 AND u.measure_id = json_measures.value AND u.kind = 'finding'
                GROUP BY 1",
        postgres "SELECT o.key, COUNT(DISTINCT u.record_id)
                  FROM jsonb_each(CAST(CAST($2 AS TEXT) AS JSONB)) o
                  CROSS JOIN LATERAL jsonb_array_elements_text(o.value) AS m (value)
                  JOIN measure_uses u ON u.tenant_id = $1 AND u.measure_id = m.value AND u.kind = 'finding'
                  GROUP BY 1");
    FINDINGS = differs("each engine has its own way to bind a list",
        sqlite "SELECT DISTINCT u.record_id FROM json_each($2) CROSS JOIN measure_uses u
                WHERE u.tenant_id = $1 AND u.measure_id = json_each.value AND u.kind = $4
                ORDER BY u.record_id LIMIT $3",
        postgres "SELECT DISTINCT u.record_id FROM measure_uses u
                  WHERE u.tenant_id = $1 AND u.kind = $4
                      AND u.measure_id IN (SELECT jsonb_array_elements_text(CAST(CAST($2 AS TEXT) AS JSONB)))
                  ORDER BY u.record_id LIMIT $3");
}

const TEST: &str = "test";
const FINDING: &str = "finding";
const PASSED: i64 = 1;
const FAILED: i64 = 2;

/// The contribution of one record to the measures, requirements and controls it names; empty while it has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contribution<'r> {
    measures: &'r [String],
    requirements: &'r [String],
    controls: &'r [ControlId],
    outcome: Option<(&'static str, i64)>,
}

impl<'r> Contribution<'r> {
    /// A test counts once it has a result, until it is repeated or archived.
    pub fn by_test(test: &'r TestCase, is_archived: bool) -> Self {
        let outcome = match test.status {
            TestCaseStatus::Passed => Some((TEST, PASSED)),
            TestCaseStatus::Failed => Some((TEST, FAILED)),
            _ => None,
        };
        let outcome = outcome.filter(|_| !is_archived);
        Self { measures: &test.measures, requirements: &[], controls: &test.controls, outcome }
    }

    /// A finding counts while it is open.
    pub fn by_finding(finding: &'r Finding, is_archived: bool) -> Self {
        let place = Severity::ALL.iter().position(|severity| *severity == finding.severity);
        let rank = i64::try_from(place.unwrap_or_default()).unwrap_or_default() + 1;
        let says = finding.status.is_open() && !is_archived;
        let outcome = says.then_some((FINDING, rank));
        let Finding { measures, requirements, controls, .. } = finding;
        Self { measures, requirements, controls, outcome }
    }

    fn is_silent(&self) -> bool {
        self.outcome.is_none() || self.keys().is_empty()
    }

    /// The measures, requirements and controls, each once.
    pub(crate) fn keys(&self) -> BTreeSet<String> {
        let texts = self.measures.iter().chain(self.requirements).cloned();
        texts.chain(self.controls.iter().map(ToString::to_string)).collect()
    }
}

/// Stores the contribution of a record and updates the controls of the measures concerned.
pub fn put(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    record: &str,
    before: &Contribution<'_>,
    after: &Contribution<'_>,
) -> Result<()> {
    if before == after || (before.is_silent() && after.is_silent()) {
        return Ok(());
    }
    if !before.is_silent() {
        tx.execute(&FORGET, params![scope.tenant(), record])?;
    }
    if let Some((kind, outcome)) = after.outcome {
        for key in after.keys() {
            tx.execute(&PUT, params![scope.tenant(), &key, kind, record, outcome])?;
        }
    }
    for key in before.keys().union(&after.keys()) {
        control::judge(tx, scope, key)?;
    }
    Ok(())
}

/// The contributions of tests and findings to a control: those that name it, and those that name its measure.
pub fn proof(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    control: Option<ControlId>,
    measure: Option<&str>,
) -> Result<Proof> {
    let control = control.map(|id| id.to_string());
    let mut proof = Proof::default();
    for key in control.as_deref().into_iter().chain(measure) {
        add_proof(reader, scope, key, &mut proof)?;
    }
    Ok(proof)
}

fn add_proof(reader: &mut Reader<'_>, scope: &TenantScope, key: &str, proof: &mut Proof) -> Result<()> {
    let read = |row: &Row<'_>| Ok((row.get::<String>(0)?, row.get::<i64>(1)?, row.get::<u64>(2)?));
    for (kind, outcome, count) in reader.query(&OF, params![scope.tenant(), key], read)? {
        match (kind.as_str(), outcome) {
            (TEST, PASSED) => proof.passed += count,
            (TEST, _) => proof.failed += count,
            _ => {
                let place = usize::try_from(outcome - 1).unwrap_or(usize::MAX);
                let severity = Severity::ALL.get(place).copied();
                // The worst severity sorts first.
                proof.worst = [proof.worst, severity].into_iter().flatten().min();
            }
        }
    }
    Ok(())
}

/// How many open findings name a measure of each owner, such as a requirement or a control, in one query for all.
pub fn open_findings<'p>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    pairs: impl Iterator<Item = (&'p str, &'p str)>,
) -> Result<HashMap<String, u64>> {
    let mut measures: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (owner, measure) in pairs {
        measures.entry(owner).or_default().push(measure);
    }
    if measures.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = reader.query(
        &OPEN,
        &[Value::from(scope.tenant()), Value::Owned(serde_json::json!(measures).to_string())],
        |row| Ok((row.get::<String>(0)?, row.get::<u64>(1)?)),
    )?;
    Ok(rows.into_iter().collect())
}

/// The first open findings that name one of these measures or controls, oldest first.
pub fn findings(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    measures: &[&str],
    limit: u32,
) -> Result<Vec<domain::id::FindingId>> {
    if measures.is_empty() {
        return Ok(Vec::new());
    }
    reader
        .query(&FINDINGS, params![scope.tenant(), Value::json(measures), limit, FINDING], |row| row.parse(0))
}

/// The first test cases with a result that name one of these measures or controls, oldest first.
pub fn tests(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    keys: &[&str],
    limit: u32,
) -> Result<Vec<TestCaseId>> {
    reader.query(&FINDINGS, params![scope.tenant(), Value::json(keys), limit, TEST], |row| row.parse(0))
}

/// The ids of controls as a column of a record.
pub(crate) fn control_ids(controls: &[ControlId]) -> Value<'static> {
    let ids: Vec<String> = controls.iter().map(ToString::to_string).collect();
    Value::json(&ids)
}

/// The same read back. Versions from before the column have none.
pub(crate) fn controls(kept: Option<String>) -> Result<Vec<ControlId>> {
    ids(kept)?.iter().map(|id| id.parse().map_err(Error::corrupt)).collect()
}

/// A column with a list of ids. Versions from before the column have none.
pub(crate) fn ids(kept: Option<String>) -> Result<Vec<String>> {
    kept.map_or_else(|| Ok(Vec::new()), |kept| serde_json::from_str(&kept).map_err(Error::corrupt))
}

/// What the text of such a column looks like when it contains this id.
pub(crate) fn naming(id: &str) -> String {
    // An id has neither of these; a text from an address must not match what it does not name.
    let id: String = id.chars().filter(|c| !matches!(c, '%' | '\\' | '"')).collect();
    format!("%\"{id}\"%")
}
