//! Which critical functions were tested and how: the yearly overview required by DORA Art. 24(6) and Art. 26.
//!
//! Works on compact rows that a store can deliver in one query. A test case counts for the functions it
//! names and for no others, and while it is being repeated only for the plan. Functions are matched by name, without
//! regard to case and outer spaces, because users type them twice: in the register and in the programme.

use std::collections::HashMap;

use crate::{calendar::months_after, moment::Day, test_case::TestCaseStatus, test_type::TestType};

/// The maximum interval of tests of every system behind a critical function (DORA Art. 24(6)).
const TEST_MONTHS: i32 = 12;
/// The maximum interval of threat-led penetration tests (DORA Art. 26(1)).
const TLPT_MONTHS: i32 = 36;

/// The fields of a test case for coverage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestRow {
    /// The names of the functions it tests.
    pub functions: Vec<String>,
    pub archived: bool,
    pub test_type: TestType,
    pub status: TestCaseStatus,
    pub due_on: Option<Day>,
    pub executed_on: Option<Day>,
}

impl TestRow {
    fn lacks_functions(&self) -> bool {
        self.functions.is_empty() && !self.archived && self.status != TestCaseStatus::Cancelled
    }
}

/// The tests of one type for one function in the year.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cell {
    /// Not done yet and due in the year.
    pub planned: u32,
    pub passed: u32,
    pub failed: u32,
}

/// The state of a function in the three-year cycle of threat-led tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TlptCycle {
    /// The latest one carried out, whatever its outcome: the duty is to test.
    pub last_on: Option<Day>,
    /// `None` before the first, whose date the authority sets.
    pub due_on: Option<Day>,
    pub overdue: bool,
}

/// One critical function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionCoverage {
    pub name: String,
    /// In the order of [`TestType::ALL`].
    pub cells: Vec<Cell>,
    pub last_passed_on: Option<Day>,
    /// The last day on which the latest passed test is not older than twelve months.
    pub covered_until: Option<Day>,
    /// Whether there was no passed test in the twelve months up to the reference day.
    pub untested: bool,
    pub tlpt: TlptCycle,
}

impl FunctionCoverage {
    fn new(name: &str) -> Self {
        Self {
            name: name.trim().to_owned(),
            cells: vec![Cell::default(); TestType::ALL.len()],
            last_passed_on: None,
            covered_until: None,
            untested: true,
            tlpt: TlptCycle::default(),
        }
    }

    pub fn cell(&self, test_type: TestType) -> Cell {
        self.cells[test_type as usize]
    }

    fn count(&mut self, row: &TestRow, year: i32, as_of: Day) {
        let in_year = |day: Option<Day>| day.is_some_and(|day| day.year() == year);
        let cell = &mut self.cells[row.test_type as usize];
        match row.status {
            TestCaseStatus::Passed if in_year(row.executed_on) => cell.passed += 1,
            TestCaseStatus::Failed if in_year(row.executed_on) => cell.failed += 1,
            status if status.is_pending() && in_year(row.due_on) => cell.planned += 1,
            _ => {}
        }
        let executed = row.executed_on.filter(|day| row.status.is_executed() && *day <= as_of);
        if row.test_type == TestType::Tlpt {
            self.tlpt.last_on = self.tlpt.last_on.max(executed);
        }
        if row.status == TestCaseStatus::Passed {
            self.last_passed_on = self.last_passed_on.max(executed);
        }
    }

    fn judge(&mut self, as_of: Day) {
        self.covered_until = self.last_passed_on.map(|day| months_after(day, TEST_MONTHS));
        self.untested = self.covered_until.is_none_or(|until| until < as_of);
        self.tlpt.due_on = self.tlpt.last_on.map(|day| months_after(day, TLPT_MONTHS));
        self.tlpt.overdue = self.tlpt.due_on.is_some_and(|due| due < as_of);
    }
}

/// The coverage of a year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    pub year: i32,
    pub as_of: Day,
    pub functions: Vec<FunctionCoverage>,
    /// Tests that name no function and so count for none, without those that are cancelled or archived.
    pub unnamed: u64,
}

impl Coverage {
    /// `critical` are the functions to cover.
    pub fn of<S: AsRef<str>>(
        year: i32,
        as_of: Day,
        critical: &[S],
        rows: impl IntoIterator<Item = TestRow>,
    ) -> Self {
        let mut functions = Vec::new();
        let mut index = HashMap::new();
        for name in critical.iter().map(AsRef::as_ref) {
            index.entry(folded(name)).or_insert_with(|| {
                functions.push(FunctionCoverage::new(name));
                functions.len() - 1
            });
        }
        let mut unnamed = 0;
        for row in rows {
            unnamed += u64::from(row.lacks_functions());
            for function in indexes(&index, &row.functions) {
                functions[function].count(&row, year, as_of);
            }
        }
        for function in &mut functions {
            function.judge(as_of);
        }
        Self { year, as_of, functions, unnamed }
    }

    /// The functions without a passed test in the last twelve months.
    pub fn untested(&self) -> impl Iterator<Item = &FunctionCoverage> {
        self.functions.iter().filter(|function| function.untested)
    }
}

fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

/// The known functions among `names`, each once.
fn indexes<S: AsRef<str>>(index: &HashMap<String, usize>, names: &[S]) -> Vec<usize> {
    let mut found: Vec<_> =
        names.iter().filter_map(|name| index.get(&folded(name.as_ref())).copied()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
#[path = "coverage_tests.rs"]
mod tests;
