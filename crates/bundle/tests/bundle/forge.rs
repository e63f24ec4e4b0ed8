//! Puts bundles together by hand, without the writer: as a forger would, or a faulty writer.

use std::io::{Cursor, Write as _};

use data_encoding::HEXLOWER;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::sample;

pub(crate) fn sha256(content: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(content))
}

fn named(path: &str, content: &[u8]) -> Value {
    json!({ "path": path, "bytes": content.len(), "sha256": sha256(content) })
}

/// Makes a time stamp about a digest.
type Stamping = fn(&[u8]) -> Vec<u8>;

/// Files, their manifest, and the key that signs them.
pub(crate) struct Forged {
    pub(crate) files: Vec<(String, Vec<u8>)>,
    pub(crate) manifest: Value,
    pub(crate) seed: [u8; 32],
    /// Makes the time stamp, about the digest of the manifest.
    pub(crate) stamp: Option<Stamping>,
}

impl Forged {
    /// The sample with nothing changed.
    pub(crate) fn sample(seed: [u8; 32]) -> Self {
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).unwrap();
        let manifest = json!({
            "format": tidewall_bundle::FORMAT,
            "subject": sample::subject(),
            "key": HEXLOWER.encode(pair.public_key().as_ref()),
            "chain": sample::chain().1,
            "missing": [{ "what": "evidence/evd_0099", "why": "the file was not scanned yet" }],
            "files": [],
        });
        let mut forged = Self { files: sample::files(), manifest, seed, stamp: None };
        forged.name_files();
        forged
    }

    /// Writes the files as they are now into the manifest.
    pub(crate) fn name_files(&mut self) {
        self.manifest["files"] = self.files.iter().map(|(path, content)| named(path, content)).collect();
    }

    pub(crate) fn content(&mut self, path: &str) -> &mut Vec<u8> {
        &mut self.files.iter_mut().find(|(name, _)| name == path).unwrap().1
    }

    /// The lines of a file, to be changed and put back.
    pub(crate) fn change_lines(&mut self, path: &str, change: impl FnOnce(&mut Vec<Value>)) {
        let content = self.content(path);
        let text = String::from_utf8(content.clone()).unwrap();
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        change(&mut lines);
        *content = lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
        self.name_files();
    }

    /// The archive, with its signatures.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let pair = Ed25519KeyPair::from_seed_unchecked(&self.seed).unwrap();
        let sign = |purpose: &str, digest: &[u8]| {
            HEXLOWER.encode(pair.sign(&[purpose.as_bytes(), digest].concat()).as_ref())
        };
        let manifest = self.manifest.to_string().into_bytes();
        let signature = format!("{}\n", sign("tidewall bundle manifest 1\n", &Sha256::digest(&manifest)));
        let stamp = self.stamp.map(|stamp| ("manifest.tsr".to_owned(), stamp(&Sha256::digest(&manifest))));
        let own =
            [("manifest.json".to_owned(), manifest), ("manifest.sig".to_owned(), signature.into_bytes())];
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, content) in self.files.iter().chain(&own).chain(&stamp) {
            zip.start_file(path.as_str(), SimpleFileOptions::default()).unwrap();
            zip.write_all(content).unwrap();
        }
        let length = tidewall_bundle::FORMAT.len() + 1 + 64 + 1 + 128;
        zip.set_raw_comment(vec![b' '; length].into_boxed_slice()).unwrap();
        let mut bytes = zip.finish().unwrap().into_inner();
        bytes.truncate(bytes.len() - length);
        let seal = sign("tidewall bundle archive 1\n", &Sha256::digest(&bytes));
        let public = HEXLOWER.encode(pair.public_key().as_ref());
        bytes.extend(format!("{} {public} {seal}", tidewall_bundle::FORMAT).bytes());
        bytes
    }
}
