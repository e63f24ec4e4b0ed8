//! An incident as it is kept: what happened when, what is known, who decided what.

use serde_json::{Map, Value as Json};

use crate::{
    id::FindingId,
    moment::Moment,
    reference::IncidentReference,
    text::{Name, Prose},
    transition::lifecycle,
};

use super::{
    classification::Classification,
    due::{Case, Filer, Filing, Stage},
    facts::{Facts, Times},
    report::{Known, Profile, Report, ReportStage, Values},
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
    /// The key or person that stored it.
    pub by: String,
    /// Why the result is not the computed one; there exactly then, or where a person gave one anyway.
    pub reason: Option<Prose>,
    /// When it was first classified as major; kept when a later classification says so again.
    pub major_since: Option<Moment>,
}

/// A report that was sent, with what it said. It never changes; a later stage corrects it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiledReport {
    pub regime: Regime,
    pub stage: Stage,
    pub at: Moment,
    /// The authority's reference.
    pub reference: Option<Name>,
    pub recorded_at: Moment,
    /// The fields that were mandatory and empty.
    pub missing: Vec<String>,
    /// The values as they were sent, by field.
    pub content: Json,
}

/// An incident without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    pub reference: IncidentReference,
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
    /// What people entered for reports, by field: `3.22` for DORA, `nis2.cause` and `gdpr.contact` for the others.
    pub report_values: Map<String, Json>,
    pub filings: Vec<FiledReport>,
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

    /// Which reports were sent when, for the clocks.
    pub fn filings(&self) -> Vec<Filing> {
        self.filings
            .iter()
            .map(|filed| Filing { regime: filed.regime, stage: filed.stage, at: filed.at })
            .collect()
    }

    /// What due times follow from.
    pub fn case<'c>(
        &'c self,
        classification: &'c Classification,
        filings: &'c [Filing],
        filer: &'c Filer,
        now: Moment,
    ) -> Case<'c> {
        Case {
            times: &self.times,
            classification,
            major_since: self.major_since(),
            provider_type: self.facts.nis2.provider_type,
            cra: &self.facts.cra,
            interim_requested_at: None,
            filings,
            filer,
            now,
        }
    }

    /// The report under DORA at one stage: what was entered, what is known, what was sent before.
    pub fn dora_report(&self, stage: ReportStage, profile: &Profile, now: Moment) -> Report {
        let assessment = super::dora::assess(&super::dora::Measures::of(&self.facts, &self.times, now));
        let sent = self.filings.iter().rev().find(|filed| filed.regime == Regime::Dora);
        let read = |values: &Map<String, Json>| Values::read(values, self.facts.currency).0;
        let before = sent.and_then(|filed| filed.content.as_object()).map(read);
        let reference = self.reference.to_string();
        let known = Known {
            profile,
            facts: &self.facts,
            times: &self.times,
            assessment: &assessment,
            reference: Some(&reference),
            description: self.description.as_ref().map(Prose::as_str),
            major_since: self.major_since(),
            authority_reference: sent.and_then(|filed| filed.reference.as_ref()).map(Name::as_str),
            from_provider: (!self.providers.is_empty()).then_some(true),
            risk_to_critical_functions: None,
            resolvability_affected: None,
            first_recurrence: None,
        };
        Report::fill(stage, &known, &read(&self.dora_values()), before.as_ref())
    }

    /// The entered values that are fields of the report under DORA.
    fn dora_values(&self) -> Map<String, Json> {
        let is_field = |(number, _): &(&String, &Json)| super::report::field(number).is_some();
        self.report_values
            .iter()
            .filter(is_field)
            .map(|(number, value)| (number.clone(), value.clone()))
            .collect()
    }
}
