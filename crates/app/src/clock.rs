//! The one place that reads the time.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};
use std::time::{SystemTime, UNIX_EPOCH};

use domain::moment::Moment;

/// The time everything in the service goes by: the system's, or one a test moves by hand.
#[derive(Debug, Clone, Default)]
pub struct Clock(Option<Arc<AtomicI64>>);

impl Clock {
    #[must_use]
    pub fn system() -> Self {
        Self(None)
    }

    /// A clock that stands still until it is moved.
    #[must_use]
    pub fn manual(start: Moment) -> Self {
        Self(Some(Arc::new(AtomicI64::new(start.millis()))))
    }

    pub fn now(&self) -> Moment {
        match &self.0 {
            Some(manual) => Moment::from_millis(manual.load(Ordering::Acquire)),
            None => system_now(),
        }
    }

    /// Moves a manual clock; the system's cannot be moved.
    pub fn advance(&self, millis: i64) {
        if let Some(manual) = &self.0 {
            manual.fetch_add(millis, Ordering::AcqRel);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the clock")]
fn system_now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
