//! Reads a backup: recognises its format, decrypts it, and compares it with its checksum.

use std::{
    fs::{self, File},
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use super::{
    Accept, BackupError, Digesting, Kind, Manifest, PURPOSE, Result, SealError, Secret, Watch, checksum_path,
    code_path, length, pass_on,
    seal::{MAGIC, Opener},
};
use crate::vault::Vault;

/// A manifest has a few hundred bytes; a larger one is invalid.
const LONGEST_MANIFEST: u32 = 1 << 16;

/// A backup opened for reading, positioned at the store inside.
pub(super) struct Opened {
    path: PathBuf,
    from: Box<dyn Read>,
    pub(super) kind: Kind,
    pub(super) encrypted: bool,
    /// The key file stored with the backup.
    pub(super) key: Option<Vec<u8>>,
    bytes: u64,
    digest: Option<String>,
    proof: OriginProof,
}

/// The evidence that a holder of the vault key made a plain backup.
enum OriginProof {
    /// The passphrase is proof enough, or there is no key to check with.
    NotNeeded,
    Code {
        vault: Vault,
        code: Option<String>,
        accept_none: bool,
    },
}

impl Opened {
    pub(super) fn any(
        path: &Path,
        secret: Option<&Secret>,
        vault: Option<Vault>,
        accept: Accept,
    ) -> Result<Self> {
        let mut head = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut head));
        read.map_err(|error| BackupError::io("read", path, error))?;
        match (head == MAGIC, secret) {
            (true, Some(secret)) => Self::sealed(path, secret),
            (true, None) => Err(BackupError::NeedsSecret(path.to_owned())),
            (false, Some(_)) if !accept.unencrypted => Err(BackupError::Plain(path.to_owned())),
            (false, _) => Self::plain(path, vault, accept),
        }
    }

    fn plain(path: &Path, vault: Option<Vault>, accept: Accept) -> Result<Self> {
        let kind = Kind::recognise(path)?.ok_or_else(|| BackupError::Unknown(path.to_owned()))?;
        let file = File::open(path).map_err(|error| BackupError::io("read", path, error))?;
        // The checksum is the first word. A backup that was moved without its checksum is only verified by the
        // engine.
        let digest = fs::read_to_string(checksum_path(path)).ok();
        let digest = digest.and_then(|text| text.split_whitespace().next().map(str::to_owned));
        let bytes = length(path)?;
        let proof = vault.map_or(OriginProof::NotNeeded, |vault| OriginProof::Code {
            vault,
            code: fs::read_to_string(code_path(path)).ok(),
            accept_none: accept.unauthenticated,
        });
        Ok(Self {
            path: path.to_owned(),
            from: Box::new(file),
            kind,
            encrypted: false,
            key: None,
            bytes,
            digest,
            proof,
        })
    }

    /// Whether it is certain who made the backup.
    pub(super) fn is_authentic(&self) -> bool {
        self.encrypted || matches!(&self.proof, OriginProof::Code { code: Some(_), .. })
    }

    pub(super) fn sealed(path: &Path, secret: &Secret) -> Result<Self> {
        let opened = (|| {
            let mut from = Opener::new(BufReader::with_capacity(1 << 18, File::open(path)?), secret)?;
            let mut size = [0; 4];
            from.read_exact(&mut size)?;
            let size = u32::from_be_bytes(size);
            if size > LONGEST_MANIFEST {
                return Err(SealError::Damaged.into());
            }
            let mut text = vec![0; size as usize];
            from.read_exact(&mut text)?;
            let manifest: Manifest = serde_json::from_slice(&text).map_err(|_| SealError::Damaged)?;
            let mut key = Vec::new();
            Read::by_ref(&mut from).take(manifest.key_bytes).read_to_end(&mut key)?;
            Ok((from, manifest, key))
        })();
        let (from, manifest, key) = opened.map_err(|error| BackupError::io("read", path, error))?;
        let kind = [Kind::File, Kind::Dump].into_iter().find(|kind| kind.as_str() == manifest.kind);
        Ok(Self {
            path: path.to_owned(),
            from: Box::new(from),
            kind: kind.ok_or_else(|| BackupError::Unknown(path.to_owned()))?,
            encrypted: true,
            key: (!key.is_empty()).then_some(key),
            bytes: manifest.store_bytes,
            digest: Some(manifest.store_sha256),
            proof: OriginProof::NotNeeded,
        })
    }

    /// Copies the store to its end and compares it with its checksum.
    pub(super) fn unpack_store(&mut self, into: &mut impl Write, watch: &mut Watch<'_>) -> Result<()> {
        let mut both = Both(into, Digesting(Sha256::new()));
        pass_on(&mut self.from, &mut both, |done| watch("unpacking bytes", done, self.bytes))
            .map_err(|error| BackupError::io("unpack", &self.path, error))?;
        let found = store::sql::hex(&both.1.0.finalize().into());
        match &self.digest {
            Some(digest) if *digest != found => return Err(BackupError::Checksum(self.path.clone())),
            _ => {}
        }
        match &self.proof {
            OriginProof::NotNeeded | OriginProof::Code { code: None, accept_none: true, .. } => Ok(()),
            OriginProof::Code { code: None, .. } => Err(BackupError::NoCode(self.path.clone())),
            OriginProof::Code { vault, code: Some(code), .. }
                if vault.is_authentic(PURPOSE, &found, code) =>
            {
                Ok(())
            }
            OriginProof::Code { .. } => Err(BackupError::NotAuthentic(self.path.clone())),
        }
    }

    /// Unpacks the store into a new file that only this user can read.
    pub(super) fn unpack_to(&mut self, target: &Path, watch: &mut Watch<'_>) -> Result<()> {
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(target).map_err(|error| BackupError::io("write", target, error))?;
        self.unpack_store(&mut file, watch)?;
        file.sync_all().map_err(|error| BackupError::io("write", target, error))
    }
}

struct Both<'w, W>(&'w mut W, Digesting);

impl<W: Write> Write for Both<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.0.write(bytes)?;
        self.1.write_all(&bytes[..length])?;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
