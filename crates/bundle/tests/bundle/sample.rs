//! A small bundle with everything in it.

use std::io::{Cursor, Write as _};

use ring::hmac;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use tidewall_bundle::{
    CHAIN_FILE, ChainEntry, ChainSlice, ChainWriter, ListedRecord, Packing, REQUIREMENTS_FILE, RecordStamp,
    RequirementClaim, SigningKey, Subject, WriteError, Writer,
};

use crate::key;

/// How many entries are from before the chain had a key.
pub(crate) const PLAIN: i64 = 6;
pub(crate) const ENTRIES: i64 = 12;
pub(crate) const CHAIN: &str = "ten_01";

/// How many of this many cases are tried: all of them in the full size of the tests, a fifth otherwise.
pub(crate) fn rounds(all: usize) -> usize {
    let full = std::env::var("TIDEWALL_TEST_SIZE").is_ok_and(|size| size == "full");
    if full { all } else { all / 5 }
}

pub(crate) fn subject() -> Subject {
    Subject {
        institution: "Küstenbank eG".to_owned(),
        framework: None,
        as_of: "2026-11-17".to_owned(),
        from: None,
        until: 1_795_042_799_999,
        language: "de".to_owned(),
        catalogue: "2026-11".to_owned(),
    }
}

/// A record has the same number as its entry.
pub(crate) fn id(seq: i64) -> String {
    let kind = if seq % 2 == 0 { "asm" } else { "evd" };
    format!("{kind}_{seq:04}")
}

fn content(before: &[u8], entry: &ChainEntry) -> Vec<u8> {
    let mut content = [before, &entry.seq.to_be_bytes(), &entry.at.to_be_bytes()].concat();
    for field in [CHAIN, &entry.actor, &entry.action, &entry.subject, &entry.detail] {
        content.extend((field.len() as u64).to_be_bytes());
        content.extend(field.as_bytes());
    }
    content
}

/// The entries as a service would have written them.
pub(crate) fn entries() -> Vec<ChainEntry> {
    let secret = hmac::Key::new(hmac::HMAC_SHA256, b"of the service");
    let mut before = vec![0; 32];
    let entry = |seq: i64| {
        let mut entry = ChainEntry {
            seq,
            at: 1_790_000_000_000 + seq,
            actor: "usr_01".to_owned(),
            action: "record.created".to_owned(),
            subject: id(seq),
            detail: format!("{{\"title\":\"Prüfung {seq}\"}}"),
            key: (seq > PLAIN).then(|| "k1".to_owned()),
            hash: String::new(),
        };
        let content = content(&before, &entry);
        before = match entry.key {
            None => Sha256::digest(&content).to_vec(),
            Some(_) => hmac::sign(&secret, &content).as_ref().to_vec(),
        };
        entry.hash = data_encoding::HEXLOWER.encode(&before);
        entry
    };
    (1..=ENTRIES).map(entry).collect()
}

pub(crate) fn chain() -> (Vec<u8>, ChainSlice) {
    let (mut lines, mut writer) = (Vec::new(), ChainWriter::new(CHAIN, 0, [0; 32]));
    for entry in entries() {
        writer.entry(&mut lines, &entry).unwrap();
    }
    (lines, writer.finish())
}

pub(crate) fn list(kind: &str) -> Vec<u8> {
    let mut lines = Vec::new();
    for seq in (1..=ENTRIES).filter(|seq| id(*seq).starts_with(kind)) {
        let data = RawValue::from_string(format!("{{\"title\":\"Maßnahme {seq}\"}}")).unwrap();
        let record = ListedRecord { id: id(seq), version: seq, rests_on: Some(seq), data };
        serde_json::to_writer(&mut lines, &record).unwrap();
        lines.push(b'\n');
    }
    lines
}

fn evidence(seq: i64) -> (String, Vec<u8>) {
    (format!("evidence/{}/file.txt", id(seq)), format!("content of {seq}\n").repeat(20).into_bytes())
}

fn requirements() -> Vec<u8> {
    let mut lines = Vec::new();
    for seq in (2..=ENTRIES).step_by(2) {
        let (path, file) = evidence(seq - 1);
        let stamp = |list: &str, seq| RecordStamp { list: list.to_owned(), id: id(seq), version: seq };
        let claim = RequirementClaim {
            requirement: format!("dora-art-{seq}"),
            title: format!("Artikel {seq}"),
            status: Some("fulfilled".to_owned()),
            applies: Some(true),
            records: vec![stamp("assessments", seq), stamp("evidence", seq - 1)],
            files: vec![(path, data_encoding::HEXLOWER.encode(&Sha256::digest(&file)))],
        };
        serde_json::to_writer(&mut lines, &claim).unwrap();
        lines.push(b'\n');
    }
    lines
}

/// Every file of the bundle, in its order, without the manifest.
pub(crate) fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        ("index.html".to_owned(), b"<!doctype html><title>Bundle</title>".to_vec()),
        (CHAIN_FILE.to_owned(), chain().0),
        (REQUIREMENTS_FILE.to_owned(), requirements()),
        ("lists/assessments.jsonl".to_owned(), list("asm")),
        ("lists/evidence.jsonl".to_owned(), list("evd")),
    ];
    files.extend((1..=ENTRIES).step_by(2).map(evidence));
    files
}

/// The bundle, made by the writer.
pub(crate) fn made(key: &SigningKey) -> Vec<u8> {
    let mut writer = Writer::new(Cursor::new(Vec::new()));
    for (path, content) in files() {
        let packing = if path.starts_with("evidence/") { Packing::Stored } else { Packing::Deflated };
        writer.file::<_, WriteError>(&path, packing, |part| Ok(part.write_all(&content)?)).unwrap();
    }
    writer.missing("evidence/evd_0099", "the file was not scanned yet");
    writer.sign(subject(), chain().1, key).unwrap().seal(key, None).unwrap().into_inner()
}

pub(crate) fn bundle() -> Vec<u8> {
    made(&key())
}
