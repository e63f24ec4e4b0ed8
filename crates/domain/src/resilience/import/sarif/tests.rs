//! Files as common tools write them, and malicious ones.

use std::{io::Cursor, ops::ControlFlow};

use super::*;

/// As a compiled analyser writes it: rules in an extension, results before the tool, scores on the rules.
const ANALYSER: &str = r#"{
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [{
    "results": [
      {
        "ruleId": "js/sql-injection",
        "rule": {"id": "js/sql-injection", "index": 0, "toolComponent": {"index": 0}},
        "message": {"text": "This query depends on a user-provided value."},
        "locations": [{"physicalLocation": {
          "artifactLocation": {"uri": "src/db.js", "index": 0}, "region": {"startLine": 42, "startColumn": 7}}}],
        "partialFingerprints": {"primaryLocationLineHash": "39fa2ee980eb94b0:1"}
      },
      {
        "ruleId": "js/unused/strict",
        "message": {"id": "default", "arguments": ["x", "y"]},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": "app.main"}]}]
      }
    ],
    "automationDetails": {"id": "nightly/javascript/2026-11-14"},
    "tool": {
      "driver": {"name": "Analyser", "rules": [{
        "id": "js/unused", "name": "UnusedThing", "defaultConfiguration": {"level": "note"},
        "messageStrings": {"default": {"text": "{0} is never used by {1}, {0}!"}}}]},
      "extensions": [{"name": "queries", "rules": [{
        "id": "js/sql-injection",
        "shortDescription": {"text": "Query built from user input"},
        "fullDescription": {"text": "An attacker can run statements."},
        "help": {"text": "Use parameters."},
        "defaultConfiguration": {"level": "error"},
        "properties": {"security-severity": "8.8", "tags": ["security"]}}]}]
    }
  }]
}"#;

fn now() -> Moment {
    "2026-11-14T12:00:00Z".parse().unwrap()
}

fn read(text: &str) -> Result<(Vec<Candidate>, Imported), ImportError> {
    let mut found = Vec::new();
    let imported = findings(&mut Cursor::new(text), now(), &mut |candidate| {
        found.push(candidate);
        ControlFlow::Continue(())
    })?;
    Ok((found, imported))
}

/// A file of one run of the tool `T` with these results.
fn file(results: &str) -> String {
    format!(
        r#"{{"version": "2.1.0", "runs": [{{"tool": {{"driver": {{"name": "T"}}}}, "results": [{results}]}}]}}"#
    )
}

fn one(result: &str) -> Candidate {
    read(&file(result)).unwrap().0.remove(0)
}

#[test]
fn rules_are_found_wherever_they_stand() {
    let (found, imported) = read(ANALYSER).unwrap();
    let injection = &found[0].finding;
    assert_eq!(injection.title.as_str(), "Query built from user input");
    assert_eq!((injection.severity, injection.cvss.unwrap().to_string().as_str()), (Severity::High, "8.8"));
    assert_eq!(injection.affected_asset.as_ref().unwrap().as_str(), "src/db.js:42");
    assert_eq!(
        injection.description.as_ref().unwrap().as_str(),
        "This query depends on a user-provided value.\n\nAn attacker can run statements."
    );
    assert_eq!(injection.remediation.as_ref().unwrap().as_str(), "Use parameters.");
    assert_eq!(injection.detected_at, now());
    assert_eq!((imported.candidates, imported.scopes), (2, vec!["Analyser nightly/javascript".to_owned()]));
}

#[test]
fn a_refined_rule_takes_its_texts_from_the_rule_it_refines() {
    let unused = read(ANALYSER).unwrap().0.remove(1).finding;
    assert_eq!((unused.title.as_str(), unused.severity), ("UnusedThing", Severity::Low));
    assert_eq!(unused.description.unwrap().as_str(), "x is never used by y, x!");
    assert_eq!(unused.affected_asset.unwrap().as_str(), "app.main");
}

#[test]
fn reading_the_same_file_again_finds_the_same() {
    let prints = |text: &str| -> Vec<_> {
        read(text).unwrap().0.into_iter().map(|candidate| candidate.origin).collect()
    };
    assert_eq!(prints(ANALYSER), prints(ANALYSER));
    let moved = ANALYSER.replace("\"startLine\": 42", "\"startLine\": 77");
    assert_eq!(prints(ANALYSER), prints(&moved), "the tool's own fingerprint outlives a moved line");
    let elsewhere = ANALYSER.replace("src/db.js", "src/other.js");
    assert_ne!(prints(ANALYSER)[0], prints(&elsewhere)[0]);
}

#[test]
fn without_a_fingerprint_place_and_message_tell_results_apart() {
    let result = |line: u32, message: &str| {
        format!(
            r#"{{"ruleId": "R", "message": {{"text": "{message}"}}, "locations": [{{"physicalLocation":
               {{"artifactLocation": {{"uri": "a.c"}}, "region": {{"startLine": {line}}}}}}}]}}"#
        )
    };
    let (found, imported) =
        read(&file(&[result(1, "x"), result(2, "x"), result(1, "y"), result(1, "x")].join(","))).unwrap();
    assert_eq!((found.len(), imported.repeated), (3, 1));
}

