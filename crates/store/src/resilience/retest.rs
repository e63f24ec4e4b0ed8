//! The retests of findings: added, never changed, deleted with their finding.

use domain::{
    id::FindingId,
    moment::Moment,
    retest::Retest,
    text::{Name, Prose},
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Row, Value},
};

crate::sql! {
    ADD = "INSERT INTO finding_retests (tenant_id, finding_id, seq, result, performed_on, performed_by, by_owner,
                                        actual_result, evidence, recorded_at, actor)
           SELECT $1, $2, COALESCE(MAX(seq), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10
           FROM finding_retests WHERE tenant_id = $1 AND finding_id = $2
           RETURNING seq";
    OF = "SELECT seq, result, performed_on, performed_by, by_owner, actual_result, evidence, recorded_at, actor
          FROM finding_retests WHERE tenant_id = $1 AND finding_id = $2 ORDER BY seq DESC LIMIT $3";
    FORGET = "DELETE FROM finding_retests WHERE tenant_id = $1 AND finding_id = $2";
}

/// A retest with who recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetestRow {
    /// Counted from 1 for each finding, in the order of recording; given by the store.
    pub number: i64,
    pub retest: Retest,
    pub recorded_at: Moment,
    pub actor: String,
}

/// Adds a retest and returns its number.
pub fn add(tx: &mut Tx<'_>, scope: &TenantScope, id: FindingId, row: &RetestRow) -> Result<i64> {
    let Retest { result, performed_on, performed_by, by_owner, actual_result, evidence } = &row.retest;
    let evidence: Vec<String> = evidence.iter().map(ToString::to_string).collect();
    let values = params![
        scope.tenant(),
        id,
        result.as_str(),
        *performed_on,
        performed_by.as_ref(),
        *by_owner,
        actual_result.as_ref(),
        Value::json(&evidence),
        row.recorded_at,
        &row.actor,
    ];
    tx.query_one(&ADD, values, |row| row.get(0))
}

/// The latest retests of a finding, last recorded first.
pub fn of(reader: &mut Reader<'_>, scope: &TenantScope, id: FindingId, limit: u32) -> Result<Vec<RetestRow>> {
    reader.query(&OF, params![scope.tenant(), id, limit], read)
}

fn read(row: &Row<'_>) -> Result<RetestRow> {
    let evidence: Vec<String> = row.json(6)?;
    Ok(RetestRow {
        number: row.get(0)?,
        retest: Retest {
            result: row.parse(1)?,
            performed_on: row.parse(2)?,
            performed_by: row.check_opt(3, Name::parse)?,
            by_owner: row.get(4)?,
            actual_result: row.check_opt(5, Prose::parse)?,
            evidence: evidence
                .iter()
                .map(|id| id.parse().map_err(crate::Error::corrupt))
                .collect::<Result<_>>()?,
        },
        recorded_at: row.get(7)?,
        actor: row.get(8)?,
    })
}

/// Deletes the retests of a deleted finding.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, id: FindingId) -> Result<()> {
    tx.execute(&FORGET, params![scope.tenant(), id])?;
    Ok(())
}
