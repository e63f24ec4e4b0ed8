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
