//! The directory of an embedded store: which processes use it, and how a restored store replaces it.
//!
//! Every process that opens the store holds a shared lock on a file beside it, so a restore, which needs an exclusive
//! lock, cannot replace the file under a running service. A restore prepares everything in one folder and commits by
//! renaming that folder: the next process to open the store, even after a crash, finishes the remaining moves.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use super::{Error, Result};

/// The folder in which a restore is prepared …
const PARTIAL: &str = "restore.partial";
/// … and its name once it is complete.
const PENDING: &str = "restore.pending";
/// How long a process waits for another one that finishes a restore.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(50);

/// A shared lock: the store is not replaced while this is held.
#[derive(Debug)]
pub(super) struct Share {
    _lock: File,
}

/// An exclusive lock: no other process uses the store while this is held.
#[derive(Debug)]
pub(super) struct Taken {
    _lock: File,
    directory: PathBuf,
}

/// Takes a shared lock, after finishing an interrupted restore.
pub(super) fn share(store: &Path) -> Result<Share> {
    let lock = lock_file(store)?;
    let mut waited = Duration::ZERO;
    loop {
        match lock.try_lock_shared() {
            Ok(()) if !directory_of(store).join(PENDING).exists() => return Ok(Share { _lock: lock }),
            Ok(()) => {
                lock.unlock().map_err(trouble)?;
                if let Ok(taken) = take(store) {
                    taken.finish()?;
                }
            }
            Err(TryLockError::WouldBlock) if waited < PATIENCE => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Refused(format!(
                    "a backup is being restored into {}: wait until that is done",
                    directory_of(store).display()
                )));
            }
            Err(TryLockError::Error(error)) => return Err(trouble(error)),
        }
        thread::sleep(PAUSE);
        waited += PAUSE;
    }
}

/// Makes the file of the store readable by this user only. The files that SQLite creates beside it get the same
/// permissions.
pub(super) fn make_private(path: &Path) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    if !path.exists() {
        options.open(path).map_err(trouble)?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(path).map_err(trouble)?.permissions().mode();
        // A user who may write the file without owning it cannot change its permissions; `doctor` reports that.
        if mode & 0o077 != 0 {
            let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700));
        }
    }
    Ok(())
}

/// Takes an exclusive lock; refused while another process uses the store.
pub(super) fn take(store: &Path) -> Result<Taken> {
    let lock = lock_file(store)?;
    match lock.try_lock() {
        Ok(()) => Ok(Taken { _lock: lock, directory: directory_of(store).to_owned() }),
        Err(TryLockError::WouldBlock) => Err(Error::Refused(format!(
            "the store in {} is in use: stop the service (and every other tidewall command) first",
            directory_of(store).display()
        ))),
        Err(TryLockError::Error(error)) => Err(trouble(error)),
    }
}

impl Taken {
    /// An empty folder to prepare a restore in. The remains of an earlier one are deleted.
    pub(super) fn prepare(&self) -> Result<PathBuf> {
        // A committed restore is finished first: it was what the operator asked for last.
        self.finish()?;
        let partial = self.directory.join(PARTIAL);
        if partial.exists() {
            fs::remove_dir_all(&partial).map_err(trouble)?;
        }
        private_directory(&partial).map_err(trouble)?;
        Ok(partial)
    }

    /// Commits the prepared restore: after a crash at this point either all of it is in place or none.
    pub(super) fn commit(&self) -> Result<()> {
        let (partial, pending) = (self.directory.join(PARTIAL), self.directory.join(PENDING));
        sync_directory(&partial).map_err(trouble)?;
        fs::rename(partial, pending).map_err(trouble)?;
        sync_directory(&self.directory).map_err(trouble)?;
        self.finish()
    }

