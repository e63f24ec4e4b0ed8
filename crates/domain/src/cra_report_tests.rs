//! A report through its stages, against the clocks the catalogue ships.

use super::*;
use crate::{
    clock::{StageState, tests::shipped},
    transition::tests::{allows_exactly, is_sound},
};

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

fn context(now: &str) -> Context<'static> {
    Context { now: at(now), is_measure: &|_| false }
}

const AWARE: &str = "2026-01-29T10:00:00Z";

fn input(kind: &str) -> CraReportInput {
    CraReportInput {
        kind: set(kind),
        product: Change::Set(ProductInput { name: set("Vault gateway"), version: set("4.2") }),
        title: set("Token leak"),
        severity: set("critical"),
        aware_at: set(AWARE),
        member_states: Change::Set(vec!["DE".into(), "AT".into(), "DE".into()]),
        ..CraReportInput::default()
    }
}

fn created(kind: &str) -> CraReport {
    input(kind).create(&context("2026-01-29T11:00:00Z")).unwrap()
}

fn moved(report: &CraReport, status: &str, now: &str) -> Result<CraReport, Violations> {
    let change = CraReportInput { status: set(status), ..CraReportInput::default() };
    change.change(report, &context(now))
}

fn reading(report: &CraReport, stage: CraStage, now: &str) -> Reading {
    report.stage(stage, &shipped(), at(now))
}

#[test]
fn goes_the_ways_of_the_table() {
    is_sound::<CraReportStatus>();
    allows_exactly::<CraReportStatus>(&[
        ("draft", &["early_warning_sent", "withdrawn"]),
        ("early_warning_sent", &["notification_sent"]),
        ("notification_sent", &["final_report_sent"]),
        ("final_report_sent", &["closed"]),
        ("closed", &[]),
        ("withdrawn", &[]),
    ]);
}

#[test]
fn the_shipped_clocks_cover_every_kind_and_stage_with_events_a_report_knows() {
    let clocks = shipped();
    let report = CraReport {
        corrective_measure_at: Some(at(AWARE)),
        submissions: Submissions {
            early_warning: Some(at(AWARE)),
            notification: Some(at(AWARE)),
            final_report: None,
        },
        ..created("severe_incident")
    };
    for kind in CraReportKind::ALL {
        for stage in CraStage::ALL {
            let report = CraReport { kind: *kind, ..report.clone() };
            assert!(report.stage(*stage, &clocks, at(AWARE)).due_at.is_some(), "{kind} {stage}");
        }
    }
}

#[test]
fn early_warning_and_notification_run_from_awareness() {
    for kind in ["exploited_vulnerability", "severe_incident"] {
        let report = created(kind);
        let now = "2026-01-29T11:00:00Z";
        let early = reading(&report, CraStage::EarlyWarning, now);
        assert_eq!(early.due_at, Some(at("2026-01-30T10:00:00Z")));
        assert_eq!((early.state, early.seconds_left), (StageState::Pending, Some(23 * 3600)));
        assert_eq!(reading(&report, CraStage::Notification, now).due_at, Some(at("2026-02-01T10:00:00Z")));
        let last = reading(&report, CraStage::FinalReport, now);
        assert_eq!((last.due_at, last.state, last.seconds_left), (None, StageState::Pending, None));
    }
}

#[test]
fn the_final_report_of_a_vulnerability_runs_from_the_corrective_measure() {
    let report = created("exploited_vulnerability");
    let fixed =
        CraReportInput { corrective_measure_at: set("2026-02-10T09:00:00Z"), ..CraReportInput::default() };
    let report = fixed.change(&report, &context("2026-02-10T09:30:00Z")).unwrap();
    let last = reading(&report, CraStage::FinalReport, "2026-02-10T09:30:00Z");
    assert_eq!(last.due_at, Some(at("2026-02-24T09:00:00Z")));
}

#[test]
fn the_final_report_of_an_incident_runs_a_month_from_the_notification() {
    let report = created("severe_incident");
    let warned = moved(&report, "early_warning_sent", "2026-01-30T09:00:00Z").unwrap();
    let notified = moved(&warned, "notification_sent", "2026-01-31T15:00:00Z").unwrap();
    let last = reading(&notified, CraStage::FinalReport, "2026-02-01T00:00:00Z");
    assert_eq!(last.due_at, Some(at("2026-02-28T15:00:00Z")), "31 January + 1 month");
}

