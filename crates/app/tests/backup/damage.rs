//! Damaged files: each is refused, and the store stays as it is.

use std::{fs, path::Path};

use app::backup::{BackupError, SealError, Secret};
use testkit::{Engine, Scratch};

use crate::{blocking, leftovers, on_both_engines, place, restore, secret, store, take, write_one};

on_both_engines![
    a_wrong_passphrase_is_said_to_be_wrong,
    cut_or_flipped_encrypted_files_are_refused,
    cut_or_flipped_plain_files_are_refused,
    a_target_that_cannot_be_written_leaves_nothing,
];

async fn a_wrong_passphrase_is_said_to_be_wrong(engine: Engine) {
    let (test, _) = store(engine, "north").await;
    let file = test.scratch.dir.path().join("backup");
    take(&place(&test.scratch), &file, Some(secret())).await.unwrap();
    let elsewhere = blocking(move || Scratch::unmigrated(engine)).await;
    let there = place(&elsewhere);
    let wrong = Secret::new(b"incorrect horse battery staple".to_vec()).unwrap();
    let refused = restore(&there, &file, Some(wrong), false).await.unwrap_err();
    assert!(matches!(refused, BackupError::Seal { error: SealError::WrongSecret, .. }), "{refused}");
    let refused = restore(&there, &file, None, false).await.unwrap_err();
    assert!(refused.to_string().contains("--key-file"), "{refused}");
    assert!(Secret::new(b"too short\n".to_vec()).is_err());
}

async fn refused_everywhere(engine: Engine, file: &Path, key: Option<Secret>) {
    let whole = fs::read(file).unwrap();
    let half = whole.len() / 2;
    let mut cases = vec![whole[..half].to_vec(), whole[..whole.len() - 1].to_vec(), Vec::new()];
    for place in [50, half, whole.len() - 1] {
        let mut flipped = whole.clone();
        flipped[place] ^= 0x10;
        cases.push(flipped);
    }
    let elsewhere = blocking(move || Scratch::unmigrated(engine)).await;
    let there = place(&elsewhere);
    for (number, bytes) in cases.into_iter().enumerate() {
        fs::write(file, bytes).unwrap();
        let refused = restore(&there, file, key.clone(), false).await;
        assert!(refused.is_err(), "case {number} was restored");
        assert_eq!(leftovers(&there.data_dir), Vec::<std::path::PathBuf>::new());
    }
    assert!(!there.data_dir.join("tidewall.db").exists(), "there is a store");
    assert!(!there.key_file.exists(), "there is a key");
    // The undamaged file is still accepted.
    fs::write(file, whole).unwrap();
    restore(&there, file, key, false).await.unwrap();
    assert_eq!(leftovers(&there.data_dir), Vec::<std::path::PathBuf>::new());
}

async fn cut_or_flipped_encrypted_files_are_refused(engine: Engine) {
    let (test, caller) = store(engine, "north").await;
    write_one(&test.app, &caller).await;
    let file = test.scratch.dir.path().join("backup");
    take(&place(&test.scratch), &file, Some(secret())).await.unwrap();
    refused_everywhere(engine, &file, Some(secret())).await;
}

async fn cut_or_flipped_plain_files_are_refused(engine: Engine) {
    let (test, caller) = store(engine, "north").await;
    write_one(&test.app, &caller).await;
    let file = test.scratch.dir.path().join("backup");
    take(&place(&test.scratch), &file, None).await.unwrap();
    refused_everywhere(engine, &file, None).await;

    // Without its checksum, a truncated file is still no store.
    let whole = fs::read(&file).unwrap();
    fs::remove_file(test.scratch.dir.path().join("backup.sha256")).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let elsewhere = blocking(move || Scratch::unmigrated(engine)).await;
    assert!(restore(&place(&elsewhere), &file, None, false).await.is_err());
}

async fn a_target_that_cannot_be_written_leaves_nothing(engine: Engine) {
    let (test, _) = store(engine, "north").await;
    let here = place(&test.scratch);
    let directory = test.scratch.dir.path();
    let missing = directory.join("nowhere/backup");
    let refused = take(&here, &missing, Some(secret())).await.unwrap_err();
    assert!(refused.to_string().contains("nowhere"), "{refused}");
    let file = directory.join("backup");
    take(&here, &file, None).await.unwrap();
    assert!(matches!(take(&here, &file, None).await, Err(BackupError::Exists(_))));
    assert_eq!(leftovers(directory), Vec::<std::path::PathBuf>::new());
}
