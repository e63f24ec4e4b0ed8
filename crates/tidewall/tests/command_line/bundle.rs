//! `tidewall bundle verify`.

use std::{fs, io::Cursor, path::Path, process::Output};

use bundle::{ChainWriter, SigningKey, Subject, Writer};
use serde_json::Value;
use tempfile::TempDir;

use super::{stderr, tidewall};

fn made(key: &SigningKey, is_stamped: bool) -> Vec<u8> {
    let subject = Subject {
        institution: "North Bank AG".to_owned(),
        framework: None,
        as_of: "2026-11-17".to_owned(),
        from: None,
        until: 0,
        language: "en".to_owned(),
        catalogue: "2026-11-14".to_owned(),
    };
    let mut writer = Writer::new(Cursor::new(Vec::new()));
    writer.bytes("chain.jsonl", b"").unwrap();
    writer.missing("evidence/evd_1.pdf", "the bytes were deleted");
    let chain = ChainWriter::new("ten_1", 0, [0; 32]).finish();
    let signed = writer.sign(subject, chain, key).unwrap();
    // The verifier only looks for the digest in a stamp, so this one need not be that of an authority.
    let stamp = [&[0x04, 0x20], signed.digest().as_slice()].concat();
    signed.seal(key, is_stamped.then_some(&stamp)).unwrap().into_inner()
}

fn verify(file: &Path, more: &[&str]) -> Output {
    tidewall(&["bundle", "verify"]).arg(file).args(more).output().unwrap()
}

/// Neither a store nor a service: the folder holds nothing but the bundle, and nothing is added to it.
#[test]
fn a_bundle_is_verified_without_a_store_and_the_exit_status_says_how_it_went() {
    let (key, other) = (SigningKey::from_seed(&[7; 32]).unwrap(), SigningKey::from_seed(&[8; 32]).unwrap());
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("bundle.zip");
    let mut bytes = made(&key, false);
    fs::write(&file, &bytes).unwrap();
    let (own, others) = (key.public().to_string(), other.public().to_string());

    let right = verify(&file, &["--key", &own]);
    let text = String::from_utf8(right.stdout).unwrap();
    assert_eq!(right.status.code(), Some(0), "{text}");
    assert!(text.starts_with("North Bank AG as of 2026-11-17: nothing is wrong"), "{text}");
    assert!(text.contains(&key.public().fingerprint()), "{text}");
    assert!(text.contains("evidence/evd_1.pdf: the bytes were deleted"), "{text}");

    assert!(!text.contains("time stamp"), "{text}");

    fs::write(&file, made(&key, true)).unwrap();
    let stamped = String::from_utf8(verify(&file, &["--key", &own]).stdout).unwrap();
    assert!(stamped.contains("manifest.tsr is about this manifest"), "{stamped}");
    assert!(stamped.contains("openssl ts -verify -data manifest.json -in manifest.tsr"), "{stamped}");
    fs::write(&file, &bytes).unwrap();

    let unknown = verify(&file, &[]);
    assert_eq!(unknown.status.code(), Some(3));
    assert!(String::from_utf8(unknown.stdout).unwrap().contains("not checked:"));

    let json = verify(&file, &["--key", &own, "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((json["ok"].as_bool(), json["key"].as_str()), (Some(true), Some(own.as_str())));

    let forged = verify(&file, &["--key", &others]);
    assert_eq!(forged.status.code(), Some(1));
    assert!(stderr(&forged).contains("sealed with another key"), "{}", stderr(&forged));

    assert_eq!(verify(&file, &["--key", "x"]).status.code(), Some(2));
    bytes[40] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let changed = verify(&file, &["--key", &own]);
    assert_eq!(changed.status.code(), Some(1));
    assert!(stderr(&changed).contains("at least one byte was changed"), "{}", stderr(&changed));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
