//! Real advisories against dependencies at the edges of their ranges.

use super::*;

const RUSTLS: &str = include_str!("../../fixtures/advisories/RUSTSEC-2024-0399.md");
const TOKIO_ABORT: &str = include_str!("../../fixtures/advisories/RUSTSEC-2021-0072.md");
const TOKIO_WINDOWS: &str = include_str!("../../fixtures/advisories/RUSTSEC-2023-0001.md");
const TOKIO_UNSOUND: &str = include_str!("../../fixtures/advisories/RUSTSEC-2025-0023.md");
const FLATBUFFERS: &str = include_str!("../../fixtures/advisories/RUSTSEC-2021-0122.md");
const LZ4: &str = include_str!("../../fixtures/advisories/RUSTSEC-2026-0041.md");
const UNMAINTAINED: &str = include_str!("../../fixtures/advisories/RUSTSEC-2022-0057.md");
const WITHDRAWN: &str = include_str!("../../fixtures/advisories/RUSTSEC-2021-0135.md");

const LINUX: Platform<'_> = Platform { os: "linux", arch: "x86_64" };
const WINDOWS: Platform<'_> = Platform { os: "windows", arch: "x86_64" };

fn advisory(text: &str) -> Advisory {
    Advisory::parse(text).unwrap()
}

fn dependency(name: &str, version: &str) -> Dependency {
    Dependency { name: name.into(), version: version.parse().unwrap() }
}

fn concerned(text: &str, name: &str, versions: &[&str]) -> Vec<bool> {
    let advisory = advisory(text);
    versions.iter().map(|version| advisory.concerns(&dependency(name, version), LINUX)).collect()
}

#[test]
fn reads_the_front_matter_and_the_title() {
    let rustls = advisory(RUSTLS);
    assert_eq!((rustls.id.as_str(), rustls.package.as_str()), ("RUSTSEC-2024-0399", "rustls"));
    assert_eq!(rustls.title, "rustls network-reachable panic in `Acceptor::accept`");
    assert_eq!(rustls.severity, ScanSeverity::Unknown, "no rating, none guessed");
    assert_eq!(advisory(FLATBUFFERS).severity, ScanSeverity::Critical, "version 3");
    assert_eq!(advisory(LZ4).severity, ScanSeverity::High, "version 4");
    assert_eq!(advisory(&RUSTLS.replace('\n', "\r\n")), rustls, "also with the line ends of Windows");
}

#[test]
fn patched_and_unaffected_versions_are_safe() {
    let versions = ["0.22.4", "0.23.12", "0.23.13", "0.23.17", "0.23.18", "0.24.0", "0.23.18-rc.1"];
    assert_eq!(concerned(RUSTLS, "rustls", &versions), [false, false, true, true, false, false, true]);
    assert_eq!(concerned(RUSTLS, "rustls-webpki", &["0.23.13"]), [false]);
}

#[test]
fn each_patched_branch_counts() {
    let versions = ["0.2.25", "1.5.0", "1.5.1", "1.6.2", "1.7.2", "1.8.0", "1.8.1"];
    assert_eq!(concerned(TOKIO_ABORT, "tokio", &versions), [false, true, false, true, false, true, false]);
}

#[test]
fn platforms_matter() {
    let (tokio, old) = (advisory(TOKIO_WINDOWS), dependency("tokio", "1.20.0"));
    assert!(!tokio.concerns(&old, LINUX) && tokio.concerns(&old, WINDOWS));
}

#[test]
fn unsound_counts_unmaintained_and_withdrawn_do_not() {
    assert_eq!(concerned(TOKIO_UNSOUND, "tokio", &["1.44.1", "1.44.2"]), [true, false]);
    assert_eq!(concerned(UNMAINTAINED, "badge", &["0.1.0"]), [false]);
    assert!(!advisory(WITHDRAWN).concerns(&dependency("tower-http", "0.1.0"), WINDOWS));
}

#[test]
fn a_match_names_the_nearest_fix() {
    let advisories = [advisory(LZ4), advisory(RUSTLS), advisory(FLATBUFFERS)];
    let dependencies = [
        dependency("lz4_flex", "0.11.5"),
        dependency("lz4_flex", "0.12.0"),
        dependency("lz4_flex", "0.11.6"),
        dependency("rustls", "0.23.38"),
        dependency("flatbuffers", "2.1.2"),
    ];
    let found = matches(&advisories, &dependencies, LINUX);
    let fixes: Vec<_> = found
        .iter()
        .map(|one| (one.package.as_str(), one.version.as_str(), one.fixed_in.as_deref()))
        .collect();
    assert_eq!(
        fixes,
        [
            ("lz4_flex", "0.11.5", Some("0.11.6")),
            ("lz4_flex", "0.12.0", Some("0.12.1")),
            ("flatbuffers", "2.1.2", Some("22.9.29")),
        ]
    );
}

#[test]
fn what_is_not_an_advisory_is_refused() {
    for text in ["", "# A heading", "```toml\n[advisory]", "```json\n{}\n```"] {
        assert_eq!(Advisory::parse(text), Err(AdvisoryError::NoFrontMatter), "{text}");
    }
    let no_id = "```toml\n[advisory]\npackage = \"a\"\n[versions]\npatched = []\n```\n";
    assert!(matches!(Advisory::parse(no_id), Err(AdvisoryError::FrontMatter(_))));
    let odd_range = RUSTLS.replace(">= 0.23.18", "newest");
    assert!(matches!(Advisory::parse(&odd_range), Err(AdvisoryError::FrontMatter(_))));
}
