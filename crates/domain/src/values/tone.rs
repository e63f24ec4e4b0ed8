//! The urgency of a state or a severity on pages, in mails and in reports; each medium has its own colours.

use crate::{
    finding::FindingStatus,
    programme::ProgrammeStatus,
    test_case::TestCaseStatus,
    vocabulary::{Priority, Severity},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tone {
    Good,
    Notice,
    Warning,
    Critical,
    Running,
    Neutral,
    Muted,
}

impl Tone {
    pub const ALL: [Self; 7] =
        [Self::Good, Self::Notice, Self::Warning, Self::Critical, Self::Running, Self::Neutral, Self::Muted];

    /// The name in style sheets.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Critical => "critical",
            Self::Running => "running",
            Self::Neutral => "neutral",
            Self::Muted => "muted",
        }
    }
}

impl Severity {
    pub fn tone(self) -> Tone {
        match self {
            Self::Critical => Tone::Critical,
            Self::High => Tone::Warning,
            Self::Medium => Tone::Notice,
            Self::Low => Tone::Neutral,
            Self::Info => Tone::Muted,
        }
    }
}

impl Priority {
    pub fn tone(self) -> Tone {
        match self {
            Self::Critical => Tone::Critical,
            Self::High => Tone::Warning,
            Self::Medium => Tone::Notice,
            Self::Low => Tone::Neutral,
        }
    }
}

impl ProgrammeStatus {
    pub fn tone(self) -> Tone {
        match self {
            Self::Planned => Tone::Notice,
            Self::Active => Tone::Running,
            Self::OnHold => Tone::Warning,
            Self::Completed => Tone::Good,
            Self::Archived => Tone::Muted,
        }
    }
}

impl TestCaseStatus {
    pub fn tone(self) -> Tone {
        match self {
            Self::Draft => Tone::Neutral,
            Self::Ready => Tone::Notice,
            Self::InProgress => Tone::Running,
            Self::Passed => Tone::Good,
            Self::Failed => Tone::Critical,
            Self::Blocked => Tone::Warning,
            Self::Cancelled => Tone::Muted,
        }
    }
}

impl FindingStatus {
    pub fn tone(self) -> Tone {
        match self {
            Self::Open => Tone::Notice,
            Self::InProgress => Tone::Running,
            Self::Resolved => Tone::Good,
            Self::RiskAccepted => Tone::Warning,
            Self::Closed => Tone::Neutral,
            Self::FalsePositive => Tone::Muted,
        }
    }
}
