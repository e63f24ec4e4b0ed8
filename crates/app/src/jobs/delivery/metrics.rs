//! Counters of delivery since the start.

use std::sync::atomic::{AtomicU64, Ordering};

use domain::delivery::AttemptClass;

/// Counters that only grow, except for `in_flight`.
#[derive(Debug, Default)]
pub struct DeliveryMetrics {
    events: AtomicU64,
    deliveries: AtomicU64,
    in_flight: AtomicU64,
    tries: [AtomicU64; AttemptClass::ALL.len()],
    digests: AtomicU64,
    recovered: AtomicU64,
    stale: AtomicU64,
    switched_off: AtomicU64,
}

/// The counters at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeliveryCounts {
    /// Events turned into deliveries.
    pub events: u64,
    /// Deliveries made from them.
    pub deliveries: u64,
    /// Messages in flight.
    pub in_flight: u64,
    /// Messages tried, by result. A digest is one message.
    pub tries: Vec<(AttemptClass, u64)>,
    pub digests: u64,
    /// Deliveries taken over from other workers.
    pub recovered: u64,
    /// Results that arrived after the lease was lost.
    pub stale: u64,
    /// Webhooks switched off.
    pub switched_off: u64,
}

impl DeliveryMetrics {
    pub fn read(&self) -> DeliveryCounts {
        let value = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let tries = AttemptClass::ALL.iter().copied().zip(&self.tries);
        DeliveryCounts {
            events: value(&self.events),
            deliveries: value(&self.deliveries),
            in_flight: value(&self.in_flight),
            tries: tries.map(|(class, counter)| (class, value(counter))).collect(),
            digests: value(&self.digests),
            recovered: value(&self.recovered),
            stale: value(&self.stale),
            switched_off: value(&self.switched_off),
        }
    }

    pub(super) fn fanned_out(&self, events: usize, deliveries: usize) {
        add(&self.events, events);
        add(&self.deliveries, deliveries);
    }

    pub(super) fn started(&self) {
        add(&self.in_flight, 1);
    }

    pub(super) fn finished(&self, class: AttemptClass, deliveries: usize) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
        let place = AttemptClass::ALL.iter().position(|known| *known == class).unwrap_or_default();
        add(&self.tries[place], 1);
        add(&self.digests, usize::from(deliveries > 1));
    }

    pub(super) fn recovered(&self, deliveries: usize) {
        add(&self.recovered, deliveries);
    }

    pub(super) fn settled(&self, stale: usize, switched_off: usize) {
        add(&self.stale, stale);
        add(&self.switched_off, switched_off);
    }
}

fn add(counter: &AtomicU64, count: usize) {
    counter.fetch_add(count as u64, Ordering::Relaxed);
}
