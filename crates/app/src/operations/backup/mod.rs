//! Backups of the whole store: taken while the service runs, verified before they count, restored all or nothing.
//!
//! Every function here blocks and runs on a thread of its own. A plain backup is the engine's own file with its
//! checksum beside it; an encrypted one also contains the key file, without which stored webhook URLs and second
//! factors cannot be read. The key is never put beside an unencrypted copy of what it protects. The scheduler decides
//! when to back up; the command line asks the operator for confirmation. Files in a bucket are not copied: the backup
//! lists them with size and digest, and restore and drill compare the bucket with that list.

mod bucket;
mod part;
mod restore;
mod retention;
mod seal;
mod secret;
mod unpack;

use std::{
    fs::{self, File},
    io::{self, BufReader, Write},
    path::{Path, PathBuf},
    time::Instant,
};

use domain::{audit_key::AuditKeys, moment::Moment};
use outbound::bucket::BucketError;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
pub use store::sql::backup::{Contents, Kind, Watch};
use store::{
    audit_key::SealedKey,
    sql::{
        Location,
        backup::{self as seam, pass_on},
    },
};

pub use self::{
    bucket::{BucketCheck, BucketDepth, check_bucket},
    restore::{DrillReport, RestoreReport, RestoreRequest, drill, restore},
    retention::{Kept, keep_newest, name, newest},
    seal::SealError,
    secret::Secret,
};
use self::{part::PartialFile, seal::Sealer, unpack::Opened};
use crate::vault::Vault;

pub type Result<T, E = BackupError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error("cannot {what} {} ({error}); check the path, the rights and the free space", .path.display())]
    Io { what: &'static str, path: PathBuf, error: io::Error },
    #[error("{} exists already: choose another name", .0.display())]
    Exists(PathBuf),
    #[error("{} cannot be opened: {error}", .path.display())]
    Seal { path: PathBuf, error: SealError },
    #[error("{} is encrypted: name the file with its passphrase with --key-file", .0.display())]
    NeedsSecret(PathBuf),
    #[error("{} is no backup of tidewall", .0.display())]
    Unknown(PathBuf),
    #[error("{} is damaged: it does not fit the checksum beside it", .0.display())]
    Checksum(PathBuf),
    #[error(
        "{} is not encrypted although a passphrase is set, so anybody who can write there could have made it: name an \
         encrypted backup, or say --accept-unencrypted",
        .0.display()
    )]
    Plain(PathBuf),
    #[error(
        "{} was not made by this service, or was changed: the code beside it (.mac) does not fit the vault key",
        .0.display()
    )]
    NotAuthentic(PathBuf),
    #[error(
        "{} has no code beside it (.mac) that proves where it comes from: copy that file too, or say \
         --accept-unauthenticated",
        .0.display()
    )]
    NoCode(PathBuf),
    #[error(
        "{} was sealed with another vault key than the one in {}: put the key file of that time in place first",
        .file.display(), .key_file.display()
    )]
    OtherVault { file: PathBuf, key_file: PathBuf },
    #[error("{} is a backup of {found}, but this store is on {wanted}", .path.display())]
    OtherEngine { path: PathBuf, found: &'static str, wanted: &'static str },
    #[error("the store is not empty: restore into an empty data_dir, or say --replace")]
    NotEmpty,
    #[error(
        "the key file {} is not the one in the backup: with --replace the backup's takes its place",
        .0.display()
    )]
    OtherKey(PathBuf),
    #[error("the file with the passphrase, {}, cannot be read ({error}); see backup.key_file", .path.display())]
    KeyFile { path: PathBuf, error: io::Error },
    #[error(
        "the passphrase has fewer than {0} characters: make a good one with `head -c 32 /dev/urandom | base64`"
    )]
    WeakSecret(usize),
    #[error("the files of evidence in the bucket cannot be compared with the backup: {0}")]
    Bucket(#[from] BucketError),
    #[error("the backup stopped unexpectedly: see the log")]
    Stopped,
    #[error("there is no backup in {}: take one with `tidewall backup`", .0.display())]
    NoneYet(PathBuf),
}

impl BackupError {
    fn io(what: &'static str, path: &Path, error: io::Error) -> Self {
        let sealed = error.get_ref().and_then(|inner| inner.downcast_ref::<SealError>()).copied();
        match sealed {
            Some(error) => Self::Seal { path: path.to_owned(), error },
            None => Self::Io { what, path: path.to_owned(), error },
        }
    }
}

/// The store and the files beside it.
#[derive(Debug, Clone)]
pub struct Place {
    pub location: Location,
    pub data_dir: PathBuf,
    /// The file of the vault key.
    pub key_file: PathBuf,
    /// The vault, if its key does not come from the file.
    pub vault: Option<Vault>,
}

impl Place {
    /// The vault key, if it is available.
    fn vault(&self) -> Result<Option<Vault>> {
        Ok(Vault::from_bytes(&key_of(self)?))
    }
}

/// Which weaknesses of a backup are accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Accept {
    /// A plain backup although a passphrase is set: any user with write access to its folder could have made it.
    pub unencrypted: bool,
    /// A plain backup without the code that only a holder of the vault key can compute.
    pub unauthenticated: bool,
}

/// The manifest inside an encrypted backup.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Manifest {
    kind: String,
    created_at: String,
    version: String,
    /// The length of the key file that follows, if there is one.
    key_bytes: u64,
    store_bytes: u64,
    store_sha256: String,
}

/// A backup that was taken and verified.
#[derive(Debug, Clone)]
pub struct BackupReport {
    pub file: PathBuf,
    pub bytes: u64,
    pub encrypted: bool,
    pub kind: Kind,
    pub contents: Contents,
    /// Whether the key file is inside; otherwise it must be kept by other means.
    pub holds_key: bool,
    pub seconds: f64,
}

