//! The texts of the messages, in both languages side by side so that neither is forgotten.

use domain::{
    cra_report::CraStage,
    event::EventKind,
    finding::FindingStatus,
    format,
    framework::Framework,
    incident::{Regime, due::Stage},
    test_case::TestCaseStatus,
    time_zone::TimeZone,
    vocabulary::{Severity, Vocabulary},
    wording::{Label, Language},
};

use super::{
    notice::{Due, Left, SwitchOffReason},
    text::clean,
};

/// The texts of one language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words(pub(super) Language);

/// The label a list has for a code of a stored event.
fn label<V: Vocabulary>(code: &str) -> Option<Label> {
    V::find(code).map(Vocabulary::label)
}

impl Words {
    /// Picks the text of this language.
    pub(super) fn pick<T>(self, english: T, german: T) -> T {
        match self.0 {
            Language::English => english,
            Language::German => german,
        }
    }

    /// The text for a code; an unknown one, of a newer event, is shown as it is, without its underscores.
    fn word(self, label: Option<Label>, code: &str) -> String {
        label.map_or_else(|| clean(&code.replace('_', " ")), |label| label.text(self.0).to_owned())
    }

    /// A state as it is called on the pages of the record that the event is about.
    pub(super) fn status(self, event: EventKind, code: &str) -> String {
        let label = match event {
            EventKind::FindingCreated | EventKind::FindingStatusChanged => label::<FindingStatus>(code),
            EventKind::TestCaseStatusChanged => label::<TestCaseStatus>(code),
            EventKind::DeadlineApproaching => None,
        };
        self.word(label, code)
    }

    /// A severity, or the priority of a test case, which has the same words.
    pub(super) fn severity(self, code: &str) -> String {
        self.word(label::<Severity>(code), code)
    }

    /// A stage of a CRA report or of a report on an incident, as its rule book calls it.
    pub(super) fn stage(self, code: &str, rule_book: Option<&str>) -> String {
        let regime = rule_book.and_then(Regime::find);
        let of_incident = || {
            let stage = Stage::find(code)?;
            Some(regime.map_or(stage.label(), |regime| stage.label_under(regime)))
        };
        self.word(label::<CraStage>(code).or_else(of_incident), code)
    }

    /// A rule book by its name; an unknown one by its code.
    pub(super) fn rule_book(self, code: &str) -> String {
        match (label::<Regime>(code), code.parse::<Framework>()) {
            (Some(label), _) => label.text(self.0).to_owned(),
            (None, Ok(framework)) => clean(&framework.name()),
            (None, Err(_)) => clean(code),
        }
    }

