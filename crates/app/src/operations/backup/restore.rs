//! Restores a backup, all or nothing; the same as a rehearsal that changes nothing.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Instant,
};

use domain::{actor::Actor, audit::Entry, audit_key::RESTORED, moment::Moment};
use serde_json::json;
use store::sql::{
    Location,
    backup::{self as seam, Replacement, RestoreMark},
};

use super::{
    Accept, BackupError, Contents, Kind, Place, Result, Secret, Watch, key_finder, part::PartialFile,
    unpack::Opened,
};
use crate::{ids::random_u128, vault::Vault};

/// The backup to restore, and its target.
#[derive(Debug)]
pub struct RestoreRequest<'r> {
    pub place: &'r Place,
    pub file: &'r Path,
    pub secret: Option<&'r Secret>,
    /// The accepted weaknesses of the backup.
    pub accept: Accept,
    /// Whether a store that is not empty may be replaced.
    pub replace: bool,
    pub now: Moment,
}

#[derive(Debug, Clone)]
pub struct RestoreReport {
    pub contents: Contents,
    /// The path of the replaced store.
    pub kept: Option<PathBuf>,
    /// Whether a holder of the passphrase or of the vault key certainly made the backup.
    pub authentic: bool,
    /// Whether the key file was in the backup.
    pub key_restored: bool,
    /// Stored secrets cannot be read: the key file is neither in the backup nor in its place.
    pub key_missing: bool,
    pub seconds: f64,
}

#[derive(Debug, Clone)]
pub struct DrillReport {
    pub file: PathBuf,
    pub kind: Kind,
    pub encrypted: bool,
    pub contents: Contents,
    pub seconds: f64,
}

/// What is written into the restored store, with its key where that is at hand and checked all other entries.
fn mark(file: &Path, contents: &Contents, vault: Option<&Vault>, now: Moment) -> RestoreMark {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let entry = Entry {
        at: now,
        actor: Actor::Operator.to_string(),
        action: RESTORED.into(),
        subject: "store".into(),
        detail: json!({ "backup": name }).to_string(),
    };
    let vault = vault.filter(|_| contents.unchecked.without_key == 0);
    let keys = vault.map(|vault| vault.audit_keys(&[])).unwrap_or_default();
    RestoreMark { epoch: format!("{:032x}", random_u128())[..16].to_owned(), entry, at: now, keys }
}

/// The vault of a backup: the one inside it, or the one of this place.
fn vault_of(place: &Place, opened: &Opened) -> Result<Option<Vault>> {
    opened.key.as_deref().map_or_else(|| place.vault(), |key| Ok(Vault::from_bytes(key)))
}

fn open(place: &Place, file: &Path, secret: Option<&Secret>, accept: Accept) -> Result<Opened> {
    let (opened, wanted) = (Opened::any(file, secret, place.vault()?, accept)?, Kind::of(&place.location));
    if opened.kind != wanted {
        let (found, wanted) = (opened.kind.as_str(), wanted.as_str());
        return Err(BackupError::OtherEngine { path: file.to_owned(), found, wanted });
    }
    Ok(opened)
}

/// Replaces the store by the backup. Refused while another process uses the store.
pub fn restore(request: &RestoreRequest<'_>, watch: &mut Watch<'_>) -> Result<RestoreReport> {
    let started = Instant::now();
    let mut opened = open(request.place, request.file, request.secret, request.accept)?;
    let new_key = new_key(request, &opened)?;
    let (contents, kept) = match &request.place.location {
        Location::File { path, .. } => restore_file(request, path, &mut opened, new_key.as_deref(), watch)?,
        Location::Server { url, .. } => {
            (restore_dump(request, url, &mut opened, new_key.as_deref(), watch)?, None)
        }
    };
    let key_missing = request.place.vault.is_none() && !request.place.key_file.exists();
    let seconds = started.elapsed().as_secs_f64();
    let (authentic, key_restored) = (opened.is_authentic(), opened.key.is_some());
    Ok(RestoreReport { contents, kept, authentic, key_restored, key_missing, seconds })
}

/// The key to install, if it is not there yet.
fn new_key(request: &RestoreRequest<'_>, opened: &Opened) -> Result<Option<Vec<u8>>> {
    let Some(key) = &opened.key else { return Ok(None) };
    match super::key_of(request.place)? {
        present if present == *key => Ok(None),
        present if present.is_empty() || request.replace => Ok(Some(key.clone())),
        _ => Err(BackupError::OtherKey(request.place.key_file.clone())),
    }
}

