//! Small registers whose coverage can be verified by eye, and a reference implementation that recounts everything.

use proptest::prelude::*;

use super::*;

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn row(named: usize, test_type: TestType, status: TestCaseStatus, on: &str) -> TestRow {
    let functions =
        NAMED.get(named).map_or(Vec::new(), |names| names.iter().map(ToString::to_string).collect());
    TestRow {
        functions,
        archived: false,
        test_type,
        status,
        due_on: Some(day(on)),
        executed_on: Some(day(on)),
    }
}

/// What the tests of the rows name.
const NAMED: [&[&str]; 3] = [&["payments ", "PAYMENTS", "Canteen"], &["Securities settlement"], &[]];

const CRITICAL: [&str; 3] = ["Payments", "Securities settlement", "Online banking"];

fn picture(as_of: &str, rows: Vec<TestRow>) -> Coverage {
    Coverage::of(day(as_of).year(), day(as_of), &CRITICAL, rows)
}

fn function<'a>(coverage: &'a Coverage, name: &str) -> &'a FunctionCoverage {
    coverage.functions.iter().find(|function| function.name == name).unwrap()
}

#[test]
fn a_test_counts_for_the_functions_it_names_once_and_for_no_others() {
    let passed = row(0, TestType::PenetrationTesting, TestCaseStatus::Passed, "2026-05-04");
    let coverage = picture("2026-11-14", vec![passed]);
    assert_eq!(coverage.functions.len(), 3, "only critical functions");
    let payments = function(&coverage, "Payments");
    assert_eq!(payments.cell(TestType::PenetrationTesting), Cell { passed: 1, ..Cell::default() });
    assert_eq!(payments.cell(TestType::GapAnalysis), Cell::default());
    let untested: Vec<_> = coverage.untested().map(|function| function.name.as_str()).collect();
    assert_eq!(untested, ["Securities settlement", "Online banking"]);
}

#[test]
fn the_year_of_a_result_is_when_it_was_reached_and_of_a_plan_when_it_is_due() {
    let last_year = row(0, TestType::GapAnalysis, TestCaseStatus::Failed, "2025-12-31");
    let this_year = row(0, TestType::GapAnalysis, TestCaseStatus::Failed, "2026-01-01");
    let planned = row(0, TestType::GapAnalysis, TestCaseStatus::Blocked, "2026-12-31");
    let next_year = row(0, TestType::GapAnalysis, TestCaseStatus::Ready, "2027-01-01");
    let cancelled = row(0, TestType::GapAnalysis, TestCaseStatus::Cancelled, "2026-06-01");
    let coverage = picture("2026-11-14", vec![last_year, this_year, planned, next_year, cancelled]);
    let cell = function(&coverage, "Payments").cell(TestType::GapAnalysis);
    assert_eq!(cell, Cell { planned: 1, passed: 0, failed: 1 });
}

#[test]
fn a_pass_covers_twelve_months_to_the_day() {
    let passed = || vec![row(0, TestType::ScenarioBasedTest, TestCaseStatus::Passed, "2025-11-14")];
    let on_the_day = picture("2026-11-14", passed());
    assert_eq!(function(&on_the_day, "Payments").covered_until, Some(day("2026-11-14")));
    assert!(!function(&on_the_day, "Payments").untested);
    assert!(function(&picture("2026-11-15", passed()), "Payments").untested);
    let leap = vec![row(0, TestType::ScenarioBasedTest, TestCaseStatus::Passed, "2024-02-29")];
    assert_eq!(function(&picture("2024-11-15", leap), "Payments").covered_until, Some(day("2025-02-28")));
}

#[test]
fn a_failed_test_does_not_cover_but_a_failed_tlpt_was_carried_out() {
    let failed = vec![row(0, TestType::Tlpt, TestCaseStatus::Failed, "2024-06-30")];
    let coverage = picture("2026-11-14", failed);
    let payments = function(&coverage, "Payments");
    assert!(payments.untested);
    assert_eq!(payments.tlpt.due_on, Some(day("2027-06-30")));
    assert!(!payments.tlpt.overdue);
    assert_eq!(function(&coverage, "Online banking").tlpt, TlptCycle::default());
}

#[test]
fn the_latest_tlpt_sets_the_cycle() {
    let rows = vec![
        row(0, TestType::Tlpt, TestCaseStatus::Passed, "2023-05-01"),
        row(0, TestType::Tlpt, TestCaseStatus::Passed, "2020-05-01"),
        row(0, TestType::Tlpt, TestCaseStatus::InProgress, "2026-05-01"),
    ];
    let coverage = picture("2026-05-02", rows);
    let tlpt = function(&coverage, "Payments").tlpt;
    assert_eq!((tlpt.last_on, tlpt.due_on), (Some(day("2023-05-01")), Some(day("2026-05-01"))));
    assert!(tlpt.overdue);
}

#[test]
fn a_function_registered_twice_is_one_and_a_test_that_names_none_counts_for_none() {
    let nameless = |status| row(2, TestType::Tlpt, status, "2026-01-01");
    let archived = TestRow { archived: true, ..nameless(TestCaseStatus::Passed) };
    let rows = [nameless(TestCaseStatus::Passed), nameless(TestCaseStatus::Cancelled), archived];
    let coverage = Coverage::of(2026, day("2026-11-14"), &["Cards", "cards "], rows);
    assert_eq!(coverage.functions.len(), 1);
    assert!(coverage.functions[0].untested);
    assert_eq!(coverage.unnamed, 1, "what is cancelled or archived needs no function any more");
}

fn rows() -> impl Strategy<Value = Vec<TestRow>> {
    let statuses = prop::sample::select(TestCaseStatus::ALL);
    let types = prop::sample::select(TestType::ALL);
    let row = (0_usize..4, types, statuses, 0_i64..1500, any::<bool>());
    let named: [&[&str]; 4] = [&["Payments"], &["Payments", "Online banking"], &["Canteen"], &[]];
    let row = row.prop_map(move |(place, test_type, status, offset, executed)| {
        let on = day("2023-01-01").plus_days(offset);
        let functions = named[place].iter().map(ToString::to_string).collect();
        let executed_on = executed.then_some(on);
        TestRow { functions, archived: false, test_type, status, due_on: Some(on), executed_on }
    });
    prop::collection::vec(row, 0..40)
}

proptest! {
    #[test]
    fn agrees_with_recounting(rows in rows()) {
        let as_of = day("2026-11-14");
        let coverage = Coverage::of(2026, as_of, &CRITICAL, rows.clone());
        for function in &coverage.functions {
            let mine: Vec<_> = rows.iter().filter(|row| row.functions.contains(&function.name)).collect();
            for test_type in TestType::ALL {
                let passed = mine.iter().filter(|row| {
                    row.test_type == *test_type
                        && row.status == TestCaseStatus::Passed
                        && row.executed_on.is_some_and(|day| day.to_string().starts_with("2026"))
                });
                prop_assert_eq!(function.cell(*test_type).passed as usize, passed.count());
            }
            let recent = mine.iter().any(|row| {
                row.status == TestCaseStatus::Passed
                    && row.executed_on.is_some_and(|on| on >= day("2025-11-14") && on <= as_of)
            });
            prop_assert_eq!(function.untested, !recent);
        }
    }
}
