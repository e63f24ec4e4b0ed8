//! The dependency tree against `deny.toml`: licences, banned crates, known advisories.

use std::{fs, path::Path, process::Command};

use domain::{
    advisory::{Advisory, Platform, matches},
    lockfile,
};
use serde_json::Value;

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

/// Whether a licence expression can be met with the allowed ones: OR needs one side, AND all of them.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let plain = expression.replace(['(', ')'], "").replace(" / ", " OR ").replace('/', " OR ");
    plain
        .split(" AND ")
        .all(|part| part.split(" OR ").any(|licence| allowed.iter().any(|known| known == licence.trim())))
}

#[test]
fn every_licence_is_allowed_and_no_banned_crate_is_there() {
    let rules = rules();
    let (allowed, banned) = (names(&rules, "licenses", "allow"), names(&rules, "bans", "deny"));
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence, &allowed), "{name} is licensed {licence}: see deny.toml");
        assert!(!banned.contains(&name.to_owned()), "{name} is banned: see deny.toml");
    }
}

#[test]
fn no_dependency_has_an_open_advisory() {
    // The database lies beside the checkout in development and on the build machine; nothing else brings one.
    let database = root().join("../shared/data/advisory-db/crates");
    if !database.is_dir() {
        println!("no advisory database beside the checkout: nothing to compare with");
        return;
    }
    let advisories = read_advisories(&database);
    assert!(advisories.len() > 500, "the database is incomplete");
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let dependencies = lockfile::dependencies(&lock).unwrap();
    let ignored = names(&rules(), "advisories", "ignore");
    let platform = Platform { os: "linux", arch: "x86_64" };
    let open: Vec<_> = matches(&advisories, &dependencies, platform)
        .into_iter()
        .filter(|vulnerability| !ignored.contains(&vulnerability.id))
        .collect();
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

fn read_advisories(database: &Path) -> Vec<Advisory> {
    let mut advisories = Vec::new();
    for package in fs::read_dir(database).unwrap() {
        for entry in fs::read_dir(package.unwrap().path()).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            advisories
                .push(Advisory::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        }
    }
    advisories
}
