//! What a restore replaces, what it refuses, and what it keeps.

use std::{fs, time::Duration};

use app::backup::{BackupError, Place, RestoreReport, keep_newest, name, newest};
use domain::moment::Moment;
use store::sql::backup::Kind;
use testkit::{Engine, Intruder, START, Scratch, TestApp};

use crate::{blocking, key_ids, on_both_engines, place, reopened, restore, secret, store, take, write_one};

on_both_engines![
    a_store_in_use_is_not_replaced,
    a_store_that_is_not_empty_is_replaced_only_on_request,
    another_key_file_is_replaced_only_on_request,
    a_backup_of_a_newer_version_is_refused,
];

/// Restores as soon as the connections of a closed application are gone.
async fn restore_when_free(
    place: &Place,
    file: &std::path::Path,
    replace: bool,
) -> app::backup::Result<RestoreReport> {
    for _ in 0..100 {
        match restore(place, file, None, replace).await {
            Err(BackupError::Store(store::Error::Refused(text))) if text.contains("in use") => {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            other => return other,
        }
    }
    panic!("the store stays in use");
}

/// Closes the application but keeps its store.
fn close(test: TestApp) -> Scratch {
    let TestApp { scratch, .. } = test;
    scratch
}

async fn a_store_in_use_is_not_replaced(engine: Engine) {
    let (test, caller) = store(engine, "north").await;
    let file = test.scratch.dir.path().join("backup");
    take(&place(&test.scratch), &file, None).await.unwrap();
    write_one(&test.app, &caller).await;
    let refused = restore(&place(&test.scratch), &file, None, true).await.unwrap_err();
    assert!(refused.to_string().contains("in use"), "{refused}");
    assert_eq!(key_ids(&test.app, &caller).await.len(), 1, "nothing was changed");
}

async fn a_store_that_is_not_empty_is_replaced_only_on_request(engine: Engine) {
    let (test, caller) = store(engine, "north").await;
    let first = write_one(&test.app, &caller).await;
    let file = test.scratch.dir.path().join("backup");
    take(&place(&test.scratch), &file, None).await.unwrap();
    write_one(&test.app, &caller).await;
    let life = test.app.db.platform().read(store::tenant::epoch).await.unwrap();
    let scratch = close(test);
    let here = place(&scratch);

    let refused = restore_when_free(&here, &file, false).await.unwrap_err();
    assert!(refused.to_string().contains("--replace"), "{refused}");
    let report = restore_when_free(&here, &file, true).await.unwrap();
    assert_eq!(report.kept.is_some(), engine == Engine::Sqlite);
    assert!(report.kept.is_none_or(|kept| fs::metadata(kept).unwrap().len() > 0));

    let again = reopened(scratch).await;
    assert_eq!(key_ids(&again.app, &caller).await, [first]);
    let new_life = again.app.db.platform().read(store::tenant::epoch).await.unwrap();
    assert_ne!(new_life, life, "validators given out before must not fit");
    let entries = again.app.operations.audit_after("platform", 0).await.unwrap();
    assert_eq!(entries.last().unwrap().entry.action, "store.restored");
    write_one(&again.app, &caller).await;
}

async fn another_key_file_is_replaced_only_on_request(engine: Engine) {
    let (test, _) = store(engine, "north").await;
    let file = test.scratch.dir.path().join("backup");
    take(&place(&test.scratch), &file, Some(secret())).await.unwrap();
    let elsewhere = blocking(move || Scratch::unmigrated(engine)).await;
    let there = place(&elsewhere);
    fs::write(&there.key_file, [9; 32]).unwrap();
    let refused = restore(&there, &file, Some(secret()), false).await.unwrap_err();
    assert!(matches!(refused, BackupError::OtherKey(_)), "{refused}");
    restore(&there, &file, Some(secret()), true).await.unwrap();
    assert_eq!(fs::read(&there.key_file).unwrap(), [7; 32]);
    let kept = there.data_dir.join("secret.key.before-restore");
    assert_eq!(fs::read(kept).unwrap(), [9; 32], "the old key is kept");
}

async fn a_backup_of_a_newer_version_is_refused(engine: Engine) {
    let (test, _) = store(engine, "north").await;
    let insert = "INSERT INTO migrations (name, applied_at) VALUES ('9999_future', 0)";
    Intruder::at(&test.scratch.location).run(insert);
    let file = test.scratch.dir.path().join("backup");
    // It refuses a backup that it does not understand.
    let refused = take(&place(&test.scratch), &file, None).await.unwrap_err();
    assert!(refused.to_string().contains("9999_future"), "{refused}");
    assert!(!file.exists());
}

#[tokio::test]
async fn a_backup_of_the_other_engine_is_refused() {
    let (test, _) = store(Engine::Sqlite, "north").await;
    let file = test.scratch.dir.path().join("backup");
    take(&place(&test.scratch), &file, None).await.unwrap();
    let elsewhere = blocking(|| Scratch::unmigrated(Engine::Postgres)).await;
    let refused = restore(&place(&elsewhere), &file, None, false).await.unwrap_err();
    assert!(matches!(refused, BackupError::OtherEngine { .. }), "{refused}");
    fs::write(&file, "something else entirely").unwrap();
    let refused = restore(&place(&elsewhere), &file, None, false).await.unwrap_err();
    assert!(matches!(refused, BackupError::Unknown(_)), "{refused}");
}

#[tokio::test]
async fn a_database_of_somebody_else_is_left_alone() {
    let (test, _) = store(Engine::Postgres, "north").await;
    let file = test.scratch.dir.path().join("backup");
    take(&place(&test.scratch), &file, None).await.unwrap();
    let elsewhere = blocking(|| Scratch::unmigrated(Engine::Postgres)).await;
    Intruder::at(&elsewhere.location).run("CREATE TABLE theirs (a INT); INSERT INTO theirs VALUES (1)");
    let refused = restore(&place(&elsewhere), &file, None, true).await.unwrap_err();
    assert!(refused.to_string().contains("not tidewall's"), "{refused}");
}

#[test]
fn only_the_oldest_of_our_own_go() {
    let directory = Scratch::unmigrated(Engine::Sqlite);
    let directory = directory.dir.path();
    let names: Vec<String> =
        (0..5).map(|day| name(Kind::File, false, Moment::from_millis(START + day * 86_400_000))).collect();
    for name in &names {
        fs::write(directory.join(name), "x").unwrap();
        fs::write(directory.join(format!("{name}.sha256")), "x").unwrap();
    }
    fs::write(directory.join("tidewall-mine.db"), "x").unwrap();
    let kept = keep_newest(directory, 2).unwrap();
    assert_eq!((kept.kept, kept.removed.len()), (2, 3));
    assert_eq!(newest(directory).unwrap().unwrap(), directory.join(&names[4]));
    assert!(!directory.join(format!("{}.sha256", names[0])).exists());
    assert!(directory.join("tidewall-mine.db").exists());
}
