//! Wake-ups of waiting workers after a commit that may have added work for them.
//!
//! A wake-up is only a hint: the work itself is in the tables, and workers also poll.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::watch;

use super::Result;

/// Counts the wake-ups of this process and passes them to the waiting workers.
#[derive(Debug)]
pub(super) struct Hints {
    count: watch::Sender<u64>,
    listening: Mutex<bool>,
    /// Given to the thread that listens, so that it ends with the store.
    me: Weak<Self>,
}

impl Hints {
    pub(super) fn new() -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            count: watch::Sender::new(0),
            listening: Mutex::new(false),
            me: Weak::clone(me),
        })
    }

    pub(super) fn raise(&self) {
        self.count.send_modify(|count| *count += 1);
    }

    pub(super) fn subscribe(&self) -> Hint {
        Hint(self.count.subscribe())
    }

    /// Starts listening to other nodes when the first worker of this process subscribes.
    pub(super) fn listen_once(&self, start: impl FnOnce(Weak<Self>) -> Result<()>) -> Result<()> {
        let mut listening = self.listening.lock().unwrap_or_else(PoisonError::into_inner);
        if !*listening {
            start(Weak::clone(&self.me))?;
            *listening = true;
        }
        Ok(())
    }
}

/// Wakes its holder when there may be work.
#[derive(Debug, Clone)]
pub struct Hint(watch::Receiver<u64>);

impl Hint {
    /// Waits for the next wake-up; returns at once if one came since the last wait, never if the store is closed.
    pub async fn arrived(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