#[test]
fn moving_the_status_stamps_the_stage_and_late_is_marked() {
    let report = created("severe_incident");
    let warned = moved(&report, "early_warning_sent", "2026-01-30T10:00:00.001Z").unwrap();
    let early = reading(&warned, CraStage::EarlyWarning, "2026-01-31T00:00:00Z");
    assert_eq!(early.state, StageState::SubmittedLate);
    assert_eq!(early.submitted_at, Some(at("2026-01-30T10:00:00.001Z")));
    assert_eq!(warned.submissions.notification, None);
    let renamed = CraReportInput { title: set("Token leak, all regions"), ..CraReportInput::default() };
    let renamed = renamed.change(&warned, &context("2026-01-31T00:00:00Z")).unwrap();
    assert_eq!(renamed.submissions, warned.submissions, "only a move stamps");
    let closed = ["notification_sent", "final_report_sent", "closed"]
        .into_iter()
        .fold(warned, |report, status| moved(&report, status, "2026-02-01T09:00:00Z").unwrap());
    assert_eq!(closed.submissions.final_report, Some(at("2026-02-01T09:00:00Z")));
}

#[test]
fn no_stage_is_skipped() {
    let complaint = moved(&created("severe_incident"), "notification_sent", AWARE).unwrap_err().to_string();
    assert_eq!(
        complaint,
        "status cannot go from draft to notification_sent; \
         from draft a CRA report can go to early_warning_sent, withdrawn"
    );
}

#[test]
fn a_withdrawn_report_owes_nothing() {
    let withdrawn = moved(&created("severe_incident"), "withdrawn", "2026-01-29T12:00:00Z").unwrap();
    for stage in CraStage::ALL {
        assert_eq!(reading(&withdrawn, *stage, "2027-01-01T00:00:00Z"), Reading::STOPPED);
    }
}

#[test]
fn what_starts_a_clock_stays() {
    let report = created("severe_incident");
    let now = context("2026-01-29T12:00:00Z");
    let same = CraReportInput { aware_at: set("2026-01-29T11:00:00+01:00"), ..CraReportInput::default() };
    assert_eq!(same.change(&report, &now), Ok(report.clone()));
    for change in [
        CraReportInput { aware_at: set("2026-01-29T10:00:01Z"), ..CraReportInput::default() },
        CraReportInput { kind: set("exploited_vulnerability"), ..CraReportInput::default() },
    ] {
        let complaint = change.change(&report, &now).unwrap_err().to_string();
        assert!(complaint.ends_with("cannot be changed; withdraw the report and create a new one"));
    }
}

#[test]
fn complaints_name_the_inner_field() {
    let bad = CraReportInput {
        product: Change::Set(ProductInput { name: set(" "), version: set("4.2") }),
        member_states: Change::Set(vec!["DE".into(), "de".into(), "ZZ".into()]),
        aware_at: set("2026-02-01T00:00:00Z"),
        corrective_measure_at: set("soon"),
        ..input("severe_incident")
    };
    let complaints = bad.create(&context("2026-01-29T11:00:00Z")).unwrap_err();
    let fields: Vec<_> = complaints.fields().keys().map(String::as_str).collect();
    assert_eq!(fields, ["aware_at", "corrective_measure_at", "member_states", "product.name"]);
    assert_eq!(complaints.fields()["member_states"].len(), 2);
    let missing = CraReportInput::default().create(&context(AWARE)).unwrap_err();
    let fields: Vec<_> = missing.fields().keys().map(String::as_str).collect();
    assert_eq!(fields, ["aware_at", "kind", "product.name", "severity", "title"]);
}

#[test]
fn a_product_changes_part_by_part() {
    let report = created("severe_incident");
    assert_eq!(report.member_states.len(), 2, "a state named twice counts once");
    let input = ProductInput { version: set("4.3"), ..ProductInput::default() };
    let change = CraReportInput { product: Change::Set(input), ..CraReportInput::default() };
    let product = change.change(&report, &context("2026-01-29T12:00:00Z")).unwrap().product;
    assert_eq!((product.name.as_str(), product.version.unwrap().as_str()), ("Vault gateway", "4.3"));
}
