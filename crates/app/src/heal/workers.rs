//! Background workers: whether each shows signs of life, and how to have it started again.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

/// Every worker comes round every few seconds; one that has not for this long hangs.
const SILENCE: Duration = Duration::from_mins(2);

/// The signs of life of one worker.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    /// Absent while it does not run.
    last: Mutex<Option<Instant>>,
    again: Notify,
    restarts: AtomicU64,
}

impl Pulse {
    /// The worker comes round.
    pub(crate) fn beat(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// The worker has ended, as it should.
    pub(crate) fn rest(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Has the worker started again if it hangs.
    pub(crate) fn restart_if_silent(&self) {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() > SILENCE) {
            self.again.notify_one();
        }
    }

    /// Waits until somebody wants the worker started again.
    pub(crate) async fn restart_wanted(&self) {
        self.again.notified().await;
    }

    pub(crate) fn restarted(&self) {
        self.restarts.fetch_add(1, Ordering::AcqRel);
        self.beat();
    }

    pub(crate) fn restarts(&self) -> u64 {
        self.restarts.load(Ordering::Acquire)
    }
}
