use std::fs;

use serde_json::Value;
use tempfile::tempdir;

use super::{stderr, stdout, tidewall};

#[test]
fn a_register_is_imported_from_a_file_all_or_nothing() {
    let dir = tempdir().unwrap();
    let data = dir.path().join("data");
    let run = |arguments: &[&str]| {
        let mut all = vec!["--data-dir", data.to_str().unwrap()];
        all.extend(arguments);
        tidewall(&all).output().unwrap()
    };
    assert!(run(&["tenant", "create", "north", "--name", "North Bank AG"]).status.success());
    let template = run(&["import", "arrangements", "--print-template"]);
    let good = dir.path().join("register.csv");
    fs::write(&good, &template.stdout).unwrap();
    let bad = dir.path().join("bad.csv");
    fs::write(&bad, stdout(&template).replace("S11", "S99")).unwrap();

    let refused = run(&["import", "arrangements", bad.to_str().unwrap(), "--tenant", "north"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("row 3 column service_type (code-list)"), "{}", stderr(&refused));

    let dry = run(&["import", "arrangements", good.to_str().unwrap(), "--tenant", "north", "--dry-run"]);
    assert!(stdout(&dry).contains("2 would be added"), "{}", stdout(&dry));
    let done = run(&["--json", "import", "arrangements", good.to_str().unwrap(), "--tenant", "north"]);
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(report["added"], 2, "{report}");

    let missing = run(&["import", "arrangements", "/nowhere.csv", "--tenant", "north"]);
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn findings_and_scans_are_imported_from_files() {
    let dir = tempdir().unwrap();
    let data = dir.path().join("data");
    let run = |arguments: &[&str]| {
        let mut all = vec!["--data-dir", data.to_str().unwrap()];
        all.extend(arguments);
        tidewall(&all).output().unwrap()
    };
    let file = |name: &str, content: &str| {
        let path = dir.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    assert!(run(&["tenant", "create", "north", "--name", "North Bank AG"]).status.success());
    let template = stdout(&run(&["import", "findings", "--print-template"]));
    let csv = |count: usize| -> String {
        let rows = (0..count).map(|number| format!("{number},Finding {number},low\n"));
        std::iter::once("external_id,title,severity\n".to_owned()).chain(rows).collect()
    };
    let many = file("many.csv", &csv(10_000));
    let bad = file("bad.csv", &template.replace("high", "grave"));

    let refused = run(&["import", "findings", &bad, "--tenant", "north"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("line 2: severity must be one of"), "{}", stderr(&refused));
    let dry = run(&["import", "findings", &many, "--tenant", "north", "--dry-run"]);
    assert!(stdout(&dry).contains("10000 would be added"), "{}", stdout(&dry));
    let done = run(&["--json", "import", "findings", &many, "--tenant", "north"]);
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(report["added"], 10_000, "{report}");
    assert!(stderr(&done).contains("10000 rows stored"), "{}", stderr(&done));
    let less = file("less.csv", &csv(9_950));
    let done = run(&["import", "findings", &less, "--tenant", "north", "--close-missing"]);
    assert!(stdout(&done).contains("50 closed, 9950 unchanged"), "{}", stdout(&done));

    let scan = file("scan.json", r#"{"results": [{"source": {"path": "Cargo.lock"}, "packages": []}]}"#);
    let done = run(&["import", "scan", &scan]);
    assert!(stdout(&done).contains("Cargo.lock: 0 known vulnerabilities"), "{}", stdout(&done));
    assert_eq!(run(&["import", "scan", &many]).status.code(), Some(1));
}

#[test]
fn the_build_is_held_against_a_database_of_advisories() {
    let dir = tempdir().unwrap();
    let serde = dir.path().join("advisories/crates/serde");
    fs::create_dir_all(&serde).unwrap();
    let advisory = "```toml\n[advisory]\nid = \"RUSTSEC-2026-0001\"\npackage = \"serde\"\n\
                    date = \"2026-08-19\"\n[versions]\npatched = [\">= 99.0.0\"]\n```\n\n# Reads too much\n";
    fs::write(serde.join("RUSTSEC-2026-0001.md"), advisory).unwrap();
    let data = dir.path().join("data");
    let database = dir.path().join("advisories");
    let scan = |arguments: &[&str]| {
        let mut all = vec!["scan", "--data-dir", data.to_str().unwrap()];
        all.extend(arguments);
        tidewall(&all).output().unwrap()
    };
    let made = tidewall(&["migrate", "--data-dir", data.to_str().unwrap()]).output().unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
    let unknown = scan(&[]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("--advisory-db DIR"), "{}", stderr(&unknown));
    let found = scan(&["--advisory-db", database.to_str().unwrap()]);
    assert!(stdout(&found).contains("1 known vulnerabilities"), "{}", stdout(&found));
    assert!(stdout(&found).contains("fixed in 99.0.0: Reads too much"), "{}", stdout(&found));
    let found = scan(&["--json", "--advisory-db", database.to_str().unwrap()]);
    let report: Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(report["summary"]["unknown"], 1, "{report}");
    let empty = scan(&["--advisory-db", dir.path().to_str().unwrap()]);
    assert!(stderr(&empty).contains("RustSec advisory database"), "{}", stderr(&empty));
}
