//! The words of the messages, in both languages side by side so that neither is forgotten.

use domain::{
    event::EventKind,
    moment::{Day, Moment},
    time_zone::{LocalTime, TimeZone},
    wording, written,
};

use super::{
    language::Language,
    notice::{Due, Lead, RecordKind, SwitchOffReason},
    text::clean,
};

const MONTHS: [(&str, &str); 12] = [
    ("January", "Januar"),
    ("February", "Februar"),
    ("March", "März"),
    ("April", "April"),
    ("May", "Mai"),
    ("June", "Juni"),
    ("July", "Juli"),
    ("August", "August"),
    ("September", "September"),
    ("October", "Oktober"),
    ("November", "November"),
    ("December", "Dezember"),
];

/// Codes that are shown as words: severities, states and the stages of a report.
const LABELS: [(&str, &str, &str); 31] = [
    ("critical", "Critical", "Kritisch"),
    ("high", "High", "Hoch"),
    ("medium", "Medium", "Mittel"),
    ("low", "Low", "Niedrig"),
    ("info", "Information", "Hinweis"),
    ("open", "Open", "Offen"),
    ("in_progress", "In progress", "In Bearbeitung"),
    ("risk_accepted", "Risk accepted", "Risiko akzeptiert"),
    ("false_positive", "False positive", "Fehlalarm"),
    ("resolved", "Resolved", "Behoben"),
    ("closed", "Closed", "Geschlossen"),
    ("draft", "Draft", "Entwurf"),
    ("ready", "Ready", "Bereit"),
    ("passed", "Passed", "Bestanden"),
    ("failed", "Failed", "Nicht bestanden"),
    ("blocked", "Blocked", "Blockiert"),
    ("cancelled", "Cancelled", "Abgebrochen"),
    ("planned", "Planned", "Geplant"),
    ("active", "Active", "Aktiv"),
    ("on_hold", "On hold", "Pausiert"),
    ("completed", "Completed", "Abgeschlossen"),
    ("archived", "Archived", "Archiviert"),
    ("upcoming", "Upcoming", "Bevorstehend"),
    ("due_soon", "Due soon", "Bald fällig"),
    ("early_warning", "Early warning", "Frühwarnung"),
    ("notification", "Notification", "Meldung"),
    ("final_report", "Final report", "Abschlussbericht"),
    ("early_warning_sent", "Early warning sent", "Frühwarnung gesendet"),
    ("notification_sent", "Notification sent", "Meldung gesendet"),
    ("final_report_sent", "Final report sent", "Abschlussbericht gesendet"),
    ("withdrawn", "Withdrawn", "Zurückgezogen"),
];

impl Language {
    /// The word for a code; a code nobody told us of is shown as it is, without its underscores.
    pub(super) fn label(self, code: &str) -> String {
        match LABELS.iter().find(|(known, ..)| *known == code) {
            Some((_, english, german)) => self.pick(*english, *german).to_owned(),
            None => clean(&code.replace('_', " ")),
        }
    }

    pub(super) fn happened(self, kind: EventKind, lead: Option<Lead>) -> String {
        match kind {
            EventKind::FindingCreated => self.pick("New finding", "Neue Feststellung").to_owned(),
            EventKind::FindingStatusChanged => {
                self.pick("Finding changed status", "Neuer Status einer Feststellung").to_owned()
            }
            EventKind::TestCaseStatusChanged => {
                self.pick("Test case changed status", "Neuer Status eines Testfalls").to_owned()
            }
            EventKind::DeadlineApproaching => match lead {
                Some(lead) => format!("{} {}", self.pick("Deadline in", "Frist in"), self.lead(lead)),
                None => self.pick("Deadline approaching", "Frist läuft bald ab").to_owned(),
            },
        }
    }

    pub(super) fn happened_often(self, kind: EventKind, count: usize) -> String {
        let what = match kind {
            EventKind::FindingCreated => self.pick("new findings", "neue Feststellungen"),
            EventKind::FindingStatusChanged => {
                self.pick("findings changed status", "Feststellungen mit neuem Status")
            }
            EventKind::TestCaseStatusChanged => {
                self.pick("test cases changed status", "Testfälle mit neuem Status")
            }
            EventKind::DeadlineApproaching => self.pick("deadlines approaching", "Fristen laufen bald ab"),
        };
        format!("{count} {what}")
    }

    pub(super) fn lead(self, lead: Lead) -> String {
        match lead {
            Lead::Days(1) => self.pick("1 day", "1 Tag").to_owned(),
            Lead::Days(days) => format!("{days} {}", self.pick("days", "Tagen")),
            Lead::Hours(1) => self.pick("1 hour", "1 Stunde").to_owned(),
            Lead::Hours(hours) => format!("{hours} {}", self.pick("hours", "Stunden")),
        }
    }

