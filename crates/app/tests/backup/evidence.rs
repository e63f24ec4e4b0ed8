//! The bytes of evidence are restored with the store.

use app::{evidence::SentFile, upload::Upload};
use bytes::Bytes;
use domain::{change::Change, evidence::EvidenceInput};
use futures_util::TryStreamExt as _;
use testkit::{Engine, Scratch};

use crate::{blocking, on_both_engines, place, reopened, restore, store, take};

async fn files_survive_a_backup_and_a_restore(engine: Engine) {
    let (test, caller) = store(engine, "north").await;
    let numbers = (0..700_000_u32).flat_map(u32::to_be_bytes);
    let sent: Vec<u8> = b"%PDF-1.7\n".iter().copied().chain(numbers).take(700_000).collect();
    let file = SentFile { name: "report.pdf".into(), upload: Upload::bytes(Bytes::from(sent.clone())) };
    let input = EvidenceInput { title: Change::Set("Report".into()), ..EvidenceInput::default() };
    let made = test
        .app
        .compliance
        .add_evidence(&caller, input, Some(file), None, None, |_| String::new())
        .await
        .unwrap();
    let target = test.scratch.dir.path().join("evidence.backup");
    take(&place(&test.scratch), &target, None).await.unwrap();

    let elsewhere = blocking(move || Scratch::unmigrated(engine)).await;
    restore(&place(&elsewhere), &target, None, false).await.unwrap();
    let back = reopened(elsewhere).await;
    let content = back.app.compliance.evidence_content(&caller, made.subject.parse().unwrap()).await.unwrap();
    let length = content.file.bytes;
    let parts: Vec<Bytes> = content.open(0..length).await.unwrap().try_collect().await.unwrap();
    assert!(parts.iter().all(|part| part.len() <= 256 * 1024), "a part at a time");
    let bytes: Vec<u8> = parts.concat();
    assert!(bytes == sent, "{engine:?}: the bytes differ");
}

on_both_engines!(files_survive_a_backup_and_a_restore);