    /// Moves the files of a committed restore into place. Interrupted, it can be repeated.
    fn finish(&self) -> Result<()> {
        let pending = self.directory.join(PENDING);
        if !pending.exists() {
            return Ok(());
        }
        let moved = || -> io::Result<()> {
            for entry in fs::read_dir(&pending)? {
                let entry = entry?;
                let target = self.directory.join(entry.file_name());
                // A log of the old store must not be applied to the new one.
                for suffix in ["-wal", "-shm", "-journal"] {
                    remove_if_there(&with_suffix(&target, suffix))?;
                }
                sync_directory(&self.directory)?;
                fs::rename(entry.path(), target)?;
            }
            sync_directory(&self.directory)?;
            fs::remove_dir(&pending)?;
            sync_directory(&self.directory)
        };
        moved().map_err(trouble)
    }
}

/// The name of a file that belongs to another: `tidewall.db-wal` to `tidewall.db`.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

pub(super) fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A rename is durable only once its directory is synchronised.
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

pub(super) fn directory_of(store: &Path) -> &Path {
    store.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// The file is empty and private like the store. One that root creates belongs to the owner of the directory, so that a
/// command run by root leaves no file that the service cannot open.
fn lock_file(store: &Path) -> Result<File> {
    let path = store.with_extension("lock");
    make_private(&path)?;
    let lock = File::open(&path).map_err(trouble)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let (file, place) = (lock.metadata(), fs::metadata(directory_of(store)));
        if let (Ok(file), Ok(place)) = (file, place)
            && file.uid() == 0
            && place.uid() != 0
        {
            let _ = fchown(&lock, Some(place.uid()), Some(place.gid()));
        }
    }
    Ok(lock)
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
pub(super) fn trouble(error: io::Error) -> Error {
    Error::Unavailable(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (PathBuf, PathBuf) {
        let name = format!("tidewall-place-{}-{:?}", std::process::id(), thread::current().id());
        let directory = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir(&directory).unwrap();
        let store = directory.join("tidewall.db");
        (directory, store)
    }

    #[test]
    fn sharing_keeps_a_restore_out_and_a_restore_keeps_openers_waiting() {
        let (directory, store) = place();
        let (first, second) = (share(&store).unwrap(), share(&store).unwrap());
        assert!(matches!(take(&store), Err(Error::Refused(_))));
        drop((first, second));
        let taken = take(&store).unwrap();
        let waiting = thread::spawn({
            let store = store.clone();
            move || share(&store).map(|_| ())
        });
        thread::sleep(Duration::from_millis(100));
        assert!(!waiting.is_finished());
        drop(taken);
        waiting.join().unwrap().unwrap();
        fs::remove_dir_all(directory).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_reads_the_lock_file_also_one_that_was_public() {
        use std::os::unix::fs::PermissionsExt as _;
        let (directory, store) = place();
        let path = store.with_extension("lock");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        drop(share(&store).unwrap());
        assert_eq!(mode(), 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        drop(take(&store).unwrap());
        assert_eq!(mode(), 0o600);
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_restore_that_was_cut_short_after_its_commit_is_finished_by_the_next_opener() {
        let (directory, store) = place();
        fs::write(&store, "old").unwrap();
        fs::write(with_suffix(&store, "-wal"), "old log").unwrap();
        let pending = directory.join(PENDING);
        fs::create_dir(&pending).unwrap();
        fs::write(pending.join("tidewall.db"), "new").unwrap();
        fs::write(pending.join("secret.key"), "new key").unwrap();
        let _share = share(&store).unwrap();
        assert_eq!(fs::read_to_string(&store).unwrap(), "new");
        assert_eq!(fs::read_to_string(directory.join("secret.key")).unwrap(), "new key");
        assert!(!with_suffix(&store, "-wal").exists() && !pending.exists());
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn one_that_was_cut_short_before_its_commit_changes_nothing() {
        let (directory, store) = place();
        fs::write(&store, "old").unwrap();
        let partial = directory.join(PARTIAL);
        fs::create_dir(&partial).unwrap();
        fs::write(partial.join("tidewall.db"), "half").unwrap();
        drop(share(&store).unwrap());
        assert_eq!(fs::read_to_string(&store).unwrap(), "old");
        let taken = take(&store).unwrap();
        assert_eq!(fs::read_dir(taken.prepare().unwrap()).unwrap().count(), 0, "what was half is gone");
        fs::remove_dir_all(directory).unwrap();
    }
}
