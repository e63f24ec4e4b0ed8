use std::{fs, path::Path, process::Output};

use ::tidewall::config::{Configuration, Layers};
use domain::moment::Moment;
use serde_json::Value;
use tempfile::TempDir;

use super::{stderr, stdout, tidewall};

fn run(data_dir: &Path, arguments: &[&str]) -> Output {
    tidewall(arguments).env("TIDEWALL_DATA_DIR", data_dir).output().unwrap()
}

fn done(data_dir: &Path, arguments: &[&str]) -> String {
    let output = run(data_dir, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

fn a_store() -> TempDir {
    let directory = TempDir::new().unwrap();
    done(directory.path(), &["tenant", "create", "north", "--name", "North Bank"]);
    directory
}

#[test]
fn a_plain_backup_says_where_the_key_is_and_opens_with_the_engines_own_tools() {
    let directory = a_store();
    let safe = TempDir::new().unwrap();
    let file = safe.path().join("t.db");
    let output = run(directory.path(), &["backup", "--json", "--output", file.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("secret.key"), "{}", stderr(&output));
    assert!(stderr(&output).contains("copying pages"), "no progress: {}", stderr(&output));
    let printed: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(
        (&printed["encrypted"], &printed["holds_key"], &printed["rows"]["tenants"]),
        (&Value::from(false), &Value::from(false), &Value::from(1))
    );
    let plain = safe.path().join("u.db");
    let said = run(directory.path(), &["backup", "--output", plain.to_str().unwrap()]);
    let said = format!("{}{}", stdout(&said), stderr(&said));
    assert!(said.contains("0 incident(s), 0 file(s) of evidence"), "{said}");
    let copy = rusqlite::Connection::open(&file).unwrap();
    let name: String = copy.query_row("SELECT name FROM tenants", [], |row| row.get(0)).unwrap();
    assert_eq!(name, "North Bank");
    let checksum = fs::read_to_string(safe.path().join("t.db.sha256")).unwrap();
    assert!(checksum.trim_end().ends_with("  t.db"), "{checksum}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn the_configured_directory_and_passphrase_are_used() {
    let directory = a_store();
    let safe = TempDir::new().unwrap();
    let pass = safe.path().join("pass");
    fs::write(&pass, "correct horse battery staple\n").unwrap();
    let backup = |arguments: &[&str]| {
        let mut command = tidewall(arguments);
        command
            .env("TIDEWALL_DATA_DIR", directory.path())
            .env("TIDEWALL_BACKUP__DIRECTORY", safe.path().join("deep/er"))
            .env("TIDEWALL_BACKUP__KEY_FILE", &pass);
        command.output().unwrap()
    };
    let output = backup(&["backup"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains(".db.sealed") && stdout(&output).contains("encrypted"),
        "{}",
        stdout(&output)
    );
    let drilled = backup(&["restore", "--drill", "--json"]);
    assert!(drilled.status.success(), "{}", stderr(&drilled));
    let printed: Value = serde_json::from_str(&stdout(&drilled)).unwrap();
    assert_eq!((&printed["ok"], &printed["encrypted"]), (&Value::from(true), &Value::from(true)));
    assert!(printed["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn replacing_asks_and_without_a_terminal_needs_a_word() {
    let directory = a_store();
    let file = directory.path().join("t.db");
    let file = file.to_str().unwrap();
    done(directory.path(), &["backup", "--output", file]);
    done(directory.path(), &["tenant", "create", "south", "--name", "South Bank"]);
    let output = run(directory.path(), &["restore", file]);
    assert!(stderr(&output).contains("--replace"), "{}", stderr(&output));
    let output = run(directory.path(), &["restore", "--replace", file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--yes"), "{}", stderr(&output));
    assert!(done(directory.path(), &["tenant", "list"]).contains("south"), "nothing was changed yet");
    let said = done(directory.path(), &["restore", "--replace", "--yes", file]);
    assert!(said.contains("before-restore"), "{said}");
    assert!(!done(directory.path(), &["tenant", "list"]).contains("south"));
}

#[test]
fn a_drill_without_a_backup_says_what_to_do() {
    let directory = a_store();
    let output = run(directory.path(), &["restore", "--drill"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("tidewall backup"), "{}", stderr(&output));
}

#[tokio::test]
async fn a_scheduled_backup_keeps_the_newest_and_a_failed_one_costs_nothing() {
    let (directory, safe) = (a_store(), TempDir::new().unwrap());
    let load = |key_file: &Path| {
        let environment = [
            ("TIDEWALL_DATA_DIR", directory.path()),
            ("TIDEWALL_BACKUP__DIRECTORY", safe.path()),
            ("TIDEWALL_BACKUP__KEY_FILE", key_file),
            ("TIDEWALL_BACKUP__KEEP", Path::new("2")),
        ];
        let environment = environment.map(|(name, value)| (name.into(), value.as_os_str().to_owned()));
        Configuration::load(&Layers::default().with_environment(environment)).unwrap().settings
    };
    let on = |day: i64| Moment::from_millis(testkit::START + day * 86_400_000);
    let settings = load(Path::new(""));
    for day in 0..4 {
        let done = ::tidewall::backup::scheduled(&settings, on(day)).await.unwrap();
        assert!(done.report.file.exists());
        assert_eq!(done.kept.removed.len(), usize::from(day >= 2));
    }
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(safe.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    assert_eq!(before.len(), 6, "two backups, each with its checksum and its code: {before:?}");
    let failed = ::tidewall::backup::scheduled(&load(&safe.path().join("nowhere")), on(9)).await;
    assert!(failed.unwrap_err().to_string().contains("backup.key_file"));
    assert_eq!(names(), before);
}
