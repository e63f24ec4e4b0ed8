//! Backups of a whole store, and stores restored from backups, on either engine.
//!
//! The embedded store is copied page by page from one snapshot while writers continue; a backup is an ordinary SQLite
//! file. On PostgreSQL its own programs do the work (`pg_dump`, `pg_restore`, `psql`): a backup is a dump in their
//! custom format. Both can therefore be read without this program. The application decides where backups go, whether
//! they are encrypted and how long they are kept.

mod contents;
mod dump;
mod dump_restore;
mod file;
mod tools;

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use domain::{
    audit::{Entry, Head},
    audit_key::AuditKeys,
    moment::Moment,
};

pub use self::contents::{Anchors, Contents, KeyFinder};
use super::{
    Error, Location, PLATFORM, Result, migrate, postgres,
    store_lock::{self, Taken},
};
use crate::evidence_file::BucketFile;

/// Which engine a backup is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    Dump,
}

impl Kind {
    pub fn of(location: &Location) -> Self {
        match location {
            Location::File { .. } => Self::File,
            Location::Server { .. } => Self::Dump,
        }
    }

    /// Recognises a plain backup by its first bytes.
    pub fn recognise(path: &Path) -> Result<Option<Self>> {
        let mut head = Vec::new();
        let opened = File::open(path).and_then(|file| file.take(16).read_to_end(&mut head));
        opened.map_err(|error| Error::Refused(format!("{} cannot be read ({error})", path.display())))?;
        Ok(match &head[..] {
            b"SQLite format 3\0" => Some(Self::File),
            [b'P', b'G', b'D', b'M', b'P', ..] => Some(Self::Dump),
            _ => None,
        })
    }

    /// The name of the engine in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "sqlite",
            Self::Dump => "postgres",
        }
    }
}

/// Receives the progress: the step, the finished units and the total. An unknown total is 0.
pub type Watch<'w> = dyn FnMut(&'static str, u64, u64) + 'w;

/// Copies everything and reports the number of bytes now and then.
pub fn pass_on(from: &mut impl Read, into: &mut impl Write, mut passed: impl FnMut(u64)) -> io::Result<u64> {
    let (mut buffer, mut total, mut reported) = (vec![0; 1 << 18], 0, 0);
    loop {
        let length = match from.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        if length == 0 {
            passed(total);
            return Ok(total);
        }
        into.write_all(&buffer[..length])?;
        total += length as u64;
        if total - reported >= 1 << 24 {
            reported = total;
            passed(total);
        }
    }
}

/// What distinguishes a restored store from the one the backup was taken of.
#[derive(Debug, Clone)]
pub struct RestoreMark {
    /// The new epoch of the store: no `ETag` issued before matches any more.
    pub epoch: String,
    /// The entry for the platform's audit chain.
    pub entry: Entry,
    pub at: Moment,
    /// What the entry is hashed with where that chain is keyed and the key is at hand.
    pub keys: AuditKeys,
}

impl RestoreMark {
    /// The platform's head with the entry of the restore, and the id of the key it was hashed with.
    fn head(&self, before: Head, is_keyed: bool) -> (Head, Option<String>) {
        match self.keys.current(PLATFORM).filter(|_| is_keyed) {
            Some(key) => (before.append_keyed(PLATFORM, &self.entry, &key), Some(key.id().to_owned())),
            None => (before.append(PLATFORM, &self.entry), None),
        }
    }
}

/// Copies the store as of one moment into the file `target`, which exists and is empty.
pub fn snapshot(location: &Location, target: &Path, watch: &mut Watch<'_>) -> Result<()> {
    match location {
        Location::File { path, .. } => file::snapshot(path, target, watch),
        Location::Server { url, .. } => dump::snapshot(url, target, watch),
    }
}

/// Reads a plain backup from end to end: the engine's own integrity check, and every audit chain link by link.
pub fn examine(
    path: &Path,
    kind: Kind,
    find_keys: &KeyFinder<'_>,
    watch: &mut Watch<'_>,
) -> Result<Contents> {
    let contents = match kind {
        Kind::File => file::examine(path, &Anchors::new(), find_keys, watch)?,
        Kind::Dump => dump::examine(path, find_keys, watch)?,
    };
    migrate::refuse_unknown(&contents.migrations)?;
    Ok(contents)
}

/// The fingerprint of a plain backup's vault key. It cannot be read from a dump before it is restored.
pub fn vault_mark(path: &Path, kind: Kind) -> Result<Option<String>> {
    match kind {
        Kind::File => file::vault_mark(path),
        Kind::Dump => Ok(None),
    }
}

/// Reads a store in use from end to end, as it is at one moment, as [`examine`] reads a backup. Its audit chains must
/// pass through the heads that were exported earlier.
pub fn inspect(location: &Location, anchors: &Anchors, find_keys: &KeyFinder<'_>) -> Result<Contents> {
    match location {
        Location::File { path, .. } => {
            let _share = store_lock::share(path)?;
            file::examine(path, anchors, find_keys, &mut |_, _, _| {})
        }
        Location::Server { url, .. } => {
            dump::inspect(&postgres::Client::connect(&postgres::parse(url)?)?, anchors, find_keys)
        }
    }
}

