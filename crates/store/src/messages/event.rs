//! The outbox: events, inserted in the transaction of the change and read by the delivery worker.

use domain::{event::EventKind, id::EventId, moment::Moment};

use crate::{Reader, Result, TenantScope, Tx, params, sql::Row};

crate::sql! {
    INSERT = "INSERT INTO events (id, tenant_id, kind, occurred_at, subject, dedupe_key, payload)
              VALUES ($1, $2, $3, $4, $5, $6, $7)";
    AFTER = "SELECT id, kind, occurred_at, subject, dedupe_key, payload FROM events
             WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    pub id: EventId,
    pub kind: EventKind,
    pub occurred_at: Moment,
    /// The id of the record it is about.
    pub subject: String,
    /// A second event with the same key is refused.
    pub dedupe_key: Option<String>,
    /// The `data` of the event: the record under its kind, and what changed.
    pub payload: String,
}

fn read(row: &Row<'_>) -> Result<EventRow> {
    Ok(EventRow {
        id: row.parse(0)?,
        kind: row.parse(1)?,
        occurred_at: row.get(2)?,
        subject: row.get(3)?,
        dedupe_key: row.get(4)?,
        payload: row.get(5)?,
    })
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, event: &EventRow) -> Result<()> {
    tx.post(
        &INSERT,
        params![
            event.id,
            scope.tenant(),
            event.kind.as_str(),
            event.occurred_at,
            &event.subject,
            event.dedupe_key.as_ref(),
            &event.payload,
        ],
    )?;
    // Wakes the delivery workers, so that they do not wait for their next poll.
    tx.hint();
    Ok(())
}

/// The tenant's events after this one, oldest first.
pub fn after(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    after: Option<EventId>,
    limit: u32,
) -> Result<Vec<EventRow>> {
    let after = after.map_or_else(String::new, |id| id.to_string());
    reader.query(&AFTER, params![scope.tenant(), after, limit], read)
}
