//! The seal: the comment at the end of the archive, which signs every byte before it.
//!
//! Digests of files do not cover the archive around them: names of folders, times, unused bits of compressed data. The
//! seal does, so no byte of a bundle can change. It has a fixed length and is the last thing in the file.

use std::io::{Read, Seek, SeekFrom, Write};

use sha2::{Digest as _, Sha256};

use crate::{FORMAT, Fault, PublicKey, SigningKey};

/// `FORMAT`, the public key and the signature, with a space between them.
pub(crate) const LENGTH: usize = FORMAT.len() + 1 + 64 + 1 + 128;
const ARCHIVE: &[u8] = b"tidewall bundle archive 1\n";
const MANIFEST: &[u8] = b"tidewall bundle manifest 1\n";

/// What stands in for the seal until the bytes before it are known.
pub(crate) fn blank() -> Vec<u8> {
    vec![b' '; LENGTH]
}

/// Replaces the blank at the end of the file by the seal.
pub(crate) fn put<F: Read + Write + Seek>(file: &mut F, key: &SigningKey) -> std::io::Result<()> {
    let (place, digest) = digest(file)?;
    let seal = format!("{FORMAT} {} {}", key.public(), key.sign(&message(ARCHIVE, &digest)));
    file.seek(SeekFrom::Start(place))?;
    file.write_all(seal.as_bytes())?;
    file.flush()
}

/// Checks the seal, and says whose it is.
pub(crate) fn check<F: Read + Seek>(file: &mut F, expected: Option<PublicKey>) -> Result<PublicKey, Fault> {
    let (_, digest) = digest(file).map_err(|_| Fault::NoSeal)?;
    let mut seal = String::new();
    file.read_to_string(&mut seal).map_err(|_| Fault::NoSeal)?;
    let mut parts = seal.split(' ');
    let (Some(FORMAT), Some(key), Some(signature), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(Fault::NoSeal);
    };
    let key: PublicKey = key.parse().map_err(|_| Fault::NoSeal)?;
    if expected.is_some_and(|expected| expected != key) {
        return Err(Fault::OtherKey { found: key.fingerprint() });
    }
    if !key.has_signed(&message(ARCHIVE, &digest), signature) {
        return Err(Fault::ArchiveSignature);
    }
    Ok(key)
}

pub(crate) fn sign_manifest(key: &SigningKey, manifest: &[u8]) -> String {
    key.sign(&message(MANIFEST, &Sha256::digest(manifest)))
}

pub(crate) fn has_signed_manifest(key: PublicKey, manifest: &[u8], signature: &str) -> bool {
    key.has_signed(&message(MANIFEST, &Sha256::digest(manifest)), signature)
}

fn message(purpose: &[u8], digest: &[u8]) -> Vec<u8> {
    [purpose, digest].concat()
}

/// Where the seal begins, and the digest of everything before it; leaves the file there.
fn digest<F: Read + Seek>(file: &mut F) -> std::io::Result<(u64, [u8; 32])> {
    let end = file.seek(SeekFrom::End(0))?;
    let place = end.checked_sub(LENGTH as u64).ok_or(std::io::ErrorKind::UnexpectedEof)?;
    file.seek(SeekFrom::Start(0))?;
    let (mut hasher, mut buffer, mut left) = (Sha256::new(), vec![0; 64 * 1024], place);
    while left > 0 {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = file.read(&mut buffer[..most])?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        hasher.update(&buffer[..read]);
        left -= read as u64;
    }
    Ok((place, hasher.finalize().into()))
}