#[test]
fn levels_and_scores_become_severities() {
    let severity = |rest: &str| one(&format!(r#"{{"message": {{"text": "m"}} {rest}}}"#)).finding.severity;
    assert_eq!(severity(""), Severity::Medium, "a warning by default");
    assert_eq!(severity(r#", "level": "error""#), Severity::High);
    assert_eq!(severity(r#", "level": "note""#), Severity::Low);
    assert_eq!(severity(r#", "level": "none""#), Severity::Info);
    assert_eq!(
        severity(r#", "level": "note", "properties": {"security-severity": "9.81"}"#),
        Severity::Critical
    );
    assert_eq!(severity(r#", "properties": {"security-severity": 4.0}"#), Severity::Medium);
    assert_eq!(
        severity(r#", "level": "error", "properties": {"security-severity": "lots"}"#),
        Severity::High
    );
}

#[test]
fn what_passed_was_suppressed_or_is_gone_is_no_finding() {
    let skipped = [
        r#"{"kind": "pass", "message": {"text": "a"}}"#,
        r#"{"baselineState": "absent", "message": {"text": "b"}}"#,
        r#"{"suppressions": [{"kind": "inSource"}], "message": {"text": "c"}}"#,
        r#"{"suppressions": [{"status": "accepted"}], "message": {"text": "d"}}"#,
    ];
    let kept = [
        r#"{"kind": "fail", "baselineState": "unchanged", "suppressions": [], "message": {"text": "e"}}"#,
        r#"{"suppressions": [{"status": "rejected"}], "message": {"text": "f"}}"#,
    ];
    let (found, imported) = read(&file(&[skipped.join(","), kept.join(",")].join(","))).unwrap();
    assert_eq!((found.len(), imported.skipped), (2, 4));
}

#[test]
fn a_rule_that_is_a_cve_names_it_and_bare_results_still_have_a_title() {
    let cve = one(r#"{"ruleId": "CVE-2019-1549", "message": {"text": "Package: libssl"}}"#).finding;
    assert_eq!(cve.cve.unwrap().as_str(), "CVE-2019-1549");
    assert_eq!(one(r#"{"message": {"text": "First\nSecond"}}"#).finding.title.as_str(), "First");
    assert_eq!(one("{}").finding.title.as_str(), "Untitled");
    let indexed = ANALYSER.replace(r#""ruleId": "js/unused/strict""#, r#""ruleIndex": 0"#);
    assert_eq!(read(&indexed).unwrap().0[1].finding.title.as_str(), "UnusedThing");
}

#[test]
fn a_run_without_results_still_speaks_for_its_tool() {
    let empty = r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "T", "rules": null}}, "results": null}]}"#;
    let (found, imported) = read(empty).unwrap();
    assert_eq!((found.len(), imported.scopes), (0, vec!["T".to_owned()]));
    assert_eq!(read(r#"{"version": "2.1.0", "runs": []}"#).unwrap().1, Imported::default());
}

#[test]
fn a_pattern_is_filled_in_once() {
    let arguments = ["{1}{1}", "x"].map(|text| Clipped(text.to_owned()));
    assert_eq!(filled_in("{0} {1} {2} {} {a} {", &arguments), "{1}{1} x {2} {} {a} {");
    assert_eq!(filled_in("no pattern", &[]), "no pattern");
}

#[test]
fn small_files_cannot_stand_for_much() {
    let many = |item: &str| vec![item; 100_000].join(",");
    let result = format!(
        r#"{{"message": {{"id": "m", "arguments": [{}]}}, "locations": [{}], "suppressions": [],
            "partialFingerprints": {{"a": [{}]}}}}"#,
        many("\"{0}{0}\""),
        many("{}"),
        many("[]")
    );
    assert_eq!(read(&file(&result)).unwrap().0.len(), 1);
    let runs = format!(r#"{{"version": "2.1.0", "runs": [{}]}}"#, many(r#"{"tool": {"driver": {}}}"#));
    assert!(read(&runs).unwrap_err().to_string().contains("a list of at most 1000 items"));
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let refusal = |text: &str| read(text).unwrap_err().to_string();
    assert!(refusal(r#"{"version": "2.0.0", "runs": []}"#).contains("its version is 2.0.0; convert it"));
    assert!(refusal(r#"{"SchemaVersion": 2}"#).contains("not SARIF 2.1.0: missing field `version`"));
    assert!(refusal("title,severity").starts_with("the file is not valid JSON"));
    let rules = vec![r#"{"id": "R"}"#; 20_001].join(",");
    let many =
        format!(r#"{{"version": "2.1.0", "runs": [{{"tool": {{"driver": {{"rules": [{rules}]}}}}}}]}}"#);
    assert!(refusal(&many).contains("a list of at most 20000 items"));
}

#[test]
fn a_file_nested_ten_thousand_deep_is_refused_and_nothing_overflows() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let objects = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    for nested in [&deep, &objects] {
        for text in [
            nested.clone(),
            format!(r#"{{"version": "2.1.0", "properties": {nested}, "runs": []}}"#),
            format!(r#"{{"version": "2.1.0", "runs": {nested}}}"#),
            file(&format!(r#"{{"message": {{"text": "m"}}, "properties": {nested}}}"#)),
            file(&format!(r#"{{"partialFingerprints": {{"a": {nested}}}}}"#)),
        ] {
            assert!(matches!(read(&text), Err(ImportError::TooDeep)), "{}", &text[..40]);
        }
    }
}

#[test]
fn results_are_handed_on_one_by_one_and_a_halt_is_obeyed() {
    let results: Vec<_> = (0..20_000).map(|n| format!(r#"{{"message": {{"text": "{n}"}}}}"#)).collect();
    let text = file(&results.join(","));
    assert_eq!(read(&text).unwrap().1.candidates, 20_000);
    let mut count = 0;
    findings(&mut Cursor::new(&text), now(), &mut |_| {
        count += 1;
        if count == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!(count, 5);
}
