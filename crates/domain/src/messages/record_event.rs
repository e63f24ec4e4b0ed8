//! What happens to records, as machines are notified of it: `finding.created`, `risk.status_changed`, `report.submitted`.

use std::{fmt, str::FromStr};

use crate::vocabulary::{UnknownWord, vocabulary};

vocabulary! {
    /// What a write did to a record.
    RecordVerb {
        Created = "created" ("Created", "Angelegt"),
        Changed = "changed" ("Changed", "Geändert"),
        StatusChanged = "status_changed" ("Status changed", "Status geändert"),
        Archived = "archived" ("Archived", "Archiviert"),
        Deleted = "deleted" ("Deleted", "Gelöscht"),
    }
}

vocabulary! {
    /// What happened besides the writes to records.
    Occurrence {
        /// The time of a report that was not sent is over.
        ReportDue = "report.due" ("A report was due and is not recorded as sent", "Eine Meldung war fällig und ist nicht als gesendet erfasst"),
        /// A report was recorded as sent, or a filing as submitted.
        ReportSubmitted = "report.submitted" ("A report was recorded as sent", "Eine Meldung wurde als gesendet erfasst"),
        ReportCorrected = "report.corrected" ("A report recorded as sent was corrected", "Eine als gesendet erfasste Meldung wurde korrigiert"),
        ClockApproaching = "clock.approaching" ("The deadline of a report is approaching", "Die Frist einer Meldung rückt näher"),
        AnalysisFinished = "analysis.finished" ("An analysis of the concentration risk has finished", "Eine Analyse des Konzentrationsrisikos ist fertig"),
        ImportFinished = "import.finished" ("An import has finished", "Ein Import ist fertig"),
    }
}

/// The kinds of records that are reported to an authority.
const REPORTED: &[&str] = &["cra_report", "incident", "register_filing"];

/// An analysis of the concentration risk, which is not a record with versions.
pub const ANALYSIS: &str = "analysis";
pub const FINDING_IMPORT: &str = "finding_import";
pub const INCIDENT_IMPORT: &str = "incident_import";
pub const REGISTER_IMPORT: &str = "register_import";

/// What events can be about besides the kinds of records.
pub const OTHER_SUBJECTS: &[&str] = &[ANALYSIS, FINDING_IMPORT, INCIDENT_IMPORT, REGISTER_IMPORT];

impl Occurrence {
    /// What it can happen to.
    pub fn subjects(self) -> &'static [&'static str] {
        match self {
            Self::ReportDue | Self::ReportSubmitted | Self::ReportCorrected | Self::ClockApproaching => {
                REPORTED
            }
            Self::AnalysisFinished => &[ANALYSIS],
            Self::ImportFinished => &[FINDING_IMPORT, INCIDENT_IMPORT, REGISTER_IMPORT],
        }
    }
}

/// What an event is about: a write to a record, or what happened besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    Write(RecordVerb),
    Besides(Occurrence),
}

impl Happening {
    pub const DELETED: Self = Self::Write(RecordVerb::Deleted);

    /// The type of the event, such as `finding.created`.
    pub fn event_type(self, kind: &str) -> String {
        match self {
            Self::Write(verb) => format!("{kind}.{verb}"),
            Self::Besides(occurrence) => occurrence.to_string(),
        }
    }
}

impl From<RecordVerb> for Happening {
    fn from(verb: RecordVerb) -> Self {
        Self::Write(verb)
    }
}

impl From<Occurrence> for Happening {
    fn from(occurrence: Occurrence) -> Self {
        Self::Besides(occurrence)
    }
}

/// As stored.
impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(verb) => verb.fmt(f),
            Self::Besides(occurrence) => occurrence.fmt(f),
        }
    }
}

impl FromStr for Happening {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        text.parse().map(Self::Write).or_else(|_| text.parse().map(Self::Besides))
    }
}

/// How long events can be read.
pub const EVENTS_KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sound() {
        crate::vocabulary::tests::is_sound::<RecordVerb>();
    }

    #[test]
    fn what_happened_is_read_as_it_was_stored() {
        let writes = RecordVerb::ALL.iter().copied().map(Happening::from);
        for what in writes.chain(Occurrence::ALL.iter().copied().map(Happening::from)) {
            assert_eq!(what.to_string().parse(), Ok(what));
        }
        assert_eq!(Happening::DELETED.event_type("risk"), "risk.deleted");
        assert_eq!(Happening::from(Occurrence::ReportDue).event_type("incident"), "report.due");
        assert!("report.lost".parse::<Happening>().is_err());
    }
}
