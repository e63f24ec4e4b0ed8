//! Copies of a whole store, and stores made from copies, on either engine.
//!
//! The embedded store is copied page by page from one snapshot while writers go on; a backup is an ordinary SQLite
//! file. On PostgreSQL its own programs do the work (`pg_dump`, `pg_restore`, `psql`): a backup is a dump in their
//! custom format. Either can therefore be read without this program. Left out on purpose: where copies go, whether
//! they are encrypted and how long they are kept; that is the application's.

mod contents;
mod dump;
mod file;
mod tools;

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use domain::{audit::Entry, moment::Moment};

pub use self::contents::{Anchors, Contents};
use super::{
    Error, Location, Result, migrate,
    place::{self, Taken},
    postgres,
};

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

    /// How the engine is called in what people read.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "sqlite",
            Self::Dump => "postgres",
        }
    }
}

/// Hears how far the work is: what is being done, how many units of how many. An unknown total is 0.
pub type Watch<'w> = dyn FnMut(&'static str, u64, u64) + 'w;

/// Copies everything and says now and then how much it was.
pub fn pass_on(from: &mut impl Read, into: &mut impl Write, mut passed: impl FnMut(u64)) -> io::Result<u64> {
    let (mut buffer, mut total, mut told) = (vec![0; 1 << 18], 0, 0);
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
        if total - told >= 1 << 24 {
            told = total;
            passed(total);
        }
    }
}

/// What tells a restored store from the one the backup was taken of.
#[derive(Debug, Clone)]
pub struct Mark {
    /// The new life of the store: validators given out before no longer fit.
    pub epoch: String,
    /// For the platform's audit chain.
    pub entry: Entry,
    pub at: Moment,
}

/// Copies the store as it is at one moment into the file `target`, which exists and is empty.
pub fn snapshot(location: &Location, target: &Path, watch: &mut Watch<'_>) -> Result<()> {
    match location {
        Location::File { path, .. } => file::snapshot(path, target, watch),
        Location::Server { url, .. } => dump::snapshot(url, target, watch),
    }
}

/// Reads a plain backup from end to end: the engine's own integrity check, and every audit chain link by link.
pub fn examine(path: &Path, kind: Kind, watch: &mut Watch<'_>) -> Result<Contents> {
    let contents = match kind {
        Kind::File => file::examine(path, &Anchors::new(), watch)?,
        Kind::Dump => dump::examine(path, watch)?,
    };
    migrate::refuse_unknown(&contents.migrations)?;
    Ok(contents)
}

/// What a plain backup recognises its vault key by. A dump cannot be asked before it is restored.
pub fn vault_mark(path: &Path, kind: Kind) -> Result<Option<String>> {
    match kind {
        Kind::File => file::vault_mark(path),
        Kind::Dump => Ok(None),
    }
}

/// Reads a store in use from end to end, as it is at one moment, as [`examine`] reads a backup. Its audit chains must
/// pass through the heads that were exported earlier.
pub fn inspect(location: &Location, anchors: &Anchors) -> Result<Contents> {
    match location {
        Location::File { path, .. } => {
            let _share = place::share(path)?;
            file::examine(path, anchors, &mut |_, _, _| {})
        }
        Location::Server { url, .. } => {
            dump::inspect(&mut postgres::connect(&postgres::parse(url)?)?, anchors)
        }
    }
}

/// Whether the role in `url` is one that row-level security, the second wall between tenants, does not hold for.
pub fn is_above_row_security(url: &str) -> Result<bool> {
    dump::is_above_row_security(&mut postgres::connect(&postgres::parse(url)?)?)
}

/// What the role in `url` could do besides its work.
pub fn role_rights(url: &str) -> Result<RoleRights> {
    dump::role_rights(&mut postgres::connect(&postgres::parse(url)?)?)
}

/// What a role of PostgreSQL could do that the service never does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RoleRights {
    /// Row-level security does not hold for it.
    pub above_row_security: bool,
    /// It can lift row-level security and change the schema.
    pub owns_tables: bool,
    /// It can change or delete audit entries.
    pub changes_audit: bool,
}

/// The size of the write-ahead log beside an embedded store.
pub fn log_bytes(path: &Path) -> u64 {
    place::with_suffix(path, "-wal").metadata().map_or(0, |log| log.len())
}

/// An embedded store about to be replaced. Nobody else can use it meanwhile.
#[derive(Debug)]
pub struct Replacement {
    taken: Taken,
    store: PathBuf,
    /// Files put in here take their place beside the store when the replacement is committed.
    pub folder: PathBuf,
}

impl Replacement {
    /// Takes the store at `path`, refused while anybody uses it.
    pub fn begin(path: &Path) -> Result<Self> {
        let taken = place::take(path)?;
        let folder = taken.prepare()?;
        Ok(Self { taken, store: path.to_owned(), folder })
    }

    /// Where the new store is to be put together.
    pub fn staged(&self) -> PathBuf {
        self.store.file_name().map_or_else(|| self.folder.clone(), |name| self.folder.join(name))
    }

    /// Whether there is anything worth keeping in the old store. One that cannot be read counts as worth it.
    pub fn is_empty(&self) -> bool {
        !self.store.exists() || file::has_no_tenant(&self.store).unwrap_or(false)
    }

    /// Brings the staged copy up to this binary and marks it.
    pub fn renew(&self, mark: &Mark) -> Result<()> {
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
    /// What was not committed goes; what was has another name by now.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Restores a copy in a folder of its own, as a rehearsal: brings it up to this binary and reads all of it again.
pub fn rehearse_file(copy: &Path, mark: &Mark, watch: &mut Watch<'_>) -> Result<Contents> {
    file::renew(copy, mark)?;
    file::examine(copy, &Anchors::new(), watch)
}

/// Puts a dump into the database, in one transaction. Refused while a service uses it.
pub fn restore_dump(
    url: &str,
    dump: &Path,
    contents: &Contents,
    mark: &Mark,
    replace: bool,
    watch: &mut Watch<'_>,
) -> Result<()> {
    dump::restore(&postgres::parse(url)?, dump, contents, mark, replace, watch)?;
    let location = Location::Server { url: url.to_owned(), connections: 1 };
    migrate::up(&location, mark.at).map(|_| ())
}

/// Restores a dump into a database made for it, reads all of it, and drops it again.
pub fn rehearse_dump(
    url: &str,
    dump: &Path,
    contents: &Contents,
    mark: &Mark,
    watch: &mut Watch<'_>,
) -> Result<Contents> {
    dump::rehearse(url, dump, contents, mark, watch)
}
