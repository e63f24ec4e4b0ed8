//! A report through its stages, against the clocks the catalogue ships.

use super::*;
use crate::{
    clock::{StageState, tests::shipped},
    time_zone::TimeZone,
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

fn filed(text: &str) -> Submission {
    Submission { submitted_at: at(text), recorded_at: at(text), reference: None, already_provided: None }
}

fn refused(change: &CraReportInput, report: &CraReport, now: &str) -> String {
    change.change(report, &context(now)).unwrap_err().to_string()
}

fn reading(report: &CraReport, stage: CraStage, now: &str) -> Reading {
    report.stage(stage, &shipped(), &TimeZone::utc(), at(now))
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
            early_warning: Some(filed(AWARE)),
            notification: Some(filed(AWARE)),
            final_report: None,
        },
        ..created("severe_incident")
    };
    for kind in CraReportKind::ALL {
        for stage in CraStage::ALL {
            let report = CraReport { kind: *kind, ..report.clone() };
            assert!(
                report.stage(*stage, &clocks, &TimeZone::utc(), at(AWARE)).due_at.is_some(),
                "{kind} {stage}"
            );
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
    assert_eq!(closed.submissions.final_report, Some(filed("2026-02-01T09:00:00Z")));
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
fn a_filing_has_its_own_time_and_reference() {
    let report = created("severe_incident");
    let sent = |status: &str, submitted_at: &str| CraReportInput {
        status: set(status),
        submitted_at: set(submitted_at),
        submission_reference: set("CSIRT-4711"),
        ..CraReportInput::default()
    };
    // Filed in time, recorded after the deadline: in time.
    let late = "2026-01-31T15:00:00Z";
    let warned = sent("early_warning_sent", "2026-01-30T09:00:00Z").change(&report, &context(late)).unwrap();
    let filing = warned.submissions.early_warning.clone().unwrap();
    assert_eq!((filing.submitted_at, filing.recorded_at), (at("2026-01-30T09:00:00Z"), at(late)));
    assert_eq!(filing.reference.unwrap().as_str(), "CSIRT-4711");
    assert_eq!(reading(&warned, CraStage::EarlyWarning, late).state, StageState::Submitted);
    for (submitted_at, complaint) in [
        ("2026-02-01T00:00:00Z", "submitted_at must not be in the future"),
        ("2026-01-29T09:59:59Z", "submitted_at must not be before aware_at (2026-01-29T10:00:00Z)"),
        ("yesterday", "submitted_at must be a time like 2026-11-14T09:30:00Z"),
    ] {
        assert_eq!(refused(&sent("early_warning_sent", submitted_at), &report, late), complaint);
    }
    let expected = "goes with a status that files a stage; correct an earlier filing under stages";
    let complaint = refused(&sent("withdrawn", "2026-01-30T09:00:00Z"), &report, late);
    assert_eq!(complaint, format!("submission_reference {expected}; submitted_at {expected}"));
}

#[test]
fn a_filing_is_corrected_with_a_reason() {
    let now = "2026-01-31T00:00:00Z";
    let warned = moved(&created("severe_incident"), "early_warning_sent", "2026-01-30T11:00:00Z").unwrap();
    let correction = |stage, submitted_at: &str, note: &str| CraReportInput {
        stages: Change::Set(vec![(
            stage,
            StageInput { submitted_at: set(submitted_at), reference: set("CSIRT-4711") },
        )]),
        note: set(note),
        ..CraReportInput::default()
    };
    let right = correction(CraStage::EarlyWarning, "2026-01-30T09:30:00Z", "The receipt says so");
    let corrected = right.change(&warned, &context(now)).unwrap();
    assert_eq!(reading(&warned, CraStage::EarlyWarning, now).state, StageState::SubmittedLate);
    assert_eq!(reading(&corrected, CraStage::EarlyWarning, now).state, StageState::Submitted);
    let filing = corrected.submissions.early_warning.unwrap();
    assert_eq!(filing.recorded_at, at("2026-01-30T11:00:00Z"), "when it was recorded stays");
    for (wrong, complaint) in [
        (
            correction(CraStage::EarlyWarning, "2026-01-30T09:30:00Z", " "),
            "stages.early_warning cannot be corrected without a reason: give it in note",
        ),
        (
            correction(CraStage::Notification, "2026-01-30T09:30:00Z", "x"),
            "stages.notification is not filed yet: move the status to record it",
        ),
        (
            correction(CraStage::EarlyWarning, "2026-01-29T00:00:00Z", "x"),
            "stages.early_warning.submitted_at must not be before aware_at (2026-01-29T10:00:00Z)",
        ),
    ] {
        assert_eq!(refused(&wrong, &warned, now), complaint);
    }
}

#[test]
fn the_final_report_of_a_vulnerability_needs_its_corrective_measure() {
    let now = "2026-02-10T09:30:00Z";
    let report = created("exploited_vulnerability");
    let warned = moved(&report, "early_warning_sent", "2026-01-30T09:00:00Z").unwrap();
    let notified = moved(&warned, "notification_sent", "2026-01-31T15:00:00Z").unwrap();
    assert_eq!(
        moved(&notified, "final_report_sent", now).unwrap_err().to_string(),
        "corrective_measure_at is required before the final report on a vulnerability: it starts its clock"
    );
    let both = CraReportInput {
        status: set("final_report_sent"),
        corrective_measure_at: set("2026-02-10T09:00:00Z"),
        ..CraReportInput::default()
    };
    let done = both.change(&notified, &context(now)).unwrap();
    let cleared = CraReportInput { corrective_measure_at: Change::Clear, ..CraReportInput::default() };
    assert_eq!(
        refused(&cleared, &done, now),
        "corrective_measure_at cannot be removed once the final report is filed"
    );
    assert!(cleared.change(&notified, &context(now)).is_ok());
}

#[test]
fn what_starts_a_clock_changes_only_with_a_reason_and_before_the_first_filing() {
    let report = created("severe_incident");
    let now = "2026-01-29T12:00:00Z";
    let same = CraReportInput { aware_at: set("2026-01-29T11:00:00+01:00"), ..CraReportInput::default() };
    assert_eq!(same.change(&report, &context(now)), Ok(report.clone()));
    let kind = CraReportInput { kind: set("exploited_vulnerability"), ..CraReportInput::default() };
    let expected = "kind cannot be changed; withdraw the report and create a new one";
    assert_eq!(refused(&kind, &report, now), expected);
    let bare = CraReportInput { aware_at: set("2026-01-29T09:00:00Z"), ..CraReportInput::default() };
    let expected = "aware_at cannot be changed without a reason: give it in note";
    assert_eq!(refused(&bare, &report, now), expected);
    let corrected = CraReportInput { note: set("The first mail came earlier"), ..bare };
    assert_eq!(corrected.change(&report, &context(now)).unwrap().aware_at, at("2026-01-29T09:00:00Z"));
    let warned = moved(&report, "early_warning_sent", now).unwrap();
    assert_eq!(refused(&corrected, &warned, now), "aware_at cannot be changed once a stage is filed");
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
