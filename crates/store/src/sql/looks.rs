//! Looks at a tenant's revision, shared by everybody who waits for one.
//!
//! Where other nodes may have written, every request has to look. One that comes while a look is under way must not be
//! answered by it, because that look may have begun before the write it has to see; it waits for the next, together
//! with all others that came meanwhile.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Mutex, MutexGuard, PoisonError},
};

use domain::id::TenantId;
use tokio::sync::oneshot;

use super::{Db, Error, Reader, Result, chain, postgres::Visibility};

/// What a look gave, for each of those who waited; why not, in words, because they all get it.
type Seen = Result<i64, String>;

/// Whoever waits for the next look, by tenant. A tenant stands here as long as somebody looks for it.
#[derive(Debug, Default)]
pub(super) struct Looks(Mutex<HashMap<TenantId, Vec<oneshot::Sender<Seen>>>>);

impl Looks {
    /// Joins those who wait; true if nobody looks yet, so that somebody must begin.
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

    /// Everybody whom a look that begins now answers; nobody ends the looking.
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

/// The tenant's revision, by a look that begins after this was called.
pub(super) async fn revision(db: &Db, tenant: TenantId) -> Result<i64> {
    let (waits, seen) = oneshot::channel();
    if db.looks.join(tenant, waits) {
        // On its own: whoever came first may leave before the others are answered.
        tokio::spawn(look(db.clone(), tenant));
    }
    let seen = seen.await.map_err(|_| Error::Unavailable("the service is stopping".into()))?;
    seen.map_err(Error::Unavailable)
}

async fn look(db: Db, tenant: TenantId) {
    while let Some(waiting) = db.looks.begin(tenant) {
        let name = tenant.to_string();
        let read = move |reader: &mut Reader<'_>| chain::revision(reader, &name);
        let seen: Seen =
            db.read(Visibility::tenant(tenant), read).await.map_err(|error: Error| error.to_string());
        for waits in waiting {
            let _ = waits.send(seen.clone());
        }
    }
}
