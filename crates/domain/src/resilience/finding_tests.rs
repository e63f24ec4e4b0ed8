//! The lifecycle of a finding, and its violations.

use proptest::prelude::*;

use super::*;
use crate::{
    identifier::Uuid7,
    transition::{
        Lifecycle,
        tests::{allows_exactly, is_sound},
    },
};

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn programme(number: u128) -> ProgrammeId {
    ProgrammeId::from(Uuid7::from_parts(1, number))
}

fn test_case() -> TestCaseId {
    TestCaseId::from(Uuid7::from_parts(2, 0))
}

/// Programmes 1 and 2 exist; the one test case belongs to programme 1.
fn links() -> Links<'static> {
    Links {
        is_programme: &|id| id == programme(1) || id == programme(2),
        programme_of: &|id| (id == test_case()).then(|| programme(1)),
        is_requirement: &|id| id == "dora-art-05-01",
        control_named: &|text| text.parse().ok(),
    }
}

fn context() -> Context<'static> {
    Context { now: "2026-11-14T12:00:00Z".parse().unwrap(), is_measure: &|id| id == "dora-art-24" }
}

fn input() -> FindingInput {
    FindingInput { title: set("Backups are not encrypted"), severity: set("high"), ..FindingInput::default() }
}

fn created(input: &FindingInput) -> Result<Finding, Violations> {
    created_under(input, &DueDays::default())
}

fn created_under(input: &FindingInput, days: &DueDays) -> Result<Finding, Violations> {
    let draft = input.create(&links(), &context())?;
    Ok(draft.numbered(FindingReference::new(2026, 1).unwrap(), days))
}

fn finding(status: FindingStatus) -> Finding {
    Finding { status, ..created(&input()).unwrap() }
}

fn changed(finding: &Finding, change: &FindingInput) -> Result<Finding, Violations> {
    change.change(finding, &links(), &context())
}

fn refusal(input: &FindingInput) -> String {
    created(input).unwrap_err().to_string()
}

fn accepting(until: &str) -> FindingInput {
    FindingInput {
        status: set("risk_accepted"),
        acceptance: Change::Set(AcceptanceInput { reason: set("Replaced in March"), until: set(until) }),
        ..FindingInput::default()
    }
}

#[test]
fn goes_the_ways_of_the_table() {
    is_sound::<FindingStatus>();
    allows_exactly::<FindingStatus>(&[
        ("open", &["in_progress", "risk_accepted", "false_positive"]),
        ("in_progress", &["resolved", "open", "risk_accepted", "false_positive"]),
        ("resolved", &["closed", "in_progress"]),
        ("closed", &["open"]),
        ("risk_accepted", &["open"]),
        ("false_positive", &["open"]),
    ]);
}

#[test]
fn an_unknown_state_names_all_and_the_next() {
    let change = FindingInput { status: set("done"), ..FindingInput::default() };
    assert_eq!(
        changed(&finding(FindingStatus::Open), &change).unwrap_err().to_string(),
        "status must be one of open, in_progress, resolved, closed, risk_accepted, false_positive; \
         from open a finding can go to in_progress, risk_accepted, false_positive"
    );
}

#[test]
fn starts_open_and_detected_now() {
    let finding = created(&input()).unwrap();
    assert_eq!((finding.status, finding.detected_at), (FindingStatus::Open, context().now));
    assert_eq!((finding.closed_at, finding.acceptance.clone()), (None, None));
    assert_eq!(changed(&finding, &FindingInput::default()), Ok(finding));
    assert_eq!(refusal(&FindingInput::default()), "severity is required; title is required");
}

#[test]
fn open_means_somebody_has_to_act() {
    let open: Vec<_> =
        FindingStatus::WORDS.iter().filter(|word| word.parse::<FindingStatus>().unwrap().is_open()).collect();
    assert_eq!(open, [&"open", &"in_progress", &"resolved"]);
}

#[test]
fn a_due_day_of_the_settings_counts_as_such_until_another_is_set() {
    let days = DueDays::default().with(Severity::High, Some(30));
    let with = |due_on| FindingInput { due_on, ..input() };
    let by_rule = created_under(&with(Change::Keep), &days).unwrap();
    assert_eq!((by_rule.due_on, by_rule.due_by_rule), (Some(day("2026-12-14")), true));
    let chosen = created_under(&with(set("2026-12-14")), &days).unwrap();
    assert_eq!((chosen.due_on, chosen.due_by_rule), (Some(day("2026-12-14")), false));
    let none = created(&with(Change::Keep)).unwrap();
    assert_eq!((none.due_on, none.due_by_rule), (None, false));

    let same = FindingInput { due_on: set("2026-12-14"), ..FindingInput::default() };
    assert_eq!(changed(&by_rule, &same), Ok(by_rule.clone()));
    for other in [set("2026-12-15"), Change::Clear] {
        let after = changed(&by_rule, &FindingInput { due_on: other, ..FindingInput::default() }).unwrap();
        assert!(!after.due_by_rule && after.due_on != by_rule.due_on);
    }
}

