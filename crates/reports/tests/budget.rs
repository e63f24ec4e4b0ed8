//! The cost of a large report. Alone in its file, so that the measured peak of memory is its own.
//!
//! The figures that must hold are those of a release build (`cargo test --release -p tidewall-reports --test budget`):
//! a report of 200 findings in one second and 100 MiB. A development build is given ten times as long. Counted is the
//! time on a processor, which does not depend on what else the machine does.

#![expect(clippy::expect_used, reason = "tests")]

#[expect(dead_code, reason = "this test needs one of the samples")]
#[path = "pdf/samples.rs"]
mod samples;

use std::time::Duration;

use tidewall_reports::document::Language;
use tidewall_reports::pdf::render;

const MEMORY_KIB: u64 = 100 * 1024;
const TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });

#[test]
fn a_report_of_200_findings_is_quick_and_small() {
    let document = samples::findings(Language::German, 200);
    let before = processor_time();
    let pdf = render(&document).unwrap();
    let elapsed = processor_time().checked_sub(before).expect("processor time only grows");
    let peak = peak_memory_kib();
    println!("200 findings: {elapsed:?}, peak {peak} KiB, file {} KiB", pdf.len() / 1024);
    assert!(elapsed < TIME, "took {elapsed:?}");
    assert!(peak < MEMORY_KIB, "took {peak} KiB");
}

/// How long this thread has been on a processor, to a hundredth of a second.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/stat").expect("Linux tells a thread about itself");
    let (_, fields) = text.rsplit_once(") ").expect("the name of the program ends with a bracket");
    // The fourteenth and fifteenth field of the whole line: ticks in the program and in the kernel.
    let ticks =
        fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number of ticks"));
    Duration::from_millis(ticks.sum::<u64>() * 10)
}

/// The most memory this process has ever held.
fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells a process about itself");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak is listed");
    peak.trim().trim_end_matches(" kB").parse().expect("a number of KiB")
}
