//! The dependency tree against `deny.toml`: licences, banned crates, known advisories.

use std::{fs, path::Path, process::Command};

use rustsec::{
    Database, Lockfile,
    platforms::{Arch, OS},
    report::{Report, Settings},
};
use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};

use super::root;

fn rules() -> toml::Table {
    fs::read_to_string(root().join("deny.toml")).unwrap().parse().unwrap()
}

fn names(rules: &toml::Table, table: &str, list: &str) -> Vec<String> {
    let list = rules[table][list].as_array().unwrap();
    list.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Whether a licence expression can be met with the allowed ones. Older crates write `/` for OR.
fn is_allowed(expression: &str, allowed: &[Licensee]) -> bool {
    let expression = Expression::parse_mode(expression, ParseMode::LAX);
    expression.is_ok_and(|expression| {
        expression.evaluate(|required| allowed.iter().any(|licence| licence.satisfies(required)))
    })
}

#[test]
fn every_licence_is_allowed_and_no_banned_crate_is_there() {
    let rules = rules();
    let banned = names(&rules, "bans", "deny");
    let allowed = names(&rules, "licenses", "allow");
    let allowed: Vec<_> = allowed.iter().map(|licence| Licensee::parse(licence).unwrap()).collect();
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence, &allowed), "{name} is licensed {licence}: see deny.toml");
        assert!(!banned.contains(&name.to_owned()), "{name} is banned: see deny.toml");
    }
}

#[test]
fn licence_expressions_are_judged_as_spdx_reads_them() {
    let allowed = ["MIT", "Apache-2.0"].map(|licence| Licensee::parse(licence).unwrap());
    for good in ["MIT", "MIT OR GPL-3.0-only", "MIT/Apache-2.0", "(MIT OR GPL-3.0-only) AND Apache-2.0"] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "MIT OR GPL-3.0-only AND Zlib AND", "none", ""] {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}

/// The database lies beside the checkout in development and on the build machine. `scripts/test` leaves this test out,
/// and says so, where there is none.
#[test]
fn needs_advisories_no_dependency_has_an_open_advisory() {
    let folder = root().join("../shared/data/advisory-db");
    assert!(folder.is_dir(), "no advisory database in {}: scripts/test skips this test", folder.display());
    let database = Database::open(&folder).unwrap();
    assert!(database.iter().count() > 500, "the database is incomplete");
    let lockfile = Lockfile::load(root().join("Cargo.lock")).unwrap();
    let settings = Settings {
        target_arch: vec![Arch::X86_64, Arch::AArch64],
        target_os: vec![OS::Linux],
        ignore: names(&rules(), "advisories", "ignore").iter().map(|id| id.parse().unwrap()).collect(),
        ..Settings::default()
    };
    let open = Report::generate(&database, &lockfile, &settings).vulnerabilities.list;
    assert!(open.is_empty(), "{open:#?}");
}

#[test]
fn every_crate_of_ours_forbids_unsafe_code() {
    let table = |path: &Path| fs::read_to_string(path).unwrap().parse::<toml::Table>().unwrap();
    let workspace = table(&root().join("Cargo.toml"));
    assert_eq!(workspace["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut followed = 0;
    for folder in crates.chain([root().join("bench")]) {
        let manifest = table(&folder.join("Cargo.toml"));
        let follows = manifest.get("lints").and_then(|lints| lints.get("workspace")?.as_bool());
        assert_eq!(follows, Some(true), "{} has lints of its own", folder.display());
        followed += 1;
    }
    assert!(followed >= 10, "only {followed} crates found");
}
