use super::*;
use crate::{
    change::Change,
    control::{ControlStatus, Effectiveness},
    vocabulary::tests::is_sound,
    wording::{Language, Sentence as _},
};

fn now() -> Moment {
    Moment::from_millis(1_794_664_800_000)
}

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn other(name: &str) -> Decider<'_> {
    Decider { name, is_editor: false }
}

fn editor(name: &str) -> Decider<'_> {
    Decider { name, is_editor: true }
}

fn met() -> AssessmentInput {
    AssessmentInput { status: set("met"), ..AssessmentInput::default() }
}

#[test]
fn a_requirement_without_a_decision_is_stated_as_not_decided() {
    is_sound::<StatedApplicability>();
    is_sound::<JustificationSource>();
    let bare = Assessment::UNTOUCHED;
    assert_eq!(bare.stated(true), StatedApplicability::NotDecided);
    assert_eq!(bare.stated(false), StatedApplicability::NotDecided, "the profile is no decision");
    let with = |status| Assessment { status, ..Assessment::UNTOUCHED };
    assert_eq!(with(AssessmentStatus::NotMet).stated(true), StatedApplicability::Applies);
    assert_eq!(with(AssessmentStatus::NotApplicable).stated(true), StatedApplicability::DoesNotApply);
    let word = AppliesOverride { applies: false, reason: Prose::parse("No development").unwrap() };
    let refused = Assessment { applies: Some(word), ..Assessment::UNTOUCHED };
    assert_eq!(refused.stated(true), StatedApplicability::DoesNotApply);
}

#[test]
fn every_list_is_sound() {
    is_sound::<AssessmentStatus>();
}

#[test]
fn a_change_is_signed_and_takes_the_approval_back() {
    let assessed = met().change(&Assessment::UNTOUCHED, true, "usr_1", now()).unwrap();
    assert_eq!(assessed.assessed, Some(Signed { at: now(), by: "usr_1".into() }));
    assert_eq!(assessed.approve(editor("usr_1"), now()), Err(AssessmentComplaint::SamePerson));
    let approved = assessed.approve(other("usr_2"), now()).unwrap();
    assert_eq!(approved.approved.as_ref().unwrap().by, "usr_2");
    assert_eq!(approved.approve(other("usr_3"), now()), Err(AssessmentComplaint::AlreadyApproved));
    assert_eq!(assessed.editors, ["usr_1"]);
    assert!(approved.editors.is_empty());
    let same = met().change(&approved, true, "usr_3", now()).unwrap();
    assert_eq!(same, approved, "saying the same again changes nothing");
    let handed_over = AssessmentInput { owner: set("Dana Weber"), ..AssessmentInput::default() };
    let owned = handed_over.change(&approved, true, "usr_2", now()).unwrap();
    assert_eq!((owned.approved, owned.changed_by.as_deref()), (None, Some("usr_2")));
    assert_eq!(owned.assessed, approved.assessed, "another owner is no new judgement");
    assert_eq!(Assessment::UNTOUCHED.approve(other("usr_2"), now()), Err(AssessmentComplaint::NotAssessed));
}

#[test]
fn every_editor_since_the_approval_is_remembered() {
    let by = |name: &str, before: &Assessment, words: &str| {
        let input = AssessmentInput { rationale: set(words), ..met() };
        input.change(before, true, name, now()).unwrap()
    };
    let first = by("usr_1", &Assessment::UNTOUCHED, "Two of three");
    let second = by("usr_2", &first, "Two of three.");
    assert_eq!(second.editors, ["usr_1", "usr_2"], "a colleague's edit does not free the author");
    let approved = second.approve(other("usr_3"), now()).unwrap();
    assert_eq!(by("usr_2", &approved, "Three").editors, ["usr_2"]);
}

#[test]
fn what_does_not_apply_needs_a_reason() {
    let bare = AssessmentInput { status: set("not_applicable"), ..AssessmentInput::default() };
    let complaint = bare.change(&Assessment::UNTOUCHED, true, "usr_1", now()).unwrap_err().to_string();
    assert!(complaint.starts_with("rationale is required for not_applicable"), "{complaint}");
    let reasoned = AssessmentInput { reason: set("No cards are issued"), ..bare };
    let changed = reasoned.change(&Assessment::UNTOUCHED, true, "usr_1", now()).unwrap();
    assert_eq!(changed.rationale.as_ref().unwrap().as_str(), "No cards are issued");
    assert!(!changed.counts(true));

    let against = AssessmentInput { applies: Change::Set(false), ..AssessmentInput::default() };
    let complaint = against.change(&Assessment::UNTOUCHED, true, "usr_1", now()).unwrap_err().to_string();
    assert!(complaint.starts_with("applies_reason is required"), "{complaint}");
    let with = AssessmentInput { applies_reason: set("Run by the parent"), ..against };
    let changed = with.change(&Assessment::UNTOUCHED, true, "usr_1", now()).unwrap();
    assert!(!changed.applies(true));
    let agreeing = AssessmentInput { applies: Change::Set(true), ..AssessmentInput::default() };
    assert!(agreeing.change(&changed, true, "usr_1", now()).unwrap().applies.is_none());
    let back = AssessmentInput { applies: Change::Clear, ..AssessmentInput::default() };
    assert!(back.change(&changed, true, "usr_1", now()).unwrap().applies(true));
}

