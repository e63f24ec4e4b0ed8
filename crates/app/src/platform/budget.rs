//! What one piece of costly work may still take: bytes, cells, entries and time.
//!
//! A reader of files carries a budget and spends it while it reads. A small file can describe very much; judging the
//! result afterwards would be too late.

use domain::import::FileComplaint;

use crate::{Error, Result, costly::WorkContext};

/// The limits of one piece of work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Text that is kept, in bytes.
    pub(crate) bytes: u64,
    /// Cells of a table, also empty ones.
    pub(crate) cells: u64,
    /// Rows of a table, or values of a JSON document.
    pub(crate) entries: u64,
}

/// So many steps are taken between two looks at the clock.
const STEPS: u32 = 64;

/// What is left of the limits, and whether the work should still go on.
#[derive(Debug)]
pub(crate) struct Budget {
    left: Limits,
    context: WorkContext,
    steps: u32,
}

impl Budget {
    pub(crate) fn new(limits: Limits, context: &WorkContext) -> Self {
        Self { left: limits, context: context.clone(), steps: 0 }
    }

    /// Takes kept text off what is left.
    pub(crate) fn bytes(&mut self, count: usize) -> Result<()> {
        self.left.bytes = self.left.bytes.checked_sub(count as u64).ok_or_else(too_large)?;
        Ok(())
    }

    pub(crate) fn cell(&mut self) -> Result<()> {
        self.left.cells = self.left.cells.checked_sub(1).ok_or_else(too_large)?;
        self.step()
    }

    pub(crate) fn entry(&mut self) -> Result<()> {
        self.left.entries = self.left.entries.checked_sub(1).ok_or_else(too_large)?;
        self.step()
    }

    /// Stops work that has run too long, or that no request waits for.
    pub(crate) fn step(&mut self) -> Result<()> {
        self.steps = (self.steps + 1) % STEPS;
        if self.steps == 0 { self.context.check() } else { Ok(()) }
    }
}

fn too_large() -> Error {
    Error::invalid("file", FileComplaint::TableTooLarge)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const FEW: Limits = Limits { bytes: 10, cells: 2, entries: 1 };

    #[test]
    fn each_limit_is_spent_for_itself() {
        let context = WorkContext::for_tests(Duration::from_mins(1));
        let mut budget = Budget::new(FEW, &context);
        budget.bytes(10).unwrap();
        budget.cell().unwrap();
        budget.cell().unwrap();
        budget.entry().unwrap();
        for spent in [budget.bytes(1), budget.cell(), budget.entry()] {
            assert!(spent.unwrap_err().to_string().contains("too large"));
        }
    }

    #[test]
    fn work_after_its_deadline_is_stopped() {
        let context = WorkContext::for_tests(Duration::ZERO);
        let mut budget = Budget::new(Limits { entries: 1_000, ..FEW }, &context);
        let stopped = (0..1_000).find_map(|_| budget.entry().err()).unwrap();
        assert!(stopped.to_string().contains("took longer"), "{stopped}");
    }
}
