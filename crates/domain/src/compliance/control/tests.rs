use super::*;
use crate::{change::Change, vocabulary::tests::is_sound};

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn world() -> ControlWorld<'static> {
    ControlWorld {
        today: "2026-11-14".parse().unwrap(),
        is_measure: &|id| id.starts_with("measure-"),
        is_requirement: &|id| id.starts_with("dora-"),
    }
}

fn reference() -> ControlReference {
    ControlReference::new(1).unwrap()
}

fn input() -> ControlInput {
    ControlInput { title: set("Restore test of core banking"), ..ControlInput::default() }
}

#[test]
fn every_list_is_sound() {
    is_sound::<ControlStatus>();
    is_sound::<Effectiveness>();
    is_sound::<ControlCadence>();
}

#[test]
fn an_interval_ends_on_the_last_day_of_a_shorter_month() {
    for (cadence, from, to) in [
        (ControlCadence::Weekly, "2026-12-28", Some("2027-01-04")),
        (ControlCadence::Monthly, "2027-01-31", Some("2027-02-28")),
        (ControlCadence::Monthly, "2028-01-31", Some("2028-02-29")),
        (ControlCadence::Quarterly, "2026-11-30", Some("2027-02-28")),
        (ControlCadence::HalfYearly, "2026-08-31", Some("2027-02-28")),
        (ControlCadence::Yearly, "2028-02-29", Some("2029-02-28")),
        (ControlCadence::None, "2026-11-14", None),
    ] {
        assert_eq!(cadence.next_after(day(from)), to.map(day), "{cadence} after {from}");
    }
}

/// All proofs with few tests, for rules that must apply to every one.
fn proofs() -> impl Iterator<Item = Proof> {
    let worst = std::iter::once(None).chain(Severity::ALL.iter().copied().map(Some));
    worst.flat_map(|worst| {
        (0..3).flat_map(move |passed| (0..3).map(move |failed| Proof { passed, failed, worst }))
    })
}

/// The order of effectiveness: untested is between ineffective and partly effective.
fn rank(effectiveness: Effectiveness) -> u8 {
    match effectiveness {
        Effectiveness::Ineffective => 0,
        Effectiveness::NotTested | Effectiveness::PartlyEffective => 1,
        Effectiveness::Effective => 2,
    }
}

#[test]
fn tests_and_findings_decide_by_the_rule() {
    let of = |passed, failed, worst| Proof { passed, failed, worst }.effectiveness();
    assert_eq!(of(0, 0, None), Effectiveness::NotTested);
    assert_eq!(of(0, 0, Some(Severity::Low)), Effectiveness::NotTested);
    assert_eq!(of(2, 0, Some(Severity::Info)), Effectiveness::Effective);
    assert_eq!(of(2, 1, None), Effectiveness::PartlyEffective);
    assert_eq!(of(0, 1, None), Effectiveness::Ineffective);
    assert_eq!(of(3, 0, Some(Severity::Medium)), Effectiveness::PartlyEffective);
    assert_eq!(of(3, 0, Some(Severity::Critical)), Effectiveness::Ineffective);
}

#[test]
fn one_more_passed_test_never_lowers_it_and_trouble_never_raises_it() {
    for proof in proofs() {
        let now = rank(proof.effectiveness());
        let passed = Proof { passed: proof.passed + 1, ..proof };
        assert!(rank(passed.effectiveness()) >= now, "{proof:?}");
        let failed = Proof { failed: proof.failed + 1, ..proof };
        assert!(rank(failed.effectiveness()) <= now, "{proof:?}");
        let critical = Proof { worst: Some(Severity::Critical), ..proof };
        assert_eq!(critical.effectiveness(), Effectiveness::Ineffective);
    }
}

