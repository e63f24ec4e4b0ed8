//! Creating, changing and classifying incidents, and their violations.

use serde_json::json;

use super::{
    super::{ClassifyInput, FiledInput, Outcome},
    *,
};
use crate::{
    time_zone::{NotALocalTime, TimeZone},
    transition::{Lifecycle, tests::is_sound},
    wording::Language,
};

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

fn now() -> Moment {
    at("2026-11-14T12:00:00Z")
}

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn context() -> Context<'static> {
    Context { now: now(), is_measure: &|_| true }
}

fn reference() -> IncidentReference {
    IncidentReference::new(2026, 7).unwrap()
}

fn named() -> IncidentInput {
    IncidentInput { title: set("Core banking down"), ..IncidentInput::default() }
}

fn opened(input: &IncidentInput) -> Incident {
    input.create(reference(), &context()).unwrap()
}

fn refused(input: &IncidentInput) -> String {
    input.create(reference(), &context()).unwrap_err().to_string()
}

fn facts(json: &Json) -> Change<Map<String, Json>> {
    Change::Set(json.as_object().unwrap().clone())
}

#[test]
fn a_title_is_enough_to_open_an_incident() {
    let incident = opened(&named());
    assert_eq!(incident.times, Times::noticed(now()));
    assert_eq!((incident.status, incident.regimes), (IncidentStatus::Detected, vec![Regime::Dora]));
    assert_eq!(refused(&IncidentInput::default()), "title is required");
}

#[test]
fn the_table_of_states_is_sound() {
    is_sound::<IncidentStatus>();
    assert!(IncidentStatus::Detected.can_become(IncidentStatus::NotAnIncident));
    assert!(!IncidentStatus::Closed.can_become(IncidentStatus::Detected));
}

#[test]
fn times_out_of_order_are_refused_by_name() {
    let times = |change: fn(&mut IncidentInput)| {
        let mut input = IncidentInput {
            detected_at: set("2026-11-14T08:00:00Z"),
            occurred_at: set("2026-11-14T07:00:00Z"),
            ..named()
        };
        change(&mut input);
        input
    };
    assert_eq!(
        opened(&times(|_| ())).times.aware_at,
        at("2026-11-14T08:00:00Z"),
        "aware when it was detected"
    );
    for (change, expected) in [
        (
            (|input| input.occurred_at = set("2026-11-14T09:00:00Z")) as fn(&mut IncidentInput),
            "detected_at must not be before occurred_at (2026-11-14T09:00:00Z)",
        ),
        (
            |input| input.aware_at = set("2026-11-14T07:30:00Z"),
            "aware_at must not be before detected_at (2026-11-14T08:00:00Z)",
        ),
        (
            |input| input.resolved_at = set("2026-11-14T07:30:00Z"),
            "resolved_at must not be before detected_at (2026-11-14T08:00:00Z)",
        ),
        (
            |input| {
                input.recovered_at = set("2026-11-14T11:00:00Z");
                input.resolved_at = set("2026-11-14T10:00:00Z");
            },
            "resolved_at must not be before recovered_at (2026-11-14T11:00:00Z)",
        ),
        (|input| input.detected_at = set("2026-11-15T08:00:00Z"), "detected_at must not be in the future"),
        (
            |input| input.detected_at = set("2026-02-30T08:00:00Z"),
            "detected_at must be a time like 2026-11-14T09:30:00Z",
        ),
        (|input| input.detected_at = Change::Clear, "detected_at must not be null"),
    ] {
        assert_eq!(refused(&times(change)), expected);
    }
}

#[test]
fn the_hour_that_does_not_exist_is_refused_where_local_times_are_read() {
    let berlin: TimeZone = "Europe/Berlin".parse().unwrap();
    assert!(matches!(berlin.read("2026-03-29T02:10"), Err(NotALocalTime::Skipped { .. })));
    assert!(matches!(berlin.read("2026-10-25T02:10"), Err(NotALocalTime::Repeated { .. })));
}

#[test]
fn every_complaint_comes_at_once() {
    let input = IncidentInput {
        title: set(" "),
        regimes: Change::Set(vec![]),
        facts: facts(&json!({"clients_affected": -1, "downtime_minutes": "long"})),
        findings: Change::Set(vec!["x".to_owned()]),
        ..IncidentInput::default()
    };
    let violations = input.create(reference(), &context()).unwrap_err();
    let fields: Vec<&String> = violations.fields().keys().collect();
    assert_eq!(fields, ["facts.clients_affected", "facts.downtime_minutes", "findings", "regimes", "title"]);
}

