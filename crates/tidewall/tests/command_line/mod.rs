//! The built program, run as an operator runs it.

mod accounts;
mod backup;
mod bucket;
mod bundle;
mod catalogue;
mod completions;
mod config;
mod demo;
mod doctor;
mod doctor_store;
mod import;
mod job;
mod lists;
mod no_store;
mod odd_text;
mod readme;
mod serve;

use std::process::{Command, Output};

/// The program without anything of the tester's environment that could be a setting.
fn tidewall(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidewall"));
    command.args(arguments);
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("TIDEWALL_")) {
            command.env_remove(name);
        }
    }
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn help_teaches_with_examples() {
    for arguments in
        [&["--help"][..], &["config", "--help"], &["doctor", "--help"], &["completions", "--help"]]
    {
        let output = tidewall(arguments).output().unwrap();
        assert!(output.status.success());
        assert!(stdout(&output).contains("Examples:"), "{arguments:?}");
    }
}

#[test]
fn wrong_usage_ends_with_status_two() {
    let output = tidewall(&["confg"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("'config'"), "suggests the verb that was meant: {}", stderr(&output));
}
