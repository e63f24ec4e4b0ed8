//! Looks at a tenant's revision, shared by everybody who waits for one.
//!
//! Where other nodes may have written, every request has to look. One that comes while a look is under way must not be
//! answered by it, because that look may have begun before the write it has to see; it waits for the next, together
//! with all others that came meanwhile. A look that takes long keeps only those waiting who came before it.

use std::{
    collections::{HashMap, hash_map::Entry},
    pin::pin,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::id::TenantId;
use tokio::sync::oneshot;

use super::{Db, Error, Reader, Result, chain, postgres::Visibility};

/// After this long the next look begins although the one before has not ended: its connection may be dead.
const LONG: Duration = Duration::from_secs(1);

/// What a look gave, for each of those who waited.
type Seen = Result<i64, Trouble>;

/// Why a look gave nothing, in words, because everybody gets them.
#[derive(Debug, Clone)]
enum Trouble {
    Unavailable(String),
    Other(String),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        match error {
            Error::Unavailable(why) => Self::Unavailable(why),
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Unavailable(why) => Self::Unavailable(why),
            Trouble::Other(why) => Self::Engine(why.into()),
        }
    }
}

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
        start_looking(db.clone(), tenant);
    }
    let seen = seen.await.map_err(|_| Error::Unavailable("the service is stopping".into()))?;
    seen.map_err(Error::from)
}

/// Looks until nobody waits; on its own, because whoever came first may leave before the others are answered.
fn start_looking(db: Db, tenant: TenantId) {
    tokio::spawn(async move {
        while let Some(waiting) = db.looks.begin(tenant) {
            let mut seen = pin!(read(&db, tenant));
            if let Ok(seen) = tokio::time::timeout(LONG, &mut seen).await {
                tell(waiting, &seen);
                continue;
            }
            start_looking(db.clone(), tenant);
            return tell(waiting, &seen.await);
        }
    });
}

fn tell(waiting: Vec<oneshot::Sender<Seen>>, seen: &Seen) {
    for waits in waiting {
        let _ = waits.send(seen.clone());
    }
}

async fn read(db: &Db, tenant: TenantId) -> Seen {
    let name = tenant.to_string();
    let read = move |reader: &mut Reader<'_>| chain::revision(reader, &name);
    db.read(Visibility::tenant(tenant), read).await.map_err(Trouble::from)
}
