//! The verifier: needs neither a store nor a service, in bounded memory.

use std::{
    collections::{BTreeMap, HashSet},
    io::{BufReader, Read, Seek},
};

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use zip::ZipArchive;

use crate::{
    CHAIN_FILE, Fault, FileEntry, Manifest, PublicKey, REQUIREMENTS_FILE, chain,
    claims::{Wanted, list_name},
    hex,
    manifest::{self, is_plain_path},
    seal,
};

/// The longest manifest that is read: some million files.
const LONGEST_MANIFEST: u64 = 1 << 30;

/// Of a list: what its records rest on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct KindCount {
    /// On an entry in the bundle.
    pub in_slice: u64,
    /// On an entry from before the first one in the bundle.
    pub before_slice: u64,
    /// On nothing but the signature, because no entry names the record.
    pub without_entry: u64,
}

/// What a bundle without a fault proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The key that sealed it.
    pub key: PublicKey,
    /// Whether it was compared with a key that the reader has from elsewhere.
    pub key_was_compared: bool,
    pub manifest: Manifest,
    /// Whether it holds a time stamp about its manifest. Who signed the stamp, and when, is not checked here.
    pub is_stamped: bool,
    pub files: u64,
    pub entries: u64,
    /// Entries whose hash only the service can recompute.
    pub keyed_entries: u64,
    pub requirements: u64,
    pub lists: BTreeMap<String, KindCount>,
}

/// Verifies a bundle, with the key of the installation if the reader has it. Stops at the first fault.
pub fn verify<F: Read + Seek>(mut file: F, expected: Option<PublicKey>) -> Result<Report, Fault> {
    let key = seal::check(&mut file, expected)?;
    let mut archive = ZipArchive::new(file).map_err(|error| Fault::Container(error.to_string()))?;
    let (manifest, is_stamped) = read_manifest(&mut archive, key)?;
    check_names(&archive, &manifest, is_stamped)?;
    for file in &manifest.files {
        check_file(&mut archive, file)?;
    }
    if !is_listed(&manifest, CHAIN_FILE) {
        return Err(Fault::FileLeftOut(CHAIN_FILE.to_owned()));
    }
    let entries = chain::check(BufReader::new(open(&mut archive, CHAIN_FILE)?), &manifest.chain)?;
    let mut wanted = Wanted::default();
    if is_listed(&manifest, REQUIREMENTS_FILE) {
        wanted = Wanted::read(BufReader::new(open(&mut archive, REQUIREMENTS_FILE)?), &manifest.files)?;
    }
    let requirements = wanted.requirements;
    let mut lists = BTreeMap::new();
    for FileEntry { path, .. } in &manifest.files {
        if let Some(name) = list_name(path) {
            let count = wanted.meet(BufReader::new(open(&mut archive, path)?), path, &entries)?;
            lists.insert(name.to_owned(), count);
        }
    }
    wanted.finish()?;
    Ok(Report {
        key,
        key_was_compared: expected.is_some(),
        is_stamped,
        files: manifest.files.len() as u64,
        entries: entries.count(),
        keyed_entries: entries.keyed,
        requirements,
        lists,
        manifest,
    })
}

fn is_listed(manifest: &Manifest, path: &str) -> bool {
    manifest.files.iter().any(|file| file.path == path)
}

fn open<'a, F: Read + Seek>(archive: &'a mut ZipArchive<F>, path: &str) -> Result<impl Read + 'a, Fault> {
    archive.by_name(path).map_err(|error| Fault::Container(error.to_string()))
}

