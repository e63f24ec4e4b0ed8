//! The resident memory of this process, as the kernel counts it.

/// Measures the peak resident size from its start on, above what was resident then.
pub(crate) struct Peak {
    before: f64,
}

impl Peak {
    pub(crate) fn start() -> Self {
        // Resets the peak to the current size; see proc(5).
        std::fs::write("/proc/self/clear_refs", "5").unwrap();
        Self { before: status("VmRSS:") }
    }

    pub(crate) fn mebibytes(&self) -> f64 {
        status("VmHWM:") - self.before
    }
}

fn status(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    let kibibytes: f64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    kibibytes / 1024.0
}
