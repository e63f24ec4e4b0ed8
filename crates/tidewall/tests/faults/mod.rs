//! Faults: what the service must survive, each told as it happens.

mod kill;
mod service;

/// How often a fault is made: small in every run, full by `scripts/test --full`.
fn rounds(small: usize, full: usize) -> usize {
    if std::env::var("TIDEWALL_TEST_SIZE").is_ok_and(|size| size == "full") { full } else { small }
}
