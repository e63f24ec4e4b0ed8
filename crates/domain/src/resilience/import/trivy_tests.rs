//! Reports in the format of Trivy: an image, a lock file, a configuration, a leaked key.

use std::{io::Cursor, ops::ControlFlow};

use super::*;
use crate::scan::Summary;

const REPORT: &str = r#"{
  "SchemaVersion": 2,
  "CreatedAt": "2026-11-14T09:20:30.000000005Z",
  "ArtifactName": "registry.example:5000/pay/app:1.4.2",
  "ArtifactType": "container_image",
  "Metadata": {"OS": {"Family": "alpine", "Name": "3.10.2"}, "ImageConfig": {"history": [{"created": "x"}]}},
  "Results": [
    {
      "Target": "registry.example:5000/pay/app:1.4.2 (alpine 3.10.2)",
      "Class": "os-pkgs",
      "Type": "alpine",
      "Vulnerabilities": [
        {
          "VulnerabilityID": "CVE-2019-1549", "PkgID": "libssl1.1@1.1.1c-r0", "PkgName": "libssl1.1",
          "InstalledVersion": "1.1.1c-r0", "FixedVersion": "1.1.1d-r0", "Status": "fixed",
          "PrimaryURL": "https://avd.example/cve-2019-1549",
          "Title": "openssl: information disclosure in fork()", "Description": "A generator was not protected.",
          "Severity": "MEDIUM",
          "CVSS": {"nvd": {"V2Score": 5, "V3Score": 5.3}, "redhat": {"V3Score": 9.9}}
        },
        {"VulnerabilityID": "CVE-2019-1549", "PkgName": "libcrypto1.1", "InstalledVersion": "1.1.1c-r0",
         "Severity": "UNKNOWN", "CVSS": {"ghsa": {"V40Score": 8.7}}}
      ]
    },
    {"Target": "app/Cargo.lock", "Class": "lang-pkgs", "Type": "cargo", "Vulnerabilities": [
      {"VulnerabilityID": "GHSA-xxxx", "PkgName": "thing", "InstalledVersion": "1.0.0", "Severity": "CRITICAL"}]},
    {"Target": "Dockerfile", "Class": "config", "Type": "dockerfile", "Misconfigurations": [
      {"Type": "Dockerfile Security Check", "ID": "DS002", "Title": "Image user should not be 'root'",
       "Description": "Root can escape.", "Message": "Specify a USER", "Resolution": "Add 'USER app'",
       "Severity": "HIGH", "Status": "FAIL", "CauseMetadata": {"Provider": "Dockerfile", "StartLine": 3}},
      {"ID": "DS001", "Title": "Passed", "Severity": "LOW", "Status": "PASS"}]},
    {"Target": "deploy.sh", "Class": "secret", "Secrets": [
      {"RuleID": "aws-access-key-id", "Category": "AWS", "Severity": "CRITICAL", "Title": "AWS Access Key ID",
       "StartLine": 3, "EndLine": 3, "Match": "export KEY=leaked-half", "Code": {"Lines": [{"Content": "leaked-half"}]}}]},
    {"Target": "Nothing here", "Class": "lang-pkgs", "Vulnerabilities": null}
  ]
}"#;