#[test]
fn a_new_control_is_planned_and_due_only_once_it_is_in_force() {
    let yearly = ControlInput { cadence: set("yearly"), ..input() };
    let control = yearly.create(reference(), &world()).unwrap();
    assert_eq!((control.status, control.next_due_on), (ControlStatus::Planned, None));
    assert_eq!(control.effectiveness(), Effectiveness::NotTested);
    let start = ControlInput { status: set("implemented"), ..ControlInput::default() };
    let control = start.change(&control, &world()).unwrap();
    assert_eq!(control.next_due_on, Some(day("2027-11-14")));
    let monthly = ControlInput { cadence: set("monthly"), ..ControlInput::default() };
    let control = monthly.change(&control, &world()).unwrap();
    assert_eq!(control.next_due_on, Some(day("2026-12-14")), "another cadence, another day");
    let retired = ControlInput { status: set("retired"), ..ControlInput::default() };
    assert_eq!(retired.change(&control, &world()).unwrap().next_due_on, None);
    assert_eq!(ControlInput::default().change(&control, &world()), Ok(control));
}

#[test]
fn a_performance_moves_the_day_and_a_late_entry_does_not() {
    let monthly = ControlInput { cadence: set("monthly"), status: set("implemented"), ..input() };
    let control = monthly.create(reference(), &world()).unwrap();
    let perform = |on: &str, control: &Control| {
        PerformedInput { on: set(on), ..PerformedInput::default() }.perform(control, day("2027-03-31"))
    };
    let (_, control) = perform("2027-01-31", &control).unwrap();
    assert_eq!(control.next_due_on, Some(day("2027-02-28")));
    let (performance, same) = perform("2027-01-02", &control).unwrap();
    assert_eq!((performance.on, same), (day("2027-01-02"), control.clone()));
    let (_, control) = perform("2027-02-28", &control).unwrap();
    assert_eq!(control.next_due_on, Some(day("2027-03-28")));
    assert_eq!(perform("2027-04-01", &control).unwrap_err().to_string(), "on must not be in the future");
    let implements = PerformedInput { implements: true, ..PerformedInput::default() };
    let (_, implemented) = implements.perform(&control, day("2027-03-31")).unwrap();
    assert_eq!(implemented.status, ControlStatus::Implemented);
    let retired = Control { status: ControlStatus::Retired, ..control };
    assert!(perform("2027-03-01", &retired).unwrap_err().to_string().contains("is retired"));
}

#[test]
fn a_person_overrules_with_a_reason_and_takes_it_back() {
    let control = input().create(reference(), &world()).unwrap();
    let word = ControlInput { effectiveness: set("effective"), ..ControlInput::default() };
    let complaint = word.change(&control, &world()).unwrap_err().to_string();
    assert!(complaint.starts_with("effectiveness_reason is required when a person overrules"), "{complaint}");
    let reasoned = ControlInput { effectiveness_reason: set("Audited by the group"), ..word };
    let control = reasoned.change(&control, &world()).unwrap();
    assert_eq!(control.effectiveness(), Effectiveness::Effective);
    let other = ControlInput { effectiveness: set("ineffective"), ..ControlInput::default() };
    assert!(other.change(&control, &world()).is_err(), "a new word needs a new reason");
    let stray = ControlInput { effectiveness_reason: set("Because"), ..ControlInput::default() };
    assert_eq!(stray.change(&control, &world()).unwrap().overrule.unwrap().reason.as_str(), "Because");
    let back = ControlInput { effectiveness: Change::Clear, ..ControlInput::default() };
    let control = back.change(&control, &world()).unwrap();
    assert_eq!((control.effectiveness(), control.overrule.clone()), (Effectiveness::NotTested, None));
    assert!(stray.change(&control, &world()).is_err(), "a reason for nothing");
}

#[test]
fn what_the_catalogue_does_not_know_is_refused() {
    let strange = ControlInput {
        measure_id: set("risk-fire"),
        requirements: Change::Set(vec!["dora-art-05-01".into(), "law-1".into()]),
        next_due_on: set("2027-01-01"),
        ..input()
    };
    let complaint = strange.create(reference(), &world()).unwrap_err().to_string();
    assert_eq!(
        complaint,
        "measure_id is not the id of a measure in the catalogue; \
         next_due_on is only for a control with a cadence: choose one first; \
         requirements item 2 is not the id of a requirement in the catalogue"
    );
}

#[test]
fn references_are_padded_and_grow() {
    assert_eq!(ControlReference::new(1).unwrap().to_string(), "C-0001");
    assert_eq!(ControlReference::new(12_345).unwrap().to_string(), "C-12345");
    assert!(ControlReference::new(0).is_none() && ControlReference::new(-1).is_none());
}
