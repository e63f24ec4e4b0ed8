//! Destinations: one row for each URL that is sent to, and the lease that lets one worker at a time send there.
//!
//! A row belongs to no tenant, because two tenants may share a URL. It holds no messages: only when there is work for
//! it (`ready_at`) and until when nothing may be sent to it (`not_before`). A lease that is not released expires, and
//! an expired lease counts as work, so deliveries survive the loss of a worker.

use domain::{delivery::Medium, id::TenantId, moment::Moment};

use crate::{Reader, Result, Tx, params, sql::Params};

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

/// That a delivery to a destination is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wake {
    pub url_hash: String,
    pub medium: Medium,
    pub owner: TenantId,
    pub at: Moment,
}

/// Records that deliveries are due.
pub fn wake(tx: &mut Tx<'_>, wakes: &[Wake]) -> Result<()> {
    let set =
        |wake: &Wake| params![wake.url_hash.clone(), wake.medium.as_str(), wake.owner, wake.at].to_vec();
    let sets: Vec<Params<'_>> = wakes.iter().map(set).collect();
    tx.execute_many(&WAKE, &sets)?;
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

/// Leases destinations, each by the hash of its URL.
pub fn lease(tx: &mut Tx<'_>, leases: &[(&str, &Lease)]) -> Result<()> {
    let set = |(url_hash, lease): &(&'_ str, &'_ Lease)| {
        params![(*url_hash).to_owned(), lease.token.clone(), lease.until, lease.not_before].to_vec()
    };
    let sets: Vec<Params<'_>> = leases.iter().map(set).collect();
    tx.execute_many(&LEASE, &sets)?;
    Ok(())
}

/// A leased destination whose message was sent, to be released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returned {
    pub url_hash: String,
    /// The token of the lease.
    pub token: String,
    /// Until when the destination asked for a pause.
    pub hold: Option<Moment>,
}

/// Releases leases. Returns for each whether it was still held: otherwise another worker has taken the destination
/// over.
pub fn give_back(tx: &mut Tx<'_>, returned: &[Returned]) -> Result<Vec<bool>> {
    let set = |returned: &Returned| {
        let hold = returned.hold.map_or(0, Moment::millis);
        params![returned.url_hash.clone(), returned.token.clone(), hold].to_vec()
    };
    let sets: Vec<Params<'_>> = returned.iter().map(set).collect();
    let held: Vec<bool> = tx.execute_many(&GIVE_BACK, &sets)?.into_iter().map(|count| count > 0).collect();
    // The rows are locked now, so a delivery added since is either seen here or wakes its destination afterwards.
    let released = returned.iter().zip(&held).filter(|(_, held)| **held);
    let released: Vec<&str> = released.map(|(returned, _)| returned.url_hash.as_str()).collect();
    rest(tx, &released)?;
    Ok(held)
}

/// Sets when destinations are ready again: when their next delivery is due, if they have one. The rows must be locked
/// or leased.
pub fn rest(tx: &mut Tx<'_>, url_hashes: &[&str]) -> Result<()> {
    let sets: Vec<Params<'_>> = url_hashes.iter().map(|hash| params![*hash].to_vec()).collect();
    let mut due = |statement| tx.query_many(statement, &sets, |row| row.get::<Option<Moment>>(0));
    let (webhooks, hooks) = (due(&EARLIEST)?, due(&EARLIEST_OF_HOOKS)?);
    let earliest =
        webhooks.into_iter().zip(hooks).map(|(one, other)| one.into_iter().chain(other).flatten().min());
    let until: Vec<Params<'_>> =
        url_hashes.iter().zip(earliest).map(|(hash, earliest)| params![*hash, earliest].to_vec()).collect();
    tx.execute_many(&REST_UNTIL, &until)?;
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