fn now() -> Moment {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn read(text: &str) -> Result<(Vec<Candidate>, Imported), ImportError> {
    let mut found = Vec::new();
    let imported = findings(&mut Cursor::new(text), now(), &mut |candidate| {
        found.push(candidate);
        ControlFlow::Continue(())
    })?;
    Ok((found, imported))
}

#[test]
fn packages_checks_and_secrets_become_findings() {
    let (found, imported) = read(REPORT).unwrap();
    assert_eq!((imported.candidates, imported.skipped, imported.repeated), (5, 1, 0));
    let listed: Vec<_> = found
        .iter()
        .map(|one| {
            format!(
                "{} | {} | {}",
                one.finding.severity,
                one.finding.title,
                one.finding.affected_asset.as_ref().unwrap()
            )
        })
        .collect();
    assert_eq!(
        listed,
        [
            "medium | CVE-2019-1549 in libssl1.1 1.1.1c-r0: openssl: information disclosure in fork() | \
         registry.example:5000/pay/app:1.4.2 (alpine 3.10.2): libssl1.1 1.1.1c-r0",
            "high | CVE-2019-1549 in libcrypto1.1 1.1.1c-r0 | \
         registry.example:5000/pay/app:1.4.2 (alpine 3.10.2): libcrypto1.1 1.1.1c-r0",
            "critical | GHSA-xxxx in thing 1.0.0 | registry.example:5000/pay/app:1.4.2 app/Cargo.lock: thing 1.0.0",
            "high | DS002 Image user should not be 'root' | registry.example:5000/pay/app:1.4.2 Dockerfile: line 3",
            "critical | Exposed secret: AWS Access Key ID | registry.example:5000/pay/app:1.4.2 deploy.sh: line 3",
        ]
    );
}

#[test]
fn a_package_says_what_to_do_and_how_bad_it_is() {
    let found = read(REPORT).unwrap().0;
    let fixable = &found[0].finding;
    assert_eq!(fixable.cve.as_ref().unwrap().as_str(), "CVE-2019-1549");
    assert_eq!(fixable.cvss.unwrap().to_string(), "5.3", "the national database before others");
    assert_eq!(
        fixable.remediation.as_ref().unwrap().as_str(),
        "Update libssl1.1 to 1.1.1d-r0. See https://avd.example/cve-2019-1549"
    );
    let unrated = &found[1].finding;
    assert_eq!((unrated.severity, unrated.cvss.unwrap().to_string().as_str()), (Severity::High, "8.7"));
    assert!(unrated.remediation.as_ref().unwrap().as_str().starts_with("No fixed version of libcrypto1.1"));
}

#[test]
fn the_text_of_a_secret_is_never_taken() {
    let found = read(REPORT).unwrap().0;
    assert!(!format!("{found:?}").contains("leaked-half"));
}

#[test]
fn the_next_build_of_an_image_has_the_same_findings() {
    let origins =
        |text: &str| -> Vec<_> { read(text).unwrap().0.into_iter().map(|one| one.origin).collect() };
    let first = origins(REPORT);
    assert_eq!(first, origins(REPORT));
    assert_eq!(first, origins(&REPORT.replace(":1.4.2", ":1.5.0")), "another tag");
    assert_eq!(first, origins(&REPORT.replace(":1.4.2", ":1.5.0@sha256:abc")), "a digest");
    let other = origins(&REPORT.replace("pay/app", "pay/other"));
    assert!(first.iter().zip(&other).all(|(one, other)| one.fingerprint != other.fingerprint));
    assert_eq!(first[0].scope, "registry.example:5000/pay/app");
    let updated = origins(&REPORT.replace("1.1.1c-r0", "1.1.1c-r9"));
    assert_ne!(first[0], updated[0], "another version is another result");
    assert_eq!(first[2], updated[2]);
}

#[test]
fn images_lose_tag_and_digest_but_not_their_port() {
    for (image, name) in [
        ("alpine", "alpine"),
        ("alpine:3.10", "alpine"),
        ("registry:5000/app", "registry:5000/app"),
        ("registry:5000/app:1", "registry:5000/app"),
        ("registry:5000/app@sha256:0a", "registry:5000/app"),
    ] {
        assert_eq!(without_tag(image), name);
    }
}

#[test]
fn a_group_may_say_what_it_is_after_its_results() {
    let shuffled = r#"{"Results": [{"Vulnerabilities": [{"VulnerabilityID": "CVE-2020-0001", "PkgName": "p",
        "InstalledVersion": "1"}], "Type": "npm", "Class": "lang-pkgs", "Target": "package-lock.json"}],
        "ArtifactName": "repo", "SchemaVersion": 2}"#;
    let finding = read(shuffled).unwrap().0.remove(0).finding;
    assert_eq!(finding.affected_asset.unwrap().as_str(), "repo package-lock.json: p 1");
    assert_eq!(finding.severity, Severity::Medium, "unrated is not harmless");
}

#[test]
fn other_reports_are_refused_with_a_reason() {
    let refusal = |text: &str| read(text).unwrap_err().to_string();
    assert!(
        refusal("[]").contains("but not a Trivy report of schema version 2"),
        "the old format is an array"
    );
    assert!(refusal(r#"{"SchemaVersion": 3}"#).ends_with("its schema version is 3"));
    assert!(refusal(r#"{"version": "2.1.0", "runs": []}"#).contains("missing field `SchemaVersion`"));
    assert_eq!(read(r#"{"SchemaVersion": 2, "ArtifactName": "a"}"#).unwrap().1.scopes, ["a"]);
}

#[test]
fn a_report_is_also_a_scan() {
    let scan = scan(&mut Cursor::new(REPORT), now()).unwrap();
    assert_eq!(
        (scan.scanner.as_str(), scan.target.as_str()),
        ("trivy", "registry.example:5000/pay/app:1.4.2")
    );
    assert_eq!(scan.finished_at.to_string(), "2026-11-14T09:20:30Z");
    assert_eq!(scan.summary(), Summary { critical: 1, high: 1, medium: 1, ..Summary::default() });
    let fixed: Vec<_> = scan.vulnerabilities().iter().map(|one| one.fixed_in.as_deref()).collect();
    assert_eq!(fixed, [None, None, Some("1.1.1d-r0")]);
}
