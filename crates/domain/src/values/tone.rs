//! The urgency of a state or a severity on pages, in mails and in reports; each medium has its own colours.

use crate::{
    arrangement::Substitutability,
    concentration::Level,
    cra_report::CraReportStatus,
    drill_run::DrillRunStatus,
    finding::FindingStatus,
    incident::IncidentStatus,
    programme::ProgrammeStatus,
    provider::ReviewState,
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

impl IncidentStatus {
    pub fn tone(self) -> Tone {
        match self {
            Self::Detected => Tone::Notice,
            Self::Classified => Tone::Warning,
            Self::Contained => Tone::Running,
            Self::Resolved => Tone::Good,
            Self::Closed => Tone::Neutral,
            Self::NotAnIncident => Tone::Muted,
        }
    }
}

impl CraReportStatus {
    pub fn tone(self) -> Tone {
        match self {
            Self::Draft => Tone::Warning,
            Self::EarlyWarningSent | Self::NotificationSent => Tone::Running,
            Self::FinalReportSent => Tone::Good,
            Self::Closed => Tone::Neutral,
            Self::Withdrawn => Tone::Muted,
        }
    }
}

impl DrillRunStatus {
    pub fn tone(self) -> Tone {
        match self {
            Self::Planned => Tone::Notice,
            Self::Running => Tone::Running,
            Self::Finished => Tone::Good,
            Self::Cancelled => Tone::Muted,
        }
    }
}

impl ReviewState {
    pub fn tone(self) -> Tone {
        match self {
            Self::NotReviewed => Tone::Neutral,
            Self::Current => Tone::Good,
            Self::DueSoon => Tone::Warning,
            Self::Overdue => Tone::Critical,
        }
    }
}

impl Substitutability {
    pub fn tone(self) -> Tone {
        match self {
            Self::Easy => Tone::Good,
            Self::Medium => Tone::Notice,
            Self::Hard => Tone::Warning,
            Self::Impossible => Tone::Critical,
        }
    }
}

impl Level {
    pub fn tone(self) -> Tone {
        match self {
            Self::Low => Tone::Good,
            Self::Moderate => Tone::Notice,
            Self::High => Tone::Warning,
            Self::Critical => Tone::Critical,
        }
    }
}
