use super::*;
use crate::{change::Change, vocabulary::tests::is_sound};

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn request() -> EvidenceRequest {
    let input = EvidenceRequestInput {
        text: set("\n  Access reviews of the last year\nFor all administrators."),
        due_on: set("2026-12-01"),
        ..EvidenceRequestInput::default()
    };
    input.create().unwrap().by(EvidenceRequestReference::new(7).unwrap(), "usr_1".to_owned())
}

#[test]
fn words_are_sound() {
    is_sound::<EvidenceRequestStatus>();
    is_sound::<EvidenceRequestSort>();
}

#[test]
fn a_text_and_a_day_are_enough_and_needed() {
    let made = request();
    assert_eq!(made.title().as_str(), "Access reviews of the last year");
    assert_eq!((made.reference.to_string().as_str(), made.status), ("ER-0007", EvidenceRequestStatus::Open));
    let refused = EvidenceRequestInput::default().create().unwrap_err().to_string();
    assert!(refused.contains("text") && refused.contains("due_on"), "{refused}");
    assert_eq!(EvidenceRequestInput::default().change(&made), Ok(made));
}

#[test]
fn it_is_answered_before_it_is_closed_and_opened_again() {
    let open = request();
    let at = "2026-11-20T10:00:00Z".parse().unwrap();
    let answer = |request: &EvidenceRequest| {
        request.answered(Prose::parse("Attached.").unwrap(), "usr_2".to_owned(), at)
    };
    assert!(open.moved(EvidenceRequestStatus::Closed).is_err(), "not without an answer");
    let answered = answer(&open).unwrap();
    assert!(answer(&answered).is_err(), "an answer is given once");
    let closed = answered.moved(EvidenceRequestStatus::Closed).unwrap();
    assert!(answer(&closed).is_err());
    let again = closed.moved(EvidenceRequestStatus::Open).unwrap();
    assert_eq!(again.answer, answered.answer, "the earlier answer stays");
    assert!(EvidenceRequestStatus::Answered.can_become(EvidenceRequestStatus::Open));
}

#[test]
fn only_an_open_request_is_late_and_only_after_its_day() {
    let open = request();
    let day = |text: &str| text.parse().unwrap();
    assert!(!open.is_late(day("2026-12-01")) && open.is_late(day("2026-12-02")));
    let at = "2026-11-20T10:00:00Z".parse().unwrap();
    let answered = open.answered(Prose::parse("Attached.").unwrap(), "usr_2".to_owned(), at).unwrap();
    assert!(!answered.is_late(day("2026-12-02")));
}

#[test]
fn opening_again_needs_a_reason_and_an_answer_a_text() {
    assert!(RequestStep::Close.reason().unwrap().is_none());
    assert!(RequestStep::Reopen(Change::Keep).reason().is_err());
    assert_eq!(
        RequestStep::Reopen(set("Only half of it")).reason().unwrap().unwrap().as_str(),
        "Only half of it"
    );
    assert!(AnswerInput::default().read().is_err());
    let wrong = AnswerInput { text: set("Here"), evidence: Change::Set(vec!["fnd_1".to_owned()]) };
    assert!(wrong.read().unwrap_err().to_string().contains("evidence"));
}

#[test]
fn a_reference_has_one_spelling() {
    assert_eq!("ER-0042".parse::<EvidenceRequestReference>().unwrap().number(), 42);
    for wrong in ["ER-42", "ER-0", "TR-0042", "er-0042", ""] {
        assert!(wrong.parse::<EvidenceRequestReference>().is_err(), "{wrong}");
    }
}
