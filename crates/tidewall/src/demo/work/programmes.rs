//! Four programmes and sixty test cases: a finished year, the current one, an audit on hold, and a future one.

use domain::{change::Change, programme::ProgrammeInput, test_case::TestCaseInput};

use super::{
    Calendar, Event, Events, set,
    texts::{OBJECTIVES, PEOPLE},
};

/// A programme, its days counted from today.
struct Plan {
    name: &'static str,
    description: &'static str,
    framework: &'static str,
    owner: &'static str,
    functions: &'static [&'static str],
    planned: i64,
    starts: i64,
    ends: i64,
    moves: &'static [(i64, &'static str)],
    /// The status of its test cases, one word for each.
    tests: &'static [&'static str],
}

const DONE: &str = "passed";

const PLANS: [Plan; 4] = [
    Plan {
        name: "Resilience testing, last year",
        description: "The yearly test of all systems that support critical or important functions.",
        framework: "dora",
        owner: "Anna Weber",
        functions: &["Payments", "Core banking", "Online banking"],
        planned: -548,
        starts: -540,
        ends: -190,
        moves: &[(-540, "active"), (-188, "completed")],
        tests: &[
            DONE,
            DONE,
            DONE,
            "failed",
            DONE,
            DONE,
            DONE,
            DONE,
            DONE,
            "cancelled",
            DONE,
            DONE,
            DONE,
            DONE,
            DONE,
            DONE,
            "failed",
            DONE,
            DONE,
            DONE,
            DONE,
            DONE,
            "cancelled",
            DONE,
        ],
    },
    Plan {
        name: "Resilience testing, this year",
        description: "The yearly test, with the threat-led penetration test that is due every three years.",
        framework: "dora",
        owner: "Anna Weber",
        functions: &["Payments", "Core banking", "Lending", "Trading"],
        planned: -200,
        starts: -180,
        ends: 30,
        moves: &[(-180, "active")],
        tests: &[
            DONE,
            "failed",
            DONE,
            DONE,
            "in_progress",
            DONE,
            "ready",
            DONE,
            "blocked",
            DONE,
            "failed",
            DONE,
            "in_progress",
            DONE,
            "ready",
            DONE,
            DONE,
            "blocked",
            "failed",
            "ready",
            "in_progress",
            "draft",
            "in_progress",
        ],
    },
    Plan {
        name: "ISO 27001 surveillance audit",
        description: "Internal audit ahead of the certification body's visit.",
        framework: "iso-27001",
        owner: "Jonas Keller",
        functions: &["Regulatory reporting"],
        planned: -130,
        starts: -120,
        ends: 60,
        moves: &[(-120, "active"), (-18, "on_hold")],
        tests: &[DONE, "failed", DONE, "ready", "blocked", DONE, "draft", "ready"],
    },
    Plan {
        name: "Cyber Resilience Act readiness of the mobile app",
        description: "Whether the app we sell to partner banks meets the essential requirements.",
        framework: "cra",
        owner: "Miriam Vogt",
        functions: &["Online banking"],
        planned: -15,
        starts: 14,
        ends: 200,
        moves: &[],
        tests: &["draft", "draft", "ready", "draft", "draft"],
    },
];

/// The first test case of each programme.
pub(super) const FIRST_TEST: [usize; 4] = [0, 24, 47, 55];

pub(super) fn write(calendar: Calendar, events: &mut Events) {
    for (number, plan) in PLANS.iter().enumerate() {
        let input = ProgrammeInput {
            name: set(plan.name),
            description: set(plan.description),
            framework: set(plan.framework),
            owner: set(plan.owner),
            starts_on: set(calendar.day(plan.starts)),
            ends_on: set(calendar.day(plan.ends)),
            functions: Change::Set(plan.functions.iter().map(ToString::to_string).collect()),
            ..ProgrammeInput::default()
        };
        let create: Event = Box::new(move |seed, made| {
            made.programmes.put(number, seed.create_programme(&input)?);
            Ok(())
        });
        events.push((calendar.at(plan.planned, 9), create));
        for (offset, status) in plan.moves {
            let input = ProgrammeInput { status: set(status), ..ProgrammeInput::default() };
            let step: Event =
                Box::new(move |seed, made| seed.change_programme(made.programmes.get(number)?, &input));
            events.push((calendar.at(*offset, 9), step));
        }
        for (place, goal) in plan.tests.iter().enumerate() {
            write_test(calendar, number, plan, place, goal, events);
        }
    }
}

