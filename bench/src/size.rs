//! The sizes of the benchmarks. `TIDEWALL_BENCH_FINDINGS` reduces all of them, for a quick run.

pub(crate) fn at_most(full: usize) -> usize {
    let named = std::env::var("TIDEWALL_BENCH_FINDINGS").ok();
    named.map_or(full, |text| full.min(text.parse().unwrap()))
}
