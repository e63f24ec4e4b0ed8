//! Destinations: one row for each URL that is sent to, and the lease that lets one worker at a time send there.
//!
//! A row belongs to no tenant, because two tenants may share a URL. It knows nothing of messages: only when there
//! is something to do (`ready_at`) and how long the destination must be left in peace (`not_before`). A lease that
//! is never given back runs out, and then counts as something to do: so nothing is lost with a worker.

use domain::{delivery::Medium, id::TenantId, moment::Moment};

use crate::{Reader, Result, Tx, params};

crate::sql! {
    // A leased destination stays as it is: giving the lease back looks again at what waits.
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
    REST_UNTIL = "UPDATE destinations SET lease_token = NULL, lease_until = NULL,
                      ready_at = CASE WHEN $2 < not_before THEN not_before ELSE $2 END
                  WHERE url_hash = $1";
    NEXT = "SELECT MIN(ready_at) FROM destinations WHERE medium = $1 AND ready_at > $2";
    PRUNE = whole("once a day, over one short row for each URL ever sent to",
                  "DELETE FROM destinations WHERE ready_at IS NULL AND not_before < $1");
}

/// A destination with something to do, locked for this transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyDestination {
    pub url_hash: String,
    /// Of the lease that ran out, if that is what there is to do.
    pub expired_lease: Option<String>,
}

/// The right to send to one destination, until a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub token: String,
    pub until: Moment,
    /// The destination's next message comes no earlier.
    pub not_before: Moment,
}

/// Makes known that a delivery to the destination is due at `at`.
pub fn wake(tx: &mut Tx<'_>, url_hash: &str, medium: Medium, owner: TenantId, at: Moment) -> Result<()> {
    tx.execute(&WAKE, params![url_hash, medium.as_str(), owner, at])?;
    Ok(())
}

/// The tenants after `after`, in a fixed order, whose destinations have something to do.
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

/// The owner's destinations with something to do, longest waiting first. Those another node is busy with are left
/// out.
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

/// Gives a lease back. The destination is left in peace until `hold` if it asked for that.
///
/// False if the lease is not the holder's any more: then somebody else has taken care of the destination.
pub fn give_back(tx: &mut Tx<'_>, url_hash: &str, token: &str, hold: Option<Moment>) -> Result<bool> {
    let hold = hold.map_or(0, Moment::millis);
    if tx.execute(&GIVE_BACK, params![url_hash, token, hold])? == 0 {
        return Ok(false);
    }
    // The row is locked now, so a delivery added since is either seen here or wakes the destination afterwards.
    rest(tx, url_hash)?;
    Ok(true)
}

/// Lets a destination rest until its next delivery is due, if there is one. The row must be locked or leased.
pub fn rest(tx: &mut Tx<'_>, url_hash: &str) -> Result<()> {
    let earliest: Option<Moment> = tx.query_one(&EARLIEST, params![url_hash], |row| row.get(0))?;
    tx.execute(&REST_UNTIL, params![url_hash, earliest])?;
    Ok(())
}

/// When there will be something to do next, after `now`.
pub fn next_ready(reader: &mut Reader<'_>, medium: Medium, now: Moment) -> Result<Option<Moment>> {
    reader.query_one(&NEXT, params![medium.as_str(), now], |row| row.get(0))
}

/// Forgets destinations nothing was sent to since `before`.
pub fn prune(tx: &mut Tx<'_>, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![before])
}
