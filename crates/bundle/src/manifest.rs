//! The manifest: what a bundle is about, every file with its digest, and what is missing.

use serde::{Deserialize, Serialize};

use crate::FORMAT;

pub(crate) const FILE: &str = "manifest.json";
pub(crate) const SIGNATURE_FILE: &str = "manifest.sig";
/// The time stamp of the manifest, in bundles that have one.
pub(crate) const STAMP_FILE: &str = "manifest.tsr";

/// What the bundle is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub institution: String,
    /// The framework it is limited to, by its id.
    pub framework: Option<String>,
    /// The day at whose end everything in it holds.
    pub as_of: String,
    /// The first day of the audit entries in it; without one they begin with the first entry.
    pub from: Option<String>,
    /// The last moment of that day where the institution is, in milliseconds since 1970.
    pub until: i64,
    pub language: String,
    /// The edition of the catalogue.
    pub catalogue: String,
}

/// The audit entries in the bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainSlice {
    pub name: String,
    /// The number of the first entry, or one more than the last if there is none.
    pub first: i64,
    /// The hash before the first entry.
    pub before: String,
    /// The number and the hash of the last entry: the head of the chain at the end of the day.
    pub last: i64,
    pub head: String,
    /// The last link, see [`crate::ChainWriter`].
    pub link: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    pub path: String,
    pub bytes: u64,
    pub sha256: String,
}

/// Something that belongs into the bundle and is not in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    pub what: String,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: String,
    pub subject: Subject,
    /// The public key that signed it.
    pub key: String,
    pub chain: ChainSlice,
    pub missing: Vec<Missing>,
    pub files: Vec<FileEntry>,
}

impl Manifest {
    pub(crate) fn is_of_this_format(&self) -> bool {
        self.format == FORMAT
    }
}

/// Whether a path can be unpacked anywhere: parts of plain letters, digits, `.`, `_` and `-`, none of them hidden or
/// leading upwards.
pub(crate) fn is_plain_path(path: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    path.len() <= 200
        && path.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && part.bytes().all(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_elsewhere_is_refused() {
        for path in ["index.html", "evidence/evd_1/a-b.pdf"] {
            assert!(is_plain_path(path), "{path}");
        }
        for path in
            ["", "/etc/passwd", "../x", "a/../b", "a//b", "a\\b", "ü", "a/.hidden", "a\n", &"x".repeat(201)]
        {
            assert!(!is_plain_path(path), "{path}");
        }
    }
}
