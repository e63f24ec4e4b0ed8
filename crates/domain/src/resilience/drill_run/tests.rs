use proptest::prelude::*;

use super::*;
use crate::{
    change::Change, transition::tests::is_sound, violation::Violations,
    vocabulary::tests::is_sound as words_are_sound,
};

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn at(minute: i64) -> Moment {
    let start: Moment = "2026-11-14T02:10:00Z".parse().unwrap();
    start.plus_seconds(60 * minute)
}

fn scenario() -> ScenarioFacts {
    ScenarioFacts {
        title: "Ransomware".to_owned(),
        inject_minutes: vec![0, 30, 90],
        tasks: 2,
        criteria: 4,
        clocks: vec!["initial".to_owned(), "final".to_owned()],
        solution: vec![
            (Criterion::CriticalServices, Judgement::Met),
            (Criterion::DataLosses, Judgement::Met),
            (Criterion::Geography, Judgement::Open),
        ],
    }
}

fn planned() -> DrillRun {
    let input = DrillRunInput {
        scenario: set("drill-ransomware"),
        planned_for: set("2026-11-14"),
        participants: Change::Set(vec!["Dana".to_owned(), "Kim".to_owned(), "Dana".to_owned()]),
        ..DrillRunInput::default()
    };
    let reference = DrillRunReference::new(1).unwrap();
    input.create(reference, Some(&scenario()), &DrillRunLinks::default()).unwrap()
}

fn running() -> DrillRun {
    planned().start(at(0)).unwrap()
}

fn classified(run: &DrillRun, judgements: &[(Criterion, &str)], minute: i64) -> Result<DrillRun, Violations> {
    let judgements = judgements.iter().map(|(criterion, word)| (*criterion, set(word))).collect();
    run.classify(&ClassificationInput { judgements }, at(minute))
}

fn marked(run: &DrillRun, clock: &str, right: bool) -> DrillRun {
    let input = ReportInput { clock: set(clock), right: Change::Set(right), ..ReportInput::default() };
    run.answer(&input, &scenario(), at(5)).unwrap()
}

fn judged(run: &DrillRun, number: u32, word: &str) -> DrillRun {
    run.judge(number, &set(word), at(6)).unwrap().unwrap()
}

#[test]
fn words_and_moves_are_sound() {
    is_sound::<DrillRunStatus>();
    words_are_sound::<Judgement>();
    words_are_sound::<CriterionResult>();
    assert_eq!("DR-0042".parse::<DrillRunReference>().unwrap().to_string(), "DR-0042");
    assert!("DR-42".parse::<DrillRunReference>().is_err());
    assert!("I-2026-0001".parse::<DrillRunReference>().is_err());
}

#[test]
fn a_new_run_takes_its_title_from_the_scenario_and_names_each_person_once() {
    let run = planned();
    assert_eq!((run.title.as_str(), run.status), ("Ransomware", DrillRunStatus::Planned));
    let names: Vec<_> = run.participants.iter().map(Name::as_str).collect();
    assert_eq!(names, ["Dana", "Kim"]);
    let wrong = DrillRunInput {
        scenario: set("no-such-drill"),
        participants: Change::Set(vec!["x".to_owned(); MAX_PARTICIPANTS + 1]),
        ..DrillRunInput::default()
    };
    let reference = DrillRunReference::new(1).unwrap();
    let wrong = wrong.create(reference, None, &DrillRunLinks::default()).unwrap_err();
    let fields: Vec<_> = wrong.fields().keys().cloned().collect();
    assert_eq!(fields, ["participants", "planned_for", "scenario"]);
}

#[test]
fn steps_are_done_in_their_time_and_once() {
    let (run, scenario) = (running(), scenario());
    let early = run.tick(2, &scenario, (at(29), "usr_a")).unwrap_err();
    assert_eq!(early.to_string(), "step is not due before minute 30");
    let first = run.tick(2, &scenario, (at(30), "usr_a")).unwrap().unwrap();
    let again = first.tick(2, &scenario, (at(31), "usr_b")).unwrap().unwrap();
    assert_eq!(first, again);
    assert_eq!((again.steps[0].by.as_str(), again.steps[0].at), ("usr_a", at(30)));
    assert!(run.tick(5, &scenario, (at(0), "usr_a")).unwrap().is_some(), "a task has no minute");
    for none in [0, 6] {
        assert!(run.tick(none, &scenario, (at(0), "usr_a")).unwrap().is_none(), "{none}");
    }
    assert!(planned().tick(1, &scenario, (at(0), "usr_a")).is_err());
}

#[test]
fn a_run_starts_and_ends_once() {
    let run = running();
    assert!(run.start(at(1)).is_err());
    assert!(planned().finish(&scenario(), at(1)).is_err());
    let over = run.finish(&scenario(), at(60)).unwrap();
    assert_eq!(over.minute(at(600)), Some(60), "the clock stops with the run");
    assert!(over.finish(&scenario(), at(61)).is_err());
    assert!(classified(&over, &[(Criterion::DataLosses, "met")], 61).is_err());
    let renamed = DrillRunInput { title: set("Other"), ..DrillRunInput::default() };
    assert!(renamed.change(&over, &DrillRunLinks::default()).is_err());
    let moved = DrillRunInput { status: set("finished"), ..DrillRunInput::default() };
    let refused = moved.change(&run, &DrillRunLinks::default()).unwrap_err();
    assert_eq!(refused.to_string(), "status is reached with POST …/finish only");
}

