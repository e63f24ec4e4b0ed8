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

#[test]
fn every_verb_has_a_manual_page() {
    let first = tidewall(&["man"]).output().unwrap();
    assert!(stdout(&first).contains(".TH tidewall 1"), "{}", stdout(&first));
    let directory = tempfile::TempDir::new().unwrap();
    let output = tidewall(&["man", "--dir", directory.path().to_str().unwrap()]).output().unwrap();
    assert!(output.status.success());
    for verb in ["tidewall", "tidewall-serve", "tidewall-backup", "tidewall-restore", "tidewall-key-create"] {
        let page = std::fs::read_to_string(directory.path().join(format!("{verb}.1"))).unwrap();
        assert!(page.contains(".SH DESCRIPTION"), "{verb}");
    }
}
