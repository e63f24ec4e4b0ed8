//! Background workers: whether each is alive, and how to restart it.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

/// Every worker reports every few seconds; one that has not for this long hangs.
const SILENCE: Duration = Duration::from_mins(2);

/// The heartbeat of one worker.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    /// Absent while it does not run.
    last: Mutex<Option<Instant>>,
    again: Notify,
    restarts: AtomicU64,
}

impl Pulse {
    /// Called by the worker in every round.
    pub(crate) fn beat(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Called by the worker when it ends normally.
    pub(crate) fn rest(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Requests a restart if the worker hangs.
    pub(crate) fn restart_if_silent(&self) {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() > SILENCE) {
            self.again.notify_one();
        }
    }

    /// Waits until a restart is requested.
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