#[test]
fn is_overdue_the_day_after_its_due_day_while_open() {
    let due = |status| Finding { due_on: Some(day("2026-11-14")), ..finding(status) };
    assert!(!due(FindingStatus::Open).is_overdue(day("2026-11-14")));
    assert!(due(FindingStatus::Resolved).is_overdue(day("2026-11-15")));
    for done in [FindingStatus::Closed, FindingStatus::RiskAccepted, FindingStatus::FalsePositive] {
        assert!(!due(done).is_overdue(day("2030-01-01")));
    }
    assert!(!finding(FindingStatus::Open).is_overdue(day("9999-12-31")), "no due day, never overdue");
}

#[test]
fn closing_stamps_and_reopening_clears() {
    let close = FindingInput { status: set("closed"), ..FindingInput::default() };
    let closed = changed(&finding(FindingStatus::Resolved), &close).unwrap();
    assert_eq!(closed.closed_at, Some(context().now));
    let later = FindingInput { owner: set("Audit"), ..FindingInput::default() };
    let next_day = Context { now: context().now.plus_seconds(86_400), ..context() };
    assert_eq!(later.change(&closed, &links(), &next_day).unwrap().closed_at, closed.closed_at);
    assert!(changed(&closed, &close).unwrap_err().to_string().starts_with("status is already closed"));
    let reopen = FindingInput { status: set("open"), ..FindingInput::default() };
    assert_eq!(changed(&closed, &reopen).unwrap().closed_at, None);
}

#[test]
fn accepting_a_risk_needs_a_reason_and_a_future_day() {
    let open = finding(FindingStatus::Open);
    let accepted = changed(&open, &accepting("2026-11-15")).unwrap();
    assert_eq!(accepted.acceptance.clone().unwrap().until, day("2026-11-15"));
    let complaint = |change: &FindingInput| changed(&open, change).unwrap_err().to_string();
    assert_eq!(complaint(&accepting("2026-11-14")), "acceptance.until must be a day in the future");
    let bare = FindingInput { status: set("risk_accepted"), ..FindingInput::default() };
    assert!(complaint(&bare).starts_with("acceptance must give the reason"));
    let empty = FindingInput { acceptance: Change::Set(AcceptanceInput::default()), ..bare.clone() };
    assert_eq!(complaint(&empty), "acceptance.reason is required; acceptance.until is required");
    let stray = FindingInput { acceptance: accepting("2027-01-01").acceptance, ..FindingInput::default() };
    assert!(complaint(&stray).starts_with("acceptance is only for an accepted risk"));
    let reopened = FindingInput { status: set("open"), ..FindingInput::default() };
    assert_eq!(changed(&accepted, &reopened).unwrap().acceptance, None);
}

#[test]
fn an_acceptance_can_be_extended_but_not_emptied() {
    let accepted = changed(&finding(FindingStatus::Open), &accepting("2026-12-01")).unwrap();
    let later = AcceptanceInput { until: set("2027-12-01"), ..AcceptanceInput::default() };
    let extend = FindingInput { acceptance: Change::Set(later), ..FindingInput::default() };
    let acceptance = changed(&accepted, &extend).unwrap().acceptance.unwrap();
    assert_eq!((acceptance.until, acceptance.reason.as_str()), (day("2027-12-01"), "Replaced in March"));
    let empty = FindingInput { acceptance: Change::Clear, ..FindingInput::default() };
    assert!(changed(&accepted, &empty).is_err());
}

#[test]
fn an_acceptance_lapses_the_day_after_its_last_day() {
    let accepted = changed(&finding(FindingStatus::Open), &accepting("2026-12-01")).unwrap();
    assert_eq!(accepted.lapsed(day("2026-12-01")), None);
    let lapsed = accepted.lapsed(day("2026-12-02")).unwrap();
    assert_eq!((lapsed.status, lapsed.acceptance.clone()), (FindingStatus::Open, None));
    assert_eq!(lapsed.lapsed(day("2026-12-03")), None, "once is enough");
    assert!(accepted.status.can_become(lapsed.status), "lapsing is a move of the table");
}