/// The manifest, and whether there is a time stamp about it.
fn read_manifest<F: Read + Seek>(
    archive: &mut ZipArchive<F>,
    key: PublicKey,
) -> Result<(Manifest, bool), Fault> {
    let is_stamped = archive.index_for_name(manifest::STAMP_FILE).is_some();
    let mut read = |path: &str| {
        let unreadable = |error: String| Fault::ManifestUnreadable(error);
        let file = archive.by_name(path).map_err(|error| unreadable(error.to_string()))?;
        let mut content = Vec::new();
        file.take(LONGEST_MANIFEST)
            .read_to_end(&mut content)
            .map_err(|error| unreadable(error.to_string()))?;
        Ok::<_, Fault>(content)
    };
    let (text, signature) = (read(manifest::FILE)?, read(manifest::SIGNATURE_FILE)?);
    let stamp = is_stamped.then(|| read(manifest::STAMP_FILE)).transpose()?;
    let signature = String::from_utf8(signature).map_err(|_| Fault::ManifestSignature)?;
    let signature = signature.strip_suffix('\n').ok_or(Fault::ManifestSignature)?;
    if !seal::has_signed_manifest(key, &text, signature) {
        return Err(Fault::ManifestSignature);
    }
    if stamp.is_some_and(|stamp| !names(&stamp, &text)) {
        return Err(Fault::StampDigest);
    }
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|error| Fault::ManifestUnreadable(error.to_string()))?;
    if !manifest.is_of_this_format() || manifest.key != key.to_string() {
        return Err(Fault::ManifestUnreadable("its format or its key is another one".to_owned()));
    }
    Ok((manifest, is_stamped))
}

/// Whether a time stamp is about a text: it holds its SHA-256 as an octet string.
fn names(stamp: &[u8], text: &[u8]) -> bool {
    let digest = [&[0x04, 0x20], Sha256::digest(text).as_slice()].concat();
    stamp.windows(digest.len()).any(|bytes| bytes == digest)
}

/// The names in the archive must be those of the manifest, in its order, then the manifest and its signature, and then
/// the time stamp, where there is one.
fn check_names<F>(archive: &ZipArchive<F>, manifest: &Manifest, is_stamped: bool) -> Result<(), Fault>
where
    F: Read + Seek,
{
    let mut found = Vec::with_capacity(archive.len());
    for name in archive.file_names() {
        let name = name.map_err(|error| Fault::Container(error.to_string()))?.into_owned();
        if !is_plain_path(&name) {
            return Err(Fault::FileName(name));
        }
        found.push(name);
    }
    let own = [manifest::FILE, manifest::SIGNATURE_FILE];
    let listed = manifest.files.iter().map(|file| file.path.as_str());
    let named: Vec<&str> = listed.chain(own).chain(is_stamped.then_some(manifest::STAMP_FILE)).collect();
    let known: HashSet<&str> = named.iter().copied().collect();
    if let Some(added) = found.iter().find(|name| !known.contains(name.as_str())) {
        return Err(Fault::FileAdded(added.clone()));
    }
    let present: HashSet<&str> = found.iter().map(String::as_str).collect();
    if let Some(left_out) = named.iter().find(|name| !present.contains(**name)) {
        return Err(Fault::FileLeftOut((*left_out).to_owned()));
    }
    if archive.has_duplicate_names() || found.len() != named.len() {
        return Err(Fault::FileOrder("a file".to_owned()));
    }
    match named.iter().zip(&found).find(|(named, found)| *named != found) {
        Some((_, found)) => Err(Fault::FileOrder(found.clone())),
        None => Ok(()),
    }
}

fn check_file<F: Read + Seek>(archive: &mut ZipArchive<F>, file: &FileEntry) -> Result<(), Fault> {
    let wrong = || Fault::FileDigest(file.path.clone());
    // A file that is longer than it should be is not unpacked to its end.
    let mut content = open(archive, &file.path)?.take(file.bytes.saturating_add(1));
    let (mut hasher, mut buffer, mut bytes) = (Sha256::new(), vec![0; 64 * 1024], 0);
    loop {
        let read = content.read(&mut buffer).map_err(|_| wrong())?;
        if read == 0 {
            break;
        }
        hasher.update(&buffer[..read]);
        bytes += read as u64;
    }
    let fits = bytes == file.bytes && hex::encode(&hasher.finalize()) == file.sha256;
    if fits { Ok(()) } else { Err(wrong()) }
}
