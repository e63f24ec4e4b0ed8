use super::*;
use crate::{
    change::Change, identifier::Uuid7, moment::Moment, provider::ProviderId,
    transition::tests::is_sound as lifecycle_is_sound, vocabulary::tests::is_sound,
};

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn provider() -> Provider {
    Provider {
        name: Name::parse("Nordlicht Cloud SE").unwrap(),
        lei: None,
        country: "DE".parse().unwrap(),
        owner: None,
        rating: None,
        archetype: None,
        contact: None,
        review_months: None,
        notice_days: None,
        note: None,
        last_review_on: None,
        next_review_on: None,
        scores: None,
    }
}

fn review() -> Review {
    let questions = ["question-a", "question-b"].map(str::to_owned).to_vec();
    Review::new(ProviderId::from(Uuid7::from_parts(1, 1)), questions, None)
}

#[expect(clippy::unnecessary_wraps, reason = "the reviews take a function that may not know a question")]
fn yes_no(_: &str) -> Option<AnswerKind> {
    Some(AnswerKind::YesNo)
}

fn answer(question: &str, word: &str) -> AnswerInput {
    AnswerInput {
        question: Change::Set(question.to_owned()),
        answer: Change::Set(word.to_owned()),
        ..AnswerInput::default()
    }
}

#[test]
fn words_are_sound() {
    is_sound::<ProviderRating>();
    is_sound::<ReviewState>();
    is_sound::<ClauseState>();
    is_sound::<Answer>();
    is_sound::<AnswerKind>();
    is_sound::<Questions>();
    is_sound::<Dimension>();
    lifecycle_is_sound::<ReviewStatus>();
}

#[test]
fn the_day_of_the_next_review_decides_its_state() {
    let today = day("2026-11-16");
    let due = |next: Option<&str>, last: Option<&str>| Provider {
        next_review_on: next.map(day),
        last_review_on: last.map(day),
        ..provider()
    };
    for (next, last, state) in [
        (None, None, ReviewState::NotReviewed),
        (Some("2027-05-01"), None, ReviewState::NotReviewed),
        (None, Some("2026-01-01"), ReviewState::Current),
        (Some("2026-12-17"), Some("2026-01-01"), ReviewState::Current),
        (Some("2026-12-16"), Some("2026-01-01"), ReviewState::DueSoon),
        (Some("2026-11-16"), None, ReviewState::DueSoon),
        (Some("2026-11-15"), None, ReviewState::Overdue),
    ] {
        assert_eq!(due(next, last).review_state(today), state, "{next:?} {last:?}");
    }
}

#[test]
fn a_cadence_sets_the_next_day_of_a_reviewed_provider() {
    let reviewed = provider().reviewed(day("2026-01-31"), None);
    assert_eq!(reviewed.next_review_on, None);
    let input = ProviderInput { review_months: Change::Set(13.0), ..ProviderInput::default() };
    let changed = input.change(&reviewed).unwrap();
    assert_eq!(changed.next_review_on, Some(day("2027-02-28")));
    let again = changed.reviewed(day("2027-02-01"), None);
    assert_eq!(again.next_review_on, Some(day("2028-03-01")));
    assert_eq!(input.change(&provider()).unwrap().next_review_on, None);
}

#[test]
fn what_the_register_says_is_not_changed_here() {
    let input = ProviderInput {
        of_register: vec!["name"],
        review_months: Change::Set(0.0),
        notice_days: Change::Set(1826.0),
        ..ProviderInput::default()
    };
    let complaints = input.change(&provider()).unwrap_err();
    let fields: Vec<_> = complaints.fields().keys().cloned().collect();
    assert_eq!(fields, ["name", "notice_days", "review_months"]);
}

