//! Conventions of the code: small files, lints silenced only with a reason, nothing left unfinished, plain comments.

use super::sources;

#[test]
fn files_stay_readable() {
    for (path, text) in sources("crates") {
        let (lines, most) = (text.lines().count(), if path.contains("/src/") { 400 } else { 600 });
        assert!(lines <= most, "{path} has {lines} lines: split it");
    }
}

#[test]
fn lints_are_expected_with_a_reason_and_nothing_is_left_for_later() {
    let words = ["#[allow(", "#![allow(", "todo!(", "unimplemented!(", "FIXME", "// XXX", "#[ignore"];
    for (path, text) in sources("crates") {
        if path.starts_with("crates/tidewall/tests/house") {
            continue;
        }
        for word in words {
            assert!(!text.contains(word), "{path} holds {word}");
        }
    }
}

#[test]
fn comments_name_who_acts() {
    let vague = ["whoever", "nobody", "somebody"];
    for (path, text) in sources("crates") {
        if !path.contains("/src/") {
            continue;
        }
        for (number, line) in text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//"))
        {
            let line = line.to_lowercase();
            let mut words = line.split(|sign: char| !sign.is_alphanumeric());
            let found = words.find(|word| vague.contains(word));
            assert_eq!(found, None, "{path}:{}: name the caller, the user or the process", number + 1);
        }
    }
}

/// A page and a report show a state in the same colour, because it is decided beside the state.
#[test]
fn reports_do_not_decide_the_colour_of_a_state() {
    for (path, text) in sources("crates/app/src/report") {
        for (number, line) in text.lines().enumerate() {
            let decides =
                ["Status::", "Level::", "Severity::", "Priority::", "Substitutability::", "State::"];
            let wrong = line.contains("=> Tone::") && decides.iter().any(|kind| line.contains(kind));
            let fixed = line.contains("Tone::") && line.contains(".status.label()");
            assert!(!wrong && !fixed, "{path}:{}: ask the state for its tone", number + 1);
        }
    }
}