    pub(super) fn record(self, kind: RecordKind) -> &'static str {
        match kind {
            RecordKind::Programme => self.pick("Programme", "Testprogramm"),
            RecordKind::TestCase => self.pick("Test case", "Testfall"),
            RecordKind::Finding => self.pick("Finding", "Feststellung"),
            RecordKind::CraReport => self.pick("CRA report", "CRA-Meldung"),
            RecordKind::TimelineItem => self.pick("Regulatory date", "Regulatorischer Termin"),
            RecordKind::ConcentrationReview => {
                self.pick("Concentration-risk review", "Überprüfung der Konzentrationsrisiken")
            }
        }
    }

    pub(super) fn due(self, due: Due, zone: &TimeZone) -> String {
        match due {
            Due::Day(day) => self.day(day),
            Due::Moment(moment) => self.moment(moment, zone),
        }
    }

    pub(super) fn day(self, day: Day) -> String {
        let date = day.date();
        let (english, german) = MONTHS[usize::from(u8::from(date.month())) - 1];
        match self {
            Self::English => format!("{} {english} {}", date.day(), date.year()),
            Self::German => format!("{}. {german} {}", date.day(), date.year()),
        }
    }

    pub(super) fn moment(self, moment: Moment, zone: &TimeZone) -> String {
        let LocalTime { day, hour, minute, zone } = zone.local(moment);
        let language = self.pick(wording::Language::English, wording::Language::German);
        format!("{}, {hour:02}:{minute:02} {}", self.day(day), written::zone_name(language, &zone))
    }

    pub(super) fn more(self, count: usize) -> String {
        self.pick(format!("… and {count} more"), format!("… und {count} weitere"))
    }

    pub(super) fn test_prefix(self) -> &'static str {
        self.pick("Test", "Test")
    }

    pub(super) fn test_note(self) -> &'static str {
        self.pick(
            "This is a test of the webhook. Nothing has happened to the record shown.",
            "Dies ist ein Test des Webhooks. Mit dem gezeigten Eintrag ist nichts geschehen.",
        )
    }

    pub(super) fn switched_off(self) -> &'static str {
        self.pick("Webhook switched off", "Webhook abgeschaltet")
    }

    pub(super) fn switch_off_note(self, reason: SwitchOffReason) -> &'static str {
        match reason {
            SwitchOffReason::Gone => self.pick(
                "The destination answered twice that it no longer exists or no longer accepts messages. \
                 Check its address, switch the webhook on again and replay what was missed.",
                "Das Ziel hat zweimal geantwortet, dass es nicht mehr existiert oder keine Nachrichten mehr annimmt. \
                 Prüfen Sie die Adresse, schalten Sie den Webhook wieder ein und senden Sie das Verpasste nach.",
            ),
            SwitchOffReason::KeptFailing => self.pick(
                "For days every message to the destination has failed. \
                 Check its address, switch the webhook on again and replay what was missed.",
                "Seit Tagen ist jede Nachricht an das Ziel fehlgeschlagen. \
                 Prüfen Sie die Adresse, schalten Sie den Webhook wieder ein und senden Sie das Verpasste nach.",
            ),
        }
    }

    pub(super) fn why_this_mail(self) -> &'static str {
        self.pick(
            "Tidewall sends this because a webhook or your role in the workspace asks for it.",
            "Tidewall sendet dies, weil ein Webhook oder Ihre Rolle im Arbeitsbereich es vorsieht.",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_moments_read_naturally() {
        let day = Due::Day("2026-03-01".parse().unwrap());
        let moment = Due::Moment("2026-12-24T07:05:59Z".parse().unwrap());
        let (utc, berlin) = (TimeZone::utc(), TimeZone::default());
        assert_eq!(Language::English.due(day, &utc), "1 March 2026");
        assert_eq!(Language::German.due(day, &utc), "1. März 2026");
        assert_eq!(Language::English.due(moment, &utc), "24 December 2026, 07:05 UTC");
        assert_eq!(Language::English.due(moment, &berlin), "24 December 2026, 08:05 CET");
        assert_eq!(Language::German.due(moment, &berlin), "24. Dezember 2026, 08:05 MEZ");
    }

    #[test]
    fn unknown_codes_are_shown_rather_than_hidden() {
        assert_eq!(Language::German.label("risk_accepted"), "Risiko akzeptiert");
        assert_eq!(Language::German.label("in_review"), "in review");
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(
            Language::English.happened(EventKind::DeadlineApproaching, Some(Lead::Hours(1))),
            "Deadline in 1 hour"
        );
        assert_eq!(
            Language::German.happened(EventKind::DeadlineApproaching, Some(Lead::Days(7))),
            "Frist in 7 Tagen"
        );
        assert_eq!(Language::German.lead(Lead::Days(1)), "1 Tag");
    }
}