#[test]
fn facts_come_one_by_one_and_resolving_stamps_the_time() {
    let incident = opened(&IncidentInput { facts: facts(&json!({"malicious_access": true})), ..named() });
    let change = IncidentInput {
        facts: facts(&json!({"clients_affected": 7})),
        status: set("resolved"),
        ..IncidentInput::default()
    };
    let later = change.change(&incident, &context()).unwrap();
    assert_eq!((later.facts.dora.malicious_access, later.facts.dora.clients_affected), (Some(true), Some(7)));
    assert_eq!(later.times.resolved_at, Some(now()));
    let wrong = IncidentInput { status: set("closed"), ..IncidentInput::default() };
    assert!(wrong.change(&incident, &context()).unwrap_err().to_string().contains("detected"));
}

#[test]
fn a_classification_follows_the_facts_or_gives_a_reason() {
    let incident = opened(&IncidentInput {
        facts: facts(&json!({"malicious_access": true})),
        detected_at: set("2026-11-14T08:00:00Z"),
        ..named()
    });
    let classify = |input: ClassifyInput| input.classify(&incident, "key_1", now());
    let stored = classify(ClassifyInput::default()).unwrap();
    let decision = stored.decision.clone().unwrap();
    assert_eq!((decision.result, decision.at, decision.major_since), (Outcome::Major, now(), Some(now())));
    assert_eq!(stored.status, IncidentStatus::Classified);
    let other = ClassifyInput { result: set("not_major"), ..ClassifyInput::default() };
    assert_eq!(
        classify(other.clone()).unwrap_err().to_string(),
        "reason is required when the result is not the one the facts give: say why"
    );
    let explained = classify(ClassifyInput { reason: set("A test system"), ..other }).unwrap();
    let decision = explained.decision.unwrap();
    assert_eq!(
        (decision.result, decision.computed, decision.major_since),
        (Outcome::NotMajor, Outcome::Major, None)
    );
    let early = ClassifyInput { at: set("2026-11-14T07:59:00Z"), ..ClassifyInput::default() };
    assert_eq!(
        classify(early).unwrap_err().to_string(),
        "at must not be before aware_at (2026-11-14T08:00:00Z)"
    );
    let again = ClassifyInput::default().classify(&stored, "key_1", now().plus_seconds(3600)).unwrap();
    assert_eq!(again.major_since(), Some(now()), "major since the first time");
}

#[test]
fn awareness_cannot_move_behind_the_classification() {
    let incident = opened(&IncidentInput { detected_at: set("2026-11-14T08:00:00Z"), ..named() });
    let input = ClassifyInput {
        at: set("2026-11-14T09:00:00Z"),
        result: set("major"),
        reason: set("Board decision"),
    };
    let stored = input.classify(&incident, "key_1", now()).unwrap();
    let change = IncidentInput { aware_at: set("2026-11-14T10:00:00Z"), ..IncidentInput::default() };
    let refused = change.change(&stored, &context()).unwrap_err();
    assert_eq!(refused.to_string(), "aware_at must not be after classified_at (2026-11-14T09:00:00Z)");
    let complaint = &refused.fields()["aware_at"][0];
    assert_eq!(
        complaint.text(Language::German),
        "darf nicht nach „Klassifiziert“ (14.11.2026, 09:00 UTC) liegen"
    );
}

#[test]
fn what_was_sent_is_frozen_and_sent_once() {
    let incident = opened(&IncidentInput { facts: facts(&json!({"malicious_access": true})), ..named() });
    let stage = (Regime::Dora, Stage::Initial);
    let file = |input: &FiledInput, incident: &Incident, missing: &[&str]| {
        let missing = missing.iter().map(|field| (*field).to_owned()).collect();
        input.file(incident, stage, (json!({"2.4": "x"}), missing), ("usr_a", now()))
    };
    let plain = FiledInput::default();
    assert_eq!(
        file(&plain, &incident, &[]).unwrap_err().to_string(),
        "stage can be filed only after the incident was classified as major"
    );
    let major = ClassifyInput::default().classify(&incident, "key_1", now()).unwrap();
    assert_eq!(
        file(&plain, &major, &["2.7", "2.9"]).unwrap_err().to_string(),
        "incomplete must be true to record a report as sent that lacks mandatory fields: 2.7, 2.9"
    );
    let anyway =
        FiledInput { incomplete: Change::Set(true), reference: set("BA-1"), ..FiledInput::default() };
    let filed = file(&anyway, &major, &["2.7"]).unwrap();
    assert_eq!(filed.filings[0].missing, ["2.7"]);
    assert_eq!(filed.filings()[0].at, now());
    assert!(file(&anyway, &filed, &[]).unwrap_err().to_string().starts_with("stage is filed already"));
    let report = filed.dora_report(
        crate::incident::report::ReportStage::Intermediate,
        &crate::incident::report::Profile::default(),
        now(),
    );
    assert_eq!(
        report.value("3.1"),
        Some(&crate::incident::report::Value::Text("BA-1".to_owned())),
        "the authority's reference comes back in the next stage"
    );
}