    pub(super) fn happened(self, kind: EventKind, left: Option<Left>) -> String {
        match kind {
            EventKind::FindingCreated => self.pick("New finding", "Neue Feststellung").to_owned(),
            EventKind::FindingStatusChanged => {
                self.pick("Finding changed status", "Neuer Status einer Feststellung").to_owned()
            }
            EventKind::TestCaseStatusChanged => {
                self.pick("Test case changed status", "Neuer Status eines Testfalls").to_owned()
            }
            EventKind::DeadlineApproaching => match left {
                Some(left) => self.left(left),
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

    /// How soon it is due.
    fn left(self, left: Left) -> String {
        let due_in =
            |number: i64, unit: &str| format!("{} {number} {unit}", self.pick("Due in", "Fällig in"));
        match left {
            Left::Nothing => self.pick("Overdue", "Überfällig").to_owned(),
            Left::Today => self.pick("Due today", "Heute fällig").to_owned(),
            Left::Days(1) => self.pick("Due tomorrow", "Morgen fällig").to_owned(),
            Left::Days(days) => due_in(days, self.pick("days", "Tagen")),
            Left::Hours(1) => due_in(1, self.pick("hour", "Stunde")),
            Left::Hours(hours) => due_in(hours, self.pick("hours", "Stunden")),
            Left::Minutes(1) => due_in(1, self.pick("minute", "Minute")),
            Left::Minutes(minutes) => due_in(minutes, self.pick("minutes", "Minuten")),
        }
    }

    pub(super) fn due(self, due: Due, zone: &TimeZone) -> String {
        match due {
            Due::Day(day) => format::long_day(self.0, day),
            Due::Moment(moment) => format::long_moment(self.0, zone, moment),
        }
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
        assert_eq!(Words(Language::English).due(day, &utc), "1 March 2026");
        assert_eq!(Words(Language::German).due(day, &utc), "1. März 2026");
        assert_eq!(Words(Language::English).due(moment, &utc), "24 December 2026, 07:05 UTC");
        assert_eq!(Words(Language::English).due(moment, &berlin), "24 December 2026, 08:05 CET");
        assert_eq!(Words(Language::German).due(moment, &berlin), "24. Dezember 2026, 08:05 MEZ");
    }

    #[test]
    fn unknown_codes_are_shown_rather_than_hidden() {
        assert_eq!(
            Words(Language::German).status(EventKind::FindingCreated, "risk_accepted"),
            "Risiko akzeptiert"
        );
        assert_eq!(Words(Language::German).status(EventKind::FindingCreated, "in_review"), "in review");
    }

    #[test]
    fn a_message_uses_the_words_of_the_pages() {
        fn same<V: Vocabulary>(said: impl Fn(Words, &str) -> String) {
            for word in V::ALL.iter().copied() {
                for language in Language::ALL {
                    assert_eq!(said(Words(language), word.as_str()), word.label().text(language));
                }
            }
        }
        same::<TestCaseStatus>(|words, code| words.status(EventKind::TestCaseStatusChanged, code));
        same::<FindingStatus>(|words, code| words.status(EventKind::FindingStatusChanged, code));
        same::<Severity>(Words::severity);
        same::<domain::vocabulary::Priority>(Words::severity);
        same::<CraStage>(|words, code| words.stage(code, None));
    }

    #[test]
    fn a_message_says_what_is_left_and_not_how_early_it_is_sent() {
        let zone = TimeZone::default();
        let said = |due: Due, at: &str, language| {
            let left = due.left(at.parse().unwrap(), &zone);
            Words(language).happened(EventKind::DeadlineApproaching, Some(left))
        };
        let day = Due::Day("2026-11-20".parse().unwrap());
        assert_eq!(said(day, "2026-11-17T08:00:00Z", Language::English), "Due in 3 days");
        assert_eq!(said(day, "2026-11-17T08:00:00Z", Language::German), "Fällig in 3 Tagen");
        assert_eq!(
            said(day, "2026-11-18T23:30:00Z", Language::English),
            "Due tomorrow",
            "19 November in Berlin"
        );
        assert_eq!(said(day, "2026-11-20T08:00:00Z", Language::German), "Heute fällig");
        let clock = Due::Moment("2026-11-18T03:48:00Z".parse().unwrap());
        assert_eq!(said(clock, "2026-11-17T15:48:20Z", Language::English), "Due in 12 hours");
        assert_eq!(said(clock, "2026-11-18T02:48:00Z", Language::German), "Fällig in 1 Stunde");
        assert_eq!(said(clock, "2026-11-18T03:03:00Z", Language::German), "Fällig in 45 Minuten");
        assert_eq!(said(clock, "2026-11-18T03:49:00Z", Language::English), "Overdue");
        assert_eq!(said(clock, "2026-11-14T03:48:00Z", Language::English), "Due in 4 days");
    }

    #[test]
    fn a_stage_is_called_as_in_its_rule_book() {
        let german = Words(Language::German);
        assert_eq!(german.stage("final", Some("dora")), "Abschlussmeldung");
        assert_eq!(german.stage("final", Some("cra")), "Abschlussbericht");
        assert_eq!(german.stage("communication", Some("dora")), "Unterrichtung der Kunden");
        assert_eq!((german.rule_book("gdpr"), german.rule_book("marisk")), ("DSGVO".into(), "MaRisk".into()));
    }
}
