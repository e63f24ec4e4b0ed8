//! Notices to people: why a person gets one, and how it reaches them.

use std::collections::BTreeMap;

use crate::{
    moment::{Day, Moment},
    time_zone::TimeZone,
    vocabulary::vocabulary,
};

vocabulary! {
    /// Why a person gets a notice.
    Reason {
        Assigned = "assigned" ("Something is assigned to me", "Mir wird etwas zugewiesen"),
        HandedOver = "handed_over" ("Work is handed over to me or from me", "Arbeit wird mir übergeben oder von mir übernommen"),
        Mentioned = "mentioned" ("I am mentioned", "Ich werde erwähnt"),
        Commented = "commented" ("Something of mine gets a comment", "Etwas von mir wird kommentiert"),
        ApprovalWanted = "approval_wanted" ("My approval is wanted", "Meine Freigabe ist gefragt"),
        ApprovalDecided = "approval_decided" ("My request is decided", "Über meine Anfrage ist entschieden"),
        DueSoon = "due_soon" ("Something of mine is due soon", "Etwas von mir ist bald fällig"),
        Overdue = "overdue" ("Something of mine is overdue", "Etwas von mir ist überfällig"),
        StatutoryClock = "statutory_clock" ("A statutory report is due", "Eine gesetzliche Meldung ist fällig"),
        EvidenceExpiring = "evidence_expiring" ("Evidence of mine expires", "Ein Nachweis von mir läuft ab"),
        ProviderAnswered = "provider_answered" ("A provider has answered", "Ein Dienstleister hat geantwortet"),
        RequestAnswered = "request_answered" ("My request for evidence is answered", "Meine Nachweisanforderung ist beantwortet"),
        ImportFinished = "import_finished" ("An import has finished", "Ein Import ist fertig"),
        ReportReady = "report_ready" ("A report that I get regularly is ready", "Ein Bericht, den ich regelmäßig erhalte, ist fertig"),
        KeyExpiring = "key_expiring" ("An API key expires", "Ein API-Schlüssel läuft ab"),
    }
}

vocabulary! {
    /// How a notice reaches a person besides their inbox.
    Way {
        AtOnce = "at_once" ("By mail at once", "Sofort per E-Mail"),
        Daily = "daily" ("In the daily mail", "In der täglichen E-Mail"),
        Never = "never" ("In the inbox only", "Nur im Posteingang"),
    }
}

impl Reason {
    /// The way of a person who has chosen none.
    pub const fn usual(self) -> Way {
        match self {
            Self::Assigned
            | Self::HandedOver
            | Self::Mentioned
            | Self::ApprovalWanted
            | Self::StatutoryClock
            | Self::ReportReady => Way::AtOnce,
            Self::Commented
            | Self::ApprovalDecided
            | Self::DueSoon
            | Self::Overdue
            | Self::EvidenceExpiring
            | Self::ProviderAnswered
            | Self::RequestAnswered
            | Self::ImportFinished
            | Self::KeyExpiring => Way::Daily,
        }
    }

    /// Whether a person can choose another way. The clock of a statutory report runs whether they want mail or not.
    pub const fn can_be_chosen(self) -> bool {
        !matches!(self, Self::StatutoryClock)
    }
}

/// How a person wants to be notified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeChoices {
    /// The hour of the daily mail, in the person's time zone.
    pub hour: u8,
    /// The reasons with another way than usual.
    ways: BTreeMap<&'static str, Way>,
}

impl Default for NoticeChoices {
    fn default() -> Self {
        Self { hour: 7, ways: BTreeMap::new() }
    }
}

impl NoticeChoices {
    /// `hour` is one of a day; a later one is the last.
    pub fn new(hour: u8, ways: impl IntoIterator<Item = (Reason, Way)>) -> Self {
        let chosen =
            ways.into_iter().filter(|(reason, way)| reason.can_be_chosen() && *way != reason.usual());
        Self { hour: hour.min(23), ways: chosen.map(|(reason, way)| (reason.as_str(), way)).collect() }
    }

    pub fn way(&self, reason: Reason) -> Way {
        self.ways.get(reason.as_str()).copied().unwrap_or(reason.usual())
    }

    /// The reasons with another way than usual.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static str, Way)> {
        self.ways.iter().map(|(reason, way)| (*reason, *way))
    }

    /// When the mail of a notice is due that is given now; `None` if it needs no mail.
    pub fn mail_at(&self, reason: Reason, now: Moment, zone: &TimeZone) -> Option<Moment> {
        match self.way(reason) {
            Way::AtOnce => Some(now),
            Way::Daily => Some(self.next_daily(now, zone)),
            Way::Never => None,
        }
    }

    fn next_daily(&self, now: Moment, zone: &TimeZone) -> Moment {
        let today = zone.local(now).day;
        // An hour that the change to summer time leaves out is the beginning of the day.
        let at = |day: Day| zone.read(&format!("{day}T{:02}:00", self.hour)).unwrap_or_else(|_| day.start());
        let first = at(today);
        if first > now { first } else { at(today.plus_days(1)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Moment {
        text.parse().unwrap()
    }

    #[test]
    fn a_statutory_clock_cannot_be_switched_off() {
        let quiet = NoticeChoices::new(7, Reason::ALL.iter().map(|reason| (*reason, Way::Never)));
        for reason in Reason::ALL {
            let expected = if *reason == Reason::StatutoryClock { Way::AtOnce } else { Way::Never };
            assert_eq!(quiet.way(*reason), expected, "{reason}");
        }
    }

    #[test]
    fn the_daily_mail_comes_at_the_hour_of_the_persons_zone() {
        let berlin: TimeZone = "Europe/Berlin".parse().unwrap();
        let choices = NoticeChoices::default();
        let next = |now: &str| choices.mail_at(Reason::DueSoon, at(now), &berlin).unwrap();
        assert_eq!(next("2026-11-18T05:59:00Z"), at("2026-11-18T06:00:00Z"));
        assert_eq!(
            next("2026-11-18T06:00:00Z"),
            at("2026-11-19T06:00:00Z"),
            "the mail of today has gone out"
        );
        assert_eq!(next("2026-03-28T12:00:00Z"), at("2026-03-29T05:00:00Z"), "summer time began");
    }
}
