//! Log lines that any client can cause: at most one a second, with the number of those left out.

use std::{sync::LazyLock, time::Instant};

use domain::repeated::Repeated;

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