#[test]
fn maturity_is_a_whole_number_from_0_to_4() {
    let with = |level: f64| {
        let input = AssessmentInput { maturity: Change::Set(level), ..met() };
        input.change(&Assessment::UNTOUCHED, true, "usr_1", now()).map(|assessment| assessment.maturity)
    };
    assert_eq!((with(0.0), with(-0.0), with(4.0)), (Ok(Some(0)), Ok(Some(0)), Ok(Some(4))));
    for wrong in [-1.0, 4.5, 5.0, f64::NAN, f64::INFINITY] {
        assert!(with(wrong).is_err(), "{wrong}");
    }
}

fn control(status: ControlStatus, effectiveness: Effectiveness) -> ControlState {
    ControlState { status, effectiveness }
}

#[test]
fn controls_propose_a_status_with_its_reason() {
    use ControlStatus::{Implemented, InProgress, Planned, Retired};
    use Effectiveness::{Effective, Ineffective, NotTested};
    let of = |controls: &[ControlState]| {
        let proposal = Proposal::of(controls.iter().copied());
        (proposal.status, proposal.because.to_string())
    };
    let works = control(Implemented, Effective);
    assert_eq!(of(&[]).0, AssessmentStatus::NotAssessed);
    assert_eq!(of(&[control(Retired, Effective)]).1, "no control is linked to this requirement");
    assert_eq!(
        of(&[control(Planned, NotTested), control(InProgress, NotTested)]),
        (AssessmentStatus::NotMet, "controls in force: none of 2".into())
    );
    assert_eq!(of(&[works]).0, AssessmentStatus::Met);
    assert_eq!(of(&[works, control(Retired, Ineffective)]).0, AssessmentStatus::Met);
    assert_eq!(of(&[works, control(Planned, NotTested)]).1, "controls in force: 1 of 2");
    assert_eq!(
        of(&[works, control(Implemented, NotTested)]),
        (AssessmentStatus::PartlyMet, "controls proven effective: 1 of 2".into())
    );
    assert_eq!(of(&[control(Implemented, Ineffective)]).0, AssessmentStatus::NotMet);
    let german = Proposal::of([works]).because.text(Language::German);
    assert_eq!(german, "Umgesetzte und als wirksam belegte Kontrollen: 1 von 1");
}

/// Every set of up to three controls.
fn sets() -> Vec<Vec<ControlState>> {
    let each: Vec<ControlState> = ControlStatus::ALL
        .iter()
        .flat_map(|status| Effectiveness::ALL.iter().map(|effect| control(*status, *effect)))
        .collect();
    let mut sets = vec![Vec::new()];
    for length in 1..=3_usize {
        let shorter: Vec<_> = sets.iter().filter(|set: &&Vec<_>| set.len() == length - 1).cloned().collect();
        for set in shorter {
            sets.extend(each.iter().map(|one| [set.clone(), vec![*one]].concat()));
        }
    }
    sets
}

#[test]
fn better_proof_of_a_control_never_lowers_the_proposal() {
    let rank = |status| match status {
        AssessmentStatus::NotMet | AssessmentStatus::NotAssessed | AssessmentStatus::NotApplicable => 0,
        AssessmentStatus::PartlyMet => 1,
        AssessmentStatus::Met => 2,
    };
    for set in sets() {
        let before = rank(Proposal::of(set.iter().copied()).status);
        for place in 0..set.len() {
            let mut better = set.clone();
            better[place].effectiveness = Effectiveness::Effective;
            assert!(rank(Proposal::of(better).status) >= before, "{set:?} at {place}");
        }
    }
}

#[test]
fn percentages_count_what_applies() {
    let mut tally = AssessmentTally::default();
    assert_eq!((tally.met_pct(), tally.is_started()), (None, false));
    let assessed = met().change(&Assessment::UNTOUCHED, true, "usr_1", now()).unwrap();
    tally.add(&Assessment::UNTOUCHED, true, false);
    assert!(!tally.is_started());
    tally.add(&assessed, true, false);
    tally.add(&assessed.approve(other("usr_2"), now()).unwrap(), true, false);
    tally.add(&assessed, false, false);
    assert_eq!((tally.requirements, tally.applicable, tally.approved), (4, 3, 1));
    assert_eq!(tally.with_status(AssessmentStatus::NotApplicable), 1);
    assert_eq!(tally.met_pct().unwrap().to_string(), "66.67");
    assert_eq!(tally.approved_pct().unwrap().to_string(), "33.33");
}

#[test]
fn an_answer_is_carried_over_with_its_source() {
    let from = || CarriedFrom { requirement: "nist-csf-de-ae-02".into(), crosswalk: "crosswalk-a".into() };
    let refused = Assessment::UNTOUCHED.carry_to(&Assessment::UNTOUCHED, from(), "usr_1", now());
    assert_eq!(refused, Err(AssessmentComplaint::NothingToCarry));
    let source = met().change(&Assessment::UNTOUCHED, true, "usr_1", now()).unwrap();
    let owned = AssessmentInput { owner: set("Dana Weber"), ..AssessmentInput::default() };
    let target = owned.change(&Assessment::UNTOUCHED, true, "usr_2", now()).unwrap();
    let carried = source.carry_to(&target, from(), "usr_3", now()).unwrap();
    assert_eq!(
        (carried.status, carried.owner.as_ref().unwrap().as_str()),
        (AssessmentStatus::Met, "Dana Weber")
    );
    assert_eq!((carried.changed_by.as_deref(), carried.carried_from.clone()), (Some("usr_3"), Some(from())));
    let own = AssessmentInput { status: set("not_met"), ..AssessmentInput::default() };
    let changed = own.change(&carried, true, "usr_2", now()).unwrap();
    assert_eq!(changed.carried_from, None, "an own judgement has no source");
}
