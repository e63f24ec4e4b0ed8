//! What was sent to a collector of traces, log lines and metrics, and what was dropped because it did not fit or was not
//! taken.

use std::sync::atomic::{AtomicU64, Ordering};

pub use store::sql::trace::SPANS;

/// The counts of one process.
#[derive(Debug, Default)]
pub struct Exports {
    pub traces: Signal,
    pub logs: Signal,
    pub metrics: Signal,
}

impl Exports {
    /// Each signal with its name.
    pub fn each(&self) -> [(&'static str, &Signal); 3] {
        [("traces", &self.traces), ("logs", &self.logs), ("metrics", &self.metrics)]
    }
}

/// The spans, the log lines or the metrics.
#[derive(Debug, Default)]
pub struct Signal {
    waiting: AtomicU64,
    exported: AtomicU64,
    dropped: AtomicU64,
}

impl Signal {
    /// Takes one in if fewer than `bound` wait; it is counted as dropped otherwise.
    pub fn admit(&self, bound: u64) -> bool {
        let fits = |waiting: u64| (waiting < bound).then_some(waiting + 1);
        let admitted = self.waiting.fetch_update(Ordering::AcqRel, Ordering::Acquire, fits).is_ok();
        if !admitted {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        admitted
    }

    /// Counts those that waited until they were sent, with or without success.
    pub fn sent(&self, count: u64, taken: bool) {
        let fewer = |waiting: u64| Some(waiting.saturating_sub(count));
        let _ = self.waiting.fetch_update(Ordering::AcqRel, Ordering::Acquire, fewer);
        self.count(count, taken);
    }

    /// Counts those that never wait.
    pub fn count(&self, count: u64, taken: bool) {
        let counter = if taken { &self.exported } else { &self.dropped };
        counter.fetch_add(count, Ordering::Relaxed);
    }

    pub fn exported(&self) -> u64 {
        self.exported.load(Ordering::Relaxed)
    }

    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_dropped_and_counted() {
        let signal = Signal::default();
        let admitted = (0..5).filter(|_| signal.admit(3)).count();
        assert_eq!((admitted, signal.dropped()), (3, 2));
        signal.sent(2, true);
        assert_eq!((signal.exported(), signal.dropped()), (2, 2));
        assert!(signal.admit(3) && signal.admit(3) && !signal.admit(3), "two places became free");
        signal.sent(3, false);
        assert_eq!((signal.exported(), signal.dropped()), (2, 6));
    }
}
