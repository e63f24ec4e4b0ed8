//! Deliveries: one for each event and webhook that wants it, with every try that was made.
//!
//! A delivery being sent carries the token of the lease it was taken under. Whoever writes its result must still
//! hold that token, so a worker that was thought dead cannot overwrite what happened since.

use domain::{
    delivery::{AttemptClass, DeliveryState},
    event::EventKind,
    id::{DeliveryId, EventId, TenantId, Uuid7, WebhookId},
    moment::Moment,
};

use crate::{Reader, Result, Tx, destination::Lease, params};

crate::sql! {
    INSERT = "INSERT INTO deliveries (id, tenant_id, webhook_id, event_id, kind, occurred_at, state, attempt,
                                      next_attempt_at, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9, $9)
              ON CONFLICT (webhook_id, event_id) DO NOTHING";
    DUE = "SELECT d.id, d.event_id, d.kind, d.occurred_at, d.attempt, d.next_attempt_at, e.payload
           FROM deliveries d LEFT JOIN events e ON e.id = d.event_id
           WHERE d.webhook_id = $1 AND d.state = 'waiting' AND d.next_attempt_at <= $2
           ORDER BY d.next_attempt_at, d.id LIMIT $3";
    TAKE = "UPDATE deliveries SET state = 'sending', attempt = attempt + 1, next_attempt_at = NULL, lease_token = $2,
                lease_until = $3, updated_at = $4
            WHERE id = $1 AND state = 'waiting'";
    LEASED = "SELECT id, tenant_id, attempt, updated_at FROM deliveries WHERE lease_token = $1";
    SETTLE = "UPDATE deliveries SET state = $3, next_attempt_at = $4, last_class = $5, last_status = $6,
                  updated_at = $7, lease_token = NULL, lease_until = NULL
              WHERE id = $1 AND lease_token = $2";
    LOG = "INSERT INTO delivery_attempts (delivery_id, seq, tenant_id, at, latency_ms, class, reason, status,
                                          next_attempt_at)
           SELECT $1, COALESCE(MAX(seq), 0) + 1, $2, $3, $4, $5, $6, $7, $8
           FROM delivery_attempts WHERE delivery_id = $1";
    SKIP_WAITING = "UPDATE deliveries SET state = 'skipped', next_attempt_at = NULL, updated_at = $2
                    WHERE webhook_id = $1 AND state = 'waiting'";
    EARLIEST = "SELECT MIN(next_attempt_at) FROM deliveries WHERE webhook_id = $1 AND state = 'waiting'";
    PRUNE = "DELETE FROM deliveries WHERE id IN (
                 SELECT id FROM deliveries WHERE id < $1 AND updated_at < $2 AND state <> 'sending'
                 ORDER BY id LIMIT $3)";
    WAITING = whole("the operator wants to know how long the queue is",
                    "SELECT COUNT(*) FROM deliveries WHERE state = 'waiting'");
    OLDEST = whole("of each webhook, of which there are few, one row is looked at",
                   "SELECT MIN((SELECT MIN(d.next_attempt_at) FROM deliveries d
                                WHERE d.webhook_id = w.id AND d.state = 'waiting')) FROM webhooks w");
}

/// A delivery to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDelivery {
    pub id: DeliveryId,
    pub tenant: TenantId,
    pub webhook: WebhookId,
    pub event: EventId,
    pub kind: EventKind,
    pub occurred_at: Moment,
    /// Waiting, or skipped if the webhook is off.
    pub state: DeliveryState,
}

/// A delivery whose time has come, with what is to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDelivery {
    pub id: DeliveryId,
    pub event: EventId,
    pub kind: EventKind,
    pub occurred_at: Moment,
    /// How many tries were made before.
    pub attempt: u64,
    pub due_at: Moment,
    /// Absent if the event is gone.
    pub payload: Option<String>,
}

/// One try, as it goes into the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try {
    pub at: Moment,
    pub latency_ms: u64,
    pub class: AttemptClass,
    pub reason: &'static str,
    pub status: Option<u16>,
}

/// What a try leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub state: DeliveryState,
    pub next_attempt_at: Option<Moment>,
}

