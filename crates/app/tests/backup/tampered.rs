//! Backups that a third party made or changed.

use std::fs;

use app::backup::{self, Accept, BackupError};
use store::sql::Location;
use test_case::test_case;
use testkit::{Engine, Intruder, Scratch};

use crate::{blocking, now, place, restore, restore_accepting, secret, store, take, write_one};

async fn taken(engine: Engine) -> (testkit::TestApp, std::path::PathBuf) {
    let (test, caller) = store(engine, "north").await;
    write_one(&test.app, &caller).await;
    let file = test.scratch.dir.path().join("plain");
    take(&place(&test.scratch), &file, None).await.unwrap();
    (test, file)
}

/// A new location with the key file, where a plain backup can be checked.
async fn elsewhere(engine: Engine) -> Scratch {
    let scratch = blocking(move || Scratch::unmigrated(engine)).await;
    fs::write(scratch.dir.path().join("secret.key"), [7; 32]).unwrap();
    scratch
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_passphrase_set_a_plain_backup_is_refused_unless_accepted() {
    let (test, file) = taken(Engine::Sqlite).await;
    let there = elsewhere(Engine::Sqlite).await;
    let refused = restore(&place(&there), &file, Some(secret()), false).await;
    assert!(matches!(refused, Err(BackupError::Plain(_))), "{refused:?}");
    let (here, path) = (place(&test.scratch), file.clone());
    let drilled = blocking(move || {
        backup::drill(&here, &path, (Some(&secret()), Accept::default()), now(), &mut |_, _, _| {})
    });
    assert!(matches!(drilled.await, Err(BackupError::Plain(_))));
    let accept = Accept { unencrypted: true, ..Accept::default() };
    let report = restore_accepting(&place(&there), &file, Some(secret()), false, accept).await.unwrap();
    assert!(report.authentic);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn a_plain_backup_proves_who_made_it(engine: Engine) {
    let (_test, file) = taken(engine).await;
    let code = file.with_extension("mac");
    let own = fs::read_to_string(&code).unwrap();
    // The checksum matches, but its author does not hold the vault key.
    for forged in [own.replace(char::is_numeric, "0"), String::new(), "x y\n".into()] {
        fs::write(&code, forged).unwrap();
        let refused = restore(&place(&elsewhere(engine).await), &file, None, false).await;
        assert!(matches!(refused, Err(BackupError::NotAuthentic(_))), "{refused:?}");
    }
    fs::remove_file(&code).unwrap();
    let refused = restore(&place(&elsewhere(engine).await), &file, None, false).await;
    assert!(matches!(refused, Err(BackupError::NoCode(_))), "{refused:?}");
    let accept = Accept { unauthenticated: true, ..Accept::default() };
    let there = elsewhere(engine).await;
    let report = restore_accepting(&place(&there), &file, None, false, accept).await.unwrap();
    assert!(!report.authentic);
    fs::write(&code, own).unwrap();
    assert!(restore(&place(&elsewhere(engine).await), &file, None, false).await.unwrap().authentic);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trigger_in_a_backup_is_refused() {
    let (_test, file) = taken(Engine::Sqlite).await;
    for planted in [
        "CREATE TRIGGER own AFTER INSERT ON sessions BEGIN UPDATE users SET role = 'administrator'; END",
        "CREATE VIEW own AS SELECT * FROM users",
        "CREATE TABLE own (id TEXT)",
        "ALTER TABLE users ADD COLUMN own TEXT",
        "DROP TABLE known_devices",
    ] {
        let copy = file.with_file_name("planted");
        fs::copy(&file, &copy).unwrap();
        Intruder::at(&Location::File { path: copy.clone(), readers: 1 }).run(planted);
        let there = Scratch::unmigrated(Engine::Sqlite);
        let refused = restore(&place(&there), &copy, None, false).await.unwrap_err().to_string();
        assert!(refused.contains("is not as its migrations make it"), "{planted}: {refused}");
        fs::remove_file(&copy).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_another_vault_key_is_refused() {
    let (_test, file) = taken(Engine::Sqlite).await;
    let there = Scratch::unmigrated(Engine::Sqlite);
    fs::write(there.dir.path().join("secret.key"), [8; 32]).unwrap();
    let accept = Accept { unauthenticated: true, ..Accept::default() };
    fs::remove_file(file.with_extension("mac")).unwrap();
    let refused = restore_accepting(&place(&there), &file, None, false, accept).await;
    assert!(matches!(refused, Err(BackupError::OtherVault { .. })), "{refused:?}");
}
