//! How much a benchmark is made of. `TIDEWALL_BENCH_FINDINGS` makes all of it smaller, for a quick look.

pub(crate) fn at_most(full: usize) -> usize {
    let named = std::env::var("TIDEWALL_BENCH_FINDINGS").ok();
    named.map_or(full, |text| full.min(text.parse().unwrap()))
}
