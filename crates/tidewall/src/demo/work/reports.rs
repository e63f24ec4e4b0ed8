//! Three CRA reports: one closed, one waiting for its final report, one whose first clock is running.

use domain::{
    change::Change,
    cra_report::{CraReportInput, ProductInput},
    moment::Moment,
};

use super::{Calendar, Event, Events, HOUR_MS, set};

struct Case {
    kind: &'static str,
    title: &'static str,
    description: &'static str,
    severity: &'static str,
    version: &'static str,
    member_states: &'static [&'static str],
    /// Hours before now at which the bank became aware.
    aware: i64,
    /// Hours after that.
    fixed: Option<i64>,
    /// Hours after that, the new status, and the authority's reference where it files a seed.
    moves: &'static [(i64, &'static str, Option<&'static str>)],
}

const CASES: [Case; 3] = [
    Case {
        kind: "exploited_vulnerability",
        title: "Session of the mobile app can be taken over through a prepared link",
        description: "A partner bank reported customers whose session was used from a second device.",
        severity: "critical",
        version: "4.1.2",
        member_states: &["DE", "AT"],
        aware: 200 * 24,
        fixed: Some(6 * 24),
        moves: &[
            (9, "early_warning_sent", Some("SRP-104711/1")),
            (58, "notification_sent", Some("SRP-104711/2")),
            (16 * 24, "final_report_sent", Some("SRP-104711/3")),
            (40 * 24, "closed", None),
        ],
    },
    Case {
        kind: "severe_incident",
        title: "Signing service of the mobile app unavailable",
        description: "A failed switch-over kept partner banks from signing payments for five hours.",
        severity: "high",
        version: "4.3.0",
        member_states: &["DE", "FR", "NL"],
        aware: 21 * 24,
        fixed: None,
        moves: &[
            (20, "early_warning_sent", Some("SRP-118203/1")),
            (66, "notification_sent", Some("SRP-118203/2")),
        ],
    },
    Case {
        kind: "exploited_vulnerability",
        title: "Receipt viewer runs scripts of a prepared document",
        description: "Our security team found the weakness used against two customers.",
        severity: "high",
        version: "4.4.1",
        member_states: &["DE"],
        aware: 15,
        fixed: None,
        moves: &[],
    },
];

pub(super) fn write(calendar: Calendar, events: &mut Events) {
    for (number, case) in CASES.iter().enumerate() {
        let aware_at = calendar.now.plus_millis(-case.aware * HOUR_MS);
        let input = CraReportInput {
            kind: set(case.kind),
            product: Change::Set(ProductInput {
                name: set("Demo Bank mobile app"),
                version: set(case.version),
            }),
            title: set(case.title),
            description: set(case.description),
            severity: set(case.severity),
            member_states: Change::Set(case.member_states.iter().map(ToString::to_string).collect()),
            aware_at: set(aware_at),
            owner: set("Miriam Vogt"),
            ..CraReportInput::default()
        };
        let create: Event = Box::new(move |seed, made| {
            made.reports.put(number, seed.create_cra_report(&input)?);
            Ok(())
        });
        events.push((aware_at.plus_millis(HOUR_MS), create));
        if let Some(hours) = case.fixed {
            let fixed_at = aware_at.plus_millis(hours * HOUR_MS);
            let input = CraReportInput { corrective_measure_at: set(fixed_at), ..CraReportInput::default() };
            change(number, fixed_at, input, events);
        }
        for (hours, status, reference) in case.moves {
            let input = CraReportInput {
                status: set(status),
                submission_reference: reference.map_or(Change::Keep, set),
                ..CraReportInput::default()
            };
            change(number, aware_at.plus_millis(hours * HOUR_MS), input, events);
        }
    }
}

fn change(number: usize, at: Moment, input: CraReportInput, events: &mut Events) {
    let step: Event = Box::new(move |seed, made| seed.change_cra_report(made.reports.get(number)?, &input));
    events.push((at, step));
}
