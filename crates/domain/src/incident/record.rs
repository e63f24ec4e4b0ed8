//! An incident as it is kept: what happened when, what is known, who decided what.

use crate::{
    id::FindingId,
    moment::Moment,
    text::{Name, Prose},
    transition::lifecycle,
};

use super::{
    classification::Classification,
    facts::{Facts, Times},
    words::{Outcome, Regime},
};

lifecycle! {
    /// Where an incident stands.
    IncidentStatus ("an incident", "ein Vorfall") starts at Detected {
        Detected = "detected" ("Detected", "Entdeckt") => [
            Classified ("Classify", "Einstufen"),
            Contained ("Mark as contained", "Als eingedämmt melden"),
            Resolved ("Mark as resolved", "Als behoben melden"),
            NotAnIncident ("Not an incident", "Kein Vorfall"),
        ],
        Classified = "classified" ("Classified", "Eingestuft") => [
            Contained ("Mark as contained", "Als eingedämmt melden"),
            Resolved ("Mark as resolved", "Als behoben melden"),
            NotAnIncident ("Not an incident", "Kein Vorfall"),
        ],
        Contained = "contained" ("Contained", "Eingedämmt") => [
            Resolved ("Mark as resolved", "Als behoben melden"),
            Classified ("Not contained after all", "Doch nicht eingedämmt"),
        ],
        Resolved = "resolved" ("Resolved", "Behoben") => [
            Closed ("Close", "Schließen"),
            Contained ("Not resolved after all", "Doch nicht behoben"),
        ],
        Closed = "closed" ("Closed", "Geschlossen") => [Resolved ("Reopen", "Wieder öffnen")],
        NotAnIncident = "not_an_incident" ("Not an incident", "Kein Vorfall") => [
            Detected ("Reopen", "Wieder öffnen"),
        ],
    }
}

impl IncidentStatus {
    /// Work is left to do; this is what the list shows by default.
    pub fn is_open(self) -> bool {
        !matches!(self, Self::Closed | Self::NotAnIncident)
    }

    /// The incident is over: it has a time of resolution.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Resolved | Self::Closed)
    }
}

/// A classification that a person stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub result: Outcome,
    /// What the facts gave at that time.
    pub computed: Outcome,
    pub at: Moment,
    /// Why the result is not the computed one; there exactly then, or where a person gave one anyway.
    pub reason: Option<Prose>,
    /// When it was first classified as major; kept when a later classification says so again.
    pub major_since: Option<Moment>,
}

/// An incident without its identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    pub title: Name,
    pub description: Option<Prose>,
    pub status: IncidentStatus,
    pub times: Times,
    pub regimes: Vec<Regime>,
    pub facts: Facts,
    /// Ids of functions and providers; the use case looks them up.
    pub functions: Vec<String>,
    pub providers: Vec<String>,
    pub findings: Vec<FindingId>,
    pub decision: Option<Decision>,
    /// Incidents with the same one may be recurring.
    pub root_cause: Option<Name>,
    pub measures_taken: Option<Prose>,
}

impl Incident {
    /// What the facts give now. Nothing is stored.
    pub fn classification(&self, now: Moment) -> Classification {
        Classification::of(&self.facts, &self.times, &self.regimes, now)
    }

    /// Since when the incident counts as major, by the decision that stands.
    pub fn major_since(&self) -> Option<Moment> {
        self.decision.as_ref().and_then(|decision| decision.major_since)
    }
}
