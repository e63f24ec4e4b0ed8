//! The content of an incident: times, facts, decisions.

use serde_json::{Map, Value as Json};

use crate::{
    control::ControlId,
    cra_report::CraReportId,
    evidence::EvidenceId,
    field::fields,
    finding::FindingId,
    identifier::{Id, Identified},
    moment::Moment,
    reference::IncidentReference,
    text::{Name, Prose},
    tone::Tone,
    transition::lifecycle,
    vocabulary::vocabulary,
};

use super::{
    classification::Classification,
    due::{Case, Filer, Filing, Stage},
    facts::{Facts, Times},
    report::{Known, Profile, Report, ReportStage, Values},
    words::{Outcome, Regime},
};

lifecycle! {
    /// The status of an incident.
    IncidentStatus ("an incident", "ein Vorfall") starts at Detected {
        Detected = "detected" ("Detected", "Entdeckt") => [
            Classified ("Classify", "Klassifizieren"),
            Contained ("Mark as contained", "Als eingedämmt kennzeichnen"),
            Resolved ("Mark as resolved", "Als behoben kennzeichnen"),
            NotAnIncident ("Not an incident", "Kein Vorfall"),
        ],
        Classified = "classified" ("Classified", "Klassifiziert") => [
            Contained ("Mark as contained", "Als eingedämmt kennzeichnen"),
            Resolved ("Mark as resolved", "Als behoben kennzeichnen"),
            NotAnIncident ("Not an incident", "Kein Vorfall"),
        ],
        Contained = "contained" ("Contained", "Eingedämmt") => [
            Resolved ("Mark as resolved", "Als behoben kennzeichnen"),
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

impl IncidentStatus {
    /// Whether work remains; the list shows these by default.
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
    /// The computed result at that time.
    pub computed: Outcome,
    pub at: Moment,
    /// The key or person that stored it.
    pub by: String,
    /// Why the result is not the computed one; set exactly then, or if a person gave one anyway.
    pub reason: Option<Prose>,
    /// When it was first classified as major; kept when a later classification repeats it.
    pub major_since: Option<Moment>,
}

/// A sent report with its content. It never changes; a later stage corrects it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiledReport {
    pub regime: Regime,
    pub stage: Stage,
    pub at: Moment,
    /// The authority's reference.
    pub reference: Option<Name>,
    pub recorded_at: Moment,
    /// Who recorded it; not known of reports recorded before this was kept.
    pub recorded_by: Option<String>,
    /// The evidence that proves it: what the authority answered.
    pub receipt: Option<EvidenceId>,
    /// Why no report of its own was sent: its content was provided with an earlier stage (CRA Art. 14).
    pub already_provided: Option<Prose>,
    /// The mandatory fields that were empty.
    pub missing: Vec<String>,
    /// The values as they were sent, by field.
    pub content: Json,
}

impl FiledReport {
    /// A notice of a threat is voluntary and no report on the incident, and clients are informed by no report.
    fn is_dora_report(&self) -> bool {
        self.regime == Regime::Dora && !matches!(self.stage, Stage::ThreatNotice | Stage::Communication)
    }

    /// It said that the incident is not major after all.
    fn is_reclassification(&self) -> bool {
        (self.regime, self.stage) == (Regime::Dora, Stage::Reclassified)
    }
}

vocabulary! {
    /// The orders of a list of incidents: a field, with a minus sign for descending. The first is the default.
    IncidentSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Detected = "detected_at" ("Longest known first", "Am längsten bekannte zuerst"),
        DetectedFalling = "-detected_at" ("Latest detected first", "Zuletzt entdeckte zuerst"),
    }
}

/// An incident without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    pub reference: IncidentReference,
    pub title: Name,
    pub description: Option<Prose>,
    pub status: IncidentStatus,
    /// The responsible person: an account or a plain name.
    pub owner: Option<Name>,
    pub times: Times,
    pub regimes: Vec<Regime>,
    pub facts: Facts,
    /// Ids of functions and providers; the use case looks them up.
    pub functions: Vec<String>,
    pub providers: Vec<String>,
    pub findings: Vec<FindingId>,
    /// Measures of the institution that the incident has to do with.
    pub controls: Vec<ControlId>,
    /// The report on the product, which then keeps the clocks of the CRA.
    pub cra_report: Option<CraReportId>,
    /// The classification that stands.
    pub decision: Option<Decision>,
    /// The classifications before it, oldest first.
    pub earlier_decisions: Vec<Decision>,
    /// Incidents with the same one may be recurring.
    pub root_cause: Option<Name>,
    pub measures_taken: Option<Prose>,
    /// Improvements identified afterwards.
    pub lessons: Option<Prose>,
    /// The first incident of the series this one seems to belong to, as proposed by the monthly comparison.
    pub recurring_group: Option<IncidentId>,
    /// Entries for reports, by field: `3.22` for DORA, `nis2.cause` and `gdpr.contact` for the others.
    pub report_values: Map<String, Json>,
    pub filings: Vec<FiledReport>,
}

