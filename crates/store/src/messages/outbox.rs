//! Turns events into deliveries: finds new events and the webhooks subscribed to them.

use domain::{
    event::EventKind,
    id::{EventId, TenantId, WebhookId},
    moment::Moment,
    webhook::{Channel, Events},
};

use crate::{
    Reader, Result, Tx, params,
    sql::{Error, Params},
};

crate::sql! {
    // Two nodes fanning out at once would mix up the order of events, so only one of them does.
    LOCK = differs("SQLite has one writer, PostgreSQL needs a lock that leaves with the transaction",
        sqlite "SELECT 1 FROM store_meta WHERE name = 'epoch'",
        postgres "SELECT pg_try_advisory_xact_lock(7307218417411941740)::int::bigint");
    FRESH = "SELECT id, tenant_id, kind, occurred_at FROM events WHERE fanned_out_at IS NULL AND id > ''
             ORDER BY id LIMIT $1";
    DONE = "UPDATE events SET fanned_out_at = $2 WHERE id = $1";
    WEBHOOKS = "SELECT w.id, w.channel, w.url, w.url_hash, w.events, w.active, w.switched_off_at, w.pending
                FROM webhooks w JOIN tenants t ON t.id = w.tenant_id
                WHERE w.tenant_id = $1 AND t.closed_at IS NULL ORDER BY w.id";
    SET_URL_HASH = "UPDATE webhooks SET url_hash = $2 WHERE id = $1";
}

/// An event without deliveries yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreshEvent {
    pub id: EventId,
    pub tenant: TenantId,
    pub kind: EventKind,
    pub occurred_at: Moment,
}

/// The fields of a webhook that the fan-out needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscriber {
    pub id: WebhookId,
    pub channel: Channel,
    pub sealed_url: String,
    /// Absent in rows of versions that did not deliver yet.
    pub url_hash: Option<String>,
    pub events: Events,
    pub active: bool,
    pub switched_off: bool,
    /// Whether the owner of the address has not agreed yet.
    pub pending: bool,
}

/// Makes this transaction the only one that fans out; false if another one does.
pub fn lock(tx: &mut Tx<'_>) -> Result<bool> {
    tx.query_one(&LOCK, &[], |row| row.get(0))
}

/// The oldest events without deliveries.
pub fn fresh(reader: &mut Reader<'_>, limit: u32) -> Result<Vec<FreshEvent>> {
    reader.query(&FRESH, params![limit], |row| {
        Ok(FreshEvent {
            id: row.parse(0)?,
            tenant: row.parse(1)?,
            kind: row.parse(2)?,
            occurred_at: row.get(3)?,
        })
    })
}

pub fn done(tx: &mut Tx<'_>, events: &[FreshEvent], now: Moment) -> Result<()> {
    let sets: Vec<Params<'_>> = events.iter().map(|event| params![event.id, now].to_vec()).collect();
    tx.execute_many(&DONE, &sets)?;
    Ok(())
}

/// The tenant's webhooks; none of a tenant that is closed.
pub fn subscribers(reader: &mut Reader<'_>, tenant: TenantId) -> Result<Vec<Subscriber>> {
    reader.query(&WEBHOOKS, params![tenant], |row| {
        Ok(Subscriber {
            id: row.parse(0)?,
            channel: row.parse(1)?,
            sealed_url: row.get(2)?,
            url_hash: row.get(3)?,
            events: Events::parse(row.text(4)?)
                .ok_or_else(|| Error::corrupt("a webhook with unknown events"))?,
            active: row.get(5)?,
            switched_off: row.get::<Option<i64>>(6)?.is_some(),
            pending: row.get(7)?,
        })
    })
}

pub fn set_url_hash(tx: &mut Tx<'_>, webhook: WebhookId, url_hash: &str) -> Result<()> {
    tx.execute(&SET_URL_HASH, params![webhook, url_hash])?;
    Ok(())
}