fn write_test(
    calendar: Calendar,
    programme: usize,
    plan: &'static Plan,
    place: usize,
    goal: &'static str,
    events: &mut Events,
) {
    let number = FIRST_TEST[programme] + place;
    let function = plan.functions[(place / OBJECTIVES.len()) % plan.functions.len()];
    // The last test of this year's programme is the threat-led one.
    let is_led_by_threats = number == FIRST_TEST[2] - 1;
    let (kind, objective, measure) = if is_led_by_threats {
        (
            "tlpt",
            "A determined attacker is noticed before reaching payments",
            "measure-testing-tlpt-execution",
        )
    } else {
        OBJECTIVES[place % OBJECTIVES.len()]
    };
    let label = kind.parse().map_or(kind, |kind: domain::test_type::TestType| kind.label().en);
    let length = plan.ends - plan.starts;
    let count = i64::try_from(plan.tests.len()).unwrap_or(1);
    let step = i64::try_from(place).unwrap_or(0);
    let due = plan.starts + 20 + (length - 25) * step / count;
    let input = TestCaseInput {
        title: set(format!("{label}: {function}")),
        objective: set(objective),
        test_type: set(kind),
        functions: Change::Set(vec![function.to_owned()]),
        priority: set(["high", "medium", "critical", "low"][place % 4]),
        assignee: set(PEOPLE[number % PEOPLE.len()]),
        steps: Change::Set(vec![
            "Agree on scope and time with the owner of the function".to_owned(),
            "Carry out the test and keep the records".to_owned(),
            "Discuss the results and write the findings down".to_owned(),
        ]),
        expected_result: set(objective),
        due_on: set(calendar.day(due)),
        measures: Change::Set(vec![measure.to_owned()]),
        ..TestCaseInput::default()
    };
    let create: Event = Box::new(move |seed, made| {
        let programme_id = set(made.programmes.get(programme)?);
        let input = TestCaseInput { programme_id, ..input.clone() };
        made.test_cases.put(number, seed.create_test_case(&input)?);
        Ok(())
    });
    events.push((calendar.at(plan.planned, 11), create));
    // Finished tests were finished before their due day, and before today.
    let end = due.min(-3);
    for (offset, status) in steps(goal, plan.planned, end) {
        let input = TestCaseInput { status: set(status), ..result(status) };
        let step: Event =
            Box::new(move |seed, made| seed.change_test_case(made.test_cases.get(number)?, &input));
        events.push((calendar.at(offset, 14), step));
    }
}

/// The moves to a status, with their days.
fn steps(goal: &'static str, planned: i64, end: i64) -> Vec<(i64, &'static str)> {
    let path: &[&'static str] = match goal {
        "draft" => &[],
        "ready" => &["ready"],
        "cancelled" => &["ready", "cancelled"],
        "in_progress" => &["ready", "in_progress"],
        _ => &["ready", "in_progress", goal],
    };
    let begin = planned + 2;
    let last = i64::try_from(path.len()).unwrap_or(1);
    let day = |step: usize| begin + (end - begin).max(0) * (i64::try_from(step).unwrap_or(0) + 1) / last;
    path.iter().enumerate().map(|(step, status)| (day(step), *status)).collect()
}

fn result(status: &str) -> TestCaseInput {
    let (actual, note) = match status {
        "passed" => (set("As expected."), Change::Keep),
        "failed" => (set("Not as expected; see the findings."), Change::Keep),
        "blocked" => (Change::Keep, set("The test environment is not ready.")),
        "cancelled" => (Change::Keep, set("Covered by another test.")),
        _ => (Change::Keep, Change::Keep),
    };
    TestCaseInput { actual_result: actual, note, ..TestCaseInput::default() }
}
