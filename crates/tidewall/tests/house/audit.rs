//! Every action in the audit log has a sentence in both languages.

use domain::audit_action::sentence;

use super::{product, sources};

/// The first text of the form `noun.verb` in some lines.
fn action(lines: &str) -> Option<&str> {
    lines.split('"').skip(1).step_by(2).find(|text| {
        let word = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        };
        text.split_once('.').is_some_and(|(noun, verb)| word(noun) && word(verb))
    })
}

#[test]
fn every_action_of_the_audit_log_has_a_sentence() {
    let mut found = 0;
    for (path, text) in sources("crates/app/src") {
        let lines: Vec<&str> = product(&text).lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let records =
                ["audit::record(tx", "audit::record(", ".audit(tx,"].iter().any(|call| line.contains(call));
            if !records || line.contains("fn ") {
                continue;
            }
            let call = lines[number..lines.len().min(number + 7)].join("\n");
            let Some(action) = action(&call) else { continue };
            found += 1;
            let known = sentence(action).is_some();
            assert!(
                known,
                "{path}: {action} has no sentence: add it to domain/src/operations/audit_action.rs"
            );
        }
    }
    assert!(found > 40, "only {found} calls were found");
}

#[test]
fn every_kind_of_record_has_its_three_sentences() {
    let mut found = 0;
    for (path, text) in sources("crates/app/src") {
        for line in product(&text).lines() {
            let Some((_, rest)) = line.split_once("const NOUN: &'static str = \"") else { continue };
            let noun = rest.trim_end_matches("\";");
            found += 1;
            for verb in ["created", "changed", "deleted"] {
                let action = format!("{noun}.{verb}");
                assert!(sentence(&action).is_some(), "{path}: {action} has no sentence");
            }
        }
    }
    assert!(found >= 3, "only {found} kinds were found");
}