#[test]
fn dates_are_in_order() {
    let due = |due_on: &str| FindingInput { due_on: set(due_on), ..input() };
    assert_eq!(
        refusal(&due("2026-11-13")),
        "due_on must not be before the finding was detected (2026-11-14)"
    );
    assert!(created(&due("2026-11-14")).is_ok());
    let later = FindingInput { detected_at: set("2026-11-15T00:00:00Z"), ..input() };
    assert_eq!(refusal(&later), "detected_at must not be in the future");
}

#[test]
fn points_only_to_records_of_the_tenant() {
    let with = |programme: Change<String>, test_case: Change<String>| FindingInput {
        programme_id: programme,
        test_case_id: test_case,
        ..input()
    };
    let case = set(&test_case().to_string());
    let derived = created(&with(Change::Keep, case.clone())).unwrap();
    assert_eq!(derived.programme_id, Some(programme(1)), "a test case brings its programme");
    let foreign = with(set(&programme(9).to_string()), set("tst_nonsense"));
    assert_eq!(
        refusal(&foreign),
        "programme_id must be the id of one of your programmes; \
         test_case_id must be the id of one of your test cases"
    );
    let apart = with(set(&programme(2).to_string()), case);
    assert!(refusal(&apart).starts_with("programme_id must be the programme of the test case"));
    let moved = FindingInput { programme_id: set(&programme(2).to_string()), ..FindingInput::default() };
    assert!(changed(&derived, &moved).is_err());
    assert_eq!(moved.asks_for(Some(&derived)), (Some(programme(2)), Some(test_case())));
}

#[test]
fn bounds_hold() {
    let bad = FindingInput {
        title: set(&"x".repeat(256)),
        description: set(&"x".repeat(10_001)),
        cve: set("CVE-1"),
        cvss: Change::Set(10.05),
        measures: Change::Set(vec!["nope".into()]),
        note: set("bell\u{7}"),
        ..input()
    };
    let complaints = created(&bad).unwrap_err();
    let fields: Vec<_> = complaints.fields().keys().map(String::as_str).collect();
    assert_eq!(fields, ["cve", "cvss", "description", "measures", "note", "title"]);
    let edge = FindingInput { description: set(&"ß".repeat(10_000)), cvss: Change::Set(9.8), ..input() };
    assert_eq!(created(&edge).unwrap().cvss, CvssScore::from_tenths(98).ok());
}

#[test]
fn the_steps_to_closed_are_allowed_ones() {
    for status in FindingStatus::ALL.iter().copied() {
        let steps = status.steps_to_closed();
        assert_eq!(steps.is_empty(), !status.is_open(), "{status}");
        let end = steps.iter().fold(status, |from, to| from.moved(*to).unwrap());
        assert!(steps.is_empty() || end == FindingStatus::Closed);
    }
    let closed = created(&input()).unwrap().moved(FindingStatus::Closed, context().now);
    assert!(closed.closed_at.is_some());
    assert_eq!(closed.moved(FindingStatus::Open, context().now).closed_at, None);
}

proptest! {
    /// After any sequence of steps, acceptance and closing time are set exactly in their states.
    #[test]
    fn stamps_belong_to_their_states(moves in prop::collection::vec(0_usize..6, 0..30)) {
        let mut finding = created(&input()).unwrap();
        for index in moves {
            let to = FindingStatus::ALL[index];
            let acceptance = if to == FindingStatus::RiskAccepted { accepting("2027-01-01").acceptance } else { Change::Keep };
            let change = FindingInput { status: set(to.as_str()), acceptance, ..FindingInput::default() };
            let allowed = finding.status.can_become(to);
            match changed(&finding, &change) {
                Ok(after) => { prop_assert!(allowed); finding = after; }
                Err(_) => prop_assert!(!allowed),
            }
            prop_assert_eq!(finding.acceptance.is_some(), finding.status == FindingStatus::RiskAccepted);
            prop_assert_eq!(finding.closed_at.is_some(), finding.status == FindingStatus::Closed);
        }
    }
}

#[test]
fn accepting_and_calling_it_wrong_are_decisions_and_repeating_them_is_none() {
    let step = |status: &str| FindingInput { status: set(status), ..FindingInput::default() };
    let finding = created(&input()).unwrap();
    for status in FindingStatus::ALL {
        assert_eq!(step(status.as_str()).decides(Some(&finding)), status.is_decision(), "{status}");
    }
    let wrong = changed(&finding, &step("false_positive")).unwrap();
    assert!(!step("false_positive").decides(Some(&wrong)));
    assert!(accepting("2027-01-31").decides(Some(&wrong)));
    assert!(FindingInput { acceptance: accepting("2027-01-31").acceptance, ..input() }.decides(None));
    assert!(!input().decides(Some(&wrong)));
}
