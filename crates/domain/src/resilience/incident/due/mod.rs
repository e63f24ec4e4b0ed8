//! When each report on an incident is due, under every regime that applies.
//!
//! The durations of the clocks come from the catalogue ([`crate::clock`]); this module decides which clock runs from
//! which event, applies weekend relief, and says what a clock that has not started waits for. Hours are elapsed time,
//! so summer time has no effect; days and months are those of the filer's time zone, and the noon of the relief is
//! local.

mod dora;
mod lasting;
mod others;
mod relief;
mod rule;

use crate::{
    clock::{Clock, Clocks, Reading, Span, StageState},
    moment::Moment,
    time_zone::{LocalTime, TimeZone},
    vocabulary::vocabulary,
    wording::Label,
};

use super::{
    Met,
    classification::Classification,
    facts::{Facts, Times},
    words::{Fact, Regime},
};

pub use self::{
    relief::Filer,
    rule::{DELAY_NOTICE, DueRule, Exclusion, NotOwed, Relief, WHOLE_DAYS, Waiting},
};

vocabulary! {
    /// A report of one regime.
    Stage {
        Initial = "initial" ("Initial notification", "Erstmeldung"),
        Intermediate = "intermediate" ("Intermediate report", "Zwischenmeldung"),
        IntermediateUpdate = "intermediate_update" ("Updated intermediate report", "Aktualisierte Zwischenmeldung"),
        EarlyWarning = "early_warning" ("Early warning", "Frühwarnung"),
        Notification = "notification" ("Notification", "Meldung"),
        Interim = "interim" ("Interim report", "Zwischenbericht"),
        Progress = "progress" ("Progress report", "Fortschrittsbericht"),
        Communication = "communication" ("Communication to the persons concerned", "Benachrichtigung der betroffenen Personen"),
        Final = "final" ("Final report", "Abschlussmeldung"),
        /// Of an event that is an exploited vulnerability and a severe incident: the second final report.
        FinalIncident = "final_incident" ("Final report on the incident", "Abschlussbericht zum Vorfall"),
        /// After a report was sent: the incident is not major (Implementing Regulation (EU) 2025/302, Art. 5).
        Reclassified = "reclassified" ("Reclassification as non-major", "Neuklassifizierung als nicht schwerwiegend"),
        /// Voluntary, of a significant cyber threat (DORA Art. 19(2)); it has no clock.
        ThreatNotice = "threat_notice" ("Notice of a significant cyber threat", "Meldung einer erheblichen Cyberbedrohung"),
    }
}

impl Stage {
    /// Whether it may be sent more than once.
    pub fn repeats(self) -> bool {
        matches!(self, Self::IntermediateUpdate | Self::Interim)
    }

    /// Whether it is required only "unless the relevant information has already been provided" (CRA Art. 14(2) and (4)).
    pub fn may_be_provided(self, regime: Regime) -> bool {
        regime == Regime::Cra && matches!(self, Self::Notification | Self::Final | Self::FinalIncident)
    }

    /// Its name under a regime: the acts call the same stage by different names, and inform different people.
    pub fn label_under(self, regime: Regime) -> Label {
        match (regime, self) {
            (Regime::Dora, Self::Communication) => {
                Label::new("Information of clients", "Unterrichtung der Kunden")
            }
            (Regime::Nis2, Self::Communication) => Label::new(
                "Information of the recipients of services",
                "Unterrichtung der Empfänger der Dienste",
            ),
            (Regime::Cra, Self::Communication) => {
                Label::new("Information of users", "Unterrichtung der Nutzer")
            }
            (Regime::Nis2, Self::Interim) => Label::new("Interim report", "Zwischenmeldung"),
            (Regime::Nis2, Self::Progress) => Label::new("Progress report", "Fortschrittsmeldung"),
            (Regime::Cra, Self::Final) => Label::new("Final report", "Abschlussbericht"),
            (Regime::Cra, Self::Interim) => Label::new("Intermediate report", "Zwischenbericht"),
            _ => self.label(),
        }
    }
}

vocabulary! {
    /// The state of a report relative to its due time.
    ReportState {
        NotDue = "not_due" ("Not due", "Nicht fällig"),
        Pending = "pending" ("Pending", "Ausstehend"),
        DueSoon = "due_soon" ("Due soon", "Bald fällig"),
        Overdue = "overdue" ("Overdue", "Überfällig"),
        Submitted = "submitted" ("Submitted", "Eingereicht"),
        SubmittedLate = "submitted_late" ("Submitted late", "Verspätet eingereicht"),
    }
}

impl From<StageState> for ReportState {
    fn from(state: StageState) -> Self {
        match state {
            StageState::Pending => Self::Pending,
            StageState::DueSoon => Self::DueSoon,
            StageState::Overdue => Self::Overdue,
            StageState::Submitted => Self::Submitted,
            StageState::SubmittedLate => Self::SubmittedLate,
        }
    }
}

/// A report that was sent. Intermediate reports may be sent again as updates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filing {
    pub regime: Regime,
    pub stage: Stage,
    pub at: Moment,
}

/// The input of due times.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    pub times: &'a Times,
    pub facts: &'a Facts,
    pub classification: &'a Classification,
    /// When the incident was classified as major under DORA.
    pub major_since: Option<Moment>,
    /// When it was classified as not major although a report under DORA was sent.
    pub reclassified_at: Option<Moment>,
    /// A report on the product belongs to the incident and keeps the clocks of the CRA.
    pub has_cra_report: bool,
    pub filings: &'a [Filing],
    pub filer: &'a Filer,
    pub now: Moment,
}

