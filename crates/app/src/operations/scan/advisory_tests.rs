//! Real advisories against dependencies at the edges of their ranges.

use super::*;

const RUSTLS: &str = include_str!("../../../fixtures/advisories/RUSTSEC-2024-0399.md");
const TOKIO_ABORT: &str = include_str!("../../../fixtures/advisories/RUSTSEC-2021-0072.md");
const TOKIO_WINDOWS: &str = include_str!("../../../fixtures/advisories/RUSTSEC-2023-0001.md");
const TOKIO_UNSOUND: &str = include_str!("../../../fixtures/advisories/RUSTSEC-2025-0023.md");
const FLATBUFFERS: &str = include_str!("../../../fixtures/advisories/RUSTSEC-2021-0122.md");
const LZ4: &str = include_str!("../../../fixtures/advisories/RUSTSEC-2026-0041.md");
const UNMAINTAINED: &str = include_str!("../../../fixtures/advisories/RUSTSEC-2022-0057.md");
const WITHDRAWN: &str = include_str!("../../../fixtures/advisories/RUSTSEC-2021-0135.md");

const LINUX: Platform = Platform { os: OS::Linux, arch: Arch::X86_64 };
const WINDOWS: Platform = Platform { os: OS::Windows, arch: Arch::X86_64 };

fn advisory(text: &str) -> Advisory {
    read(text).unwrap()
}

/// Packages of these names and versions, as a lock file names them.
fn packages(named: &[(&str, &str)]) -> Vec<Package> {
    let entry = |(name, version): &(&str, &str)| {
        format!(
            "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\
             source = \"registry+https://github.com/rust-lang/crates.io-index\"\n"
        )
    };
    let entries: String = named.iter().map(entry).collect();
    dependencies(&format!("version = 4\n{entries}")).unwrap()
}

fn concerned(text: &str, name: &str, versions: &[&str], platform: Platform) -> Vec<bool> {
    let advisories = [advisory(text)];
    let concerns =
        |version: &&str| !matches(&advisories, &packages(&[(name, *version)]), Some(platform)).is_empty();
    versions.iter().map(concerns).collect()
}

#[test]
fn the_rating_is_of_either_version_and_none_is_guessed() {
    let severity = |text: &str, name: &str, version: &str| {
        matches(&[advisory(text)], &packages(&[(name, version)]), Some(LINUX))[0].severity
    };
    assert_eq!(severity(RUSTLS, "rustls", "0.23.13"), ScanSeverity::Unknown);
    assert_eq!(severity(FLATBUFFERS, "flatbuffers", "2.1.2"), ScanSeverity::Critical, "version 3");
    assert_eq!(severity(LZ4, "lz4_flex", "0.11.5"), ScanSeverity::High, "version 4");
    let windows = advisory(&RUSTLS.replace('\n', "\r\n"));
    assert_eq!(windows, advisory(RUSTLS), "also with the line ends of Windows");
}

#[test]
fn patched_and_unaffected_versions_are_safe() {
    let versions = ["0.22.4", "0.23.12", "0.23.13", "0.23.17", "0.23.18", "0.24.0", "0.23.18-rc.1"];
    assert_eq!(concerned(RUSTLS, "rustls", &versions, LINUX), [false, false, true, true, false, false, true]);
    assert_eq!(concerned(RUSTLS, "rustls-webpki", &["0.23.13"], LINUX), [false]);
}

#[test]
fn each_patched_branch_counts() {
    let versions = ["0.2.25", "1.5.0", "1.5.1", "1.6.2", "1.7.2", "1.8.0", "1.8.1"];
    assert_eq!(
        concerned(TOKIO_ABORT, "tokio", &versions, LINUX),
        [false, true, false, true, false, true, false]
    );
}

#[test]
fn platforms_matter() {
    assert_eq!(concerned(TOKIO_WINDOWS, "tokio", &["1.20.0"], LINUX), [false]);
    assert_eq!(concerned(TOKIO_WINDOWS, "tokio", &["1.20.0"], WINDOWS), [true]);
    let unknown = matches(&[advisory(TOKIO_WINDOWS)], &packages(&[("tokio", "1.20.0")]), None);
    assert_eq!(unknown.len(), 1, "without a platform nothing is left out");
    assert!(Platform::own().is_some());
}

#[test]
fn unsound_counts_unmaintained_and_withdrawn_do_not() {
    assert_eq!(concerned(TOKIO_UNSOUND, "tokio", &["1.44.1", "1.44.2"], LINUX), [true, false]);
    assert_eq!(concerned(UNMAINTAINED, "badge", &["0.1.0"], LINUX), [false]);
    assert_eq!(concerned(WITHDRAWN, "tower-http", &["0.1.0"], WINDOWS), [false]);
}

#[test]
fn a_match_names_the_nearest_fix() {
    let advisories = [advisory(LZ4), advisory(RUSTLS), advisory(FLATBUFFERS)];
    let dependencies = packages(&[
        ("lz4_flex", "0.11.5"),
        ("lz4_flex", "0.12.0"),
        ("lz4_flex", "0.11.6"),
        ("rustls", "0.23.38"),
        ("flatbuffers", "2.1.2"),
    ]);
    let mut found = matches(&advisories, &dependencies, Some(LINUX));
    found.sort_by(|one, other| (&one.package, &one.version).cmp(&(&other.package, &other.version)));
    let fixes: Vec<_> = found
        .iter()
        .map(|one| (one.package.as_str(), one.version.as_str(), one.fixed_in.as_deref()))
        .collect();
    assert_eq!(
        fixes,
        [
            ("flatbuffers", "2.1.2", Some("22.9.29")),
            ("lz4_flex", "0.11.5", Some("0.11.6")),
            ("lz4_flex", "0.12.0", Some("0.12.1")),
        ]
    );
}

#[test]
fn what_is_not_an_advisory_is_refused() {
    for text in ["", "# A heading", "```json\n{}\n```", "ein Text mit Umlauten: ääääääää"] {
        assert!(matches!(read(text), Err(AdvisoryError::NoFrontMatter)), "{text}");
    }
    let no_id = "```toml\n[advisory]\npackage = \"a\"\n[versions]\npatched = []\n```\n";
    let odd_range = RUSTLS.replace(">= 0.23.18", "newest");
    for text in ["```toml\n[advisory]", no_id, &odd_range] {
        assert!(matches!(read(text), Err(AdvisoryError::Unreadable(_))), "{text}");
    }
}

#[test]
fn our_own_lock_file_names_what_we_build_on() {
    let dependencies = dependencies(include_str!("../../../../../Cargo.lock")).unwrap();
    assert!(dependencies.iter().any(|package| package.name.as_str() == "serde"));
    assert!(dependencies.iter().all(|package| !package.name.as_str().starts_with("tidewall")));
    for other in ["{}", "[[package]]\nname = \"a\"\nversion = \"one\"\nsource = \"registry\"\n"] {
        assert!(super::dependencies(other).is_err(), "{other}");
    }
}
