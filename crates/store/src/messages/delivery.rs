//! Deliveries: one for each event and webhook or event hook that wants it, with every try that was made. The column
//! `webhook_id` holds the id of either.
//!
//! A delivery being sent carries the token of the lease it was claimed under. The worker that stores its result must
//! still hold that token, so a worker whose lease expired cannot overwrite later results.

use domain::{
    delivery::{AttemptClass, DeliveryState, HookId, Medium},
    id::{DeliveryId, EventId, TenantId, Uuid7},
    moment::Moment,
    webhook::Channel,
};

use crate::{Reader, Result, Tx, destination::Lease, params, sql::Params};

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
    STUCK = "SELECT d.lease_token, d.tenant_id, d.webhook_id, COALESCE(w.url_hash, h.url_hash), w.channel
             FROM deliveries d LEFT JOIN webhooks w ON w.id = d.webhook_id
             LEFT JOIN event_hooks h ON h.id = d.webhook_id
             WHERE d.lease_token > '' AND d.lease_until < $1 ORDER BY d.lease_token LIMIT $2";
    WAITING = whole("the operator wants to know how long the queue is",
                    "SELECT COUNT(*) FROM deliveries WHERE state = 'waiting'");
    OLDEST = whole("of each webhook and event hook, of which there are few, one row is looked at",
                   "SELECT MIN((SELECT MIN(d.next_attempt_at) FROM deliveries d
                                WHERE d.webhook_id = w.id AND d.state = 'waiting'))
                    FROM (SELECT id FROM webhooks UNION ALL SELECT id FROM event_hooks) w");
}

/// A delivery to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDelivery {
    pub id: DeliveryId,
    pub tenant: TenantId,
    pub webhook: HookId,
    pub event: EventId,
    /// The name of the event.
    pub kind: String,
    pub occurred_at: Moment,
    /// Waiting, or skipped if the webhook is off.
    pub state: DeliveryState,
}

/// A delivery that is due, with the event to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDelivery {
    pub id: DeliveryId,
    pub event: EventId,
    /// The name of the event.
    pub kind: String,
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

/// The state of a delivery after a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub state: DeliveryState,
    pub next_attempt_at: Option<Moment>,
}

/// A delivery whose lease expired while it was being sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abandoned {
    pub id: DeliveryId,
    pub tenant: TenantId,
    pub attempt: u64,
    pub taken_at: Moment,
}

/// A delivery whose lease expired long ago and which no worker has taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stuck {
    pub token: String,
    pub tenant: TenantId,
    pub webhook: HookId,
    /// Absent if the webhook is gone.
    pub destination: Option<(String, Medium)>,
}

/// Length and age of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queue {
    pub waiting: u64,
    /// When the delivery that waits longest was or will be due.
    pub oldest: Option<Moment>,
}

/// Adds deliveries, but none that its webhook has for this event already; returns how many it added.
pub fn insert(tx: &mut Tx<'_>, deliveries: &[NewDelivery], now: Moment) -> Result<usize> {
    let set = |delivery: &NewDelivery| {
        // Due when the event occurred, so that those waiting together start in the order of their events.
        let due = (delivery.state == DeliveryState::Waiting).then(|| delivery.occurred_at.min(now));
        params![
            delivery.id,
            delivery.tenant,
            delivery.webhook,
            delivery.event,
            delivery.kind.clone(),
            delivery.occurred_at,
            delivery.state.as_str(),
            due,
            now,
        ]
        .to_vec()
    };
    let sets: Vec<Params<'_>> = deliveries.iter().map(set).collect();
    Ok(tx.execute_many(&INSERT, &sets)?.into_iter().filter(|added| *added > 0).count())
}

/// The due deliveries of each webhook, in order, and at most so many of each.
pub fn due(reader: &mut Reader<'_>, hooks: &[(HookId, usize)], now: Moment) -> Result<Vec<Vec<DueDelivery>>> {
    let set = |(hook, limit): &(HookId, usize)| params![*hook, now, *limit as u64].to_vec();
    let sets: Vec<Params<'_>> = hooks.iter().map(set).collect();
    reader.query_many(&DUE, &sets, |row| {
        Ok(DueDelivery {
            id: row.parse(0)?,
            event: row.parse(1)?,
            kind: row.get(2)?,
            occurred_at: row.get(3)?,
            attempt: row.get(4)?,
            due_at: row.get(5)?,
            payload: row.get(6)?,
        })
    })
}

