//! Every status a record has had, with who moved it and why. One table for all kinds of records.

use domain::{moment::Moment, text::Prose};

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    APPEND = "INSERT INTO status_history (tenant_id, record_id, seq, at, from_status, to_status, actor, note)
              SELECT $1, $2, COALESCE(MAX(seq), 0) + 1, $3, $4, $5, $6, $7
              FROM status_history WHERE tenant_id = $1 AND record_id = $2";
    /// For a record made in the same transaction, which has no history yet.
    BEGIN = "INSERT INTO status_history (tenant_id, record_id, seq, at, from_status, to_status, actor, note)
             VALUES ($1, $2, 1, $3, NULL, $4, $5, $6)";
    OF = "SELECT at, from_status, to_status, actor, note FROM status_history
          WHERE tenant_id = $1 AND record_id = $2 ORDER BY seq";
    DELETE = "DELETE FROM status_history WHERE tenant_id = $1 AND record_id = $2";
}

/// One step. Statuses are words of the record's own lifecycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryRow {
    pub at: Moment,
    /// `None` for the first status a record had.
    pub from: Option<String>,
    pub to: String,
    pub actor: String,
    pub note: Option<Prose>,
}

pub fn append(tx: &mut Tx<'_>, scope: &TenantScope, record: &str, step: &HistoryRow) -> Result<()> {
    let HistoryRow { at, from, to, actor, note } = step;
    if let Some(from) = from {
        tx.post(&APPEND, params![scope.tenant(), record, *at, from, to, actor, note.as_ref()])?;
    } else {
        tx.post(&BEGIN, params![scope.tenant(), record, *at, to, actor, note.as_ref()])?;
    }
    Ok(())
}

/// The steps of one record, oldest first.
pub fn of(reader: &mut Reader<'_>, scope: &TenantScope, record: &str) -> Result<Vec<HistoryRow>> {
    reader.query(&OF, params![scope.tenant(), record], |row| {
        Ok(HistoryRow {
            at: row.get(0)?,
            from: row.get(1)?,
            to: row.get(2)?,
            actor: row.get(3)?,
            note: row.check_opt(4, Prose::parse)?,
        })
    })
}

/// Deletes the history of a deleted record.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, record: &str) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), record])?;
    Ok(())
}
