//! A backup taken under write load contains everything acknowledged before it began.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use app::{authz::Caller, backup};
use domain::id::ApiKeyId;
use testkit::{Engine, Scratch, TestApp};

use crate::{
    blocking, key_ids, leftovers, now, on_both_engines, place, reopened, restore, secret, store, take,
    write_one,
};

on_both_engines![
    nothing_acknowledged_before_is_missing,
    an_encrypted_backup_brings_the_key_file_along,
    a_drill_restores_elsewhere_and_leaves_nothing,
];

/// Writers that run until they are stopped, and their acknowledged writes.
struct Hammer {
    stop: Arc<AtomicBool>,
    confirmed: Arc<Mutex<Vec<ApiKeyId>>>,
    writers: Vec<tokio::task::JoinHandle<()>>,
}

impl Hammer {
    fn start(test: &TestApp, caller: &Caller) -> Self {
        let (stop, confirmed) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let writers = (0..8)
            .map(|_| {
                let (app, caller) = (test.app.clone(), caller.clone());
                let (stop, confirmed) = (Arc::clone(&stop), Arc::clone(&confirmed));
                tokio::spawn(async move {
                    while !stop.load(Ordering::Acquire) {
                        let id = write_one(&app, &caller).await;
                        confirmed.lock().unwrap().push(id);
                    }
                })
            })
            .collect();
        Self { stop, confirmed, writers }
    }

    fn confirmed(&self) -> Vec<ApiKeyId> {
        self.confirmed.lock().unwrap().clone()
    }

    /// Everything that was confirmed.
    async fn stop(self) -> Vec<ApiKeyId> {
        self.stop.store(true, Ordering::Release);
        for writer in self.writers {
            writer.await.unwrap();
        }
        self.confirmed.lock().unwrap().clone()
    }
}

#[expect(clippy::print_stdout, reason = "the figure is read from the output of the test")]
async fn nothing_acknowledged_before_is_missing(engine: Engine) {
    let full = std::env::var("TIDEWALL_TEST_SIZE").is_ok_and(|size| size == "full");
    // A larger store takes longer to back up, and grows more meanwhile: ten small ones show as much as a huge one.
    let (stores, backups) = if full { (10, 10) } else { (1, 3) };
    let mut written = 0;
    for _ in 0..stores {
        written += backups_under_load(engine, backups).await;
    }
    println!("{} backups under load, {written} writes confirmed, none missing", stores * backups);
}

/// Takes several backups of one store and restores each elsewhere. Returns the number of acknowledged writes.
async fn backups_under_load(engine: Engine, backups: usize) -> usize {
    let (test, caller) = store(engine, "north").await;
    let hammer = Hammer::start(&test, &caller);
    for round in 0..backups {
        while hammer.confirmed().len() < 100 * (round + 1) {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        let before = hammer.confirmed();
        let file = test.scratch.dir.path().join(format!("backup-{round}"));
        let report = take(&place(&test.scratch), &file, None).await.unwrap();
        let after = hammer.confirmed();
        assert!(after.len() > before.len(), "no writer wrote meanwhile");

        let elsewhere = blocking(move || Scratch::unmigrated(engine)).await;
        let restored = restore(&place(&elsewhere), &file, None, false).await.unwrap();
        assert_eq!(restored.contents.rows, report.contents.rows);
        assert_eq!(restored.contents.heads, report.contents.heads);
        // Where there is no key yet, the entries are said not to be checked with one.
        let unchecked =
            [report.contents.unchecked, restored.contents.unchecked].map(|left| left.without_key > 0);
        assert_eq!(unchecked, [false, true]);
        let again = reopened(elsewhere).await;
        let found = key_ids(&again.app, &caller).await;
        assert!(before.iter().all(|id| found.contains(id)), "a confirmed write is not in the backup");
        assert_eq!(found.len() as u64, report.contents.count("api_keys"));
    }
    let confirmed = hammer.stop().await;
    assert_eq!(leftovers(test.scratch.dir.path()), Vec::<std::path::PathBuf>::new());
    confirmed.len()
}

async fn an_encrypted_backup_brings_the_key_file_along(engine: Engine) {
    let (test, caller) = store(engine, "north").await;
    let id = write_one(&test.app, &caller).await;
    let file = test.scratch.dir.path().join("backup.sealed");
    let report = take(&place(&test.scratch), &file, Some(secret())).await.unwrap();
    assert!(report.encrypted && report.holds_key);
    let bytes = std::fs::read(&file).unwrap();
    let appears = |word: &[u8]| bytes.windows(word.len()).any(|window| window == word);
    assert!(!appears(b"hammer") && !appears(b"SQLite") && !appears(&[7; 32]), "something is readable");

    let elsewhere = blocking(move || Scratch::unmigrated(engine)).await;
    let there = place(&elsewhere);
    let restored = restore(&there, &file, Some(secret()), false).await.unwrap();
    assert!(restored.key_restored && !restored.key_missing);
    assert_eq!(std::fs::read(&there.key_file).unwrap(), [7; 32]);
    let again = reopened(elsewhere).await;
    assert_eq!(key_ids(&again.app, &caller).await, [id]);
}

async fn a_drill_restores_elsewhere_and_leaves_nothing(engine: Engine) {
    let (test, caller) = store(engine, "north").await;
    write_one(&test.app, &caller).await;
    let here = place(&test.scratch);
    for key in [None, Some(secret())] {
        let file = test.scratch.dir.path().join(format!("drill-{}", key.is_some()));
        let report = take(&here, &file, key.clone()).await.unwrap();
        // The service continues meanwhile: a drill touches nothing of its store.
        let (there, path) = (here.clone(), file.clone());
        let drilled = blocking(move || {
            backup::drill(&there, &path, (key.as_ref(), backup::Accept::default()), now(), &mut |_, _, _| {})
        })
        .await;
        let drilled = drilled.unwrap();
        assert_eq!(drilled.contents, report.contents);
        assert_eq!(drilled.encrypted, report.encrypted);
        assert!(drilled.seconds > 0.0);
    }
    write_one(&test.app, &caller).await;
    assert_eq!(leftovers(test.scratch.dir.path()), Vec::<std::path::PathBuf>::new());
}
