//! The stream of writes to records: every transaction appends what it wrote, in the order of the commits of its tenant.
//!
//! The position of a write is the revision of its transaction, followed by its number in it. The chain gives a revision
//! to one transaction of a tenant at a time, so positions become visible in their order: a reader that has seen one
//! has seen every smaller one.

use std::collections::HashMap;

use domain::{id::EventId, moment::Moment, record_event::Happening};
use serde_json::json;

use super::{Error, Result, Tx, session::Signature};
use crate::{TenantScope, function::made_of, params};

crate::sql! {
    APPEND = differs("each engine has its own way to bind a list",
        sqlite
          "INSERT INTO record_events (tenant_id, position, id, kind, record_id, verb, version, recomputed, at, actor,
                                      detail)
           SELECT $1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, $3, $4,
                  value ->> 7
           FROM json_each($2)",
        postgres
          "INSERT INTO record_events (tenant_id, position, id, kind, record_id, verb, version, recomputed, at, actor,
                                      detail)
           SELECT CAST($1 AS TEXT), CAST(w ->> 0 AS BIGINT), w ->> 1, w ->> 2, w ->> 3, w ->> 4,
                  CAST(w ->> 5 AS BIGINT), CAST(w ->> 6 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS TEXT), w ->> 7
           FROM jsonb_array_elements(CAST(CAST($2 AS TEXT) AS JSONB)) w");
}

/// Writes stored by one statement: an import writes many thousands.
const BATCH: usize = 500;
/// The bits of a position that number the writes of one transaction.
const WITHIN: u32 = 24;

/// A write to a record, or what happened to it besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordWrite {
    /// The table of its kind.
    pub table: &'static str,
    pub record: String,
    pub what: Happening,
    /// The version it has now; of a deleted record the last one.
    pub version: i64,
    /// Whether the version stays as it is: the service computed values of the record again, or something happened
    /// besides writes.
    pub recomputed: bool,
    /// What else there is to say about what happened besides, as JSON.
    pub detail: Option<String>,
    pub at: Moment,
}

/// The position behind every write of the transactions up to this revision.
pub fn end_of_revision(revision: i64) -> i64 {
    ((revision + 1) << WITHIN) - 1
}

impl Tx<'_> {
    /// Notes a write for the stream. It is stored with the commit, under the author of the audit entry.
    pub(crate) fn note_write(&mut self, scope: &TenantScope, write: RecordWrite) -> Result<()> {
        if !self.is_chain_of(&scope.tenant().to_string()) {
            return Err(Error::Unaudited);
        }
        self.writes.push(write);
        Ok(())
    }

    /// Stores the writes of this transaction.
    pub(super) fn append_writes(&mut self) -> Result<()> {
        let writes = in_order(std::mem::take(&mut self.writes));
        let (Some(last), Some(Signature { chain, revision, signed })) = (writes.last(), self.signature())
        else {
            return Ok(());
        };
        if writes.len() >> WITHIN != 0 {
            return Err(Error::Refused("one transaction writes too many records: divide it".into()));
        }
        let (actor, at) = signed.unwrap_or_else(|| ("system".to_owned(), last.at));
        let mut position = revision << WITHIN;
        for some in writes.chunks(BATCH) {
            let mut rows = Vec::with_capacity(some.len());
            for RecordWrite { table, record, what, version, recomputed, detail, .. } in some {
                let (id, what) =
                    (EventId::from(made_of(&chain, &position.to_string(), at)), what.to_string());
                rows.push(json!([
                    position,
                    id,
                    table,
                    record,
                    what,
                    version,
                    i64::from(*recomputed),
                    detail
                ]));
                position += 1;
            }
            self.post(&APPEND, params![&chain, json!(rows).to_string(), at, &actor])?;
        }
        Ok(())
    }
}

/// The writes as they were made, and then what happened besides, which is about the records as they were left.
fn in_order(mut writes: Vec<RecordWrite>) -> Vec<RecordWrite> {
    let is_besides = |write: &RecordWrite| matches!(write.what, Happening::Besides(_));
    if !writes.iter().any(is_besides) {
        return writes;
    }
    writes.sort_by_key(is_besides);
    let made = writes.iter().filter(|write| !is_besides(write));
    let last: HashMap<String, i64> = made.map(|write| (write.record.clone(), write.version)).collect();
    for write in writes.iter_mut().filter(|write| is_besides(write)) {
        write.version = last.get(&write.record).copied().unwrap_or(write.version);
    }
    writes
}
