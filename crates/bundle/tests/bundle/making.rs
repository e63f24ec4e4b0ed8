//! The writer.

use std::{fs, io::Cursor, process::Command};

use tidewall_bundle::{ChainWriter, Packing, WriteError, Writer};

use crate::{SEED, forge::Forged, public, python, python::Python, sample, verified};

#[test]
fn a_bundle_is_verified_by_both() {
    let bytes = sample::bundle();
    assert_eq!(Python::start(Some(public())).code(&bytes, Some(public())), None);
    let report = verified(&bytes).unwrap();
    assert_eq!((report.entries, report.keyed_entries, report.requirements), (12, 6, 6));
    assert_eq!(report.lists["evidence"].in_slice, 6);
    assert_eq!(report.manifest.missing[0].why, "the file was not scanned yet");
    assert!(report.key_was_compared);
}

#[test]
fn the_same_content_gives_the_same_bytes() {
    assert!(sample::bundle() == sample::bundle());
}

/// What was put together by hand, from the description of the format alone, is a bundle too.
#[test]
fn the_format_is_the_one_described() {
    assert!(verified(&Forged::sample(SEED).bytes()).is_ok());
}

#[test]
fn a_bundle_that_was_not_finished_is_none() {
    let mut file = Cursor::new(Vec::new());
    let mut writer = Writer::new(&mut file);
    writer.bytes("index.html", b"half").unwrap();
    std::mem::forget(writer);
    assert_eq!(verified(file.get_ref()).unwrap_err().code(), "archive.seal");
}

#[test]
fn a_name_that_leads_elsewhere_is_refused() {
    let mut writer = Writer::new(Cursor::new(Vec::new()));
    for path in ["../up", "/root", "a b", ""] {
        let refused = writer.file(path, Packing::Stored, |_| Ok::<_, WriteError>(())).unwrap_err();
        assert!(matches!(refused, WriteError::Path(_)), "{path}: {refused}");
    }
}

/// A slice that begins later: a record may rest on an entry before it, but not on one that does not exist.
#[test]
fn a_slice_begins_after_the_entries_before_it() {
    let entries = sample::entries();
    let before = data_encoding::HEXLOWER.decode(entries[7].hash.as_bytes()).unwrap().try_into().unwrap();
    let (mut lines, mut chain) = (Vec::new(), ChainWriter::new(sample::CHAIN, 8, before));
    for entry in &entries[8..] {
        chain.entry(&mut lines, entry).unwrap();
    }
    let mut writer = Writer::new(Cursor::new(Vec::new()));
    writer.bytes("chain.jsonl", &lines).unwrap();
    writer.bytes("lists/evidence.jsonl", &sample::list("evd")).unwrap();
    let bytes = writer.sign(sample::subject(), chain.finish(), &crate::key()).unwrap();
    let bytes = bytes.seal(&crate::key(), None).unwrap().into_inner();
    assert_eq!(Python::start(Some(public())).code(&bytes, Some(public())), None);
    let counts = verified(&bytes).unwrap().lists["evidence"];
    assert_eq!((counts.in_slice, counts.before_slice), (2, 4));
}

#[test]
fn the_verifier_in_python_is_short_and_speaks_to_people() {
    let path = python::folder().join("verify.py");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.lines().count() <= 300, "{} lines", text.lines().count());
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = folder.path().join("bundle.zip");
    let run = |bytes: &[u8], key: &str| {
        fs::write(&file, bytes).unwrap();
        let output = Command::new("python3").arg("-B").arg(&path).arg(&file).arg(key).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = run(&sample::bundle(), &public().to_string());
    assert!(code == Some(0) && text.contains("Küstenbank eG"), "{text}");
    let (code, text) = run(&sample::bundle(), &"0".repeat(64));
    assert!(code == Some(1) && text.contains("archive.key"), "{text}");
}
