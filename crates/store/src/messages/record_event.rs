//! The writes to records as they are read: in the order of their commits, with what the record was before and after.

use domain::{
    id::{EventId, Uuid7},
    moment::Moment,
    record_event::{Happening, Occurrence},
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Row, stream::RecordWrite},
};

crate::sql! {
    AFTER = "SELECT e.id, e.position, e.kind, e.record_id, e.verb, e.version, e.at, e.actor, b.content, a.content,
                e.detail
             FROM record_events e
             LEFT JOIN record_versions b ON b.tenant_id = e.tenant_id AND b.record_id = e.record_id
                  AND b.version = CASE WHEN e.recomputed = 1 THEN 0 WHEN e.verb = 'deleted' THEN e.version
                                       ELSE e.version - 1 END
             LEFT JOIN record_versions a ON a.tenant_id = e.tenant_id AND a.record_id = e.record_id
                  AND a.version = e.version
             WHERE e.tenant_id = $1 AND e.position > $2 AND e.at >= $3
               AND CAST($4 AS TEXT) LIKE '%,' || e.kind || ',%'
             ORDER BY e.position LIMIT $5";
    GET = "SELECT e.id, e.position, e.kind, e.record_id, e.verb, e.version, e.at, e.actor, b.content, a.content,
                e.detail
           FROM record_events e
           LEFT JOIN record_versions b ON b.tenant_id = e.tenant_id AND b.record_id = e.record_id
                AND b.version = CASE WHEN e.recomputed = 1 THEN 0 WHEN e.verb = 'deleted' THEN e.version
                                     ELSE e.version - 1 END
           LEFT JOIN record_versions a ON a.tenant_id = e.tenant_id AND a.record_id = e.record_id
                AND a.version = e.version
           WHERE e.tenant_id = $1 AND e.id = $2";
    PRUNE = "DELETE FROM record_events WHERE id IN (
                 SELECT id FROM record_events WHERE id < $1 ORDER BY id LIMIT $2)";
}

/// A write to a record, or what happened to it besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordEventRow {
    pub id: EventId,
    pub position: i64,
    /// The table of the record.
    pub table: String,
    pub record: String,
    pub what: Happening,
    /// The version after the write; of a deleted record the last one.
    pub version: i64,
    pub at: Moment,
    pub actor: String,
    /// The content before; none of a new record, and none where values were only computed again.
    pub before: Option<String>,
    /// The content of this version, once there is a later one.
    pub after: Option<String>,
    /// What else there is to say about what happened besides writes, as JSON.
    pub detail: Option<String>,
}

fn read(row: &Row<'_>) -> Result<RecordEventRow> {
    Ok(RecordEventRow {
        id: row.parse(0)?,
        position: row.get(1)?,
        table: row.get(2)?,
        record: row.get(3)?,
        what: row.parse(4)?,
        version: row.get(5)?,
        at: row.get(6)?,
        actor: row.get(7)?,
        before: row.get(8)?,
        after: row.get(9)?,
        detail: row.get(10)?,
    })
}

/// The writes behind a position, oldest first: those at this moment or later, to records in these tables.
pub fn after(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    position: i64,
    since: Moment,
    tables: &[&str],
    limit: u32,
) -> Result<Vec<RecordEventRow>> {
    let tables = format!(",{},", tables.join(","));
    reader.query(&AFTER, params![scope.tenant(), position, since, tables, limit], read)
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: EventId) -> Result<Option<RecordEventRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// Deletes at most `limit` writes from before a moment, the oldest first.
pub fn prune(tx: &mut Tx<'_>, before: Moment, limit: u32) -> Result<u64> {
    tx.execute(&PRUNE, params![EventId::from(Uuid7::first_at(before)), limit])
}

/// What something happened to: the table of its kind or the word of another subject, its id and its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    pub table: &'static str,
    pub id: String,
    pub version: i64,
}

/// Adds what happened besides writes to the stream, in the transaction in which it happened.
pub fn publish(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    occurrence: Occurrence,
    Subject { table, id, version }: Subject,
    detail: &serde_json::Value,
    at: Moment,
) -> Result<()> {
    let (what, detail) = (occurrence.into(), Some(detail.to_string()));
    tx.note_write(scope, RecordWrite { table, record: id, what, version, recomputed: true, detail, at })
}
