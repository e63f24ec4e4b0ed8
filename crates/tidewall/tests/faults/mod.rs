//! Faults that the service must survive.

mod backup;
mod bounds;
mod bundles;
mod changes;
pub(crate) mod clock;
mod cluster;
mod containers;
mod disk;
mod evidence;
mod filings;
mod health;
mod imports;
mod kill;
mod load;
mod overload;
mod periods;
mod secrets;
mod security;
mod servers;
mod service;
mod stopping;
mod tampering;
mod telemetry;
mod temporary;
mod there_and_back;
mod two_versions;
mod upgrade;

/// How often a fault is caused: few times in every run, often by `scripts/test --full`.
pub(crate) fn rounds(small: usize, full: usize) -> usize {
    if is_full() { full } else { small }
}

/// Prints a measured figure for the reader of the output.
#[expect(clippy::print_stdout, reason = "the figure is read from the output of the test")]
pub(crate) fn figure(captured: impl std::fmt::Display) {
    println!("{captured}");
}

fn is_full() -> bool {
    std::env::var("TIDEWALL_TEST_SIZE").is_ok_and(|size| size == "full")
}
