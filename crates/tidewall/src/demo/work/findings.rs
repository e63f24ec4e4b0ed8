//! A hundred and twenty findings: the old ones mostly closed, the new ones mostly open, a few overdue.

use domain::{
    change::Change,
    finding::{AcceptanceInput, FindingInput},
};

use super::{
    Calendar, Event, Events,
    programmes::FIRST_TEST,
    set,
    texts::{PEOPLE, SYSTEMS, WEAKNESSES},
};

/// The ages of the findings: from 530 days to one, evenly spaced.
fn ages() -> impl Iterator<Item = i64> {
    (0..120).map(|place| 530 - place * 529 / 119)
}

pub(super) fn write(calendar: Calendar, events: &mut Events) {
    for (number, age) in ages().enumerate() {
        write_one(calendar, number, age, events);
    }
}

fn write_one(calendar: Calendar, number: usize, age: i64, events: &mut Events) {
    let weakness = &WEAKNESSES[number % WEAKNESSES.len()];
    let system = SYSTEMS[number % SYSTEMS.len()];
    let test_case = tested_by(number, age);
    let detected = calendar.at(-age, 8);
    let input = FindingInput {
        title: set(format!("{} ({system})", weakness.title)),
        description: set(weakness.description),
        severity: set(weakness.severity),
        owner: set(PEOPLE[number % PEOPLE.len()]),
        affected_asset: set(system),
        cve: weakness.cve.map_or(Change::Keep, set),
        cvss: weakness.cvss.map_or(Change::Keep, |tenths| Change::Set(f64::from(tenths) / 10.0)),
        remediation: set(weakness.remediation),
        measures: Change::Set(vec![weakness.measure.to_owned()]),
        detected_at: set(detected),
        due_on: days_to_act(weakness.severity).map_or(Change::Keep, |days| set(calendar.day(days - age))),
        ..FindingInput::default()
    };
    let create: Event = Box::new(move |seed, made| {
        let test_case_id = match test_case {
            Some(test_case) => set(made.test_cases.get(test_case)?),
            None => Change::Keep,
        };
        let input = FindingInput { test_case_id, ..input.clone() };
        made.findings.put(number, seed.create_finding(&input)?);
        Ok(())
    });
    events.push((calendar.at(-age, 10), create));
    for (after, status) in steps(goal(number, age)) {
        let input = moved(calendar, number, status);
        let step: Event = Box::new(move |seed, made| seed.change_finding(made.findings.get(number)?, &input));
        events.push((calendar.at(after - age, 15), step));
    }
}

/// The test that found it; a third of this year's findings have another source.
fn tested_by(number: usize, age: i64) -> Option<usize> {
    match (age, number % 3) {
        (190.., _) => Some(number % FIRST_TEST[1]),
        (_, 0) => Some(FIRST_TEST[1] + number % (FIRST_TEST[2] - FIRST_TEST[1])),
        (0..=115, 1) => Some(FIRST_TEST[2] + number % (FIRST_TEST[3] - FIRST_TEST[2])),
        _ => None,
    }
}

fn days_to_act(severity: &str) -> Option<i64> {
    match severity {
        "critical" => Some(30),
        "high" => Some(60),
        "medium" => Some(90),
        "low" => Some(180),
        _ => None,
    }
}

/// The status of a finding of this age.
fn goal(number: usize, age: i64) -> &'static str {
    match (age, number % 10) {
        (121.., 7) | (31..=120, 6) => "risk_accepted",
        (121.., 8) | (31..=120, 7) => "false_positive",
        (121.., 5) if number % 20 == 5 => "in_progress",
        (121.., _) | (31..=120, 0 | 1 | 8) => "closed",
        (31..=120, 2 | 5) | (6..=30, 1 | 4 | 8) => "in_progress",
        (31..=120, 3) | (14..=30, 2 | 5 | 9) => "resolved",
        _ => "open",
    }
}

/// The moves to a status, in days after the finding was made.
fn steps(goal: &'static str) -> &'static [(i64, &'static str)] {
    match goal {
        "in_progress" => &[(3, "in_progress")],
        "resolved" => &[(3, "in_progress"), (12, "resolved")],
        "closed" => &[(3, "in_progress"), (18, "resolved"), (25, "closed")],
        "risk_accepted" => &[(6, "risk_accepted")],
        "false_positive" => &[(2, "false_positive")],
        _ => &[],
    }
}

fn moved(calendar: Calendar, number: usize, status: &str) -> FindingInput {
    let note = match status {
        "resolved" => set("Done; please check."),
        "closed" => set("Checked by a retest."),
        "false_positive" => set("The system in question was already switched off."),
        _ => Change::Keep,
    };
    let until = calendar.day(30 + i64::try_from(number).unwrap_or(0));
    let acceptance = if status == "risk_accepted" {
        Change::Set(AcceptanceInput {
            reason: set("The system is replaced this year; the remaining risk is borne until then."),
            until: set(until),
        })
    } else {
        Change::Keep
    };
    FindingInput { status: set(status), acceptance, note, ..FindingInput::default() }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_state_is_shown_and_no_move_lies_in_the_future() {
        let mut states: BTreeMap<&str, usize> = BTreeMap::new();
        for (number, age) in ages().enumerate() {
            let goal = goal(number, age);
            *states.entry(goal).or_default() += 1;
            assert!(steps(goal).iter().all(|(after, _)| *after < age), "{number}: {goal} at {age} days");
        }
        assert_eq!(states.len(), 6, "{states:?}");
        assert!(states.values().all(|count| *count >= 2), "{states:?}");
    }
}