#[test]
fn report_values_are_checked_when_they_are_entered() {
    let values = |json: Json| IncidentInput { report_values: facts(&json), ..named() };
    let incident = opened(&values(json!({"2.7": "staff", "nis2.cause": "Expired certificate"})));
    assert_eq!(incident.report_values.len(), 2);
    let change = IncidentInput { report_values: facts(&json!({"2.7": null})), ..IncidentInput::default() };
    assert_eq!(change.change(&incident, &context()).unwrap().report_values.len(), 1);
    assert_eq!(
        refused(&values(json!({"2.7": "tea leaves", "nis2.weather": "x"}))),
        "report_values.2.7 offers no answer tea leaves: choose one of the official list; report_values.nis2.weather is no field of the report"
    );
}

fn classified(incident: &Incident, result: Option<&str>, reason: Option<&str>, when: Moment) -> Incident {
    let change = |text: Option<&str>| text.map_or(Change::Keep, set);
    let input = ClassifyInput { at: Change::Keep, result: change(result), reason: change(reason) };
    input.classify(incident, "usr_1", when).unwrap()
}

fn filed(incident: &Incident, stage: Stage, when: Moment) -> Incident {
    let content = (json!({"2.4": when.to_string()}), Vec::new());
    FiledInput::default().file(incident, (Regime::Dora, stage), content, ("usr_a", when)).unwrap()
}

#[test]
fn every_classification_is_kept_and_taking_back_major_needs_a_reason() {
    let incident = opened(&IncidentInput { facts: facts(&json!({"malicious_access": true})), ..named() });
    let major = classified(&incident, None, None, now());
    let known = IncidentInput {
        facts: facts(&json!({"malicious_access": false, "critical_services": false})),
        ..IncidentInput::default()
    };
    let known = known.change(&major, &context()).unwrap();
    assert_eq!(
        ClassifyInput::default().classify(&known, "usr_1", now()).unwrap_err().to_string(),
        "reason is required when a classification as major is taken back or made again: say why",
        "although the facts give it"
    );
    let not_major = classified(&known, None, Some("A scanner of our own"), now());
    let decisions: Vec<_> = not_major.earlier_decisions.iter().map(|decision| decision.result).collect();
    assert_eq!((decisions, not_major.major_since()), (vec![Outcome::Major], None));
    let same = ClassifyInput::default().classify(&not_major, "usr_1", now()).unwrap();
    assert_eq!(same.earlier_decisions.len(), 2, "the same result needs no reason and is kept too");
    let many = Incident { earlier_decisions: vec![not_major.decision.clone().unwrap(); 100], ..not_major };
    let refused = ClassifyInput::default().classify(&many, "usr_1", now()).unwrap_err().to_string();
    assert!(refused.contains("was classified 100 times already"), "{refused}");
}

#[test]
fn reports_begin_anew_only_after_a_reclassification_was_sent() {
    let hour = |hours: i64| now().plus_seconds(hours * 3600);
    let incident = opened(&IncidentInput { facts: facts(&json!({"malicious_access": true})), ..named() });
    let first = filed(&classified(&incident, None, None, hour(0)), Stage::Initial, hour(1));
    let back = classified(&first, Some("not_major"), Some("A test"), hour(2));
    assert_eq!(back.reclassified_at(), Some(hour(2)));
    let unsent = classified(&back, Some("major"), Some("No test"), hour(3));
    assert_eq!(unsent.major_since(), Some(hour(0)), "what was sent keeps its limits");
    assert_eq!(unsent.filings().len(), 1);

    let taken_back = filed(&back, Stage::Reclassified, hour(3));
    assert_eq!(taken_back.filings().len(), 2, "still the latest");
    let again = classified(&taken_back, Some("major"), Some("No test"), hour(30));
    assert_eq!((again.major_since(), again.filings().len()), (Some(hour(30)), 0));
    assert!(again.sent(Regime::Dora, Stage::Initial).is_none());
    let second = filed(&again, Stage::Initial, hour(31));
    assert_eq!(second.filings().len(), 1);
    let numbers: Vec<_> =
        second.numbered_filings().into_iter().map(|(number, filed)| (number, filed.stage)).collect();
    assert_eq!(numbers, [(1, Stage::Initial), (1, Stage::Reclassified), (2, Stage::Initial)]);
    let sent = |number| second.sent_before(Regime::Dora, Stage::Initial, number).map(|filed| filed.at);
    assert_eq!([sent(0), sent(1), sent(2), sent(3)], [None, Some(hour(1)), Some(hour(31)), None]);
    let back_again = classified(&second, Some("not_major"), Some("A test after all"), hour(32));
    assert_eq!(back_again.reclassified_at(), Some(hour(32)), "the second initial notification is taken back");
    let none_sent = classified(&again, Some("not_major"), Some("A test after all"), hour(33));
    assert!(none_sent.sent(Regime::Dora, Stage::Reclassified).is_some(), "nothing new to take back");
}
