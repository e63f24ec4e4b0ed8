//! A small example table, and the checks of every real table.

#![expect(unreachable_pub, reason = "the table of these tests is used nowhere else")]

use std::collections::HashSet;

use super::*;

lifecycle! {
    /// A door.
    Door ("a door", "eine Tür") starts at Shut {
        Shut = "shut" ("Shut", "Zu") => [Open ("Open", "Öffnen"), Gone ("Remove", "Entfernen")],
        Open = "open" ("Open", "Offen") => [Shut ("Shut", "Schließen")],
        Gone = "gone" ("Gone", "Weg") => [],
    }
}

/// The rules for every table: valid words, every state reachable, no transition to itself or twice, labels.
pub(crate) fn is_sound<S: Lifecycle + std::hash::Hash + fmt::Debug>() {
    crate::vocabulary::tests::is_sound::<S>();
    let mut reached = HashSet::from([S::INITIAL]);
    let mut ahead = vec![S::INITIAL];
    while let Some(state) = ahead.pop() {
        let next: HashSet<_> = state.moves().iter().map(|step| step.to).collect();
        assert_eq!(next.len(), state.moves().len(), "{state:?} names a move twice");
        assert!(!next.contains(&state), "{state:?} moves to itself");
        for step in state.moves() {
            assert!(!step.action.en.is_empty() && !step.action.de.is_empty());
            if reached.insert(step.to) {
                ahead.push(step.to);
            }
        }
    }
    assert_eq!(reached.len(), S::ALL.len(), "states that cannot be reached");
}

/// Compares a table with an expected one: `from: to, to; …` in any order.
pub(crate) fn allows_exactly<S: Lifecycle>(expected: &[(&str, &[&str])]) {
    assert_eq!(expected.len(), S::ALL.len());
    for (from, allowed) in expected {
        let from = S::find(from).unwrap();
        for to in S::ALL.iter().copied() {
            let verdict = from.moved_to_word(to.as_str());
            assert_eq!(
                verdict.is_ok(),
                allowed.contains(&to.as_str()),
                "{} → {}",
                from.as_str(),
                to.as_str()
            );
        }
    }
}

#[test]
fn the_door_is_sound() {
    is_sound::<Door>();
    allows_exactly::<Door>(&[("shut", &["open", "gone"]), ("open", &["shut"]), ("gone", &[])]);
}

#[test]
fn refusals_name_the_way_on() {
    let text = |from: Door, word| from.moved_to_word(word).unwrap_err().to_string();
    assert_eq!(text(Door::Open, "gone"), "cannot go from open to gone; from open a door can go to shut");
    assert_eq!(
        text(Door::Shut, "ajar"),
        "must be one of shut, open, gone; from shut a door can go to open, gone"
    );
    assert_eq!(text(Door::Open, "open"), "is already open; from open a door can go to shut");
    assert_eq!(text(Door::Gone, "open"), "cannot go from gone to open; gone is final for a door");
}

#[test]
fn a_new_record_starts_at_the_start() {
    assert_eq!(Door::initial_from_word("shut"), Ok(Door::Shut));
    for later in ["open", "ajar", ""] {
        assert_eq!(
            Door::initial_from_word(later).unwrap_err().to_string(),
            "must be shut for a door that is new; create it first, then move it"
        );
    }
}

#[test]
fn the_documentation_is_the_table() {
    let expected = "\
| Status | Meaning | Can go to |
|---|---|---|
| `shut` (start) | Shut | `open` (Open), `gone` (Remove) |
| `open` | Open | `shut` (Shut) |
| `gone` | Gone | nowhere: final |
";
    assert_eq!(markdown::<Door>(Language::English), expected);
    assert!(markdown::<Door>(Language::German).contains("| `gone` | Weg | nichts: endgültig |"));
}