#[test]
fn answers_are_kept_replaced_and_taken_back() {
    let input = AnswersInput { answers: vec![answer("question-a", "no")], ..AnswersInput::default() };
    let answered = input.change(&review(), &yes_no).unwrap();
    assert_eq!(answered.answered(), 1);
    let input = AnswersInput { answers: vec![answer("question-a", "")], ..AnswersInput::default() };
    assert_eq!(input.change(&answered, &yes_no).unwrap().answered(), 0);
    for wrong in [
        vec![answer("question-c", "yes")],
        vec![answer("question-a", "perhaps")],
        vec![answer("question-a", "yes"), answer("question-a", "no")],
    ] {
        let input = AnswersInput { answers: wrong, ..AnswersInput::default() };
        assert!(input.change(&review(), &yes_no).is_err());
    }
}

#[test]
fn a_provider_answers_once_and_only_through_a_link_that_was_given() {
    let now = Moment::from_millis(1_000);
    let input = SubmissionInput {
        answers: vec![answer("question-a", "yes")],
        name: Change::Set("Kim Roth".to_owned()),
        submit: true,
    };
    assert!(input.change(&review(), &yes_no, now).is_err(), "nothing was sent");
    let sent = review().sent(now, now.plus_seconds(60)).unwrap();
    let nameless = SubmissionInput { name: Change::Keep, ..input.clone() };
    assert!(nameless.change(&sent, &yes_no, now).is_err());
    let submitted = input.change(&sent, &yes_no, now).unwrap();
    assert_eq!((submitted.status, submitted.submitted_at), (ReviewStatus::Submitted, Some(now)));
    assert!(input.change(&submitted, &yes_no, now).is_err(), "it can only be read now");
}

#[test]
fn scores_follow_from_weights_and_answers() {
    let weighed = |dimension, weight, answer| Weighed { dimension, weight, answer };
    let questions = [
        weighed(Dimension::Security, 5, Some(Answer::Yes)),
        weighed(Dimension::Security, 3, Some(Answer::Partly)),
        weighed(Dimension::Security, 4, None),
        weighed(Dimension::Exit, 5, Some(Answer::No)),
        weighed(Dimension::Exit, 5, Some(Answer::NotApplicable)),
        weighed(Dimension::Concentration, 4, Some(Answer::NotApplicable)),
    ];
    let scores = ReviewScores::of(&questions, [25, 25, 20, 15, 15]);
    // 5 × 2 + 3 × 1 + 4 × 0 = 13 of 24 points are 54.17 %.
    assert_eq!(scores.get(Dimension::Security), Some(54));
    assert_eq!(scores.get(Dimension::Exit), Some(0));
    assert_eq!(scores.get(Dimension::Concentration), None);
    // 54 × 25 of 100 × (25 + 15) is 33.75 %.
    assert_eq!(scores.overall, Some(34));
    assert_eq!(ReviewScores::of(&[], [25, 25, 20, 15, 15]), ReviewScores::default());
}

#[test]
fn an_answer_has_the_form_that_its_question_asks_for() {
    let value = |kind: AnswerKind, text: &str| {
        let value = Change::Set(text.to_owned());
        let one =
            AnswerInput { value, question: Change::Set("question-a".to_owned()), ..AnswerInput::default() };
        let input = AnswersInput { answers: vec![one], ..AnswersInput::default() };
        let after = input.change(&review(), &|_| Some(kind)).ok()?;
        let answer = after.answers.get("question-a")?;
        answer.value.as_ref().map(ToString::to_string)
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(value(AnswerKind::Text, " Nordlicht SE, LEI 5299 "), some("Nordlicht SE, LEI 5299"));
    assert_eq!(value(AnswerKind::Number, "0,5"), some("0.5"));
    assert_eq!(value(AnswerKind::Day, "2026-02-28"), some("2026-02-28"));
    for (kind, text) in [
        (AnswerKind::Number, "four"),
        (AnswerKind::Number, "-1"),
        (AnswerKind::Number, "1e9"),
        (AnswerKind::Day, "2026-02-30"),
        (AnswerKind::YesNo, "yes"),
        (AnswerKind::File, "report.pdf"),
        (AnswerKind::Text, "  "),
    ] {
        assert_eq!(value(kind, text), None, "{kind:?} {text}");
    }
    let input = AnswersInput { answers: vec![answer("question-a", "yes")], ..AnswersInput::default() };
    assert!(input.change(&review(), &|_| None).is_err(), "the sender is not asked this question");
}