pub type IncidentId = Id<Incident>;

impl Identified for Incident {
    const PREFIX: &'static str = "inc";
}

fields! {
    /// The fields of an incident.
    Incident {
        REFERENCE,
        TITLE,
        DESCRIPTION,
        STATUS,
        OWNER,
        OCCURRED = "occurred_at" ("Occurred", "Eingetreten"),
        LOGGED = "logged_at" ("First trace in logs", "Erste Spur in Protokollen"),
        DETECTED = "detected_at" ("Detected", "Entdeckt"),
        AWARE = "aware_at" ("Aware since", "Bekannt seit"),
        RECOVERED = "recovered_at" ("Services restored", "Dienste wiederhergestellt"),
        RESOLVED = "resolved_at" ("Resolved", "Behoben"),
        REGIMES = "regimes" ("Regimes", "Regelwerke"),
        FACTS = "facts" ("Facts", "Angaben"),
        FUNCTIONS = "functions" ("Functions", "Funktionen"),
        PROVIDERS = "providers" ("Providers", "Dienstleister"),
        FINDINGS = "findings" ("Findings", "Feststellungen"),
        CONTROLS = "controls" ("Measures (own controls)", "Maßnahmen (eigene Kontrollen)"),
        CRA_REPORT = "cra_report_id" ("CRA report", "CRA-Meldung"),
        CLASSIFICATION = "classification" ("Classification", "Klassifizierung"),
        RESULT = "result" ("Result", "Ergebnis"),
        COMPUTED = "computed" ("By the facts now", "Nach den Angaben jetzt"),
        CLASSIFIED_AT = "classified_at" ("Time of the classification", "Zeitpunkt der Klassifizierung"),
        CLASSIFIED_BY = "classified_by" ("Classified by", "Klassifiziert von"),
        REASON = "reason" ("Reason", "Begründung"),
        ROOT_CAUSE = "root_cause" ("Root cause", "Grundursache"),
        MEASURES_TAKEN = "measures_taken" ("Measures taken", "Ergriffene Maßnahmen"),
        LESSONS = "lessons" ("Lessons", "Lehren"),
        SERIES = "recurring_group" ("Recurring incidents", "Wiederkehrende Vorfälle"),
        REPORT_VALUES = "report_values" ("Entries for reports", "Eingaben für Meldungen"),
        FILED = "filed" ("Reports sent", "Gesendete Meldungen"),
        ALREADY_PROVIDED = "already_provided" ("Provided with an earlier stage", "Mit einer früheren Stufe übermittelt"),
        REPORTS_SENT = "reports_sent" ("Reports sent", "Gesendete Meldungen"),
        NEXT_REGIME = "next_regime" ("Next report under", "Nächste Meldung nach"),
        NEXT_STAGE = "next_stage" ("Next report", "Nächste Meldung"),
        NEXT_DUE = "next_due_at" ("Next due", "Als Nächstes fällig"),
    }
}

impl Incident {
    /// The classification computed from the facts. Nothing is stored.
    pub fn classification(&self, now: Moment) -> Classification {
        Classification::of(&self.facts, &self.times, &self.regimes, now)
    }

    /// Since when the incident counts as major, by the decision in force.
    pub fn major_since(&self) -> Option<Moment> {
        self.decision.as_ref().and_then(|decision| decision.major_since)
    }

    /// When it was classified as not major after a report under DORA was sent.
    pub fn reclassified_at(&self) -> Option<Moment> {
        let decision = self.decision.as_ref().filter(|decision| decision.major_since.is_none())?;
        self.current_filings().any(FiledReport::is_dora_report).then_some(decision.at)
    }

    /// Whether any classification, this one or an earlier one, was major.
    pub fn was_ever_major(&self) -> bool {
        self.earlier_decisions.iter().chain(&self.decision).any(|decision| decision.result == Outcome::Major)
    }