/// A delivery left behind under a lease that ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abandoned {
    pub id: DeliveryId,
    pub tenant: TenantId,
    pub attempt: u64,
    pub taken_at: Moment,
}

/// How much waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queue {
    pub waiting: u64,
    /// When the delivery that waits longest was or will be due.
    pub oldest: Option<Moment>,
}

/// Adds a delivery unless the webhook has one for this event already; says whether it did.
pub fn insert(tx: &mut Tx<'_>, delivery: &NewDelivery, now: Moment) -> Result<bool> {
    // Due when the event occurred, so that those waiting together start in the order of their events.
    let due = (delivery.state == DeliveryState::Waiting).then(|| delivery.occurred_at.min(now));
    let added = tx.execute(
        &INSERT,
        params![
            delivery.id,
            delivery.tenant,
            delivery.webhook,
            delivery.event,
            delivery.kind.as_str(),
            delivery.occurred_at,
            delivery.state.as_str(),
            due,
            now,
        ],
    )?;
    Ok(added > 0)
}

/// The webhook's deliveries whose time has come, in order.
pub fn due(
    reader: &mut Reader<'_>,
    webhook: WebhookId,
    now: Moment,
    limit: usize,
) -> Result<Vec<DueDelivery>> {
    reader.query(&DUE, params![webhook, now, limit as u64], |row| {
        Ok(DueDelivery {
            id: row.parse(0)?,
            event: row.parse(1)?,
            kind: row.parse(2)?,
            occurred_at: row.get(3)?,
            attempt: row.get(4)?,
            due_at: row.get(5)?,
            payload: row.get(6)?,
        })
    })
}

/// Takes a waiting delivery for sending; the try counts from here on. False if it waits no longer.
pub fn take(tx: &mut Tx<'_>, id: DeliveryId, lease: &Lease, now: Moment) -> Result<bool> {
    Ok(tx.execute(&TAKE, params![id, &lease.token, lease.until, now])? > 0)
}

/// What was being sent under a lease.
pub fn leased(reader: &mut Reader<'_>, token: &str) -> Result<Vec<Abandoned>> {
    reader.query(&LEASED, params![token], |row| {
        Ok(Abandoned {
            id: row.parse(0)?,
            tenant: row.parse(1)?,
            attempt: row.get(2)?,
            taken_at: row.get(3)?,
        })
    })
}

/// Writes what became of a delivery that is being sent, if it is still under this lease.
pub fn settle(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    id: DeliveryId,
    token: &str,
    tried: &Try,
    standing: Standing,
    now: Moment,
) -> Result<bool> {
    let settled = tx.execute(
        &SETTLE,
        params![
            id,
            token,
            standing.state.as_str(),
            standing.next_attempt_at,
            tried.class.as_str(),
            tried.status,
            now,
        ],
    )?;
    if settled == 0 {
        return Ok(false);
    }
    tx.execute(
        &LOG,
        params![
            id,
            tenant,
            tried.at,
            tried.latency_ms,
            tried.class.as_str(),
            tried.reason,
            tried.status,
            standing.next_attempt_at,
        ],
    )?;
    Ok(true)
}

/// Gives up what still waits for a webhook that is off; it stays on record as missed.
pub fn skip_waiting(tx: &mut Tx<'_>, webhook: WebhookId, now: Moment) -> Result<u64> {
    tx.execute(&SKIP_WAITING, params![webhook, now])
}

/// When the webhook's next delivery is due.
pub fn earliest(reader: &mut Reader<'_>, webhook: WebhookId) -> Result<Option<Moment>> {
    reader.query_one(&EARLIEST, params![webhook], |row| row.get(0))
}

/// Forgets at most `limit` deliveries that were made and last touched before a moment.
pub fn prune(tx: &mut Tx<'_>, before: Moment, limit: u32) -> Result<u64> {
    tx.execute(&PRUNE, params![DeliveryId::from(Uuid7::first_at(before)), before, limit])
}

pub fn queue(reader: &mut Reader<'_>) -> Result<Queue> {
    Ok(Queue {
        waiting: reader.query_one(&WAITING, &[], |row| row.get(0))?,
        oldest: reader.query_one(&OLDEST, &[], |row| row.get(0))?,
    })
}
