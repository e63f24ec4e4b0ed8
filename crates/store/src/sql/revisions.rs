//! A cache of tenants' revisions, so that an unchanged page costs no query.

use std::{
    collections::HashMap,
    sync::{
        PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

/// The version of one tenant's data. Equal revisions of one store mean equal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Revision(pub i64);

#[derive(Debug, Default)]
pub(super) struct Revisions {
    known: RwLock<HashMap<String, i64>>,
    /// Counts how often another process was seen writing; other caches are invalidated by it.
    foreign: AtomicU64,
}

impl Revisions {
    pub(super) fn get(&self, chain: &str) -> Option<i64> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(chain).copied()
    }

    /// Called after a commit is on disk and before its caller is answered.
    pub(super) fn publish(&self, chain: &str, revision: i64) {
        self.publish_seen(chain, revision, self.foreign_changes());
    }

    /// Called after a read. A revision read before another process wrote must not be stored as current.
    pub(super) fn publish_seen(&self, chain: &str, revision: i64, foreign_changes: u64) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if foreign_changes != self.foreign_changes() {
            return;
        }
        let entry = known.entry(chain.to_owned()).or_insert(revision);
        // Two readers may publish out of order; revisions only grow.
        *entry = (*entry).max(revision);
    }

    /// Another process has written, so every entry may be stale.
    pub(super) fn forget_all(&self) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.clear();
        self.foreign.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn foreign_changes(&self) -> u64 {
        self.foreign.load(Ordering::Acquire)
    }
}
