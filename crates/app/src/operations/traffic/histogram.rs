//! A histogram of response times, in buckets that a monitoring system can add up.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// The upper bounds of the buckets, in microseconds; the last bucket has none.
pub const ENDS_MICROS: [u64; 14] = [
    500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    5_000_000, 10_000_000,
];

#[derive(Debug, Default)]
pub(super) struct Counted {
    ranges: [AtomicU64; ENDS_MICROS.len() + 1],
    micros: AtomicU64,
}

/// The counts at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram {
    /// The count of each bucket of [`ENDS_MICROS`], and of the last one.
    pub ranges: Vec<u64>,
    pub count: u64,
    pub sum: Duration,
}

impl Counted {
    pub(super) fn add(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let range = ENDS_MICROS.iter().position(|end| micros <= *end).unwrap_or(ENDS_MICROS.len());
        self.ranges[range].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> Histogram {
        let ranges: Vec<u64> = self.ranges.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        let sum = Duration::from_micros(self.micros.load(Ordering::Relaxed));
        Histogram { count: ranges.iter().sum(), ranges, sum }
    }
}