#[test]
fn a_judgement_keeps_the_minute_it_was_made() {
    let run = classified(&running(), &[(Criterion::DataLosses, "open")], 10).unwrap();
    let same = classified(&run, &[(Criterion::DataLosses, "open")], 20).unwrap();
    assert_eq!(same.judged(Criterion::DataLosses).unwrap().at_minute, 10);
    let other = classified(&same, &[(Criterion::DataLosses, "met")], 30).unwrap();
    assert_eq!(other.judged(Criterion::DataLosses).unwrap().at_minute, 30);
    assert!(classified(&run, &[], 10).is_err());
    assert!(classified(&run, &[(Criterion::DataLosses, "maybe")], 10).is_err());
}

#[test]
fn minutes_are_whole_and_bounded() {
    for (number, good) in [(0.0, true), (2160.0, true), (2161.0, false), (1.5, false), (-1.0, false)] {
        let input = ReportInput {
            clock: set("initial"),
            sent_at_minute: Change::Set(number),
            ..ReportInput::default()
        };
        assert_eq!(running().answer(&input, &scenario(), at(1)).is_ok(), good, "{number}");
    }
    let other = ReportInput { clock: set("other"), ..ReportInput::default() };
    assert!(running().answer(&other, &scenario(), at(1)).is_err());
}

#[test]
fn the_worked_example_of_the_documentation() {
    // docs/drills.md: 5 of 8 points, 2 of 3 criteria, 1 of 2 reports.
    let run = judged(&judged(&judged(&running(), 1, "met"), 2, "met"), 3, "partly");
    let run = judged(&run, 4, "not");
    let answers = [(Criterion::CriticalServices, "met"), (Criterion::DataLosses, "not-met")];
    let run = classified(&run, &answers, 20).unwrap();
    let run = classified(&run, &[(Criterion::Geography, "open")], 25).unwrap();
    let run = marked(&marked(&run, "initial", true), "final", false);
    let over = run.finish(&scenario(), at(60)).unwrap();
    let outcome = over.outcome.unwrap();
    assert_eq!(outcome.criteria, Share { reached: 5, possible: 8 });
    assert_eq!(outcome.classification, Share { reached: 2, possible: 3 });
    assert_eq!(outcome.reports, Share { reached: 1, possible: 2 });
    // 50 × 5/8 + 30 × 2/3 + 20 × 1/2 = 31.25 + 20 + 10 = 61.25
    assert_eq!(outcome.score, 61);
    assert!(!over.is_passed());
}

#[test]
fn what_a_scenario_does_not_ask_for_does_not_count() {
    let bare = ScenarioFacts { criteria: 4, ..ScenarioFacts::default() };
    let run = (1..=4).fold(running(), |run, number| judged(&run, number, "met"));
    assert_eq!(run.finish(&bare, at(9)).unwrap().outcome.unwrap().score, 100);
    let nothing = running().finish(&ScenarioFacts::default(), at(9)).unwrap();
    assert_eq!(nothing.outcome.unwrap().score, 0);
}

fn results() -> impl Strategy<Value = Vec<Option<CriterionResult>>> {
    let word = prop_oneof![
        Just(None),
        Just(Some(CriterionResult::Not)),
        Just(Some(CriterionResult::Partly)),
        Just(Some(CriterionResult::Met)),
    ];
    proptest::collection::vec(word, 4)
}

fn rank(result: Option<CriterionResult>) -> u8 {
    match result {
        Some(CriterionResult::Met) => 2,
        Some(CriterionResult::Partly) => 1,
        Some(CriterionResult::Not) | None => 0,
    }
}

proptest! {
    /// Whatever was answered before, one better answer never lowers the score, and the score has its bounds.
    #[test]
    fn a_better_answer_never_lowers_the_score(
        criteria in results(),
        right in proptest::collection::vec(any::<bool>(), 2),
        agreed in proptest::collection::vec(any::<bool>(), 3),
        place in 0_usize..9,
    ) {
        let score = |criteria: &[Option<CriterionResult>], right: &[bool], agreed: &[bool]| {
            let scenario = scenario();
            let mut run = DrillRun { criteria: criteria.to_vec(), ..running() };
            for (clock, right) in scenario.clocks.iter().zip(right) {
                run = marked(&run, clock, *right);
            }
            for ((criterion, expected), agreed) in scenario.solution.iter().zip(agreed) {
                let other = if *expected == Judgement::Met { "not-met" } else { "met" };
                let word = if *agreed { expected.as_str() } else { other };
                run = classified(&run, &[(*criterion, word)], 7).unwrap();
            }
            run.finish(&scenario, at(60)).unwrap().outcome.unwrap().score
        };
        let before = score(&criteria, &right, &agreed);
        prop_assert!(before <= 100);
        let (mut criteria, mut right, mut agreed) = (criteria, right, agreed);
        match place {
            0..4 => {
                let better = [None, Some(CriterionResult::Partly), Some(CriterionResult::Met)];
                criteria[place] = better[usize::from(rank(criteria[place]) + 1).min(2)];
            }
            4..6 => right[place - 4] = true,
            _ => agreed[place - 6] = true,
        }
        prop_assert!(score(&criteria, &right, &agreed) >= before);
    }
}
