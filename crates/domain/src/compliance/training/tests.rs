use super::*;
use crate::{change::Change, identifier::Uuid7, vocabulary::tests::is_sound};

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn person(number: u128) -> UserId {
    UserId::from(Uuid7::from_parts(1, number))
}

fn title_of(id: &str) -> Option<String> {
    (id == "training-a").then(|| "Module A".to_owned())
}

fn input() -> AssignmentInput {
    AssignmentInput {
        module: set("training-a"),
        people: Change::Set(vec![person(1).to_string(), person(2).to_string(), person(1).to_string()]),
        due_on: set("2027-01-31"),
        ..AssignmentInput::default()
    }
}

fn training() -> Training {
    let assignment = input().read(title_of).unwrap();
    assignment.of(person(1), TrainingReference::new(7).unwrap(), false)
}

#[test]
fn words_are_sound() {
    is_sound::<TrainingStatus>();
    is_sound::<TrainingState>();
    is_sound::<TrainingSort>();
}

#[test]
fn a_module_is_assigned_to_each_person_once() {
    let assignment = input().read(title_of).unwrap();
    assert_eq!(assignment.people, [person(1), person(2)]);
    assert_eq!(assignment.title.as_str(), "Module A");
    let training = training();
    assert_eq!((training.reference.to_string().as_str(), training.attempts), ("TR-0007", 0));
    assert_eq!(training.state(day("2027-01-31")), TrainingState::Assigned);
    assert_eq!(training.state(day("2027-02-01")), TrainingState::Late);
}

#[test]
fn either_a_module_or_a_title_is_assigned() {
    let both = AssignmentInput { title: set("Course"), ..input() };
    assert!(both.read(title_of).unwrap_err().to_string().starts_with("title "));
    let neither = AssignmentInput { module: Change::Keep, ..input() };
    assert!(neither.read(title_of).unwrap_err().to_string().starts_with("module is required"));
    let unknown = AssignmentInput { module: set("training-x"), ..input() };
    assert!(unknown.read(title_of).unwrap_err().to_string().starts_with("module must be"));
    let course =
        AssignmentInput { module: Change::Keep, title: set("Course"), provider: set("School"), ..input() };
    let course = course.read(title_of).unwrap();
    assert_eq!(
        (course.module.as_deref(), course.provider.as_ref().map(Name::as_str)),
        (None, Some("School"))
    );
    for people in [Change::Keep, Change::Clear, Change::Set(Vec::new())] {
        let without = AssignmentInput { people, ..input() };
        assert_eq!(without.read(title_of).unwrap_err().to_string(), "people must name at least one person");
    }
}

#[test]
fn members_are_marked_for_all_or_one_by_one() {
    let all = AssignmentInput { management_body: Change::Set(true), ..input() }.read(title_of).unwrap();
    assert_eq!((all.is_member(person(1)), all.is_member(person(2))), (Some(true), Some(true)));
    let one = AssignmentInput { members: Some(vec![person(2).to_string()]), ..input() };
    let one = one.read(title_of).unwrap();
    assert_eq!((one.is_member(person(1)), one.is_member(person(2))), (Some(false), Some(true)));
    assert_eq!(input().read(title_of).unwrap().is_member(person(1)), None);
}

#[test]
fn eighty_percent_pass_and_every_attempt_counts() {
    let right = [0, 1, 2, 0, 1];
    let today = day("2027-01-15");
    let answers = |hits: usize| -> Vec<Option<u32>> {
        right.iter().enumerate().map(|(place, right)| Some(if place < hits { *right } else { 9 })).collect()
    };
    let failed = training().attempt(&right, &answers(3), today).unwrap();
    assert_eq!((failed.status, failed.score, failed.attempts), (TrainingStatus::Failed, Some(60), 1));
    assert_eq!((failed.state(today), failed.passed_on), (TrainingState::Failed, None));
    let empty = failed.attempt(&right, &[], today).unwrap();
    assert_eq!((empty.score, empty.attempts, empty.answers.len()), (Some(0), 2, 5));
    let passed = empty.attempt(&right, &answers(4), today).unwrap();
    assert_eq!((passed.status, passed.score, passed.attempts), (TrainingStatus::Passed, Some(80), 3));
    assert_eq!(passed.passed_on, Some(today));
    assert_eq!(passed.state(day("2028-01-01")), TrainingState::Passed);
    assert_eq!(passed.attempt(&right, &answers(5), today), Err(TrainingComplaint::AlreadyPassed));
    assert_eq!(training().attempt(&[], &[], today), Err(TrainingComplaint::NoQuiz));
}

#[test]
fn a_score_below_eighty_is_never_rounded_up() {
    assert_eq!((percent(79, 99), percent(7, 9), percent(4, 5), percent(0, 0)), (79, 77, 80, 0));
}

#[test]
fn a_result_is_recorded_for_a_course_held_elsewhere_only() {
    let today = day("2027-01-15");
    let result = ResultInput { passed_on: set("2027-01-14"), ..ResultInput::default() };
    let refused = training().with_result(&result, today).unwrap_err().to_string();
    assert!(refused.contains("quiz"), "{refused}");
    let course = Training { module: None, ..training() };
    let passed = course.with_result(&result, today).unwrap();
    assert_eq!((passed.status, passed.passed_on), (TrainingStatus::Passed, Some(day("2027-01-14"))));
    assert!(passed.with_result(&result, today).is_err());
    let wrong =
        ResultInput { passed_on: set("2027-01-16"), score: Change::Set(100.5), ..ResultInput::default() };
    let complaints = course.with_result(&wrong, today).unwrap_err().to_string();
    assert!(complaints.contains("passed_on") && complaints.contains("score"), "{complaints}");
}

#[test]
fn only_the_day_and_the_mark_of_a_member_change() {
    let input = TrainingInput { due_on: set("2027-03-01"), management_body: Change::Set(true) };
    let changed = input.change(&training()).unwrap();
    assert_eq!((changed.due_on, changed.management_body), (day("2027-03-01"), true));
    assert_eq!(TrainingInput::default().change(&training()), Ok(training()));
    assert!(TrainingInput { due_on: Change::Clear, ..TrainingInput::default() }.change(&training()).is_err());
}

#[test]
fn a_reference_has_one_spelling() {
    assert_eq!("TR-0007".parse(), TrainingReference::new(7));
    for bad in ["", "TR-7", "TR-0000", "T-0007", "tr-0007"] {
        assert_eq!(bad.parse::<TrainingReference>(), Err(NotATrainingReference), "{bad}");
    }
}
