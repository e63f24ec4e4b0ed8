//! Any text in an argument of any command is accepted or refused; the program never crashes.

use clap::CommandFactory as _;
use tempfile::TempDir;
use testkit::odd_texts;
use tidewall::cli::Cli;

use super::{stderr, tidewall};
use crate::faults::rounds;

/// Commands that run until they are stopped.
const SERVING: &[&str] = &["serve"];

/// Every way to call a verb with one text: the words of the verb, then the option or the place of the text.
fn places(command: &clap::Command, words: &[String], places: &mut Vec<(Vec<String>, Option<String>)>) {
    for argument in command.get_arguments().filter(|argument| !argument.is_global_set()) {
        let takes_text = argument.get_action().takes_values();
        if takes_text {
            places.push((words.to_vec(), argument.get_long().map(|long| format!("--{long}"))));
        }
    }
    for verb in command.get_subcommands().filter(|verb| !SERVING.contains(&verb.get_name())) {
        let mut words = words.to_vec();
        words.push(verb.get_name().to_owned());
        self::places(verb, &words, places);
    }
}

#[test]
fn no_text_in_any_argument_breaks_the_program_off() {
    let directory = TempDir::new().unwrap();
    // Paths that leave a directory stay within this one.
    let inside = directory.path().join("a/b/c/d/e/f");
    std::fs::create_dir_all(&inside).unwrap();
    let mut all = Vec::new();
    places(&Cli::command(), &[], &mut all);
    assert!(all.len() > 20, "{all:?}");
    let each = rounds(1, 20);
    for (number, (words, option)) in all.iter().enumerate().filter(|(_, (words, _))| !words.is_empty()) {
        // An argument of a program cannot hold U+0000, and the system bounds its length.
        let texts = odd_texts(number * each, each + 5);
        for text in texts.filter(|text| !text.contains('\0') && text.len() < 50_000).take(each) {
            let mut command = tidewall(&[]);
            command.args(words).args(option).arg(&text).current_dir(&inside);
            let output = command.env("TIDEWALL_DATA_DIR", inside.join("data")).output().unwrap();
            let code = output.status.code();
            assert!(
                code.is_some_and(|code| (0..=2).contains(&code)) && !stderr(&output).contains("panicked"),
                "{words:?} {option:?} {text:?} ended with {code:?}: {}",
                stderr(&output)
            );
        }
    }
}