/// Claims waiting deliveries for sending and counts the try. Returns for each whether it still waited.
pub fn take(tx: &mut Tx<'_>, deliveries: &[(DeliveryId, &Lease)], now: Moment) -> Result<Vec<bool>> {
    let set =
        |(id, lease): &(DeliveryId, &'_ Lease)| params![*id, lease.token.clone(), lease.until, now].to_vec();
    let sets: Vec<Params<'_>> = deliveries.iter().map(set).collect();
    Ok(tx.execute_many(&TAKE, &sets)?.into_iter().map(|count| count > 0).collect())
}

/// The deliveries that were being sent under a lease.
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

/// The result of a delivery that is being sent under a lease.
#[derive(Debug, Clone)]
pub struct Settlement<'s> {
    pub tenant: TenantId,
    pub id: DeliveryId,
    /// The token of the lease.
    pub token: &'s str,
    pub tried: &'s Try,
    pub standing: Standing,
    pub now: Moment,
}

/// Stores results; returns for each whether its delivery was still under the lease.
pub fn settle(tx: &mut Tx<'_>, results: &[Settlement<'_>]) -> Result<Vec<bool>> {
    let sets: Vec<Params<'_>> = results.iter().map(Settlement::of_delivery).collect();
    let settled: Vec<bool> = tx.execute_many(&SETTLE, &sets)?.into_iter().map(|count| count > 0).collect();
    let ours = results.iter().zip(&settled).filter(|(_, settled)| **settled);
    let log: Vec<Params<'_>> = ours.map(|(result, _)| result.of_log()).collect();
    tx.execute_many(&LOG, &log)?;
    Ok(settled)
}

impl<'s> Settlement<'s> {
    fn of_delivery(&self) -> Params<'s> {
        params![
            self.id,
            self.token,
            self.standing.state.as_str(),
            self.standing.next_attempt_at,
            self.tried.class.as_str(),
            self.tried.status,
            self.now,
        ]
        .to_vec()
    }

    fn of_log(&self) -> Params<'s> {
        params![
            self.id,
            self.tenant,
            self.tried.at,
            self.tried.latency_ms,
            self.tried.class.as_str(),
            self.tried.reason,
            self.tried.status,
            self.standing.next_attempt_at,
        ]
        .to_vec()
    }
}

/// Marks the waiting deliveries of a webhook that is switched off as skipped; they stay in the log.
pub fn skip_waiting(tx: &mut Tx<'_>, hook: impl Into<HookId>, now: Moment) -> Result<u64> {
    let hook: HookId = hook.into();
    tx.execute(&SKIP_WAITING, params![hook, now])
}

/// When the webhook's next delivery is due.
pub fn earliest(reader: &mut Reader<'_>, hook: impl Into<HookId>) -> Result<Option<Moment>> {
    let hook: HookId = hook.into();
    reader.query_one(&EARLIEST, params![hook], |row| row.get(0))
}

/// Deletes at most `limit` deliveries that arrived and were last changed before a moment.
pub fn prune(tx: &mut Tx<'_>, before: Moment, limit: u32) -> Result<u64> {
    tx.execute(&PRUNE, params![DeliveryId::from(Uuid7::first_at(before)), before, limit])
}

/// Deliveries that were being sent under leases that ended before a moment.
pub fn stuck(reader: &mut Reader<'_>, before: Moment, limit: u32) -> Result<Vec<Stuck>> {
    reader.query(&STUCK, params![before, limit], |row| {
        let (webhook, channel): (HookId, Option<Channel>) = (row.parse(2)?, row.parse_opt(4)?);
        let medium = match webhook {
            HookId::Webhook(_) => channel.map(Medium::from),
            HookId::Event(_) => Some(Medium::Hook),
        };
        let destination = row.get::<Option<String>>(3)?.zip(medium);
        Ok(Stuck { token: row.get(0)?, tenant: row.parse(1)?, webhook, destination })
    })
}

pub fn queue(reader: &mut Reader<'_>) -> Result<Queue> {
    Ok(Queue {
        waiting: reader.query_one(&WAITING, &[], |row| row.get(0))?,
        oldest: reader.query_one(&OLDEST, &[], |row| row.get(0))?,
    })
}
