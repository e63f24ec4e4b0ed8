//! The lines of drill runs' decision logs: added, never changed, deleted with their run.

use domain::{
    id::DrillRunId,
    moment::Moment,
    page::{Page, PageRequest},
    text::Prose,
};

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    APPEND = "INSERT INTO drill_run_log (tenant_id, drill_run_id, seq, at, text, actor)
              SELECT $1, $2, COALESCE(MAX(seq), 0) + 1, $3, $4, $5
              FROM drill_run_log WHERE tenant_id = $1 AND drill_run_id = $2";
    OF = "SELECT seq, at, text, actor FROM drill_run_log
          WHERE tenant_id = $1 AND drill_run_id = $2 ORDER BY seq DESC LIMIT $3 OFFSET $4";
    COUNT = "SELECT COUNT(*) FROM drill_run_log WHERE tenant_id = $1 AND drill_run_id = $2";
    DELETE = "DELETE FROM drill_run_log WHERE tenant_id = $1 AND drill_run_id = $2";
}

/// A line with who wrote it, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionRow {
    pub seq: i64,
    pub at: Moment,
    pub text: Prose,
    pub actor: String,
}

pub fn append(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    run: DrillRunId,
    text: &Prose,
    (actor, now): (&str, Moment),
) -> Result<()> {
    tx.execute(&APPEND, params![scope.tenant(), run, now, text, actor])?;
    Ok(())
}

pub fn count(reader: &mut Reader<'_>, scope: &TenantScope, run: DrillRunId) -> Result<u64> {
    let count: i64 = reader.query_one(&COUNT, params![scope.tenant(), run], |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

/// A page of the lines, latest first.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    run: DrillRunId,
    request: PageRequest,
) -> Result<Page<DecisionRow>> {
    let total = count(reader, scope, run)?;
    let (limit, offset) = (i64::from(request.limit()), request.offset());
    let rows = reader.query(&OF, params![scope.tenant(), run, limit, offset], |row| {
        Ok(DecisionRow {
            seq: row.get(0)?,
            at: row.get(1)?,
            text: row.check(2, Prose::parse)?,
            actor: row.get(3)?,
        })
    })?;
    Ok(Page::new(rows, total, request))
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, run: DrillRunId) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), run])?;
    Ok(())
}