/// Takes a backup of the store into the file `target`, which must not exist. Encrypted if there is a secret.
pub fn take(
    place: &Place,
    target: &Path,
    secret: Option<&Secret>,
    now: Moment,
    watch: &mut Watch<'_>,
) -> Result<BackupReport> {
    let started = Instant::now();
    if target.exists() {
        return Err(BackupError::Exists(target.to_owned()));
    }
    let directory = part::directory_of(target);
    part::sweep(directory);
    part::sweep(&place.data_dir);
    let kind = Kind::of(&place.location);
    // An unencrypted copy is only ever written to the folder of the unencrypted original.
    let copy = PartialFile::new(if secret.is_some() { &place.data_dir } else { directory })?;
    seam::snapshot(&place.location, &copy.path, watch)?;
    let contents = seam::examine(&copy.path, kind, &key_finder(place.vault()?), watch)?;
    let digest = digest(&copy.path, watch)?;
    let (part, holds_key) = match secret {
        None => (copy, false),
        Some(secret) => {
            let key = key_of(place)?;
            let manifest = Manifest {
                kind: kind.as_str().to_owned(),
                created_at: now.to_string(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                key_bytes: key.len() as u64,
                store_bytes: length(&copy.path)?,
                store_sha256: digest.clone(),
            };
            let sealed = seal(&copy.path, directory, &manifest, &key, secret, watch)?;
            check_sealed(&sealed.path, secret, watch)?;
            (sealed, !key.is_empty())
        }
    };
    let bytes = length(&part.path)?;
    if secret.is_none() {
        write_beside(target, &checksum_path(target), |name| format!("{digest}  {name}\n"))?;
        if let Some(vault) = place.vault()? {
            let code = vault.authenticate(PURPOSE, &digest);
            write_beside(target, &code_path(target), |_| format!("{code}\n"))?;
        }
    }
    part.publish(target)?;
    Ok(BackupReport {
        file: target.to_owned(),
        bytes,
        encrypted: secret.is_some(),
        kind,
        contents,
        holds_key,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Finds the keys of audit chains with a vault, if there is one. It may not be the one of this store.
fn key_finder(vault: Option<Vault>) -> impl Fn(&[SealedKey]) -> AuditKeys {
    move |kept| vault.as_ref().map(|vault| vault.audit_keys(kept)).unwrap_or_default().partial()
}

fn length(path: &Path) -> Result<u64> {
    fs::metadata(path).map(|file| file.len()).map_err(|error| BackupError::io("read", path, error))
}

/// The content of the key file; a store that was never served has none yet.
fn key_of(place: &Place) -> Result<Vec<u8>> {
    if let Some(vault) = &place.vault {
        return Ok(vault.to_bytes());
    }
    match fs::read(&place.key_file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|error| BackupError::io("read", &place.key_file, error)),
    }
}

fn seal(
    copy: &Path,
    directory: &Path,
    manifest: &Manifest,
    key: &[u8],
    secret: &Secret,
    watch: &mut Watch<'_>,
) -> Result<PartialFile> {
    let part = PartialFile::new(directory)?;
    let written = (|| {
        let mut from = File::open(copy)?;
        let file = File::options().write(true).open(&part.path)?;
        let mut into = Sealer::new(io::BufWriter::with_capacity(1 << 20, file), secret)?;
        let manifest_text = serde_json::to_vec(manifest).map_err(io::Error::other)?;
        let manifest_length = u32::try_from(manifest_text.len()).map_err(io::Error::other)?;
        into.write_all(&manifest_length.to_be_bytes())?;
        into.write_all(&manifest_text)?;
        into.write_all(key)?;
        pass_on(&mut from, &mut into, |done| watch("encrypting bytes", done, manifest.store_bytes))?;
        into.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    })();
    written.map_err(|error| BackupError::io("write to", directory, error))?;
    Ok(part)
}

/// Decrypts an encrypted backup from end to end and compares its content with what was written.
fn check_sealed(path: &Path, secret: &Secret, watch: &mut Watch<'_>) -> Result<()> {
    let mut opened = Opened::sealed(path, secret)?;
    opened.unpack_store(&mut io::sink(), watch)
}

/// A writer that only computes a digest.
struct Digesting(Sha256);

impl Write for Digesting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn digest(path: &Path, watch: &mut Watch<'_>) -> Result<String> {
    let mut digesting = Digesting(Sha256::new());
    let total = length(path)?;
    let read = File::open(path).and_then(|file| {
        let mut from = BufReader::new(file);
        pass_on(&mut from, &mut digesting, |done| watch("reading back bytes", done, total))
    });
    read.map_err(|error| BackupError::io("read", path, error))?;
    Ok(store::sql::hex(&digesting.0.finalize().into()))
}

/// The path of a plain backup's checksum, in the form `sha256sum -c` reads.
fn checksum_path(backup: &Path) -> PathBuf {
    let mut name = backup.as_os_str().to_owned();
    name.push(".sha256");
    name.into()
}

/// The path of a plain backup's code that only a holder of the vault key can compute.
fn code_path(backup: &Path) -> PathBuf {
    let mut name = backup.as_os_str().to_owned();
    name.push(".mac");
    name.into()
}

/// The purpose of codes beside backups.
const PURPOSE: &str = "backup";

fn write_beside(target: &Path, file: &Path, text: impl FnOnce(&str) -> String) -> Result<()> {
    let part = PartialFile::new(part::directory_of(target))?;
    let name = target.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    fs::write(&part.path, text(name))
        .map_err(|error| BackupError::io("write to", part::directory_of(target), error))?;
    part.publish(file)
}
