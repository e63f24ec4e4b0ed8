//! Log lines that can be caused any number of times: at most one a second, with the number of those left out.

use std::sync::atomic::{AtomicU64, Ordering};

/// One kind of line. Seconds are counted by the caller, from one on.
#[derive(Debug, Default)]
pub struct Repeated {
    /// The second of the last line.
    written: AtomicU64,
    left_out: AtomicU64,
}

impl Repeated {
    pub const fn new() -> Self {
        Self { written: AtomicU64::new(0), left_out: AtomicU64::new(0) }
    }

    /// How many lines were left out before this one; `None` if this one is left out too.
    pub fn admit(&self, second: u64) -> Option<u64> {
        if self.written.fetch_max(second, Ordering::AcqRel) < second {
            return Some(self.left_out.swap(0, Ordering::AcqRel));
        }
        self.left_out.fetch_add(1, Ordering::AcqRel);
        None
    }

    /// How many lines were left out, once their second is over.
    pub fn take(&self, second: u64) -> Option<u64> {
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
