//! Advisories of the `RustSec` database, and which of a list of dependencies they concern.
//!
//! Parses the text of one advisory: TOML in a fenced block, then Markdown. The caller lists the directory. An
//! advisory without a rating keeps the severity unknown; none is guessed from its prose.

use std::collections::HashMap;

use semver::Version;
use serde::Deserialize;

use crate::{
    cve::CvssScore,
    lockfile::Dependency,
    scan::{ScanSeverity, Vulnerability},
    version_range::VersionRange,
};

/// The platform of a build, in the terms of Rust's targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Platform<'a> {
    pub os: &'a str,
    pub arch: &'a str,
}

/// Why a text is not an advisory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdvisoryError {
    #[error("does not begin with a ```toml block; is this a RustSec advisory?")]
    NoFrontMatter,
    #[error("has a front matter that cannot be read: {0}")]
    FrontMatter(String),
}

#[derive(Deserialize)]
struct FrontMatter {
    advisory: Meta,
    versions: Versions,
    #[serde(default)]
    affected: Affected,
}

#[derive(Deserialize)]
struct Meta {
    id: String,
    package: String,
    #[serde(default)]
    cvss: Option<String>,
    #[serde(default)]
    informational: Option<String>,
    #[serde(default)]
    withdrawn: Option<String>,
}

#[derive(Deserialize)]
struct Versions {
    #[serde(default)]
    patched: Vec<VersionRange>,
    #[serde(default)]
    unaffected: Vec<VersionRange>,
}

#[derive(Default, Deserialize)]
struct Affected {
    #[serde(default)]
    os: Vec<String>,
    #[serde(default)]
    arch: Vec<String>,
}

/// The database entry of one vulnerability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advisory {
    pub id: String,
    pub package: String,
    pub title: String,
    pub severity: ScanSeverity,
    /// False for withdrawn advisories and for notes that are no vulnerability.
    counts: bool,
    patched: Vec<VersionRange>,
    unaffected: Vec<VersionRange>,
    os: Vec<String>,
    arch: Vec<String>,
}

impl Advisory {
    pub fn parse(text: &str) -> Result<Self, AdvisoryError> {
        let text = text.replace("\r\n", "\n");
        let rest = text.trim_start().strip_prefix("```toml\n").ok_or(AdvisoryError::NoFrontMatter)?;
        let (front, body) = rest.split_once("\n```").ok_or(AdvisoryError::NoFrontMatter)?;
        let front: FrontMatter =
            toml::from_str(front).map_err(|error| AdvisoryError::FrontMatter(error.message().to_owned()))?;
        let meta = front.advisory;
        let title =
            body.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(&meta.id).trim().to_owned();
        let score = meta.cvss.as_deref().and_then(CvssScore::from_vector);
        // An unsound interface can be misused by safe code without intent; "unmaintained" is a concern, not a
        // vulnerability.
        let is_weakness = meta.informational.as_deref().is_none_or(|kind| kind == "unsound");
        Ok(Self {
            title,
            severity: score.map_or(ScanSeverity::Unknown, ScanSeverity::from),
            counts: is_weakness && meta.withdrawn.is_none(),
            patched: front.versions.patched,
            unaffected: front.versions.unaffected,
            os: front.affected.os,
            arch: front.affected.arch,
            id: meta.id,
            package: meta.package,
        })
    }

    pub fn concerns(&self, dependency: &Dependency, platform: Platform<'_>) -> bool {
        let named = |list: &[String], word: &str| list.is_empty() || list.iter().any(|one| one == word);
        let safe = |ranges: &[VersionRange]| ranges.iter().any(|range| range.contains(&dependency.version));
        self.counts
            && self.package == dependency.name
            && named(&self.os, platform.os)
            && named(&self.arch, platform.arch)
            && !safe(&self.patched)
            && !safe(&self.unaffected)
    }

    /// The nearest later version that is fixed.
    fn fixed_after(&self, version: &Version) -> Option<String> {
        let starts = self.patched.iter().filter_map(VersionRange::first);
        starts.filter(|first| first > version).min().map(|first| first.to_string())
    }
}

/// The known vulnerabilities among `dependencies`.
pub fn matches<'a>(
    advisories: impl IntoIterator<Item = &'a Advisory>,
    dependencies: &[Dependency],
    platform: Platform<'_>,
) -> Vec<Vulnerability> {
    let mut by_name: HashMap<&str, Vec<&Dependency>> = HashMap::new();
    for dependency in dependencies {
        by_name.entry(&dependency.name).or_default().push(dependency);
    }
    let mut found = Vec::new();
    for advisory in advisories {
        for dependency in by_name.get(advisory.package.as_str()).into_iter().flatten() {
            if advisory.concerns(dependency, platform) {
                found.push(Vulnerability {
                    id: advisory.id.clone(),
                    package: dependency.name.clone(),
                    version: dependency.version.to_string(),
                    severity: advisory.severity,
                    fixed_in: advisory.fixed_after(&dependency.version),
                    title: advisory.title.clone(),
                    first_seen_at: None,
                });
            }
        }
    }
    found
}

#[cfg(test)]
#[path = "advisory_tests.rs"]
mod tests;
