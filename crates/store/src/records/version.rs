//! Earlier versions of records, stored with every change. One table for all kinds.

use domain::moment::Moment;

use crate::{Reader, Result, TenantScope, Tx, params, sql::Row};

crate::sql! {
    KEEP = "INSERT INTO record_versions (tenant_id, record_id, version, valid_from, valid_until, replaced_by, content,
                                         kind, cells)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    COUNT = "SELECT COUNT(*) FROM record_versions WHERE tenant_id = $1 AND record_id = $2";
    LIST = "SELECT version, valid_from, valid_until, replaced_by, content FROM record_versions
            WHERE tenant_id = $1 AND record_id = $2 ORDER BY version DESC LIMIT $3 OFFSET $4";
    GET = "SELECT version, valid_from, valid_until, replaced_by, content FROM record_versions
           WHERE tenant_id = $1 AND record_id = $2 AND version = $3";
}

/// The content of a record between two changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRow {
    pub version: i64,
    pub from: Moment,
    pub until: Moment,
    /// Who made the change that ended it.
    pub replaced_by: String,
    /// The record's fields as a JSON object.
    pub content: String,
}

fn read(row: &Row<'_>) -> Result<VersionRow> {
    Ok(VersionRow {
        version: row.get(0)?,
        from: row.get(1)?,
        until: row.get(2)?,
        replaced_by: row.get(3)?,
        content: row.get(4)?,
    })
}

/// The columns of an earlier version, by which lists as of a day find and read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastCells {
    /// The table of the kind.
    pub kind: &'static str,
    /// A JSON object with the value of every column.
    pub cells: String,
}

pub fn keep(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    record: &str,
    row: &VersionRow,
    past: Option<&PastCells>,
) -> Result<()> {
    let VersionRow { version, from, until, replaced_by, content } = row;
    let (kind, cells) = (past.map(|past| past.kind), past.map(|past| past.cells.as_str()));
    let values = params![scope.tenant(), record, *version, *from, *until, replaced_by, content, kind, cells];
    tx.post(&KEEP, values)?;
    Ok(())
}

/// How many earlier versions there are.
pub fn count(reader: &mut Reader<'_>, scope: &TenantScope, record: &str) -> Result<u64> {
    reader.query_one(&COUNT, params![scope.tenant(), record], |row| row.get(0))
}

/// A page of earlier versions, newest first.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    record: &str,
    limit: u64,
    offset: u64,
) -> Result<Vec<VersionRow>> {
    reader.query(&LIST, params![scope.tenant(), record, limit, offset], read)
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    record: &str,
    version: i64,
) -> Result<Option<VersionRow>> {
    reader.query_opt(&GET, params![scope.tenant(), record, version], read)
}
