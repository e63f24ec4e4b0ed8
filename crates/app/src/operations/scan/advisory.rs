//! Which dependencies an advisory of the `RustSec` database concerns. The advisory, its ranges of versions and the lock
//! file are read by the database's own library.
//!
//! An advisory without a rating keeps the severity unknown; none is guessed from its prose.

use domain::{
    cve::CvssScore,
    scan::{ScanSeverity, Vulnerability},
};
use rustsec::{
    Advisory, Lockfile,
    advisory::Informational,
    cargo_lock::Package,
    osv,
    platforms::{Arch, OS},
};

/// The platform of a build.
#[derive(Debug, Clone, Copy)]
pub(super) struct Platform {
    pub(super) os: OS,
    pub(super) arch: Arch,
}

impl Platform {
    /// The platform of this build; `None` if the database has no name for it.
    pub(super) fn own() -> Option<Self> {
        Some(Self { os: std::env::consts::OS.parse().ok()?, arch: std::env::consts::ARCH.parse().ok()? })
    }
}

/// Why a text is not an advisory.
#[derive(Debug, thiserror::Error)]
pub(super) enum AdvisoryError {
    #[error("does not begin with a ```toml block; is this a RustSec advisory?")]
    NoFrontMatter,
    #[error("cannot be read: {0}")]
    Unreadable(#[from] rustsec::Error),
}

/// Reads the text of one advisory.
pub(super) fn read(text: &str) -> Result<Advisory, AdvisoryError> {
    let text = text.replace("\r\n", "\n");
    // The library quotes the beginning of any other text by its bytes, which fails within a letter.
    let text = text.trim_start();
    if !text.starts_with("```toml\n") {
        return Err(AdvisoryError::NoFrontMatter);
    }
    Ok(text.parse()?)
}

/// The external packages of a lock file: our own have no source.
pub(super) fn dependencies(lockfile: &str) -> Result<Vec<Package>, rustsec::cargo_lock::Error> {
    let lockfile: Lockfile = lockfile.parse()?;
    Ok(lockfile.packages.into_iter().filter(|package| package.source.is_some()).collect())
}

/// Whether an advisory is about a vulnerability. An unsound interface can be misused by safe code without intent;
/// "unmaintained" is a concern, not a vulnerability.
fn counts(advisory: &Advisory) -> bool {
    let kind = advisory.metadata.informational.as_ref();
    !advisory.withdrawn() && kind.is_none_or(Informational::is_unsound)
}

fn reaches(advisory: &Advisory, platform: Option<Platform>) -> bool {
    let (Some(affected), Some(platform)) = (&advisory.affected, platform) else { return true };
    (affected.os.is_empty() || affected.os.contains(&platform.os))
        && (affected.arch.is_empty() || affected.arch.contains(&platform.arch))
}

/// The known vulnerabilities among `dependencies`. On a platform without a name every advisory counts.
pub(super) fn matches(
    advisories: &[Advisory],
    dependencies: &[Package],
    platform: Option<Platform>,
) -> Vec<Vulnerability> {
    let mut found = Vec::new();
    for advisory in advisories.iter().filter(|one| counts(one) && reaches(one, platform)) {
        let ranges = osv::ranges_for_advisory(&advisory.versions);
        let score =
            advisory.metadata.cvss.as_ref().and_then(|cvss| CvssScore::from_vector(&cvss.to_string()));
        for package in dependencies.iter().filter(|package| package.name == advisory.metadata.package) {
            let Some(range) = ranges.iter().find(|range| range.affects(&package.version)) else { continue };
            found.push(Vulnerability {
                id: advisory.id().to_string(),
                package: package.name.to_string(),
                version: package.version.to_string(),
                severity: score.map_or(ScanSeverity::Unknown, ScanSeverity::from),
                fixed_in: range.fixed.as_ref().map(ToString::to_string),
                title: advisory.title().to_owned(),
                first_seen_at: None,
            });
        }
    }
    found
}

#[cfg(test)]
#[path = "advisory_tests.rs"]
mod tests;
