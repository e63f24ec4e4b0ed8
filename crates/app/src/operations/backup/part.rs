//! A file that appears only when it is complete: written under another name, synchronised, then renamed.

use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use super::{BackupError, Result};
use crate::ids::random_u128;

const BEGINNING: &str = ".tidewall-";
const ENDING: &str = ".part";
/// The suffixes of files that SQLite creates beside a database.
const COMPANIONS: [&str; 3] = ["-journal", "-wal", "-shm"];

/// A file under construction. It is deleted if it is dropped before it is published.
#[derive(Debug)]
pub(super) struct PartialFile {
    pub(super) path: PathBuf,
    /// Held while the file is written, so that no other process deletes it as abandoned.
    lock: File,
}

impl PartialFile {
    /// An empty file in `directory` that only this user can read.
    pub(super) fn new(directory: &Path) -> Result<Self> {
        loop {
            let part =
                Self::made(directory).map_err(|error| BackupError::io("write to", directory, error))?;
            // Before it was locked, another process may have deleted it as abandoned.
            if part.path.exists() {
                return Ok(part);
            }
        }
    }

    fn made(directory: &Path) -> io::Result<Self> {
        let path = directory.join(format!("{BEGINNING}{:032x}{ENDING}", random_u128()));
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let lock = options.open(&path)?;
        lock.lock()?;
        Ok(Self { path, lock })
    }

    /// Synchronises the file and gives it its name.
    pub(super) fn publish(self, target: &Path) -> Result<()> {
        let trouble = |error| BackupError::io("write", target, error);
        File::open(&self.path).and_then(|file| file.sync_all()).map_err(trouble)?;
        fs::rename(&self.path, target).map_err(trouble)?;
        sync_directory(directory_of(target)).map_err(trouble)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        // After a rename no file has this name.
        let _ = fs::remove_file(&self.path);
        for suffix in COMPANIONS {
            let mut name = self.path.clone().into_os_string();
            name.push(suffix);
            let _ = fs::remove_file(PathBuf::from(name));
        }
        let _ = self.lock.unlock();
    }
}

/// Deletes the files of processes that were killed.
pub(super) fn sweep(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let base = COMPANIONS.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
        if !(base.starts_with(BEGINNING) && base.ends_with(ENDING)) {
            continue;
        }
        let abandoned = match File::open(directory.join(base)) {
            Ok(file) => file.try_lock().is_ok(),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if abandoned {
            let _ = fs::remove_file(path);
        }
    }
}

pub(super) fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_swept_with_its_companions_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let at_work = PartialFile::new(directory.path()).unwrap();
        let mut beside = at_work.path.clone().into_os_string();
        beside.push("-wal");
        fs::write(&beside, "x").unwrap();
        for name in [".tidewall-0a.part", ".tidewall-0a.part-wal", ".tidewall-0a.part-shm"] {
            fs::write(path(name), "x").unwrap();
        }
        // The file itself is gone already.
        fs::write(path(".tidewall-0b.part-journal"), "x").unwrap();
        fs::write(path("backup"), "x").unwrap();
        // A file may be deleted before or after its companions, depending on the order of the directory.
        sweep(directory.path());
        sweep(directory.path());
        let mut left: Vec<_> =
            fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        left.sort();
        let mut wanted = vec![at_work.path.clone(), PathBuf::from(&beside), path("backup")];
        wanted.sort();
        assert_eq!(left, wanted);
    }
}
