//! The lifecycle of a test case, and its violations.

use super::*;
use crate::{
    identifier::Uuid7,
    programme::ProgrammeInput,
    transition::tests::{allows_exactly, is_sound},
};

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

fn programme() -> Programme {
    let input = ProgrammeInput {
        name: set("Payments 2027"),
        framework: set("dora"),
        starts_on: set("2027-01-01"),
        ..ProgrammeInput::default()
    };
    input.create().unwrap()
}

fn programme_id() -> ProgrammeId {
    ProgrammeId::from(Uuid7::from_parts(1, 2))
}

fn known(id: &str) -> bool {
    id.starts_with("dora-")
}

fn context() -> Context<'static> {
    Context { now: at("2027-03-01T12:00:00Z"), is_measure: &known }
}

fn input() -> TestCaseInput {
    TestCaseInput {
        programme_id: set(&programme_id().to_string()),
        title: set("Restore the ledger"),
        test_type: set("scenario_based_test"),
        ..TestCaseInput::default()
    }
}

fn created() -> TestCase {
    input().create(Some(&programme()), &context()).unwrap()
}

fn moved(case: &TestCase, status: &str) -> Result<TestCase, Violations> {
    let change = TestCaseInput { status: set(status), ..TestCaseInput::default() };
    change.change(case, &programme(), &context())
}

fn refusal(input: &TestCaseInput) -> String {
    input.create(Some(&programme()), &context()).unwrap_err().to_string()
}

#[test]
fn goes_the_ways_of_the_table() {
    is_sound::<TestCaseStatus>();
    allows_exactly::<TestCaseStatus>(&[
        ("draft", &["ready", "cancelled"]),
        ("ready", &["in_progress", "cancelled"]),
        ("in_progress", &["passed", "failed", "blocked"]),
        ("passed", &["in_progress"]),
        ("failed", &["in_progress"]),
        ("blocked", &["in_progress", "cancelled"]),
        ("cancelled", &[]),
    ]);
}

#[test]
fn starts_as_a_draft_of_medium_priority() {
    let case = created();
    assert_eq!((case.status, case.priority), (TestCaseStatus::Draft, Priority::Medium));
    assert_eq!(case.programme_id, programme_id());
    let change = TestCaseInput::default().change(&case, &programme(), &context());
    assert_eq!(change, Ok(case));
}

#[test]
fn names_everything_that_is_missing() {
    let complaints = TestCaseInput::default().create(None, &context()).unwrap_err().to_string();
    assert_eq!(complaints, "programme_id is required; test_type is required; title is required");
}

#[test]
fn wrong_missing_and_foreign_programmes_read_the_same() {
    let expected = "programme_id must be the id of one of your programmes";
    assert_eq!(input().create(None, &context()).unwrap_err().to_string(), expected);
    let misshapen = TestCaseInput { programme_id: set("fnd_1"), ..input() };
    assert_eq!(misshapen.programme(), None);
    assert_eq!(misshapen.create(None, &context()).unwrap_err().to_string(), expected);
}

#[test]
fn stays_in_its_programme() {
    let case = created();
    let same = TestCaseInput { programme_id: input().programme_id, ..TestCaseInput::default() };
    assert!(same.change(&case, &programme(), &context()).is_ok());
    let other = ProgrammeId::from(Uuid7::from_parts(3, 4)).to_string();
    let elsewhere = TestCaseInput { programme_id: set(&other), ..TestCaseInput::default() };
    let complaint = elsewhere.change(&case, &programme(), &context()).unwrap_err().to_string();
    assert!(complaint.starts_with("programme_id cannot be changed"), "{complaint}");
}

#[test]
fn is_not_due_before_its_programme_starts() {
    let early = TestCaseInput { due_on: set("2026-12-31"), ..input() };
    assert_eq!(refusal(&early), "due_on must not be before the programme starts (2027-01-01)");
    let on_the_day = TestCaseInput { due_on: set("2027-01-01"), ..input() };
    assert!(on_the_day.create(Some(&programme()), &context()).is_ok());
    let unreal = TestCaseInput { due_on: set("2027-02-29"), ..input() };
    assert_eq!(refusal(&unreal), "due_on must be a real day like 2026-11-14");
}

#[test]
fn a_result_stamps_the_time_and_a_retest_keeps_it() {
    let ready = moved(&created(), "ready").unwrap();
    let running = moved(&ready, "in_progress").unwrap();
    assert_eq!(running.executed_at, None);
    let failed = moved(&running, "failed").unwrap();
    assert_eq!(failed.executed_at, Some(context().now));
    let again = moved(&failed, "in_progress").unwrap();
    assert_eq!(again.executed_at, failed.executed_at);
    let output = TestCaseInput {
        status: set("passed"),
        executed_at: set("2027-02-28T09:00:00Z"),
        ..TestCaseInput::default()
    };
    let passed = output.change(&again, &programme(), &context()).unwrap();
    assert_eq!(passed.executed_at, Some(at("2027-02-28T09:00:00Z")));
}

#[test]
fn is_not_executed_in_the_future() {
    let future = TestCaseInput { executed_at: set("2027-03-02T00:00:00Z"), ..input() };
    assert_eq!(refusal(&future), "executed_at must not be in the future");
}

#[test]
fn measures_are_of_the_catalogue() {
    let made_up = TestCaseInput {
        measures: Change::Set(vec!["dora-art-24".into(), "made-up".into(), "dora-art-24".into()]),
        ..input()
    };
    assert_eq!(refusal(&made_up), "measures item 2 is not the id of a measure in the catalogue");
    let twice = TestCaseInput { measures: Change::Set(vec!["dora-a".into(), "dora-a".into()]), ..input() };
    assert_eq!(twice.create(Some(&programme()), &context()).unwrap().measures, ["dora-a"]);
}

#[test]
fn a_test_type_that_is_none_names_them_all() {
    let unknown = TestCaseInput { test_type: set("fire_drill"), ..input() };
    let complaint = refusal(&unknown);
    assert!(complaint.contains("vulnerability_assessment") && complaint.ends_with("tlpt"), "{complaint}");
}
