//! The only module that reads the time.
//!
//! Nodes that share a store use the store's time: leases, due times and expiries are compared across nodes, and a
//! machine whose clock is an hour off would otherwise take over other nodes' work or sign every user out.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use domain::moment::Moment;

/// The clock of the whole service: the system's, the store's, or one that a test sets.
#[derive(Debug, Clone, Default)]
pub struct Clock(Arc<Source>);

#[derive(Debug)]
enum Source {
    Manual(AtomicI64),
    System(Followed),
}

impl Default for Source {
    fn default() -> Self {
        Self::System(Followed { origin: Instant::now(), store_at_origin: AtomicI64::new(NOT_FOLLOWED) })
    }
}

/// The store's time, extrapolated by a monotonic clock that cannot be set.
#[derive(Debug)]
struct Followed {
    origin: Instant,
    /// The store's time at the origin, in milliseconds.
    store_at_origin: AtomicI64,
}

const NOT_FOLLOWED: i64 = i64::MIN;

impl Clock {
    #[must_use]
    pub fn system() -> Self {
        Self::default()
    }

    /// A clock that only moves when a test moves it.
    #[must_use]
    pub fn manual(start: Moment) -> Self {
        Self(Arc::new(Source::Manual(AtomicI64::new(start.millis()))))
    }

    pub fn now(&self) -> Moment {
        match &*self.0 {
            Source::Manual(manual) => Moment::from_millis(manual.load(Ordering::Acquire)),
            Source::System(followed) => followed.now().unwrap_or_else(system_now),
        }
    }

    /// Moves a manual clock; the others cannot be moved.
    pub fn advance(&self, millis: i64) {
        if let Source::Manual(manual) = &*self.0 {
            manual.fetch_add(millis, Ordering::AcqRel);
        }
    }

    /// From now on uses the store's time, which was `store` within the last `since_asked`. Differences within the
    /// duration of the query are ignored, so that the clock does not jitter.
    pub fn follow(&self, store: Moment, since_asked: Duration) {
        let Source::System(followed) = &*self.0 else { return };
        let now = store.millis() + millis(since_asked / 2);
        let at_origin = now - millis(followed.origin.elapsed());
        let known = followed.store_at_origin.load(Ordering::Acquire);
        if known == NOT_FOLLOWED || (at_origin - known).abs() > millis(since_asked) {
            followed.store_at_origin.store(at_origin, Ordering::Release);
        }
    }

    /// How far the machine's clock is ahead of the store's, in milliseconds, if the store's is used.
    pub fn machine_ahead(&self) -> Option<i64> {
        match &*self.0 {
            Source::Manual(_) => None,
            Source::System(followed) => followed.now().map(|now| system_now().millis() - now.millis()),
        }
    }
}

impl Followed {
    fn now(&self) -> Option<Moment> {
        let at_origin = self.store_at_origin.load(Ordering::Acquire);
        (at_origin != NOT_FOLLOWED).then(|| Moment::from_millis(at_origin + millis(self.origin.elapsed())))
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[expect(clippy::disallowed_methods, reason = "this is the clock")]
fn system_now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;

    #[test]
    fn a_store_an_hour_behind_is_followed_and_the_difference_known() {
        let clock = Clock::system();
        assert_eq!(clock.machine_ahead(), None);
        clock.follow(system_now().plus_millis(-HOUR), Duration::from_millis(4));
        let ahead = clock.machine_ahead().unwrap();
        assert!((ahead - HOUR).abs() < 1000, "{ahead}");
        assert!((system_now().millis() - clock.now().millis() - HOUR).abs() < 1000);
    }

    #[test]
    fn what_the_question_itself_explains_is_left_alone() {
        let clock = Clock::system();
        let start = system_now();
        clock.follow(start, Duration::ZERO);
        clock.follow(start.plus_millis(300), Duration::from_secs(1));
        assert!(clock.machine_ahead().unwrap() > -200, "moved by a slow answer");
        clock.follow(start.plus_millis(HOUR), Duration::from_secs(1));
        assert!(clock.machine_ahead().unwrap() < -HOUR + 1000, "a real difference is followed");
    }

    #[test]
    fn a_manual_clock_follows_nobody() {
        let clock = Clock::manual(Moment::from_millis(5));
        clock.follow(Moment::from_millis(HOUR), Duration::ZERO);
        assert_eq!((clock.now().millis(), clock.machine_ahead()), (5, None));
    }
}