impl Case<'_> {
    fn filed(&self, regime: Regime, stage: Stage) -> impl Iterator<Item = Moment> {
        let fits = move |filing: &&Filing| filing.regime == regime && filing.stage == stage;
        self.filings.iter().filter(fits).map(|filing| filing.at)
    }

    fn first(&self, regime: Regime, stage: Stage) -> Option<Moment> {
        self.filed(regime, stage).min()
    }

    fn last(&self, regime: Regime, stage: Stage) -> Option<Moment> {
        self.filed(regime, stage).max()
    }

    fn aware_at(&self, regime: Regime) -> Moment {
        self.facts.aware_at(regime, self.times)
    }

    /// The end of a period that starts with an event.
    fn limit(&self, span: Span, event: Moment) -> Moment {
        span.limit(event, &self.filer.zone)
    }

    /// When the latest request for an interim report was answered. One sent before it answered another.
    fn answered(&self, regime: Regime, asked: Option<Moment>) -> Option<Moment> {
        self.filed(regime, Stage::Interim).filter(|at| asked.is_none_or(|asked| *at >= asked)).min()
    }

    /// The information of clients, recipients or users, once the fact that decides it is known.
    fn communication(&self, regime: Regime, concerned: Option<bool>, fact: Fact) -> Due {
        match Met::from(concerned) {
            Met::Yes => Due::Promptly { rule: DueRule::WithoutDelay { at: self.aware_at(regime) } },
            Met::Unknown => Due::waits(Waiting::Answer { fact: crate::vocabulary::Word::of(fact) }),
            Met::No => Due::NotOwed(NotOwed::NotConcerned),
        }
    }
}

/// When a report is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    At {
        at: Moment,
        rule: DueRule,
        /// The limit before weekends and holidays.
        limit: Moment,
        relief: Option<Relief>,
    },
    /// Without undue delay, with no number of hours.
    Promptly {
        rule: DueRule,
    },
    Waits {
        waiting: Waiting,
        /// The latest possible time, if the awaited event happens in time.
        at_latest: Option<Moment>,
    },
    NotOwed(NotOwed),
}

impl Due {
    fn at(at: Moment, rule: DueRule) -> Self {
        Self::At { at, rule, limit: at, relief: None }
    }

    fn waits(waiting: Waiting) -> Self {
        Self::Waits { waiting, at_latest: None }
    }

    pub fn moment(&self) -> Option<Moment> {
        match self {
            Self::At { at, .. } => Some(*at),
            Self::Promptly { .. } | Self::Waits { .. } | Self::NotOwed(_) => None,
        }
    }
}

/// One report with its due time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueReport {
    pub regime: Regime,
    pub stage: Stage,
    pub article: &'static str,
    pub due: Due,
    pub submitted_at: Option<Moment>,
    pub state: ReportState,
}

impl DueReport {
    fn new(case: &Case<'_>, regime: Regime, stage: Stage, article: &'static str, due: Due) -> Self {
        Self::filed(case, regime, stage, article, due, case.first(regime, stage))
    }

    fn filed(
        case: &Case<'_>,
        regime: Regime,
        stage: Stage,
        article: &'static str,
        due: Due,
        submitted_at: Option<Moment>,
    ) -> Self {
        let standing = match (&due, submitted_at) {
            (Due::Waits { .. } | Due::NotOwed(_), None) => ReportState::NotDue,
            _ => Reading::at(case.now, due.moment(), submitted_at).state.into(),
        };
        Self { regime, stage, article, due, submitted_at, state: standing }
    }

    /// What of its due time is our reading rather than the text of the law.
    pub fn reading(&self) -> Option<Label> {
        let Due::At { rule, .. } = &self.due else { return None };
        rule.span().filter(|span| span.is_in_days()).map(|_| WHOLE_DAYS)
    }

    /// The name of the report under its regime.
    pub fn name(&self) -> Label {
        self.stage.label_under(self.regime)
    }

    /// Whether it is to be sent and was not, with or without a number of hours.
    fn is_owed(&self) -> bool {
        self.submitted_at.is_none() && matches!(self.due, Due::At { .. } | Due::Promptly { .. })
    }

    /// The due time in the time zone.
    pub fn local(&self, zone: &TimeZone) -> Option<LocalTime> {
        self.due.moment().map(|at| zone.local(at))
    }
}

/// Every report of every applicable regime, in order.
#[must_use]
pub fn due_reports(case: &Case<'_>, clocks: &Clocks) -> Vec<DueReport> {
    let mut reports = Vec::new();
    if case.classification.dora.is_some() {
        reports.extend(dora::reports(case, clocks));
    }
    if case.classification.nis2.is_some() {
        reports.extend(others::nis2(case, clocks));
    }
    if case.classification.gdpr.is_some() {
        reports.extend(others::gdpr(case, clocks));
    }
    if case.classification.cra.is_some() {
        reports.extend(others::cra(case, clocks));
    }
    reports
}

/// The reports that are to be sent and were not. An update of the intermediate report is no longer required once the
/// final report is sent.
pub fn owed(reports: &[DueReport]) -> impl Iterator<Item = &DueReport> {
    let is_final = |report: &DueReport| (report.regime, report.stage) == (Regime::Dora, Stage::Final);
    let is_over = reports.iter().any(|report| is_final(report) && report.submitted_at.is_some());
    reports
        .iter()
        .filter(move |report| report.is_owed() && !(is_over && report.stage == Stage::IntermediateUpdate))
}

/// A clock of the catalogue.
fn clock<'c>(clocks: &'c Clocks, regime: Regime, applies_to: &str, stage: &str) -> Option<&'c Clock> {
    clocks.get(regime.as_str(), applies_to, stage)
}

#[cfg(test)]
mod tests;