fn restore_file(
    request: &RestoreRequest<'_>,
    store: &Path,
    opened: &mut Opened,
    new_key: Option<&[u8]>,
    watch: &mut Watch<'_>,
) -> Result<(Contents, Option<PathBuf>)> {
    let replacement = Replacement::begin(store)?;
    if !request.replace && !replacement.is_empty() {
        return Err(BackupError::NotEmpty);
    }
    let staged = replacement.staged();
    opened.unpack_to(&staged, watch)?;
    let vault = vault_of(request.place, opened)?;
    let contents = seam::examine(&staged, Kind::File, &key_finder(vault.clone()), watch)?;
    check_vault(request, &staged, new_key)?;
    replacement.renew(&mark(request.file, &contents, vault.as_ref(), request.now))?;
    if let (Some(key), Some(name)) = (new_key, request.place.key_file.file_name()) {
        keep_old_key(&request.place.key_file)?;
        write_private(&replacement.folder.join(name), key)?;
    }
    watch("putting it in place", 0, 0);
    Ok((contents, replacement.commit()?))
}

/// Refuses a store that the installed key cannot open: the service would refuse to start with it.
fn check_vault(request: &RestoreRequest<'_>, staged: &Path, new_key: Option<&[u8]>) -> Result<()> {
    let key = new_key.map_or_else(|| request.place.vault(), |key| Ok(Vault::from_bytes(key)))?;
    let (Some(vault), Some(mark)) = (key, seam::vault_mark(staged, Kind::File)?) else { return Ok(()) };
    let other = |_| BackupError::OtherVault {
        file: request.file.to_owned(),
        key_file: request.place.key_file.clone(),
    };
    vault.marked(&mark).map(|_| ()).map_err(other)
}

fn restore_dump(
    request: &RestoreRequest<'_>,
    url: &str,
    opened: &mut Opened,
    new_key: Option<&[u8]>,
    watch: &mut Watch<'_>,
) -> Result<Contents> {
    let scratch = PartialFile::new(&request.place.data_dir)?;
    opened.unpack_to(&scratch.path, watch)?;
    let vault = vault_of(request.place, opened)?;
    let contents = seam::examine(&scratch.path, Kind::Dump, &key_finder(vault.clone()), watch)?;
    let mark = mark(request.file, &contents, vault.as_ref(), request.now);
    // The key waits beside the old one, so that after the commit there is only a rename left to do.
    let waiting = new_key.map(|key| -> Result<PartialFile> {
        keep_old_key(&request.place.key_file)?;
        let part = PartialFile::new(&request.place.data_dir)?;
        write_private(&part.path, key)?;
        Ok(part)
    });
    let waiting = waiting.transpose()?;
    seam::restore_dump(url, &scratch.path, &contents, &mark, request.replace, watch)?;
    if let Some(part) = waiting {
        part.publish(&request.place.key_file)?;
    }
    Ok(contents)
}

/// Keeps a replaced key under another name.
fn keep_old_key(key_file: &Path) -> Result<()> {
    let kept = key_file.with_extension("key.before-restore");
    match fs::copy(key_file, &kept) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(BackupError::io("write", &kept, error)),
        _ => Ok(()),
    }
}

fn write_private(path: &Path, bytes: &[u8]) -> Result<()> {
    use io::Write as _;
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|error| BackupError::io("write", path, error))
}

/// Restores the backup to a temporary place, verifies all of it, and deletes it. The store is not touched.
pub fn drill(
    place: &Place,
    file: &Path,
    (secret, accept): (Option<&Secret>, Accept),
    now: Moment,
    watch: &mut Watch<'_>,
) -> Result<DrillReport> {
    let started = Instant::now();
    super::part::sweep(&place.data_dir);
    let mut opened = open(place, file, secret, accept)?;
    let scratch = PartialFile::new(&place.data_dir)?;
    opened.unpack_to(&scratch.path, watch)?;
    let vault = vault_of(place, &opened)?;
    let find_keys = key_finder(vault.clone());
    let before = seam::examine(&scratch.path, opened.kind, &find_keys, watch)?;
    let mark = mark(file, &before, vault.as_ref(), now);
    let after = match &place.location {
        Location::File { .. } => seam::rehearse_file(&scratch.path, &mark, &find_keys, watch)?,
        Location::Server { url, .. } => {
            seam::rehearse_dump(url, &scratch.path, &before, &mark, &find_keys, watch)?
        }
    };
    // The restored store has one more entry: the restore itself.
    let lost = before.rows.iter().find(|(table, count)| after.count(table) < **count);
    if let Some((table, count)) = lost {
        let found = after.count(table);
        let text = format!("the restored store has {found} rows in {table}, the backup {count}");
        return Err(store::Error::Corrupt(text).into());
    }
    Ok(DrillReport {
        file: file.to_owned(),
        kind: opened.kind,
        encrypted: opened.encrypted,
        contents: before,
        seconds: started.elapsed().as_secs_f64(),
    })
}
