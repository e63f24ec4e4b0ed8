//! Coalesces queries for a tenant's revision.
//!
//! Where other nodes may have written, every request has to query the revision. A request that arrives while a query
//! is running must not use its result, because the query may have started before the write that the request has to
//! see. It waits for the next query, together with all other requests that arrived meanwhile.

use std::{
    collections::{HashMap, hash_map::Entry},
    pin::pin,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::id::TenantId;
use tokio::sync::oneshot;

use super::{Db, Error, Reader, Result, chain, postgres::Visibility};

/// After this long the next query starts although the one before has not finished: its connection may be dead.
const LONG: Duration = Duration::from_secs(1);

/// The result of a query, for each waiting request.
type Seen = Result<i64, QueryFailure>;

/// Why a query failed, as a text that can be copied to every waiting request.
#[derive(Debug, Clone)]
enum QueryFailure {
    Unavailable(String),
    Other(String),
}

impl From<Error> for QueryFailure {
    fn from(error: Error) -> Self {
        match error {
            Error::Unavailable(why) => Self::Unavailable(why),
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<QueryFailure> for Error {
    fn from(trouble: QueryFailure) -> Self {
        match trouble {
            QueryFailure::Unavailable(why) => Self::Unavailable(why),
            QueryFailure::Other(why) => Self::Engine(why.into()),
        }
    }
}

/// The requests waiting for the next query, by tenant. A tenant has an entry as long as a task queries for it.
#[derive(Debug, Default)]
pub(super) struct RevisionBatch(Mutex<HashMap<TenantId, Vec<oneshot::Sender<Seen>>>>);

impl RevisionBatch {
    /// Adds a waiting request; true if no task runs for the tenant, so that the caller must start one.
    fn join(&self, tenant: TenantId, waits: oneshot::Sender<Seen>) -> bool {
        match self.all().entry(tenant) {
            Entry::Occupied(mut others) => {
                others.get_mut().push(waits);
                false
            }
            Entry::Vacant(place) => {
                place.insert(vec![waits]);
                true
            }
        }
    }

    /// Takes all waiting requests for the next query; `None` if there are none, and the task stops.
    fn begin(&self, tenant: TenantId) -> Option<Vec<oneshot::Sender<Seen>>> {
        let mut all = self.all();
        let waiting = std::mem::take(all.get_mut(&tenant)?);
        if waiting.is_empty() {
            all.remove(&tenant);
            return None;
        }
        Some(waiting)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<TenantId, Vec<oneshot::Sender<Seen>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tenant's revision, by a query that starts after this call.
pub(super) async fn revision(db: &Db, tenant: TenantId) -> Result<i64> {
    let (waits, seen) = oneshot::channel();
    if db.batches.join(tenant, waits) {
        start_looking(db.clone(), tenant);
    }
    let seen = seen.await.map_err(|_| Error::Unavailable("the service is stopping".into()))?;
    seen.map_err(Error::from)
}

/// Queries until no request waits; in a task of its own, because the first caller may go away before the others are
/// answered.
fn start_looking(db: Db, tenant: TenantId) {
    tokio::spawn(async move {
        while let Some(waiting) = db.batches.begin(tenant) {
            let mut seen = pin!(read(&db, tenant));
            if let Ok(seen) = tokio::time::timeout(LONG, &mut seen).await {
                answer_all(waiting, &seen);
                continue;
            }
            start_looking(db.clone(), tenant);
            return answer_all(waiting, &seen.await);
        }
    });
}

fn answer_all(waiting: Vec<oneshot::Sender<Seen>>, seen: &Seen) {
    for waits in waiting {
        let _ = waits.send(seen.clone());
    }
}

async fn read(db: &Db, tenant: TenantId) -> Seen {
    let name = tenant.to_string();
    let read = move |reader: &mut Reader<'_>| chain::revision(reader, &name);
    db.read(Visibility::tenant(tenant), read).await.map_err(QueryFailure::from)
}
