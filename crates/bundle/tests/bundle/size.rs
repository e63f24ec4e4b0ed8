//! A million records, in bounded time and memory. In its full size, with optimised code: `scripts/test --full`.

use std::{
    fs::{self, File},
    io::{BufReader, BufWriter, Write as _},
};

use serde_json::value::RawValue;
use tidewall_bundle::{ChainEntry, ChainWriter, ListedRecord, Packing, WriteError, Writer};

use crate::{key, public, sample};

fn entry(seq: i64) -> ChainEntry {
    ChainEntry {
        seq,
        at: 1_790_000_000_000 + seq,
        actor: format!("usr_{:04}", seq % 50),
        action: "finding.created".to_owned(),
        subject: format!("fnd_{seq:08}"),
        detail: format!("{{\"title\":\"Finding {seq}\"}}"),
        key: Some("k1".to_owned()),
        hash: format!("{seq:064x}"),
    }
}

/// Writes and verifies a bundle of so many records, and says how large it is.
fn written(records: i64) -> u64 {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("bundle.zip");
    let file = File::options().create_new(true).read(true).write(true).open(&path).unwrap();
    let mut writer = Writer::new(file);
    let chain = writer.file("chain.jsonl", Packing::Deflated, |part| {
        let (mut out, mut chain) = (BufWriter::new(part), ChainWriter::new(sample::CHAIN, 0, [0; 32]));
        for seq in 1..=records {
            chain.entry(&mut out, &entry(seq))?;
        }
        out.flush()?;
        Ok::<_, WriteError>(chain.finish())
    });
    writer
        .file("lists/findings.jsonl", Packing::Deflated, |part| {
            let mut out = BufWriter::new(part);
            for seq in 1..=records {
                let data =
                    format!("{{\"title\":\"Finding {seq}\",\"severity\":\"high\",\"status\":\"open\"}}");
                let data = RawValue::from_string(data)?;
                let id = format!("fnd_{seq:08}");
                serde_json::to_writer(&mut out, &ListedRecord { id, version: 1, rests_on: Some(seq), data })?;
                out.write_all(b"\n")?;
            }
            Ok::<_, WriteError>(out.flush()?)
        })
        .unwrap();
    writer.sign(sample::subject(), chain.unwrap(), &key()).unwrap().seal(&key(), None).unwrap();
    let report = tidewall_bundle::verify(BufReader::new(File::open(&path).unwrap()), Some(public())).unwrap();
    assert_eq!(report.lists["findings"].in_slice, u64::try_from(records).unwrap());
    fs::metadata(path).unwrap().len()
}

/// The largest memory of this process so far, in KiB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Memory must not grow with the number of records but for the few bytes that are kept of each entry.
#[test]
fn memory_does_not_grow_with_the_records() {
    written(1_000);
    let before = peak();
    assert!(written(30_000) > 100_000);
    let grown = peak() - before;
    assert!(grown < 8 * 1024, "{grown} KiB more for 29,000 records");
}

#[test]
fn full_size_a_million_records_stay_within_the_bounds() {
    let started = std::time::Instant::now();
    let bytes = written(1_000_000);
    let (seconds, mebibytes) = (started.elapsed().as_secs(), peak() / 1024);
    println!("a million records: {seconds} s, {mebibytes} MiB at most, {} MB of file", bytes / 1_000_000);
    assert!(seconds <= 60 && mebibytes <= 150, "{seconds} s, {mebibytes} MiB");
}
