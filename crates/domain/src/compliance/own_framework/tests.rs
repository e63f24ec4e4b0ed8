use super::*;
use crate::{
    change::Change,
    transition::tests::{allows_exactly, is_sound},
};

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn framework() -> OwnFramework {
    let input =
        OwnFrameworkInput { key: set("house-it"), title: set("IT policy"), ..OwnFrameworkInput::default() };
    let made = input.create().unwrap();
    OwnFramework { content: 1, requirements: 3, ..made }.edited_by("usr_1")
}

fn now() -> Moment {
    "2026-11-14T12:00:00Z".parse().unwrap()
}

#[test]
fn goes_the_ways_of_the_table() {
    is_sound::<OwnFrameworkStatus>();
    allows_exactly::<OwnFrameworkStatus>(&[
        ("draft", &["approved", "retired"]),
        ("approved", &["draft", "retired"]),
        ("retired", &["draft"]),
    ]);
}

#[test]
fn a_key_begins_with_a_letter_and_stays() {
    for wrong in ["", "27001", "House", "a--b", "-a"] {
        let input =
            OwnFrameworkInput { key: set(wrong), title: set("IT policy"), ..OwnFrameworkInput::default() };
        assert!(input.create().unwrap_err().to_string().starts_with("key must begin"), "{wrong}");
    }
    let other = OwnFrameworkInput { key: set("house-hr"), ..OwnFrameworkInput::default() };
    let refused = other.change(&framework()).unwrap_err().to_string();
    assert!(refused.starts_with("key cannot be changed"), "{refused}");
    let same = OwnFrameworkInput { key: set("house-it"), ..OwnFrameworkInput::default() };
    assert_eq!(same.change(&framework()), Ok(framework()));
}

#[test]
fn keys_that_begin_alike_are_too_close() {
    let known = ["dora", "iso-27001"];
    for close in ["dora", "dora-house", "iso"] {
        assert!(too_close(close, known).is_some(), "{close}");
    }
    for apart in ["doras", "house-dora", "iso-2700"] {
        assert_eq!(too_close(apart, known), None, "{apart}");
    }
}

fn by(name: &str, is_editor: bool) -> Decider<'_> {
    Decider { name, is_editor }
}

#[test]
fn only_a_person_who_changed_nothing_approves_and_a_change_makes_a_draft() {
    let draft = framework();
    assert_eq!(draft.approved_by(by("usr_1", true), now()), Err(OwnFrameworkComplaint::SamePerson));
    let empty = OwnFramework { requirements: 0, ..draft.clone() };
    assert_eq!(empty.approved_by(by("usr_2", false), now()), Err(OwnFrameworkComplaint::NoRequirements));
    let approved = draft.approved_by(by("usr_2", false), now()).unwrap();
    assert_eq!(approved.status, OwnFrameworkStatus::Approved);
    assert_eq!(approved.in_force.as_ref().map(|held| held.content), Some(1));
    assert!(approved.editors.is_empty() && !approved.is_in_revision());
    let changed = OwnFramework { content: 2, ..approved }.edited_by("usr_2");
    assert_eq!(changed.status, OwnFrameworkStatus::Draft);
    assert_eq!(changed.in_force.as_ref().map(|held| held.content), Some(1), "what was approved stays");
    assert!(changed.is_in_revision());
    assert_eq!(changed.approved_by(by("usr_2", true), now()), Err(OwnFrameworkComplaint::SamePerson));
    assert!(changed.approved_by(by("usr_1", false), now()).is_ok());
    assert_eq!(changed.retired().in_force, None);
}

#[test]
fn a_retired_one_is_taken_up_before_it_is_changed() {
    let retired = framework().retired();
    let change = OwnFrameworkInput { title: set("Other"), ..OwnFrameworkInput::default() };
    assert!(change.change(&retired).unwrap_err().to_string().contains("take the framework up again"));
    let again = OwnFrameworkInput { status: set("draft"), ..OwnFrameworkInput::default() };
    assert_eq!(again.change(&retired).unwrap().status, OwnFrameworkStatus::Draft);
}

fn read(input: &OwnRequirementInput) -> Result<OwnRequirement, String> {
    let world = RequirementWorld {
        key: "house-it".parse().unwrap(),
        is_measure: &|id| id == "measure-a",
        is_requirement: &|id| id == "dora-art-05-01",
    };
    input.read(&world).map_err(|violations| violations.to_string())
}

fn requirement() -> OwnRequirementInput {
    OwnRequirementInput {
        number: set("4.2 (b)"),
        title: set("Change records"),
        text: set("Every change is recorded."),
        ..OwnRequirementInput::default()
    }
}

#[test]
fn the_id_follows_from_the_number() {
    let made = read(&requirement()).unwrap();
    assert_eq!((made.id.as_str(), made.number.as_str()), ("house-it-4-2-b", "4.2 (b)"));
    assert_eq!(read(&made.input()), Ok(made));
    let named = OwnRequirementInput { id: set("house-it-c7"), number: Change::Keep, ..requirement() };
    assert_eq!(read(&named).unwrap().number, "C7");
    let neither = OwnRequirementInput { number: Change::Keep, ..requirement() };
    assert!(read(&neither).unwrap_err().starts_with("id is required"));
}

#[test]
fn ids_and_mentions_that_are_not_known_are_refused() {
    for wrong in ["house-it", "house-it-", "house-hr-1", "house-it-A", "house-it-a--b"] {
        let input = OwnRequirementInput { id: set(wrong), ..requirement() };
        assert!(read(&input).unwrap_err().starts_with("id must begin with house-it-"), "{wrong}");
    }
    let named = OwnRequirementInput {
        measures: Change::Set(vec!["measure-a".into(), "measure-b".into()]),
        based_on: Change::Set(vec!["dora-art-05-01".into()]),
        ..requirement()
    };
    assert_eq!(read(&named).unwrap_err(), "measures item 2 is not a measure of the catalogue");
}

#[test]
fn a_long_text_is_refused() {
    let input = OwnRequirementInput { text: Change::Set("x".repeat(6_001)), ..requirement() };
    assert_eq!(read(&input).unwrap_err(), "text must be at most 6000 characters long");
}
