//! When to retry: the fixed schedule of a delivery.
//!
//! The caller provides the time and the random number. [`Verdict`](crate::outcome::Verdict) says whether to retry at
//! all.

use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// The wait before each try, counted from the try before it. A delivery that failed them all is dead.
pub const SCHEDULE: [Duration; 8] = [
    Duration::ZERO,
    Duration::from_secs(5),
    Duration::from_secs(MINUTE),
    Duration::from_secs(5 * MINUTE),
    Duration::from_secs(30 * MINUTE),
    Duration::from_secs(2 * HOUR),
    Duration::from_secs(6 * HOUR),
    Duration::from_secs(12 * HOUR),
];

/// The random variation of a wait, so that deliveries that failed together are not retried together.
const SPREAD: f64 = 0.2;

/// The longest wait a destination can ask for: more would let it delay deliveries for ever.
pub const MAX_RETRY_AFTER: Duration = Duration::from_secs(24 * HOUR);

/// The wait before the next try when `tries` have been made, or `None` when that was the last one.
///
/// `dice` is a random number from 0 to 1. A destination's `retry_after` only lengthens the wait, because senders that
/// return too early get blocked.
pub fn next_wait(tries: usize, retry_after: Option<Duration>, dice: f64) -> Option<Duration> {
    let planned = *SCHEDULE.get(tries)?;
    let asked = retry_after.unwrap_or_default().min(MAX_RETRY_AFTER);
    Some(spread(planned, dice).max(asked))
}

fn spread(planned: Duration, dice: f64) -> Duration {
    let dice = if dice.is_nan() { 0.5 } else { dice.clamp(0.0, 1.0) };
    planned.mul_f64(1.0 - SPREAD + 2.0 * SPREAD * dice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(tries: usize, dice: f64) -> Option<f64> {
        next_wait(tries, None, dice).map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn follows_the_schedule_and_then_gives_up() {
        let middle: Vec<_> = (0..8).map(|tries| seconds(tries, 0.5).unwrap()).collect();
        assert_eq!(middle, [0.0, 5.0, 60.0, 300.0, 1800.0, 7200.0, 21600.0, 43200.0]);
        assert_eq!(seconds(8, 0.5), None);
        assert_eq!(next_wait(8, Some(Duration::from_secs(1)), 0.5), None);
        assert_eq!(seconds(usize::MAX, 0.5), None);
    }

    #[test]
    fn strays_a_fifth_either_way_and_no_further() {
        for (tries, planned) in SCHEDULE.iter().enumerate() {
            let planned = planned.as_secs_f64();
            for (dice, factor) in
                [(0.0, 0.8), (0.25, 0.9), (1.0, 1.2), (-7.0, 0.8), (9.0, 1.2), (f64::NAN, 1.0)]
            {
                let wait = seconds(tries, dice).unwrap();
                assert!((wait - planned * factor).abs() < 1e-6, "{tries} {dice}: {wait}");
            }
        }
    }

    #[test]
    fn waits_at_least_as_long_as_the_destination_asks() {
        let asked = |seconds| next_wait(1, Some(Duration::from_secs(seconds)), 0.0).unwrap().as_secs();
        assert_eq!(asked(0), 4);
        assert_eq!(asked(3), 4);
        assert_eq!(asked(120), 120);
        assert_eq!(asked(86_400), 86_400);
        assert_eq!(asked(u64::MAX), 86_400);
    }

    #[test]
    fn the_whole_schedule_fits_into_twenty_five_hours() {
        let latest: f64 = (0..8).filter_map(|tries| seconds(tries, 1.0)).sum();
        assert!(latest < 25.0 * 3600.0, "{latest}");
    }
}
