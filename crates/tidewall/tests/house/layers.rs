//! The dependency rules: crates depend in one direction, SQL stays in the store, HTTP in the API and the workspace.

use std::{collections::BTreeMap, fs};

use super::{product, root, sources};

const OURS: [&str; 10] =
    ["domain", "catalogue", "store", "outbound", "reports", "bundle", "app", "api", "workspace", "testkit"];

/// The permitted dependencies of each crate among our own.
const ALLOWED: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("catalogue", &["domain"]),
    ("store", &["domain"]),
    ("outbound", &["domain"]),
    ("reports", &["domain"]),
    // An auditor can build the verifier without the rest.
    ("bundle", &[]),
    ("app", &["domain", "catalogue", "store", "outbound", "reports", "bundle"]),
    ("api", &["app", "domain"]),
    ("workspace", &["app", "domain"]),
];

fn is_test(path: &str) -> bool {
    path.ends_with("tests.rs") || path.contains("/tests/")
}

/// The names under a table of a crate's manifest; empty if it has no such table.
fn listed(name: &str, table: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(format!("crates/{name}/Cargo.toml"))).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    manifest
        .get(table)
        .and_then(toml::Value::as_table)
        .into_iter()
        .flat_map(|table| table.keys().cloned())
        .collect()
}

fn dependencies(name: &str) -> Vec<String> {
    listed(name, "dependencies")
}

#[test]
fn the_crates_point_one_way() {
    for (name, allowed) in ALLOWED {
        for dependency in dependencies(name) {
            let ours = OURS.contains(&dependency.as_str());
            assert!(
                !ours || allowed.contains(&dependency.as_str()),
                "{name} must not depend on {dependency}"
            );
        }
    }
}

#[test]
fn http_servers_stay_in_the_surfaces_and_drivers_in_the_store() {
    let banned: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("axum", &["domain", "catalogue", "store", "outbound", "reports", "app"][..]),
        ("tower-http", &["domain", "catalogue", "store", "outbound", "reports", "app"]),
        ("rusqlite", &["domain", "catalogue", "outbound", "reports", "app", "api", "workspace", "tidewall"]),
        ("postgres", &["domain", "catalogue", "outbound", "reports", "app", "api", "workspace", "tidewall"]),
        ("reqwest", &["domain", "catalogue", "store", "reports", "app", "api", "workspace", "tidewall"]),
        ("lettre", &["domain", "catalogue", "store", "reports", "app", "api", "workspace", "tidewall"]),
        ("tokio", &["domain", "catalogue", "reports"]),
    ]);
    for (dependency, crates) in banned {
        for name in crates {
            assert!(
                !dependencies(name).contains(&dependency.to_owned()),
                "{name} must not depend on {dependency}"
            );
        }
    }
}

/// Tests access the database through the testkit; only those of the binary open a store directly.
#[test]
fn tests_name_no_driver_either() {
    for name in ["domain", "catalogue", "outbound", "reports", "app", "api", "workspace"] {
        let named = listed(name, "dev-dependencies");
        let driver = named.iter().find(|named| ["rusqlite", "postgres"].contains(&named.as_str()));
        assert_eq!(driver, None, "the tests of {name} name a driver");
    }
}

#[test]
fn domain_does_no_io_and_reads_no_clock() {
    let outside = [
        "std::fs",
        "std::net",
        "std::env",
        "std::thread",
        "std::process",
        "SystemTime",
        "Instant",
        "now_utc",
    ];
    for (path, text) in sources("crates/domain/src").into_iter().filter(|(path, _)| !is_test(path)) {
        for word in outside {
            assert!(!product(&text).contains(word), "{path} uses {word}");
        }
    }
}

#[test]
fn only_the_store_holds_sql_and_only_its_seam_names_an_engine() {
    let statements = ["SELECT ", "INSERT INTO", "DELETE FROM", "CREATE TABLE", "UPDATE "];
    for name in ["domain", "catalogue", "outbound", "reports", "app", "api", "workspace", "tidewall"] {
        for (path, text) in sources(&format!("crates/{name}/src")) {
            let quoted = |word: &&&str| product(&text).contains(&format!("\"{word}"));
            assert_eq!(statements.iter().find(quoted), None, "{path} holds SQL");
        }
    }
    for (path, text) in sources("crates/store/src") {
        let names = ["rusqlite::", "postgres::"].into_iter().find(|name| product(&text).contains(name));
        assert!(names.is_none() || path.starts_with("crates/store/src/sql/"), "{path} names an engine");
    }
}

/// A sentence without German is for programs alone, so only the API may create one.
#[test]
fn only_the_api_makes_complaints_in_english_alone() {
    for name in ["catalogue", "store", "outbound", "reports", "app", "workspace", "tidewall"] {
        for (path, text) in sources(&format!("crates/{name}/src")) {
            let makes = ["Complaint::protocol", "Complaint::Protocol"].iter().any(|word| text.contains(word));
            assert!(!makes, "{path} makes a complaint that has no German");
        }
    }
}

#[test]
fn only_authorisation_makes_a_tenant_scope() {
    for name in ["store", "app", "api", "workspace", "tidewall"] {
        for (path, text) in sources(&format!("crates/{name}/src")) {
            let makes = product(&text).contains("TenantScope::authorised(");
            assert!(!makes || path == "crates/app/src/people/authz.rs", "{path} makes a TenantScope");
        }
    }
}

#[test]
fn surfaces_do_not_share_wire_types() {
    for surface in ["public", "v1", "v2", "ops"] {
        for (path, text) in sources(&format!("crates/api/src/{surface}")) {
            for other in ["public", "v1", "v2", "ops"].into_iter().filter(|other| *other != surface) {
                assert!(!text.contains(&format!("crate::{other}::")), "{path} uses a type of {other}");
            }
        }
    }
}

#[test]
fn handlers_hold_no_storage_and_no_rule() {
    for (path, text) in sources("crates/api/src").into_iter().chain(sources("crates/workspace/src")) {
        for word in ["store::", ".db.", "TenantScope"] {
            assert!(!product(&text).contains(word), "{path} reaches past app: {word}");
        }
    }
}