/// The files of a store in use whose bytes are in a bucket.
pub fn in_bucket(location: &Location) -> Result<Vec<BucketFile>> {
    match location {
        Location::File { path, .. } => {
            let _share = store_lock::share(path)?;
            file::in_bucket_of(path)
        }
        Location::Server { url, .. } => {
            dump::in_bucket_of(&postgres::Client::connect(&postgres::parse(url)?)?)
        }
    }
}

/// What identifies the present life of a store: it changes when a backup is restored.
pub fn epoch(location: &Location) -> Result<String> {
    match location {
        Location::File { path, .. } => {
            let _share = store_lock::share(path)?;
            file::epoch(path)
        }
        Location::Server { url, .. } => {
            let text = "SELECT value FROM store_meta WHERE name = 'epoch'";
            Ok(postgres::Client::connect(&postgres::parse(url)?)?.query_one(text, &[])?.get(0))
        }
    }
}

/// Whether row-level security, the second barrier between tenants, does not apply to the role in `url`.
pub fn is_above_row_security(url: &str) -> Result<bool> {
    dump::is_above_row_security(&postgres::Client::connect(&postgres::parse(url)?)?)
}

/// The rights of the role in `url` beyond those the service needs.
pub fn role_rights(url: &str) -> Result<RoleRights> {
    dump::role_rights(&postgres::Client::connect(&postgres::parse(url)?)?)
}

/// Rights of a PostgreSQL role that the service never uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RoleRights {
    /// Row-level security does not apply to it.
    pub above_row_security: bool,
    /// It can disable row-level security and change the schema.
    pub owns_tables: bool,
    /// It can change or delete audit entries.
    pub changes_audit: bool,
}

/// The size of the write-ahead log beside an embedded store.
pub fn log_bytes(path: &Path) -> u64 {
    store_lock::with_suffix(path, "-wal").metadata().map_or(0, |log| log.len())
}

/// An embedded store about to be replaced. No other process can use it meanwhile.
#[derive(Debug)]
pub struct Replacement {
    taken: Taken,
    store: PathBuf,
    /// Files in this folder are moved beside the store when the replacement is committed.
    pub folder: PathBuf,
}

impl Replacement {
    /// Locks the store at `path`; refused while another process uses it.
    pub fn begin(path: &Path) -> Result<Self> {
        let taken = store_lock::take(path)?;
        let folder = taken.prepare()?;
        Ok(Self { taken, store: path.to_owned(), folder })
    }

    /// The path at which the new store is prepared.
    pub fn staged(&self) -> PathBuf {
        self.store.file_name().map_or_else(|| self.folder.clone(), |name| self.folder.join(name))
    }

    /// Whether the old store is empty. One that cannot be read counts as not empty.
    pub fn is_empty(&self) -> bool {
        !self.store.exists() || file::has_no_tenant(&self.store).unwrap_or(false)
    }

    /// Migrates the staged copy to this binary's schema and marks it as restored.
    pub fn renew(&self, mark: &RestoreMark) -> Result<()> {
        file::renew(&self.staged(), mark)
    }

    /// Keeps the old store under another name and puts the new one in its place. Returns that name.
    pub fn commit(self) -> Result<Option<PathBuf>> {
        let kept = if self.store.exists() { Some(file::set_aside(&self.store)?) } else { None };
        self.taken.commit()?;
        Ok(kept)
    }
}

impl Drop for Replacement {
    /// Deletes an uncommitted replacement; a committed one has been renamed by then.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Restores a copy in a folder of its own, as a rehearsal: brings it up to this binary and reads all of it again.
pub fn rehearse_file(
    copy: &Path,
    mark: &RestoreMark,
    find_keys: &KeyFinder<'_>,
    watch: &mut Watch<'_>,
) -> Result<Contents> {
    file::renew(copy, mark)?;
    file::examine(copy, &Anchors::new(), find_keys, watch)
}

/// Restores a dump into the database in one transaction. Refused while a service uses it.
pub fn restore_dump(
    url: &str,
    dump: &Path,
    contents: &Contents,
    mark: &RestoreMark,
    replace: bool,
    watch: &mut Watch<'_>,
) -> Result<()> {
    dump_restore::restore(&postgres::parse(url)?, dump, contents, mark, replace, watch)?;
    let location = Location::Server { url: url.to_owned(), connections: 1 };
    migrate::up(&location, mark.at).map(|_| ())
}

/// Restores a dump into a temporary database, verifies all of it, and drops the database.
pub fn rehearse_dump(
    url: &str,
    dump: &Path,
    contents: &Contents,
    mark: &RestoreMark,
    find_keys: &KeyFinder<'_>,
    watch: &mut Watch<'_>,
) -> Result<Contents> {
    dump_restore::rehearse(url, dump, contents, mark, find_keys, watch)
}
