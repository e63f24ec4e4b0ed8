//! Every command without a store: only those that create one do, and reading leaves no file.

use std::{fs, path::Path, process::Output};

use clap::CommandFactory as _;
use store::sql::Location;
use tempfile::TempDir;
use testkit::{Engine, Scratch};

use super::{stderr, tidewall};

const REFUSED: &str = "tidewall: there is no store in ./data: name it with --data-dir, or make one with \
                       `tidewall tenant create`\n";

/// Verbs that need a store, each with arguments it would do its work with.
const NEED_A_STORE: &[&[&str]] = &[
    &["tenant", "list"],
    &["tenant", "language", "north", "de"],
    &["tenant", "currency", "north", "CHF"],
    &["tenant", "rename", "north", "South"],
    &["tenant", "close", "north", "--yes"],
    &["tenant", "open", "north"],
    &["user", "list"],
    &["user", "create", "a@bank.example", "--tenant", "north", "--role", "viewer", "--password-stdin"],
    &["user", "invite", "a@bank.example", "--tenant", "north", "--role", "viewer"],
    &["user", "reset", "a@bank.example"],
    &["user", "role", "a@bank.example", "viewer"],
    &["user", "disable", "a@bank.example"],
    &["user", "enable", "a@bank.example"],
    &["key", "list", "--tenant", "north"],
    &["key", "create", "--tenant", "north"],
    &["key", "revoke", "key_01", "--tenant", "north"],
    &["key", "rotate", "key_01", "--tenant", "north"],
    &["job", "list"],
    &["job", "run", "retention"],
    &["audit", "verify"],
    &["audit", "export"],
    &["backup"],
    &["migrate", "--status"],
    &["scan", "--advisory-db", "."],
    &["vault", "status"],
    &["vault", "rotate"],
    &["vault", "forget"],
    &["vault", "adopt"],
];

/// Verbs that answer without a store.
const NEED_NONE: &[&[&str]] = &[
    &["config"],
    &["doctor", "--first-start"],
    &["catalogue", "check"],
    &["catalogue", "diff", "built-in", "built-in"],
    &["openapi"],
    &["completions", "bash"],
    &["man"],
    &["version"],
];

/// Verbs that make a store, or put one back.
const MAKE_ONE: &[&[&str]] = &[&["serve"], &["tenant", "create"], &["migrate"], &["restore"]];

/// Write the files they are told to, and no store; tested beside the catalogue.
const WRITE_FILES: &[&[&str]] =
    &[&["catalogue", "export"], &["catalogue", "import"], &["catalogue", "wording"]];

/// Needs a file to import, which is looked at before the store; tried below.
const IMPORTS: &[&[&str]] =
    &[&["import", "findings"], &["import", "arrangements"], &["import", "gleif"], &["import", "scan"]];

/// Reads the file it is given, and no store; tested beside its verb.
const READ_FILES: &[&[&str]] = &[&["bundle", "verify"]];

fn run(folder: &Path, arguments: &[&str]) -> Output {
    tidewall(arguments).current_dir(folder).output().unwrap()
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

/// Whether these words begin with that verb.
fn is_of(verb: &[String], words: &[&str]) -> bool {
    words.len() >= verb.len() && verb.iter().zip(words).all(|(name, word)| name == word)
}

#[test]
fn every_verb_stands_in_one_of_the_lists() {
    let mut leaves = Vec::new();
    for verb in tidewall::cli::Cli::command().get_subcommands() {
        let inner: Vec<_> = verb.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
        let name = verb.get_name().to_owned();
        if inner.is_empty() {
            leaves.push(vec![name]);
        } else {
            leaves.extend(inner.into_iter().map(|inner| vec![name.clone(), inner]));
        }
    }
    let listed = [NEED_A_STORE, NEED_NONE, MAKE_ONE, WRITE_FILES, IMPORTS, READ_FILES].concat();
    for verb in leaves {
        assert!(listed.iter().any(|words| is_of(&verb, words)), "{verb:?} is in no list of this file");
    }
}

#[test]
fn what_needs_a_store_refuses_and_makes_none() {
    for arguments in NEED_A_STORE {
        let folder = TempDir::new().unwrap();
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stderr(&output), REFUSED, "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(is_empty(folder.path()), "{arguments:?} left something behind");
    }
}

#[test]
fn an_import_refuses_too() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("findings.csv");
    fs::write(&file, "title,severity\nWeak cipher,high\n").unwrap();
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).unwrap();
    let output = run(&inside, &["import", "findings", "../findings.csv", "--tenant", "north"]);
    assert_eq!(stderr(&output), REFUSED);
    assert!(is_empty(&inside));
}

#[test]
fn what_needs_no_store_makes_none() {
    for arguments in NEED_NONE {
        let folder = TempDir::new().unwrap();
        let output = tidewall(arguments)
            .current_dir(folder.path())
            .env("TIDEWALL_LISTEN", "127.0.0.1:0")
            .env("TIDEWALL_OPERATOR__LISTEN", "")
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        assert!(is_empty(folder.path()), "{arguments:?} left something behind");
    }
    let folder = TempDir::new().unwrap();
    let output = run(folder.path(), &["restore", "--drill"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(is_empty(folder.path()), "a rehearsal without a backup left something behind");
}

#[test]
fn an_empty_database_is_no_store_and_a_used_one_needs_no_key_file_to_be_read() {
    let scratch = Scratch::unmigrated(Engine::Postgres);
    let Location::Server { url, .. } = &scratch.location else { unreachable!() };
    let (folder, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let run = |folder: &TempDir, arguments: &[&str]| {
        tidewall(arguments).current_dir(folder.path()).env("TIDEWALL_DATABASE_URL", url).output().unwrap()
    };
    let output = run(&folder, &["tenant", "list"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("tidewall: there is no store in the database of database_url: "));
    assert!(is_empty(folder.path()));
    assert!(run(&elsewhere, &["tenant", "create", "north", "--name", "North"]).status.success());
    for arguments in [&["tenant", "list"][..], &["user", "list"], &["job", "list"], &["audit", "verify"]] {
        let output = run(&folder, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        assert!(is_empty(folder.path()), "{arguments:?} made a key file");
    }
}
