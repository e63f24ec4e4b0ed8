//! Limits how many requests are processed at once, over all connections.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

#[derive(Clone, Debug)]
pub(super) struct Capacity {
    taken: Arc<AtomicUsize>,
    most: usize,
}

/// One request's slot, released when dropped.
#[derive(Debug)]
pub(super) struct Slot(Arc<AtomicUsize>);

impl Capacity {
    pub(super) fn new(most: usize) -> Self {
        Self { taken: Arc::default(), most }
    }

    /// A slot, or `None` when all are taken.
    pub(super) fn take(&self) -> Option<Slot> {
        let more = |taken| (taken < self.most).then_some(taken + 1);
        let taken = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.is_ok().then(|| Slot(Arc::clone(&self.taken)))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_so_many_places_and_takes_them_back() {
        let capacity = Capacity::new(2);
        let (first, second) = (capacity.take(), capacity.take());
        assert!(first.is_some() && second.is_some());
        assert!(capacity.take().is_none());
        drop(first);
        assert!(capacity.take().is_some());
    }
}
