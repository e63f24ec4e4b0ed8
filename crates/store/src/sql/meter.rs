//! Metrics of the store: writers per commit, duration of commits, and reconnections.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use super::slow::Slow;

/// Upper bounds of the histogram buckets; the last bucket has none.
const WRITERS: [u64; 8] = [1, 2, 4, 8, 16, 64, 256, 512];
const MICROS: [u64; 12] =
    [250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000];

#[derive(Debug, Default)]
pub(super) struct Meter {
    writers: Ranges<{ WRITERS.len() + 1 }>,
    micros: Ranges<{ MICROS.len() + 1 }>,
    reconnects: AtomicU64,
    pub(super) slow: Slow,
}

/// A histogram: the number of values in each bucket, and their sum.
#[derive(Debug)]
struct Ranges<const N: usize> {
    counts: [AtomicU64; N],
    sum: AtomicU64,
}

impl<const N: usize> Default for Ranges<N> {
    fn default() -> Self {
        Self { counts: std::array::from_fn(|_| AtomicU64::new(0)), sum: AtomicU64::new(0) }
    }
}

impl<const N: usize> Ranges<N> {
    fn add(&self, ends: &[u64], value: u64) {
        let range = ends.iter().position(|end| value <= *end).unwrap_or(N - 1);
        self.counts[range].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    fn read(&self, ends: &[u64]) -> Distribution {
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed));
        let ends = ends.iter().copied().map(Some).chain([None]);
        Distribution { ranges: ends.zip(counts).collect(), sum: self.sum.load(Ordering::Relaxed) }
    }
}

/// A snapshot of a histogram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// The upper bound of each bucket, absent for the last, and its count.
    pub ranges: Vec<(Option<u64>, u64)>,
    pub sum: u64,
}

/// What was measured since the store was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeterReading {
    /// Writers by commit.
    pub writers: Distribution,
    /// Microseconds by commit.
    pub micros: Distribution,
    /// Connections opened again after they were lost.
    pub reconnects: u64,
    /// Statements that took longer than the operator accepts.
    pub slow_statements: u64,
}

impl Meter {
    pub(super) fn committed(&self, writers: usize, took: Duration) {
        self.writers.add(&WRITERS, writers as u64);
        self.micros.add(&MICROS, u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    }

    pub(super) fn reconnected(&self) {
        self.reconnects.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> MeterReading {
        MeterReading {
            writers: self.writers.read(&WRITERS),
            micros: self.micros.read(&MICROS),
            reconnects: self.reconnects.load(Ordering::Relaxed),
            slow_statements: self.slow.count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fall_into_their_ranges() {
        let meter = Meter::default();
        for writers in [1, 2, 3, 10_000] {
            meter.committed(writers, Duration::from_micros(600));
        }
        let reading = meter.read();
        let filled: Vec<_> = reading.writers.ranges.iter().filter(|(_, count)| *count > 0).collect();
        assert_eq!(filled, [&(Some(1), 1), &(Some(2), 1), &(Some(4), 1), &(None, 1)]);
        assert_eq!((reading.writers.sum, reading.micros.sum), (10_006, 2400));
        assert!(reading.micros.ranges.contains(&(Some(1000), 4)));
    }
}
