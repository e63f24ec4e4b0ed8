//! The names of scheduled backups, and how many of them are kept.

use std::{
    fs,
    path::{Path, PathBuf},
};

use domain::moment::Moment;

use super::{BackupError, Kind, Result, checksum_path, code_path};

const BEGINNING: &str = "tidewall-";
/// `20261115T023000Z`
const STAMP: usize = 16;
const ENDINGS: [&str; 4] = [".db", ".db.sealed", ".dump", ".dump.sealed"];

/// The name of a backup taken now: names sort by age.
pub fn name(kind: Kind, encrypted: bool, now: Moment) -> String {
    let stamp: String = now.to_string().chars().filter(|letter| !matches!(letter, '-' | ':')).collect();
    let stamp = stamp.split(['.', 'Z']).next().unwrap_or_default();
    let ending = match kind {
        Kind::File => ".db",
        Kind::Dump => ".dump",
    };
    format!("{BEGINNING}{stamp}Z{ending}{}", if encrypted { ".sealed" } else { "" })
}

/// Whether a file has a name made by [`name`]. No other file in the directory is ever touched.
fn is_ours(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(BEGINNING) else { return false };
    let Some((stamp, ending)) = rest.split_at_checked(STAMP) else { return false };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    stamp.is_ascii()
        && digits(&stamp[..8])
        && &stamp[8..9] == "T"
        && digits(&stamp[9..15])
        && stamp.ends_with('Z')
        && ENDINGS.contains(&ending)
}

fn all(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|error| BackupError::io("read", directory, error))?,
    };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_ours))
        .collect();
    found.sort();
    Ok(found)
}

/// The newest backup in the directory, if there is one.
pub fn newest(directory: &Path) -> Result<Option<PathBuf>> {
    Ok(all(directory)?.pop())
}

/// The remaining backups in a directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    pub kept: usize,
    pub removed: Vec<PathBuf>,
}

/// Deletes the oldest until `keep` are left. Only call it after a new one was verified.
pub fn keep_newest(directory: &Path, keep: usize) -> Result<Kept> {
    let found = all(directory)?;
    let surplus = found.len().saturating_sub(keep.max(1));
    let mut kept = Kept { kept: found.len() - surplus, removed: Vec::new() };
    for path in found.into_iter().take(surplus) {
        let _ = fs::remove_file(checksum_path(&path));
        let _ = fs::remove_file(code_path(&path));
        fs::remove_file(&path).map_err(|error| BackupError::io("remove", &path, error))?;
        kept.removed.push(path);
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_age_and_are_known_again() {
        let (early, late) = (Moment::from_millis(1_794_664_800_000), Moment::from_millis(1_794_664_801_000));
        assert_eq!(name(Kind::File, false, early), "tidewall-20261114T140000Z.db");
        assert!(name(Kind::File, false, early) < name(Kind::File, false, late));
        for (kind, encrypted) in [(Kind::File, true), (Kind::Dump, false), (Kind::Dump, true)] {
            assert!(is_ours(&name(kind, encrypted, early)));
        }
        for other in [
            "tidewall.db",
            "tidewall-mine.db",
            "tidewall-20261114T140000Z.db.sha256",
            "tidewall-€20261114T1400.db",
        ] {
            assert!(!is_ours(other), "{other}");
        }
    }
}
