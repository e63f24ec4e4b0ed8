//! Compares the dependencies of this build with a directory of advisories.

use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use domain::{import::FileComplaint, moment::Day, scan::Vulnerability};
use rustsec::{Advisory, cargo_lock::Package};

use super::advisory::{self, Platform};
use crate::{Error, Result};

/// The target of a scan of this build.
pub(super) const TARGET: &str = concat!("tidewall ", env!("CARGO_PKG_VERSION"));

/// Every package in the lock file, including those of tests.
const LOCKFILE: &str = include_str!("../../../../../Cargo.lock");

/// A longer text is no advisory.
const MAX_ADVISORY: u64 = 1 << 20;

/// The known vulnerabilities of this build, and the version of the database: an old copy lacks later advisories.
pub(super) fn look(database: &Path) -> Result<(String, Vec<Vulnerability>)> {
    let found = vulnerabilities(database)?;
    let target = match newest(&database.join("crates"))? {
        Some(day) => format!("{TARGET}, advisories up to {day}"),
        None => TARGET.to_owned(),
    };
    Ok((target, found))
}

/// The day of the newest advisory in the copy, for any package.
fn newest(crates: &Path) -> Result<Option<Day>> {
    let mut newest = None;
    for entry in fs::read_dir(crates).map_err(|error| unreadable(crates, &error))? {
        let directory = entry.map_err(|error| unreadable(crates, &error))?.path();
        if directory.is_dir() {
            for path in texts(&directory)? {
                newest = newest.max(day_of(&path));
            }
        }
    }
    Ok(newest)
}

/// The day of an advisory, from its header; an advisory without one is not counted.
fn day_of(path: &Path) -> Option<Day> {
    let mut head = String::new();
    fs::File::open(path).ok()?.take(4096).read_to_string(&mut head).ok()?;
    let line = head.lines().find_map(|line| line.trim().strip_prefix("date")?.trim().strip_prefix('='))?;
    line.trim().trim_matches('"').parse().ok()
}

fn vulnerabilities(database: &Path) -> Result<Vec<Vulnerability>> {
    let dependencies = advisory::dependencies(LOCKFILE).map_err(Error::internal)?;
    let advisories = advisories(database, &dependencies)?;
    Ok(advisory::matches(&advisories, &dependencies, Platform::own()))
}

/// The advisories that name one of the dependencies: each package has its own directory.
fn advisories(database: &Path, dependencies: &[Package]) -> Result<Vec<Advisory>> {
    let crates = database.join("crates");
    if !crates.is_dir() {
        return Err(Error::invalid("advisory_db", FileComplaint::NoAdvisories));
    }
    let mut names: Vec<&str> = dependencies.iter().map(|dependency| dependency.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut advisories = Vec::new();
    for name in names {
        for path in texts(&crates.join(name))? {
            advisories.push(read(&path)?);
        }
    }
    Ok(advisories)
}

/// The advisories about one package; most have none.
fn texts(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(directory, &error)),
    };
    let mut texts = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(directory, &error))?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            texts.push(path);
        }
    }
    texts.sort();
    Ok(texts)
}

fn read(path: &Path) -> Result<Advisory> {
    let size = fs::metadata(path).map_err(|error| unreadable(path, &error))?.len();
    if size > MAX_ADVISORY {
        return Err(unreadable(path, "it is larger than 1 MiB"));
    }
    let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    advisory::read(&text).map_err(|error| unreadable(path, error))
}

/// An incomplete list would look like a good result, so the scan fails.
fn unreadable(path: &Path, why: impl std::fmt::Display) -> Error {
    let (path, problem) = (path.display().to_string(), why.to_string());
    Error::invalid("advisory_db", FileComplaint::BadAdvisory { path, problem })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database with one advisory about `serde`, which every build contains.
    fn database(patched: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let serde = dir.path().join("crates/serde");
        fs::create_dir_all(&serde).unwrap();
        fs::create_dir_all(dir.path().join("crates/unheard-of")).unwrap();
        fs::write(dir.path().join("crates/unheard-of/RUSTSEC-2026-0002.md"), "not read").unwrap();
        fs::write(
            serde.join("RUSTSEC-2026-0001.md"),
            format!(
                "```toml\n[advisory]\nid = \"RUSTSEC-2026-0001\"\npackage = \"serde\"\n\
                 date = \"2026-08-19\"\ncvss = \"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H\"\n\
                 [versions]\npatched = [\"{patched}\"]\n```\n\n# Reads too much\n"
            ),
        )
        .unwrap();
        dir
    }

    #[test]
    fn an_advisory_about_a_dependency_is_found_and_others_are_not_read() {
        let dir = database(">= 99.0.0");
        let found = vulnerabilities(dir.path()).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].id.as_str(), found[0].package.as_str()), ("RUSTSEC-2026-0001", "serde"));
        assert_eq!(found[0].fixed_in.as_deref(), Some("99.0.0"));
        assert_eq!(vulnerabilities(database(">= 0.1.0").path()).unwrap(), []);
    }

    #[test]
    fn a_scan_says_how_far_its_advisories_reach() {
        let dir = database(">= 0.1.0");
        assert_eq!(look(dir.path()).unwrap().0, format!("{TARGET}, advisories up to 2026-08-19"));
        let other = dir.path().join("crates/unheard-of/RUSTSEC-2026-0002.md");
        fs::write(&other, "```toml\n[advisory]\ndate = \"2026-08-20\"\n").unwrap();
        assert_eq!(look(dir.path()).unwrap().0, format!("{TARGET}, advisories up to 2026-08-20"));
    }

    #[test]
    fn a_directory_that_is_no_database_is_refused_with_the_remedy() {
        let dir = tempfile::tempdir().unwrap();
        let error = vulnerabilities(dir.path()).unwrap_err().to_string();
        assert!(error.contains("RustSec advisory database"), "{error}");
        let dir = database(">= 99.0.0");
        fs::write(dir.path().join("crates/serde/RUSTSEC-2026-0003.md"), "nothing").unwrap();
        let error = vulnerabilities(dir.path()).unwrap_err().to_string();
        assert!(error.contains("RUSTSEC-2026-0003.md: does not begin with"), "{error}");
    }
}
