//! Limits how many costly operations run at once: in all, and for one tenant.
//!
//! A tenant takes its own slot first, so that one tenant with many requests waits for itself and leaves the shared
//! slots to the others.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use domain::id::TenantId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Error, Result};

#[derive(Debug)]
pub(crate) struct Slots {
    all: Arc<Semaphore>,
    each: usize,
    patience: Duration,
    /// Only tenants that hold a slot or wait for one.
    tenants: Mutex<HashMap<TenantId, Weak<Semaphore>>>,
}

/// A slot, released when it is dropped.
#[derive(Debug)]
pub struct Slot {
    _own: OwnedSemaphorePermit,
    _shared: OwnedSemaphorePermit,
}

impl Slots {
    /// `all` at once, `each` for one tenant; further callers wait for `patience`.
    pub(crate) fn new(all: usize, each: usize, patience: Duration) -> Self {
        Self { all: Arc::new(Semaphore::new(all)), each, patience, tenants: Mutex::default() }
    }

    pub(crate) async fn take(&self, tenant: TenantId) -> Result<Slot> {
        let (own, shared) = (self.of(tenant), Arc::clone(&self.all));
        let both = async {
            let own = own.acquire_owned().await?;
            Ok(Slot { _own: own, _shared: shared.acquire_owned().await? })
        };
        match tokio::time::timeout(self.patience, both).await {
            Ok(taken) => taken.map_err(|error: tokio::sync::AcquireError| Error::internal(error)),
            Err(_) => Err(Error::Busy),
        }
    }

    fn of(&self, tenant: TenantId) -> Arc<Semaphore> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tenants.get(&tenant).and_then(Weak::upgrade) {
            return known;
        }
        tenants.retain(|_, slots| slots.strong_count() > 0);
        let slots = Arc::new(Semaphore::new(self.each));
        tenants.insert(tenant, Arc::downgrade(&slots));
        slots
    }
}

#[cfg(test)]
mod tests {
    use domain::id::Uuid7;

    use super::*;

    fn tenant(number: u128) -> TenantId {
        TenantId::from(Uuid7::from_parts(0, number))
    }

    #[tokio::test(start_paused = true)]
    async fn a_tenant_waits_for_itself_and_leaves_the_others_theirs() {
        let slots = Slots::new(2, 1, Duration::from_secs(10));
        let first = slots.take(tenant(1)).await.unwrap();
        assert!(matches!(slots.take(tenant(1)).await, Err(Error::Busy)));
        let second = slots.take(tenant(2)).await.unwrap();
        assert!(matches!(slots.take(tenant(3)).await, Err(Error::Busy)));
        drop(first);
        let (third, again) = tokio::join!(slots.take(tenant(3)), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            drop(second);
            slots.take(tenant(1)).await
        });
        assert!(third.is_ok() && again.is_ok());
        drop((third, again));
        slots.take(tenant(4)).await.unwrap();
        assert_eq!(slots.tenants.lock().unwrap().len(), 1, "tenants that wait for nothing are forgotten");
    }
}
