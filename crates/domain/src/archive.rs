//! Archiving: a record that is finished leaves the lists, keeps its history and can be restored.
//!
//! Which states may be archived, and which make a record impossible to delete, the record's own module says.

use std::str::FromStr;

/// Which records a list shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ArchiveFilter {
    /// Those that are not archived.
    #[default]
    Current,
    Archived,
    All,
}

impl ArchiveFilter {
    /// Whether archived records are asked for; `None` when it makes no difference.
    pub fn archived(self) -> Option<bool> {
        match self {
            Self::Current => Some(false),
            Self::Archived => Some(true),
            Self::All => None,
        }
    }
}

/// The text names no such filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of false, true, all")]
pub struct NotAnArchiveFilter;

impl FromStr for ArchiveFilter {
    type Err = NotAnArchiveFilter;

    fn from_str(text: &str) -> Result<Self, NotAnArchiveFilter> {
        match text {
            "false" | "0" => Ok(Self::Current),
            "true" | "1" => Ok(Self::Archived),
            "all" => Ok(Self::All),
            _ => Err(NotAnArchiveFilter),
        }
    }
}

/// Why a record cannot be deleted, archived, restored or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    #[error(
        "was decided on before, so its history must be kept: close it and archive it instead of deleting it"
    )]
    FindingIsKept,
    #[error("was executed, so its result must be kept: archive it instead of deleting it")]
    TestCaseIsKept,
    #[error("is archived, so its history must be kept: it cannot be deleted")]
    ArchivedIsKept,
    #[error("is not finished: close it or mark it as a false positive before archiving it")]
    FindingIsOpen,
    #[error("is not finished: record its result or cancel it before archiving it")]
    TestCaseIsPending,
    #[error("is archived: restore it before changing it")]
    IsArchived,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_one_of_three_words() {
        for (word, filter, archived) in [
            ("false", ArchiveFilter::Current, Some(false)),
            ("true", ArchiveFilter::Archived, Some(true)),
            ("all", ArchiveFilter::All, None),
        ] {
            assert_eq!(word.parse(), Ok(filter));
            assert_eq!(filter.archived(), archived);
        }
        assert_eq!("yes".parse::<ArchiveFilter>(), Err(NotAnArchiveFilter));
        assert_eq!(ArchiveFilter::default(), ArchiveFilter::Current);
    }
}