    /// Since when the incident counts as major if it is classified so at a time. Reports that were sent and not taken
    /// back by a reclassification keep the limits they were sent under.
    pub(super) fn major_from(&self, at: Moment) -> Moment {
        let last = self.filings.iter().rev().find(|filed| filed.is_dora_report());
        let is_reported = last.is_some_and(|filed| filed.stage != Stage::Reclassified);
        let earlier = self.earlier_decisions.iter().chain(&self.decision).rev();
        let before = earlier.filter(|_| is_reported).find_map(|decision| decision.major_since);
        self.major_since().or(before).unwrap_or(at)
    }

    /// The filings that count now. A reclassification that was sent ends what was reported under DORA before it: an
    /// incident that is major again is reported from the start, and what was sent before stays to be read.
    fn current_filings(&self) -> impl Iterator<Item = &FiledReport> {
        let start = self.current_start();
        let counts = move |(place, filed): &(usize, &FiledReport)| *place >= start || !filed.is_dora_report();
        self.filings.iter().enumerate().filter(counts).map(|(_, filed)| filed)
    }

    /// Where the reports under DORA begin that count now. While the incident is not major and nothing was sent since
    /// the reclassification, those that it ended are still the latest.
    fn current_start(&self) -> usize {
        let after_last = |end: usize| {
            let before = self.filings.iter().take(end);
            before
                .enumerate()
                .rfind(|(_, filed)| filed.is_reclassification())
                .map_or(0, |(place, _)| place + 1)
        };
        let start = after_last(self.filings.len());
        let is_reported = self.filings.iter().skip(start).any(FiledReport::is_dora_report);
        if is_reported || self.major_since().is_some() { start } else { after_last(start.saturating_sub(1)) }
    }

    /// Which of the reports that count now were sent when, for the clocks.
    pub fn filings(&self) -> Vec<Filing> {
        self.current_filings()
            .map(|filed| Filing { regime: filed.regime, stage: filed.stage, at: filed.at })
            .collect()
    }

    /// The input of due times.
    pub fn case<'c>(
        &'c self,
        classification: &'c Classification,
        filings: &'c [Filing],
        filer: &'c Filer,
        now: Moment,
    ) -> Case<'c> {
        Case {
            times: &self.times,
            facts: &self.facts,
            classification,
            major_since: self.major_since(),
            reclassified_at: self.reclassified_at(),
            has_cra_report: self.cra_report.is_some(),
            filings,
            filer,
            now,
        }
    }

    /// The report under DORA at one stage: from entries, known data and earlier reports.
    pub fn dora_report(&self, stage: ReportStage, profile: &Profile, now: Moment) -> Report {
        let assessment = super::dora::assess(&super::dora::Measures::of(&self.facts, &self.times, now));
        let sent = self.current_filings().filter(|filed| filed.is_dora_report()).last();
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

    /// A report under DORA as it was sent. `content` is what was frozen then.
    pub fn sent_report(&self, stage: ReportStage, filed: &FiledReport) -> Report {
        let currency = filed.content["currency"].as_str().and_then(|code| code.parse().ok());
        let currency = currency.unwrap_or(self.facts.currency);
        let empty = Map::new();
        let (values, _) = Values::read(filed.content.as_object().unwrap_or(&empty), currency);
        Report::sent(stage, currency, &values, &filed.missing)
    }

    /// The last time a stage was recorded as sent, of what counts now.
    pub fn sent(&self, regime: Regime, stage: Stage) -> Option<&FiledReport> {
        self.current_filings().filter(|filed| (filed.regime, filed.stage) == (regime, stage)).last()
    }

    /// The first, second or later time a stage was recorded as sent, counted from 1 over everything ever sent.
    pub fn sent_before(&self, regime: Regime, stage: Stage, number: usize) -> Option<&FiledReport> {
        let of_stage = |filed: &&FiledReport| (filed.regime, filed.stage) == (regime, stage);
        self.filings.iter().filter(of_stage).nth(number.checked_sub(1)?)
    }

    /// Everything ever sent in the order it was recorded, each with its number for [`Self::sent_before`].
    pub fn numbered_filings(&self) -> Vec<(usize, &FiledReport)> {
        let is_same =
            |one: &FiledReport, other: &FiledReport| (one.regime, one.stage) == (other.regime, other.stage);
        let number = |(place, filed): (usize, &FiledReport)| {
            self.filings.iter().take(place + 1).filter(|other| is_same(filed, other)).count()
        };
        self.filings.iter().enumerate().map(|(place, filed)| (number((place, filed)), filed)).collect()
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
