use super::*;
use crate::{
    change::Change,
    transition::tests::{allows_exactly, is_sound},
    vocabulary::tests::is_sound as words_are_sound,
};

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn rated(likelihood: f64, impact: f64) -> Change<RatingInput> {
    Change::Set(RatingInput { likelihood: Change::Set(likelihood), impact: Change::Set(impact) })
}

fn input() -> RiskInput {
    RiskInput {
        title: set("Ransomware"),
        category: set("cyber-attack"),
        inherent: rated(4.0, 5.0),
        ..RiskInput::default()
    }
}

fn as_actor<T>(actor: &str, work: impl FnOnce(&RiskRules<'_>) -> T) -> T {
    let today = "2026-11-14".parse().unwrap();
    let appetite = Appetite::default();
    let rules = RiskRules {
        today,
        actor,
        proposer: actor,
        appetite: &appetite,
        is_finding: &|_| false,
        is_editor: false,
    };
    work(&rules)
}

fn created(input: &RiskInput) -> Risk {
    as_actor("usr_a", |rules| input.create(RiskReference::new(1).unwrap(), None, rules)).unwrap()
}

fn proposal(until: &str) -> Change<AcceptanceInput> {
    Change::Set(AcceptanceInput { reason: set("Too costly to change"), until: set(until) })
}

#[test]
fn words_and_moves_are_sound() {
    words_are_sound::<RiskLevel>();
    words_are_sound::<RiskCategory>();
    words_are_sound::<RiskTreatment>();
    is_sound::<RiskStatus>();
    allows_exactly::<RiskStatus>(&[
        ("open", &["treating", "accepted", "closed"]),
        ("treating", &["open", "accepted", "closed"]),
        ("accepted", &["open", "treating", "closed"]),
        ("closed", &["open"]),
    ]);
}

#[test]
fn a_level_follows_from_the_sum() {
    let level = |likelihood, impact| Rating::new(likelihood, impact).unwrap().level();
    assert_eq!(level(1, 1), RiskLevel::Low);
    assert_eq!((level(2, 2), level(1, 4)), (RiskLevel::Low, RiskLevel::Medium));
    assert_eq!((level(3, 3), level(2, 5)), (RiskLevel::Medium, RiskLevel::High));
    assert_eq!((level(3, 5), level(5, 5)), (RiskLevel::Critical, RiskLevel::Critical));
    assert_eq!((Rating::new(0, 1), Rating::new(1, 6)), (None, None));
}

#[test]
fn references_have_one_spelling() {
    assert_eq!(RiskReference::new(7).unwrap().to_string(), "R-0007");
    assert_eq!("R-12345".parse(), RiskReference::new(12_345));
    for bad in ["R-7", "R-00007", "R-0000", "r-0007", "R--007", "R-+007", ""] {
        assert_eq!(bad.parse::<RiskReference>(), Err(NotARiskReference), "{bad}");
    }
}

#[test]
fn a_new_risk_needs_title_category_and_rating() {
    let complaints = as_actor("usr_a", |rules| {
        RiskInput::default().create(RiskReference::new(1).unwrap(), None, rules).unwrap_err().to_string()
    });
    assert_eq!(complaints, "category is required; inherent is required; title is required");
    let risk = created(&input());
    assert_eq!((risk.residual, risk.status), (risk.inherent, RiskStatus::Open));
    let wrong =
        RiskInput { inherent: rated(0.0, 2.5), functions: Change::Set(vec!["Payments".into()]), ..input() };
    let complaints = as_actor("usr_a", |rules| {
        wrong.create(RiskReference::new(1).unwrap(), None, rules).unwrap_err().to_string()
    });
    assert_eq!(
        complaints,
        "functions item 1 must be the id of a function (fun_…); inherent.impact must be a whole number from 1 to 5; \
         inherent.likelihood must be a whole number from 1 to 5"
    );
}

#[test]
fn an_adopted_risk_is_unrated_until_a_person_rates_it() {
    let bare = RiskInput { title: set("Outage"), category: set("availability"), ..RiskInput::default() };
    let risk = as_actor("usr_a", |rules| {
        bare.create(RiskReference::new(1).unwrap(), Some("risk-data-centre-failure"), rules).unwrap()
    });
    assert_eq!((risk.inherent, risk.residual, risk.treatment), (None, None, RiskTreatment::Undecided));
    let strict =
        Appetite { levels: [(RiskCategory::Availability, RiskLevel::Low)].into(), ..Appetite::default() };
    assert_eq!(strict.exceeded(&risk), None, "an unrated risk exceeds nothing");
    let accept =
        RiskInput { status: set("accepted"), acceptance: proposal("2027-01-01"), ..RiskInput::default() };
    let refused = as_actor("usr_a", |rules| accept.change(&risk, rules)).unwrap_err().to_string();
    assert_eq!(refused, "residual must be rated before the risk is accepted");
    let owned = RiskInput { owner: set("Dana Weber"), inherent: Change::Clear, ..RiskInput::default() };
    assert_eq!(as_actor("usr_a", |rules| owned.change(&risk, rules)).unwrap().inherent, None);
    let rated = RiskInput { inherent: rated(3.0, 3.0), residual: rated(2.0, 2.0), ..RiskInput::default() };
    let rated = as_actor("usr_a", |rules| rated.change(&risk, rules)).unwrap();
    assert_eq!(rated.residual, Rating::new(2, 2));
    let again = RiskInput { inherent: Change::Clear, ..RiskInput::default() };
    assert!(as_actor("usr_a", |rules| again.change(&rated, rules)).is_err(), "a rating stays");
}

#[test]
fn a_grave_risk_is_accepted_by_a_second_person() {
    let risk = created(&input());
    let at_once =
        RiskInput { status: set("accepted"), acceptance: proposal("2027-01-01"), ..RiskInput::default() };
    let refused = as_actor("usr_a", |rules| at_once.change(&risk, rules)).unwrap_err().to_string();
    assert!(refused.starts_with("acceptance needs a second person from level high on"), "{refused}");

    let proposed = RiskInput { acceptance: proposal("2027-01-01"), ..RiskInput::default() };
    let proposed = as_actor("usr_a", |rules| proposed.change(&risk, rules)).unwrap();
    assert_eq!(proposed.acceptance.as_ref().unwrap().approved_by, None);
    let approve = RiskInput { status: set("accepted"), ..RiskInput::default() };
    assert!(as_actor("usr_a", |rules| approve.change(&proposed, rules)).is_err());
    let reworded =
        RiskInput { status: set("accepted"), acceptance: proposal("2027-02-01"), ..RiskInput::default() };
    assert!(
        as_actor("usr_b", |rules| reworded.change(&proposed, rules)).is_err(),
        "other words are a new proposal"
    );
    let accepted = as_actor("usr_b", |rules| approve.change(&proposed, rules)).unwrap();
    assert_eq!(accepted.acceptance.as_ref().unwrap().approved_by.as_deref(), Some("usr_b"));
    assert_eq!(accepted.accepted_until(), "2027-01-01".parse().ok());
    let longer = RiskInput { acceptance: proposal("2030-01-01"), ..RiskInput::default() };
    assert!(as_actor("usr_b", |rules| longer.change(&accepted, rules)).is_err());
    assert_eq!(accepted.lapsed("2027-01-01".parse().unwrap()), None);
    let lapsed = accepted.lapsed("2027-01-02".parse().unwrap()).unwrap();
    assert_eq!((lapsed.status, lapsed.acceptance), (RiskStatus::Open, None));
}

#[test]
fn a_small_risk_is_accepted_at_once_and_cannot_grow_unseen() {
    let risk = created(&RiskInput { residual: rated(2.0, 2.0), ..input() });
    let at_once =
        RiskInput { status: set("accepted"), acceptance: proposal("2027-01-01"), ..RiskInput::default() };
    let accepted = as_actor("usr_a", |rules| at_once.change(&risk, rules)).unwrap();
    let graver = RiskInput { residual: rated(5.0, 5.0), ..RiskInput::default() };
    let refused = as_actor("usr_a", |rules| graver.change(&accepted, rules)).unwrap_err().to_string();
    assert!(refused.starts_with("residual cannot rise"), "{refused}");
    let reopened = RiskInput { status: set("open"), ..RiskInput::default() };
    assert_eq!(as_actor("usr_a", |rules| reopened.change(&accepted, rules)).unwrap().acceptance, None);
    let past =
        RiskInput { status: set("accepted"), acceptance: proposal("2026-11-14"), ..RiskInput::default() };
    assert!(as_actor("usr_a", |rules| past.change(&risk, rules)).is_err());
    let bare = RiskInput { status: set("accepted"), ..RiskInput::default() };
    let refused = as_actor("usr_a", |rules| bare.change(&risk, rules)).unwrap_err().to_string();
    assert!(refused.starts_with("acceptance is required to accept a risk"), "{refused}");
}

#[test]
fn appetite_is_exceeded_by_a_graver_level_only() {
    let risk = created(&input());
    let with =
        |level| Appetite { levels: [(RiskCategory::CyberAttack, level)].into(), ..Appetite::default() };
    assert_eq!(with(RiskLevel::High).exceeded(&risk), Some(RiskLevel::High));
    assert_eq!(with(RiskLevel::Critical).exceeded(&risk), None);
    assert_eq!(Appetite::default().exceeded(&risk), None);
}
