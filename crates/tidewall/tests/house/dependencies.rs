//! The dependency tree against `deny.toml`: licences, banned crates, sources, known advisories.

use std::{fs, path::Path, process::Command};

use rustsec::{
    Database, Lockfile,
    advisory::Informational,
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

fn is_denied(rules: &toml::Table, table: &str, rule: &str) -> bool {
    rules[table].get(rule).and_then(toml::Value::as_str) == Some("deny")
}

/// What is wrong with the origins of the packages in a lock file. Our own have no source and lie in `crates` or `bench`.
fn faults_of_sources(lockfile: &str, rules: &toml::Table) -> Vec<String> {
    let lockfile: Lockfile = lockfile.parse().unwrap();
    let registries = names(rules, "sources", "allow-registry");
    let ours = |name: &str| name == "tidewall" || name.starts_with("tidewall-");
    let mut faults = Vec::new();
    for package in &lockfile.packages {
        let name = package.name.as_str();
        match &package.source {
            None if ours(name) => {}
            None => faults.push(format!("{name} is not from a registry")),
            Some(source) if source.is_git() => faults.push(format!("{name} is from git")),
            Some(source) if !registries.contains(&source.url().to_string()) => {
                faults.push(format!("{name} is from {}", source.url()));
            }
            Some(_) if package.checksum.is_none() => faults.push(format!("{name} has no checksum")),
            Some(_) => {}
        }
    }
    faults
}

#[test]
fn every_package_comes_from_the_registry_with_its_checksum() {
    let rules = rules();
    for rule in ["unknown-registry", "unknown-git"] {
        assert!(is_denied(&rules, "sources", rule), "deny.toml does not deny {rule}");
    }
    assert_eq!(rules["sources"]["allow-git"].as_array().unwrap().len(), 0);
    let lockfile = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    assert_eq!(faults_of_sources(&lockfile, &rules), Vec::<String>::new());
}

#[test]
fn a_package_from_elsewhere_is_noticed() {
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    let elsewhere = "registry+https://crates.example.com/index";
    let git = "git+https://github.com/serde-rs/serde?rev=1#1111111111111111111111111111111111111111";
    let entries = [
        ("from-elsewhere", Some(elsewhere)),
        ("from-git", Some(git)),
        ("from-this-disk", None),
        ("tidewall-domain", None),
        ("unchecked", Some(registry)),
    ]
    .map(|(name, source)| {
        let source = source.map_or_else(String::new, |source| format!("source = \"{source}\"\n"));
        format!("[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n{source}")
    });
    let lockfile = format!("version = 4\n{}", entries.concat());
    assert_eq!(
        faults_of_sources(&lockfile, &rules()),
        [
            "from-elsewhere is from https://crates.example.com/index",
            "from-git is from git",
            "from-this-disk is not from a registry",
            "unchecked has no checksum",
        ]
    );
}

/// Whether a release was withdrawn is only known to the registry, which a test does not ask.
#[test]
fn withdrawn_releases_are_denied_where_the_registry_can_be_asked() {
    assert!(is_denied(&rules(), "advisories", "yanked"));
}

/// The database lies beside the checkout in development and on the build machine. `scripts/test` leaves the tests that
/// need it out, and says so, where there is none.
fn report() -> Report {
    let folder = root().join("../shared/data/advisory-db");
    assert!(folder.is_dir(), "no advisory database in {}: scripts/test skips this test", folder.display());
    let database = Database::open(&folder).unwrap();
    assert!(database.iter().count() > 500, "the database is incomplete");
    let lockfile = Lockfile::load(root().join("Cargo.lock")).unwrap();
    let settings = Settings {
        target_arch: vec![Arch::X86_64, Arch::AArch64],
        target_os: vec![OS::Linux],
        ignore: names(&rules(), "advisories", "ignore").iter().map(|id| id.parse().unwrap()).collect(),
        informational_warnings: vec![Informational::Unmaintained, Informational::Unsound],
        ..Settings::default()
    };
    Report::generate(&database, &lockfile, &settings)
}

#[test]
fn needs_advisories_no_dependency_has_an_open_advisory() {
    let open = report().vulnerabilities.list;
    assert!(open.is_empty(), "{open:#?}");
}

#[test]
fn needs_advisories_no_dependency_is_unmaintained_or_unsound() {
    let rules = rules();
    for rule in ["unmaintained", "unsound"] {
        assert_eq!(rules["advisories"][rule].as_str(), Some("all"), "deny.toml does not judge {rule} crates");
    }
    let open = report().warnings;
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
