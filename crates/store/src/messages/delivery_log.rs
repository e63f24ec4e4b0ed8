//! The deliveries of a webhook or an event hook as its tenant sees them, and the statements that send them again on request.

use domain::{
    delivery::{AttemptClass, DeliveryState, HookId},
    id::{DeliveryId, EventId, Uuid7},
    moment::Moment,
    page::{Page, PageRequest},
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Filter, List, Order, Row, Value, cursor_columns},
};

crate::sql! {
    GET = "SELECT id, event_id, kind, occurred_at, state, attempt, next_attempt_at, last_class, last_status,
                  created_at, updated_at
           FROM deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND id = $3";
    ATTEMPTS = differs("each engine has its own way to bind a list",
        sqlite
          "SELECT a.delivery_id, a.at, a.latency_ms, a.class, a.reason, a.status, a.next_attempt_at
           FROM json_each($2) CROSS JOIN delivery_attempts a
           WHERE a.tenant_id = $1 AND a.delivery_id = json_each.value ORDER BY a.delivery_id, a.seq",
        postgres
          "SELECT a.delivery_id, a.at, a.latency_ms, a.class, a.reason, a.status, a.next_attempt_at
           FROM delivery_attempts a
           WHERE a.tenant_id = $1
             AND a.delivery_id IN (SELECT jsonb_array_elements_text(CAST(CAST($2 AS TEXT) AS JSONB)))
           ORDER BY a.delivery_id, a.seq");
    ATTEMPTS_OF = "SELECT delivery_id, at, latency_ms, class, reason, status, next_attempt_at FROM delivery_attempts
                   WHERE delivery_id = $2 AND tenant_id = $1 ORDER BY seq";
    RETRY = "UPDATE deliveries SET state = 'waiting', attempt = 0, next_attempt_at = $4, updated_at = $4
             WHERE tenant_id = $1 AND webhook_id = $2 AND id = $3
               AND state IN ('waiting', 'failed', 'dead', 'skipped')";
    RESEND = "UPDATE deliveries SET state = 'waiting', attempt = 0, next_attempt_at = $4, updated_at = $4
              WHERE tenant_id = $1 AND webhook_id = $2 AND id = $3 AND state <> 'sending'";
    REPLAY = "UPDATE deliveries SET state = 'waiting', attempt = 0, next_attempt_at = $5, updated_at = $5
              WHERE tenant_id = $1 AND webhook_id = $2 AND event_id >= $3 AND occurred_at >= $4
                AND state IN ('failed', 'dead', 'skipped')";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "deliveries",
    columns: "v.id, v.event_id, v.kind, v.occurred_at, v.state, v.attempt, v.next_attempt_at, v.last_class,
              v.last_status, v.created_at, v.updated_at",
    stamps: None,
    from: "deliveries v",
    base: "v.tenant_id = $1",
    filters: &[
        Filter { name: "webhook", condition: "v.webhook_id = ?" },
        Filter { name: "state", condition: "v.state = ?" },
    ],
    orders: &[Order { name: "-event", by: "v.event_id DESC", back: "v.event_id" }],
    found: None,
    tagged: None,
    cursor: cursor_columns!("v.event_id", EventId, "v.updated_at"),
};

/// A delivery with its tries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryRow {
    pub id: DeliveryId,
    pub event: EventId,
    /// The name of the event.
    pub kind: String,
    pub occurred_at: Moment,
    pub state: DeliveryState,
    /// Tries since it was created or resent on request, including the one in progress.
    pub attempt: u64,
    pub next_attempt_at: Option<Moment>,
    pub last_class: Option<AttemptClass>,
    pub last_status: Option<i64>,
    pub created_at: Moment,
    pub updated_at: Moment,
    pub attempts: Vec<AttemptRow>,
}

/// One try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRow {
    pub at: Moment,
    pub latency_ms: u64,
    pub class: AttemptClass,
    pub reason: String,
    pub status: Option<i64>,
    pub next_attempt_at: Option<Moment>,
}

fn read(row: &Row<'_>) -> Result<DeliveryRow> {
    Ok(DeliveryRow {
        id: row.parse(0)?,
        event: row.parse(1)?,
        kind: row.get(2)?,
        occurred_at: row.get(3)?,
        state: row.parse(4)?,
        attempt: row.get(5)?,
        next_attempt_at: row.get(6)?,
        last_class: row.parse_opt(7)?,
        last_status: row.get(8)?,
        created_at: row.get(9)?,
        updated_at: row.get(10)?,
        attempts: Vec::new(),
    })
}

fn read_attempt(row: &Row<'_>) -> Result<(DeliveryId, AttemptRow)> {
    let attempt = AttemptRow {
        at: row.get(1)?,
        latency_ms: row.get(2)?,
        class: row.parse(3)?,
        reason: row.get(4)?,
        status: row.get(5)?,
        next_attempt_at: row.get(6)?,
    };
    Ok((row.parse(0)?, attempt))
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    hook: impl Into<HookId>,
    id: DeliveryId,
) -> Result<Option<DeliveryRow>> {
    let hook: HookId = hook.into();
    let Some(mut delivery) = reader.query_opt(&GET, params![scope.tenant(), hook, id], read)? else {
        return Ok(None);
    };
    let attempts = reader.query(&ATTEMPTS_OF, params![scope.tenant(), id], read_attempt)?;
    delivery.attempts = attempts.into_iter().map(|(_, attempt)| attempt).collect();
    Ok(Some(delivery))
}

/// The webhook's deliveries, newest event first, in one state or in all.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    hook: impl Into<HookId>,
    state: Option<DeliveryState>,
    request: PageRequest,
) -> Result<Page<DeliveryRow>> {
    let hook: HookId = hook.into();
    let list = LIST.query(scope).filter("webhook", hook);
    let list = list.filter_opt("state", state.map(DeliveryState::as_str));
    let mut page = list.page(reader, request, read)?;
    let ids: Vec<String> = page.items.iter().map(|delivery| delivery.id.to_string()).collect();
    let attempts = reader.query(&ATTEMPTS, params![scope.tenant(), Value::json(&ids)], read_attempt)?;
    for (id, attempt) in attempts {
        if let Some(delivery) = page.items.iter_mut().find(|delivery| delivery.id == id) {
            delivery.attempts.push(attempt);
        }
    }
    Ok(page)
}

/// Makes a delivery due now and resets its count of tries. False if it is being sent or has arrived.
pub fn retry(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    hook: impl Into<HookId>,
    id: DeliveryId,
    now: Moment,
) -> Result<bool> {
    let hook: HookId = hook.into();
    Ok(tx.execute(&RETRY, params![scope.tenant(), hook, id, now])? > 0)
}

/// The same for a delivery in any state, also one that arrived. False if it is being sent.
pub fn resend(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    hook: impl Into<HookId>,
    id: DeliveryId,
    now: Moment,
) -> Result<bool> {
    let hook: HookId = hook.into();
    Ok(tx.execute(&RESEND, params![scope.tenant(), hook, id, now])? > 0)
}

/// Makes every delivery the webhook missed since a moment due now, and returns their number.
pub fn replay(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    hook: impl Into<HookId>,
    since: Moment,
    now: Moment,
) -> Result<u64> {
    let hook: HookId = hook.into();
    // An event's id contains its time, so ids of events since then are not smaller.
    let first = EventId::from(Uuid7::first_at(since));
    tx.execute(&REPLAY, params![scope.tenant(), hook, first, since, now])
}
