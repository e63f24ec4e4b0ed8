//! The stream of writes to records: every transaction appends what it wrote, in the order of the commits of its tenant.
//!
//! The position of a write is the revision of its transaction, followed by its number in it. The chain gives a revision
//! to one transaction of a tenant at a time, so positions become visible in their order: a reader that has seen one
//! has seen every smaller one.

use domain::{id::EventId, moment::Moment, record_event::RecordVerb};

use super::{Error, Result, Tx};
use crate::{TenantScope, function::made_of, params};

crate::sql! {
    APPEND = "INSERT INTO record_events (tenant_id, position, id, kind, record_id, verb, version, recomputed, at, actor)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
}

/// The bits of a position that number the writes of one transaction.
const WITHIN: u32 = 24;

/// A write to a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordWrite {
    /// The table of its kind.
    pub table: &'static str,
    pub record: String,
    pub verb: RecordVerb,
    /// The version it has now; of a deleted record the last one.
    pub version: i64,
    /// Whether the service computed values of the record again, which leaves its version as it is.
    pub recomputed: bool,
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
        let writes = std::mem::take(&mut self.writes);
        if writes.is_empty() {
            return Ok(());
        }
        let Some((chain, revision, signed)) = self.signature() else { return Ok(()) };
        let (actor, signed_at) =
            signed.map_or_else(|| ("system".to_owned(), None), |(by, at)| (by, Some(at)));
        for (number, write) in writes.iter().enumerate() {
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            if number >> WITHIN != 0 {
                return Err(Error::Refused("one transaction writes too many records: divide it".into()));
            }
            let position = (revision << WITHIN) + number;
            let at = signed_at.unwrap_or(write.at);
            let id = EventId::from(made_of(&chain, &position.to_string(), at));
            let RecordWrite { table, record, verb, version, recomputed, .. } = write;
            let values = params![
                &chain,
                position,
                id,
                *table,
                record,
                verb.as_str(),
                *version,
                *recomputed,
                at,
                &actor
            ];
            self.execute(&APPEND, values)?;
        }
        Ok(())
    }
}
