//! The events webhooks can subscribe to.

use std::{fmt, str::FromStr};

use crate::violation::sentence;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    FindingCreated,
    FindingStatusChanged,
    TestCaseStatusChanged,
    DeadlineApproaching,
}

impl EventKind {
    pub const ALL: [Self; 4] = [
        Self::FindingCreated,
        Self::FindingStatusChanged,
        Self::TestCaseStatusChanged,
        Self::DeadlineApproaching,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::FindingCreated => "finding.created",
            Self::FindingStatusChanged => "finding.status_changed",
            Self::TestCaseStatusChanged => "test_case.status_changed",
            Self::DeadlineApproaching => "deadline.approaching",
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

sentence! {
    /// The text names no event.
    UnknownEvent =
        "must be one of finding.created, finding.status_changed, test_case.status_changed, deadline.approaching",
        "muss einer dieser Werte sein: finding.created, finding.status_changed, test_case.status_changed, deadline.approaching";
}

impl FromStr for EventKind {
    type Err = UnknownEvent;

    fn from_str(text: &str) -> Result<Self, UnknownEvent> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownEvent)
    }
}
