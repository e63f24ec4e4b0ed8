//! Progress of long work on standard error: one updated line on a terminal, otherwise one line for each step.

use std::io::{self, IsTerminal as _, Write as _};

#[derive(Debug)]
pub(super) struct Progress {
    moving: bool,
    step: &'static str,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self { moving: io::stderr().is_terminal(), step: "" }
    }

    /// A failure to show progress is ignored.
    pub(super) fn show(&mut self, step: &'static str, done: u64, total: u64) {
        let mut stderr = io::stderr().lock();
        if self.moving {
            let share = match (done, total) {
                (0, 0) => String::new(),
                (done, 0) => done.to_string(),
                (done, total) => format!("{} %", done.saturating_mul(100) / total),
            };
            let _ = write!(stderr, "\r\x1b[K{step} {share}");
        } else if step != self.step {
            let _ = writeln!(stderr, "{step} …");
        }
        self.step = step;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.moving && !self.step.is_empty() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
