//! Destinations: one row for each URL that is sent to, and the lease that lets one worker at a time send there.
//!
//! A row belongs to no tenant, because two tenants may share a URL. It holds no messages: only when there is work for
//! it (`ready_at`) and until when nothing may be sent to it (`not_before`). A lease that is not released expires, and
//! an expired lease counts as work, so deliveries survive the loss of a worker.

use domain::{delivery::Medium, id::TenantId, moment::Moment};

use crate::{Reader, Result, Tx, params};

crate::sql! {
    // A leased destination stays as it is: releasing the lease checks the queue again.
    WAKE = "INSERT INTO destinations (url_hash, medium, owner, ready_at, not_before) VALUES ($1, $2, $3, $4, 0)
            ON CONFLICT (url_hash) DO UPDATE SET ready_at = CASE
                WHEN destinations.lease_token IS NOT NULL THEN destinations.ready_at
                WHEN destinations.ready_at <= excluded.ready_at THEN destinations.ready_at
                WHEN excluded.ready_at < destinations.not_before THEN destinations.not_before
                ELSE excluded.ready_at END";
    OWNERS = "WITH RECURSIVE in_turn (owner) AS (
                  SELECT MIN(owner) FROM destinations WHERE medium = $1 AND ready_at <= $2 AND owner > $3
                  UNION ALL
                  SELECT (SELECT MIN(d.owner) FROM destinations d
                          WHERE d.medium = $1 AND d.ready_at <= $2 AND d.owner > in_turn.owner)
                  FROM in_turn WHERE in_turn.owner IS NOT NULL)
              SELECT owner FROM in_turn WHERE owner IS NOT NULL LIMIT $4";
    READY = differs("only PostgreSQL has workers on other nodes to pass by",
        sqlite "SELECT url_hash, lease_token FROM destinations
                WHERE medium = $1 AND owner = $2 AND ready_at <= $3 ORDER BY ready_at LIMIT $4",
        postgres "SELECT url_hash, lease_token FROM destinations
                  WHERE medium = $1 AND owner = $2 AND ready_at <= $3 ORDER BY ready_at LIMIT $4
                  FOR UPDATE SKIP LOCKED");
    LEASE = "UPDATE destinations SET lease_token = $2, lease_until = $3, ready_at = $3, not_before = $4
             WHERE url_hash = $1";
    GIVE_BACK = "UPDATE destinations SET lease_token = NULL, lease_until = NULL,
                     not_before = CASE WHEN $3 > not_before THEN $3 ELSE not_before END
                 WHERE url_hash = $1 AND lease_token = $2";
    EARLIEST = "SELECT MIN((SELECT MIN(d.next_attempt_at) FROM deliveries d
                            WHERE d.webhook_id = w.id AND d.state = 'waiting'))
                FROM webhooks w WHERE w.url_hash = $1";
    EARLIEST_OF_HOOKS = "SELECT MIN((SELECT MIN(d.next_attempt_at) FROM deliveries d
                                     WHERE d.webhook_id = h.id AND d.state = 'waiting'))
                         FROM event_hooks h WHERE h.url_hash = $1";
    REST_UNTIL = "UPDATE destinations SET lease_token = NULL, lease_until = NULL,
                      ready_at = CASE WHEN $2 < not_before THEN not_before ELSE $2 END
                  WHERE url_hash = $1";
    NEXT = "SELECT MIN(ready_at) FROM destinations WHERE medium = $1 AND ready_at > $2";
    PRUNE = whole("once a day, over one short row for each URL ever sent to",
                  "DELETE FROM destinations WHERE ready_at IS NULL AND not_before < $1");
}

/// A destination with work, locked for this transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyDestination {
    pub url_hash: String,
    /// The token of the expired lease, if that is the reason.
    pub expired_lease: Option<String>,
}

/// The right to send to one destination, until a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub token: String,
    pub until: Moment,
    /// The earliest time of the next message to the destination.
    pub not_before: Moment,
}

/// Records that a delivery to the destination is due at `at`.
pub fn wake(tx: &mut Tx<'_>, url_hash: &str, medium: Medium, owner: TenantId, at: Moment) -> Result<()> {
    tx.execute(&WAKE, params![url_hash, medium.as_str(), owner, at])?;
    Ok(())
}

/// The tenants after `after`, in a fixed order, whose destinations have work.
pub fn owners(
    reader: &mut Reader<'_>,
    medium: Medium,
    now: Moment,
    after: Option<TenantId>,
    limit: u32,
) -> Result<Vec<TenantId>> {
    let after = after.map_or_else(String::new, |tenant| tenant.to_string());
    reader.query(&OWNERS, params![medium.as_str(), now, after, limit], |row| row.parse(0))
}

/// The owner's destinations with work, longest waiting first. Those locked by another node are left out.
pub fn ready(
    tx: &mut Tx<'_>,
    medium: Medium,
    owner: TenantId,
    now: Moment,
    limit: u32,
) -> Result<Vec<ReadyDestination>> {
    tx.query(&READY, params![medium.as_str(), owner, now, limit], |row| {
        Ok(ReadyDestination { url_hash: row.get(0)?, expired_lease: row.get(1)? })
    })
}

pub fn lease(tx: &mut Tx<'_>, url_hash: &str, lease: &Lease) -> Result<()> {
    tx.execute(&LEASE, params![url_hash, &lease.token, lease.until, lease.not_before])?;
    Ok(())
}

/// Releases a lease. If the destination asked for a pause, nothing is sent to it until `hold`.
///
/// False if the caller no longer holds the lease: another worker has taken the destination over.
pub fn give_back(tx: &mut Tx<'_>, url_hash: &str, token: &str, hold: Option<Moment>) -> Result<bool> {
    let hold = hold.map_or(0, Moment::millis);
    if tx.execute(&GIVE_BACK, params![url_hash, token, hold])? == 0 {
        return Ok(false);
    }
    // The row is locked now, so a delivery added since is either seen here or wakes the destination afterwards.
    rest(tx, url_hash)?;
    Ok(true)
}

/// Sets when the destination is ready again: when its next delivery is due, if it has one. The row must be locked or
/// leased.
pub fn rest(tx: &mut Tx<'_>, url_hash: &str) -> Result<()> {
    let mut earliest: Option<Moment> = None;
    for statement in [&EARLIEST, &EARLIEST_OF_HOOKS] {
        let due: Option<Moment> = tx.query_one(statement, params![url_hash], |row| row.get(0))?;
        earliest = earliest.into_iter().chain(due).min();
    }
    tx.execute(&REST_UNTIL, params![url_hash, earliest])?;
    Ok(())
}

/// When the next destination becomes ready, after `now`.
pub fn next_ready(reader: &mut Reader<'_>, medium: Medium, now: Moment) -> Result<Option<Moment>> {
    reader.query_one(&NEXT, params![medium.as_str(), now], |row| row.get(0))
}

/// Deletes destinations that nothing was sent to since `before`.
pub fn prune(tx: &mut Tx<'_>, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![before])
}
