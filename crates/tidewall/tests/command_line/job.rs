use serde_json::Value;

use super::{stderr, stdout, tidewall};

#[test]
fn jobs_are_listed_and_run_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| tidewall(arguments).arg("--data-dir").arg(folder.path()).output().unwrap();
    assert!(run(&["migrate"]).status.success());
    let listed = run(&["job", "list"]);
    assert!(stdout(&listed).contains("retention"), "{}", stderr(&listed));
    assert!(stdout(&listed).contains("has not run"));
    let ran = run(&["job", "run", "integrity-check"]);
    assert!(ran.status.success(), "{}", stderr(&ran));
    assert!(stdout(&ran).starts_with("integrity-check: ok in "), "{}", stdout(&ran));
    let listed = run(&["--json", "job", "list"]);
    let jobs: Value = serde_json::from_str(&stdout(&listed)).unwrap();
    let check = jobs.as_array().unwrap().iter().find(|job| job["name"] == "integrity-check").unwrap();
    assert_eq!((&check["last_outcome"], &check["runs"]), (&"ok".into(), &1.into()));
    assert!(check["next_run_at"].is_string());
}

#[test]
fn an_unknown_job_is_reported_the_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    let made = tidewall(&["migrate", "--data-dir"]).arg(folder.path()).output().unwrap();
    assert!(made.status.success());
    let output = tidewall(&["job", "run", "nothing", "--data-dir"]).arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no job nothing: write one of "), "{}", stderr(&output));
}
