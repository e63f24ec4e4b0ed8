//! The states of a CRA report and their steps.

use super::CraStage;
use crate::{tone::Tone, transition::lifecycle};

lifecycle! {
    /// The status of a report.
    CraReportStatus ("a CRA report", "eine CRA-Meldung") starts at Draft {
        Draft = "draft" ("Draft", "Entwurf") => [
            EarlyWarningSent ("Record the early warning", "Frühwarnung erfassen"),
            Withdrawn ("Withdraw", "Zurückziehen"),
        ],
        EarlyWarningSent = "early_warning_sent" ("Early warning sent", "Frühwarnung übermittelt") => [
            NotificationSent ("Record the notification", "Meldung erfassen"),
        ],
        NotificationSent = "notification_sent" ("Notification sent", "Meldung übermittelt") => [
            FinalReportSent ("Record the final report", "Abschlussbericht erfassen"),
        ],
        FinalReportSent = "final_report_sent" ("Final report sent", "Abschlussbericht übermittelt") => [
            Closed ("Close", "Schließen"),
        ],
        Closed = "closed" ("Closed", "Geschlossen") => [],
        Withdrawn = "withdrawn" ("Withdrawn", "Zurückgezogen") => [],
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

    /// Whether a clock of the report may still expire.
    pub fn is_running(self) -> bool {
        matches!(self, Self::Draft | Self::EarlyWarningSent | Self::NotificationSent)
    }

    /// The status of a report before the stage was filed that reaching this status completes.
    #[must_use]
    pub fn before_filing(self) -> Self {
        match self {
            Self::NotificationSent => Self::EarlyWarningSent,
            Self::FinalReportSent => Self::NotificationSent,
            Self::EarlyWarningSent | Self::Draft => Self::Draft,
            Self::Closed | Self::Withdrawn => self,
        }
    }

    /// The stage that reaching this status completes.
    pub fn completes(self) -> Option<CraStage> {
        match self {
            Self::EarlyWarningSent => Some(CraStage::EarlyWarning),
            Self::NotificationSent => Some(CraStage::Notification),
            Self::FinalReportSent => Some(CraStage::FinalReport),
            Self::Draft | Self::Closed | Self::Withdrawn => None,
        }
    }
}
