//! Log lines that any client can cause: at most one a second, with the number of those left out.

use std::{
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

/// Requests that could not be served for a while.
static UNAVAILABLE: Repeated = Repeated::new();
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Writes that a request was answered with 503, unless one was written in this second.
pub fn answered_unavailable(why: &str) {
    if let Some(left_out) = UNAVAILABLE.admit(second()) {
        tracing::warn!(why, left_out, "answered 503");
    }
}

/// Writes how many lines were left out since the last one. A background task calls it.
pub(crate) fn settle() {
    if let Some(left_out) = UNAVAILABLE.take(second()) {
        tracing::warn!(left_out, "answered 503 further times");
    }
}

/// Seconds since the process began, from one on.
fn second() -> u64 {
    START.elapsed().as_secs() + 1
}

/// One kind of line.
#[derive(Debug)]
struct Repeated {
    /// The second of the last line.
    written: AtomicU64,
    left_out: AtomicU64,
}

impl Repeated {
    const fn new() -> Self {
        Self { written: AtomicU64::new(0), left_out: AtomicU64::new(0) }
    }

    /// How many lines were left out before this one; `None` if this one is left out too.
    fn admit(&self, second: u64) -> Option<u64> {
        if self.written.fetch_max(second, Ordering::AcqRel) < second {
            return Some(self.left_out.swap(0, Ordering::AcqRel));
        }
        self.left_out.fetch_add(1, Ordering::AcqRel);
        None
    }

    /// How many lines were left out, once their second is over.
    fn take(&self, second: u64) -> Option<u64> {
        let is_over = self.written.load(Ordering::Acquire) < second;
        Some(if is_over { self.left_out.swap(0, Ordering::AcqRel) } else { 0 }).filter(|count| *count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_one_line_a_second_and_a_count() {
        let line = Repeated::new();
        let written = (0..9_848).filter(|_| line.admit(7).is_some()).count();
        assert_eq!(written, 1);
        assert_eq!(line.take(7), None, "the second is not over");
        assert_eq!(line.admit(8), Some(9_847));
        assert_eq!(line.admit(8), None);
        assert_eq!((line.take(9), line.take(9)), (Some(1), None), "counted once");
    }
}
