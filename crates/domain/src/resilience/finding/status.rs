//! The states of a finding, and the orders of a list of findings.

use crate::{tone::Tone, transition::lifecycle, vocabulary::vocabulary};

lifecycle! {
    /// The status of a finding.
    FindingStatus ("a finding", "eine Feststellung") starts at Open {
        Open = "open" ("Open", "Offen") => [
            InProgress ("Start work", "Bearbeitung beginnen"),
            RiskAccepted ("Accept the risk", "Risiko akzeptieren"),
            FalsePositive ("Mark as false positive", "Als Fehlalarm markieren"),
        ],
        InProgress = "in_progress" ("In progress", "In Bearbeitung") => [
            Resolved ("Mark as resolved", "Als behoben kennzeichnen"),
            Open ("Stop work", "Bearbeitung abbrechen"),
            RiskAccepted ("Accept the risk", "Risiko akzeptieren"),
            FalsePositive ("Mark as false positive", "Als Fehlalarm markieren"),
        ],
        Resolved = "resolved" ("Resolved", "Behoben") => [
            Closed ("Close", "Schließen"),
            InProgress ("Send back", "Zurückgeben"),
        ],
        Closed = "closed" ("Closed", "Geschlossen") => [Open ("Reopen", "Wieder öffnen")],
        RiskAccepted = "risk_accepted" ("Risk accepted", "Risiko akzeptiert") => [
            Open ("Reopen", "Wieder öffnen"),
        ],
        FalsePositive = "false_positive" ("False positive", "Fehlalarm") => [Open ("Reopen", "Wieder öffnen")],
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

impl FindingStatus {
    /// Open findings still need work; the list of findings shows them by default.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Open | Self::InProgress | Self::Resolved)
    }

    /// A finding that was ever in this state is kept permanently: it is archived, never deleted.
    pub fn must_be_kept(self) -> bool {
        matches!(self, Self::Resolved | Self::Closed | Self::RiskAccepted | Self::FalsePositive)
    }

    /// Whether a person decides that the finding needs no work although its cause is still there.
    pub fn is_decision(self) -> bool {
        matches!(self, Self::RiskAccepted | Self::FalsePositive)
    }

    /// Only finished findings leave the lists; an accepted risk is reopened when its acceptance ends.
    pub fn can_be_archived(self) -> bool {
        matches!(self, Self::Closed | Self::FalsePositive)
    }

    /// The steps that close an open finding whose cause is gone; none if a person has decided otherwise.
    pub fn steps_to_closed(self) -> &'static [Self] {
        const STEPS: &[FindingStatus] =
            &[FindingStatus::InProgress, FindingStatus::Resolved, FindingStatus::Closed];
        match self {
            Self::Open => STEPS,
            Self::InProgress => &STEPS[1..],
            Self::Resolved => &STEPS[2..],
            Self::Closed | Self::RiskAccepted | Self::FalsePositive => &[],
        }
    }
}

vocabulary! {
    /// The orders of a list of findings: a field, with a minus sign for descending. The first is the default.
    FindingSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Severity = "severity" ("Worst first", "Schlimmste zuerst"),
        SeverityFalling = "-severity" ("Least severe first", "Harmloseste zuerst"),
        Due = "due_on" ("Due first", "Zuerst fällige"),
        DueFalling = "-due_on" ("Due last first", "Zuletzt fällige zuerst"),
        Urgency = "urgency" ("Worst first, then by due day", "Schlimmste zuerst, dann nach Fälligkeit"),
        Detected = "detected_at" ("Longest known first", "Am längsten bekannte zuerst"),
        DetectedFalling = "-detected_at" ("Latest detected first", "Zuletzt entdeckte zuerst"),
    }
}
