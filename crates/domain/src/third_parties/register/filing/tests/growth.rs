//! The cost of checking as a register grows.

use super::sample::{checked, register};

#[test]
fn work_grows_with_the_number_of_rows_and_no_faster() {
    let (small, large) = (register(100), register(10_000));
    let (few, many) = (checked(&small), checked(&large));
    assert_eq!((few.counts().total(), many.counts().total()), (0, 0));
    assert!(large.len() > 80_000, "{}", large.len());
    assert!(many.steps() <= few.steps() * 100, "{} against {}", many.steps(), few.steps());
}

#[test]
fn problems_beyond_those_wanted_are_counted_only() {
    let mut sheets = register(500);
    for row in sheets.rows_mut(crate::register::Template::Contracts) {
        row.cells[4] = "many".into();
    }
    let report = checked(&sheets);
    assert_eq!((report.checks().len(), report.counts().refused, report.matching()), (100, 500, 500));
    assert_eq!(report.counts_of(crate::register::Template::Contracts).refused, 500);
    assert!(report.readiness(sheets.len()) < 100);
}
