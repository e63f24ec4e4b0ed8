use std::fs;

use tempfile::TempDir;

use super::{stderr, stdout, tidewall};

#[test]
fn prints_every_setting_and_where_it_came_from() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("my.toml");
    fs::write(&file, "data_dir = \"/srv/tidewall\"\n[limits.v1]\nburst = 70\n").unwrap();
    let output = tidewall(&["config", "--listen", "0.0.0.0:80", "--config", file.to_str().unwrap()])
        .env("TIDEWALL_DATABASE_URL", "postgres://me:canary@db/tidewall")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = stdout(&output);
    let line = |start: &str| printed.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
    assert!(line("listen = \"0.0.0.0:80\" ").ends_with("# flag --listen"));
    assert!(line("data_dir = \"/srv/tidewall\" ").ends_with("my.toml line 1"));
    assert!(line("limits.v1.burst = 70 ").ends_with("my.toml line 3"));
    assert!(
        line("database_url = \"postgres://me:***@db/tidewall\" ")
            .ends_with("environment TIDEWALL_DATABASE_URL")
    );
    assert!(line("server.http2 = false ").ends_with("# default"));
    assert!(!printed.contains("canary"));
}

#[test]
fn prints_json_and_only_what_changed() {
    let output = tidewall(&["--json", "config", "--changed"])
        .env("TIDEWALL_SERVER__TRUSTED_PROXIES", "10.0.0.0/8,::1")
        .output()
        .unwrap();
    let printed: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let expected = serde_json::json!({"settings": [{
        "name": "server.trusted_proxies",
        "value": ["10.0.0.0/8", "::1"],
        "source": "environment TIDEWALL_SERVER__TRUSTED_PROXIES",
    }]});
    assert_eq!(printed, expected);
}

/// README, the help and the file itself tell one story: write the defaults out, and change what you need.
#[test]
fn the_defaults_say_of_themselves_what_readme_says_of_them() {
    let readme = include_str!("../../../../README.md");
    let printed = String::from_utf8(tidewall(&["config", "--defaults"]).output().unwrap().stdout).unwrap();
    let help = String::from_utf8(tidewall(&["config", "--help"]).output().unwrap().stdout).unwrap();
    for (place, text) in [("README", readme), ("the file", &printed), ("the help", &help)] {
        assert!(text.contains("tidewall config --defaults > tidewall.toml"), "{place}: {text}");
        assert!(!text.contains("needs to be copied"), "{place} says that the file is not needed");
    }
    assert!(printed.contains("TIDEWALL_CONFIG") && readme.contains("export TIDEWALL_CONFIG=tidewall.toml"));
}

#[test]
fn the_printed_defaults_are_a_valid_file_that_changes_nothing() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("defaults.toml");
    let defaults = tidewall(&["config", "--defaults"]).output().unwrap();
    fs::write(&file, &defaults.stdout).unwrap();
    let printed = |arguments: &[&str]| {
        let output = tidewall(arguments).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let assignments = stdout(&output);
        assignments
            .lines()
            .map(|line| line.split(" # ").next().unwrap().trim().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(printed(&["config", "--config", file.to_str().unwrap()]), printed(&["config"]));
    assert!(printed(&["config", "--changed", "--config", file.to_str().unwrap()]).is_empty());
}

#[test]
fn a_bad_setting_is_one_line_on_standard_error_and_status_two() {
    let output = tidewall(&["config"]).env("TIDEWALL_LIMITS__V1__BRUST", "5").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    assert_eq!(
        stderr(&output),
        "tidewall: TIDEWALL_LIMITS__V1__BRUST (environment) is not a setting of Tidewall; \
         did you mean TIDEWALL_LIMITS__V1__BURST?\n"
    );
    let output = tidewall(&["config", "--listen", "here"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("tidewall: listen (flag --listen) cannot be \"here\"; write an IP"));
    assert_eq!(stderr(&output).lines().count(), 1);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let program = env!("CARGO_BIN_EXE_tidewall");
    let script = format!("set -o pipefail; {program} config | head -n 1");
    let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}
