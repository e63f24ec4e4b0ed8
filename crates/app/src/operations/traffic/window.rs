//! All requests of the last five minutes: how many, how many failed, how long they took.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use domain::moment::Moment;

/// The window consists of slots that expire one by one.
const SLOT_MS: i64 = 10_000;
const SLOTS: usize = 30;
/// Histogram buckets grow by 20 %, from 50 microseconds to more than a minute.
const FINENESS: f64 = 1.2;
const SHORTEST_MICROS: f64 = 50.0;
const RANGES: usize = 80;

#[derive(Debug)]
pub(super) struct Window(Mutex<Vec<Slot>>);

#[derive(Debug, Clone)]
struct Slot {
    /// The number of this slot since the epoch.
    number: i64,
    requests: u64,
    errors: u64,
    ranges: [u32; RANGES],
}

impl Slot {
    const EMPTY: Self = Self { number: i64::MIN, requests: 0, errors: 0, ranges: [0; RANGES] };
}

impl Default for Window {
    fn default() -> Self {
        Self(Mutex::new(vec![Slot::EMPTY; SLOTS]))
    }
}

/// The figures of the window.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recent {
    pub requests: u64,
    /// Answers with a status of 500 and above.
    pub errors: u64,
    /// Absent without requests.
    pub p50: Option<Duration>,
    pub p95: Option<Duration>,
    pub p99: Option<Duration>,
}

impl Recent {
    /// How long the window is.
    pub const LENGTH: Duration = Duration::from_millis(SLOT_MS.unsigned_abs() * SLOTS as u64);
}

impl Window {
    pub(super) fn add(&self, at: Moment, took: Duration, failed: bool) {
        let number = at.millis().div_euclid(SLOT_MS);
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut slots[place(number)];
        if slot.number != number {
            *slot = Slot { number, ..Slot::EMPTY };
        }
        slot.requests += 1;
        slot.errors += u64::from(failed);
        let range = &mut slot.ranges[range(took)];
        *range = range.saturating_add(1);
    }

    pub(super) fn read(&self, now: Moment) -> Recent {
        let newest = now.millis().div_euclid(SLOT_MS);
        let oldest = newest - i64::try_from(SLOTS).unwrap_or(0) + 1;
        let slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut recent = Recent::default();
        let mut ranges = [0_u64; RANGES];
        for slot in slots.iter().filter(|slot| (oldest..=newest).contains(&slot.number)) {
            recent.requests += slot.requests;
            recent.errors += slot.errors;
            for (sum, count) in ranges.iter_mut().zip(slot.ranges) {
                *sum += u64::from(count);
            }
        }
        [recent.p50, recent.p95, recent.p99] = [50, 95, 99].map(|percent| quantile(&ranges, percent));
        recent
    }
}

fn place(number: i64) -> usize {
    usize::try_from(number.rem_euclid(i64::try_from(SLOTS).unwrap_or(1))).unwrap_or(0)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded right after")]
fn range(took: Duration) -> usize {
    let micros = took.as_secs_f64() * 1e6;
    let steps = (micros / SHORTEST_MICROS).log(FINENESS).ceil().max(0.0);
    (steps as usize).min(RANGES - 1)
}

/// The duration that this per cent of requests did not exceed: the upper bound of its bucket.
fn quantile(ranges: &[u64; RANGES], percent: u64) -> Option<Duration> {
    let total: u64 = ranges.iter().sum();
    let wanted = (total * percent).div_ceil(100).max(1);
    let mut seen = 0;
    let place = ranges.iter().position(|count| {
        seen += count;
        seen >= wanted
    })?;
    let steps = i32::try_from(place).unwrap_or(i32::MAX);
    Some(Duration::from_secs_f64(SHORTEST_MICROS * FINENESS.powi(steps) / 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_right_within_a_fifth() {
        let window = Window::default();
        let now = Moment::from_millis(1_000_000);
        for millis in 1..=1000 {
            window.add(now, Duration::from_millis(millis), millis % 100 == 0);
        }
        let recent = window.read(now);
        assert_eq!((recent.requests, recent.errors), (1000, 10));
        for (quantile, truth) in [(recent.p50, 0.5), (recent.p95, 0.95), (recent.p99, 0.99)] {
            let seconds = quantile.unwrap().as_secs_f64();
            assert!((truth..truth * 1.21).contains(&seconds), "{seconds} for {truth}");
        }
    }

    #[test]
    fn what_is_older_than_the_window_is_forgotten() {
        let window = Window::default();
        let start = Moment::from_millis(1_000_000);
        window.add(start, Duration::ZERO, false);
        let length = i64::try_from(Recent::LENGTH.as_millis()).unwrap();
        assert_eq!(window.read(start.plus_millis(length - SLOT_MS)).requests, 1);
        assert_eq!(window.read(start.plus_millis(length)), Recent::default());
        window.add(start.plus_millis(length), Duration::from_mins(10), true);
        assert_eq!(window.read(start.plus_millis(length)).requests, 1);
    }
}
