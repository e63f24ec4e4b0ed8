use std::process::Command;

use super::{stdout, tidewall};

#[test]
fn every_shell_gets_a_script_that_knows_the_verbs() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = tidewall(&["completions", shell]).output().unwrap();
        assert!(output.status.success(), "{shell}");
        let script = stdout(&output);
        assert!(script.contains("tidewall") && script.contains("config"), "{shell}");
    }
}

#[test]
fn the_bash_script_completes() {
    let script = stdout(&tidewall(&["completions", "bash"]).output().unwrap());
    let ask =
        "COMP_WORDS=(tidewall con); COMP_CWORD=1; _tidewall tidewall con tidewall; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", &format!("{script}\n{ask}")]).output().unwrap();
    assert_eq!(stdout(&output).trim(), "config");
}
