//! A finding: a deficiency to be corrected, from its discovery to its closure.
//!
//! This module contains the rules of one record. The store counts its reference; the use case that changes its status
//! records the history.

mod links;
mod status;

use crate::{
    change::{Change, Context, Fields, happened},
    control::ControlId,
    cve::{Cve, CvssScore},
    due_days::DueDays,
    field::fields,
    identifier::{Id, Identified},
    moment::{Day, Moment},
    programme::ProgrammeId,
    reference::FindingReference,
    test_case::TestCaseId,
    text::{Name, Prose},
    violation::{FieldComplaint, RecordComplaint, Violations},
    vocabulary::{Severity, Vocabulary as _},
};

pub use self::{
    links::{Links, NoSuchTestCase},
    status::{FindingSort, FindingStatus},
};

/// Why a risk is accepted and until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    pub reason: Prose,
    /// The last day of the acceptance.
    pub until: Day,
}

/// The content of a finding, without its id. `R` is its reference, which a draft does not have yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding<R = FindingReference> {
    pub reference: R,
    pub programme_id: Option<ProgrammeId>,
    pub test_case_id: Option<TestCaseId>,
    pub title: Name,
    pub description: Option<Prose>,
    pub severity: Severity,
    pub status: FindingStatus,
    pub owner: Option<Name>,
    pub affected_asset: Option<Name>,
    pub cve: Option<Cve>,
    pub cvss: Option<CvssScore>,
    pub remediation: Option<Prose>,
    /// Why the deficiency could arise.
    pub root_cause: Option<Prose>,
    /// Set exactly while the risk is accepted.
    pub acceptance: Option<Acceptance>,
    pub measures: Vec<String>,
    /// The requirements of the catalogue and of own frameworks that it violates.
    pub requirements: Vec<String>,
    /// The institution's own controls that it concerns.
    pub controls: Vec<ControlId>,
    pub detected_at: Moment,
    pub due_on: Option<Day>,
    /// The due day was derived from the severity by the tenant's settings.
    pub due_by_rule: bool,
    /// Set exactly while the finding is closed.
    pub closed_at: Option<Moment>,
}

pub type FindingId = Id<Finding>;

impl Identified for Finding {
    const PREFIX: &'static str = "fnd";
}

fields! {
    /// The fields of a finding.
    Finding {
        REFERENCE,
        PROGRAMME = "programme_id" ("Programme", "Programm"),
        TEST_CASE = "test_case_id" ("Test case", "Testfall"),
        TITLE,
        DESCRIPTION,
        SEVERITY = "severity" ("Severity", "Schweregrad"),
        STATUS,
        OWNER,
        ASSET = "affected_asset" ("Affected asset", "Betroffenes Objekt"),
        CVE = "cve" ("CVE", "CVE"),
        CVSS = "cvss" ("CVSS score", "CVSS-Wert"),
        REMEDIATION = "remediation" ("Remediation", "Behebung"),
        ROOT_CAUSE = "root_cause" ("Root cause", "Grundursache"),
        ACCEPTANCE = "acceptance" ("Accepted risk", "Akzeptiertes Risiko"),
        REASON = "reason" ("Reason", "Begründung"),
        UNTIL = "until" ("Until", "Bis"),
        ACCEPTANCE_REASON = "acceptance_reason" ("Reason of the acceptance", "Grund der Akzeptanz"),
        ACCEPTANCE_UNTIL = "acceptance_until" ("Accepted until", "Akzeptiert bis"),
        MEASURES = "measures" ("Measures", "Maßnahmen"),
        REQUIREMENTS = "requirements" ("Requirements", "Anforderungen"),
        CONTROLS = "controls" ("Own controls", "Eigene Kontrollen"),
        DETECTED = "detected_at" ("Detected", "Entdeckt"),
        DUE_ON,
        CLOSED = "closed_at" ("Closed", "Geschlossen"),
        ARCHIVED = "archived_at" ("Archived", "Archiviert"),
        RETEST_RESULT = "result" ("Result", "Ergebnis"),
        RETEST_ON = "performed_on" ("Performed on", "Durchgeführt am"),
        RETEST_BY = "performed_by" ("Performed by", "Durchgeführt von"),
        RETEST_BY_OWNER = "by_owner" ("By the owner of the finding", "Durch die verantwortliche Person selbst"),
        RETEST_ACTUAL = "actual_result" ("Actual result", "Tatsächliches Ergebnis"),
        RETEST_EVIDENCE = "evidence" ("Evidence", "Nachweise"),
    }
}

/// A validated finding that is not stored yet.
pub type FindingDraft = Finding<()>;

impl FindingDraft {
    /// The finding to be stored. If the draft has no due day, it gets the one that the tenant's settings give.
    pub fn numbered(self, reference: FindingReference, days: &DueDays) -> Finding {
        let by_rule = days.due(self.severity, self.detected_at).filter(|_| self.due_on.is_none());
        Finding {
            reference,
            programme_id: self.programme_id,
            test_case_id: self.test_case_id,
            title: self.title,
            description: self.description,
            severity: self.severity,
            status: self.status,
            owner: self.owner,
            affected_asset: self.affected_asset,
            cve: self.cve,
            cvss: self.cvss,
            remediation: self.remediation,
            root_cause: self.root_cause,
            acceptance: self.acceptance,
            measures: self.measures,
            requirements: self.requirements,
            controls: self.controls,
            detected_at: self.detected_at,
            due_on: self.due_on.or(by_rule),
            due_by_rule: by_rule.is_some(),
            closed_at: self.closed_at,
        }
    }
}

impl Finding {
    /// Whether its due day comes from the tenant's settings and stays the same.
    pub(super) fn keeps_rule(&self, due_on: Option<Day>) -> bool {
        self.due_by_rule && self.due_on == due_on
    }

    /// Whether its due day has passed while it still needs work.
    pub fn is_overdue(&self, today: Day) -> bool {
        self.status.is_open() && self.due_on.is_some_and(|due| due < today)
    }

    /// The finding after a step that needs no further input: neither into nor out of an accepted risk.
    #[must_use]
    pub fn moved(&self, status: FindingStatus, now: Moment) -> Self {
        Self { status, acceptance: None, closed_at: closed_at(Some(self), status, now), ..self.clone() }
    }

    /// The finding after its accepted risk has expired, which happens the day after its last day.
    pub fn lapsed(&self, today: Day) -> Option<Self> {
        let over = self.acceptance.as_ref().is_some_and(|acceptance| acceptance.until < today);
        (over && self.status == FindingStatus::RiskAccepted).then(|| Self {
            status: FindingStatus::Open,
            acceptance: None,
            ..self.clone()
        })
    }
}

/// The reason and last day of an acceptance as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AcceptanceInput {
    pub reason: Change<String>,
    pub until: Change<String>,
}

/// A finding's fields as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FindingInput {
    pub programme_id: Change<String>,
    pub test_case_id: Change<String>,
    pub title: Change<String>,
    pub description: Change<String>,
    pub severity: Change<String>,
    pub status: Change<String>,
    pub owner: Change<String>,
    pub affected_asset: Change<String>,
    pub cve: Change<String>,
    pub cvss: Change<f64>,
    pub remediation: Change<String>,
    pub root_cause: Change<String>,
    pub acceptance: Change<AcceptanceInput>,
    pub measures: Change<Vec<String>>,
    pub requirements: Change<Vec<String>>,
    pub controls: Change<Vec<String>>,
    pub detected_at: Change<String>,
    pub due_on: Change<String>,
    /// The reason for a change of status, for the history.
    pub note: Change<String>,
}

impl FindingInput {
    /// Whether the request takes a finding for accepted or wrong, or changes the terms of an acceptance.
    pub fn decides(&self, current: Option<&Finding>) -> bool {
        let before = current.map(|finding| finding.status);
        let settles = |word: &str| {
            let status = FindingStatus::find(word).filter(|status| status.is_decision());
            status.is_some() && status != before
        };
        matches!(&self.status, Change::Set(word) if settles(word)) || self.acceptance != Change::Keep
    }

    pub fn create(&self, links: &Links<'_>, context: &Context<'_>) -> Result<FindingDraft, Violations> {
        self.read((), None, links, context)
    }

    /// The finding after this change.
    pub fn change(
        &self,
        current: &Finding,
        links: &Links<'_>,
        context: &Context<'_>,
    ) -> Result<Finding, Violations> {
        self.read(current.reference, Some(current), links, context)
    }

    /// The programme and the test case of the finding after this request, to be looked up beforehand.
    pub fn asks_for(&self, current: Option<&Finding>) -> (Option<ProgrammeId>, Option<TestCaseId>) {
        let programme = kept_or_parsed(&self.programme_id, current.and_then(|c| c.programme_id));
        let test_case = kept_or_parsed(&self.test_case_id, current.and_then(|c| c.test_case_id));
        (programme, test_case)
    }

    fn read<R>(
        &self,
        reference: R,
        current: Option<&Finding>,
        links: &Links<'_>,
        context: &Context<'_>,
    ) -> Result<Finding<R>, Violations> {
        let mut fields = Fields::default();
        let (programme_id, test_case_id) = self.read_links(&mut fields, current, links);
        let title =
            fields.required("title", &self.title, current.map(|c| c.title.clone()), |text| Name::parse(text));
        let severity =
            fields.required("severity", &self.severity, current.map(|c| c.severity), |text| text.parse());
        fields.prose("note", &self.note, None);
        let status = fields.status(&self.status, current.map(|c| c.status));
        let acceptance = self.read_acceptance(&mut fields, current, status, context.now.day());
        let detected_at = fields.required(
            "detected_at",
            &self.detected_at,
            Some(current.map_or(context.now, |c| c.detected_at)),
            |text| happened(text, context.now),
        );
        let due_on = self.read_due_on(&mut fields, current, detected_at);
        let description = fields.prose("description", &self.description, of(current, |c| &c.description));
        let owner = fields.line("owner", &self.owner, of(current, |c| &c.owner));
        let affected_asset =
            fields.line("affected_asset", &self.affected_asset, of(current, |c| &c.affected_asset));
        let cve = fields.optional("cve", &self.cve, of(current, |c| &c.cve), |text| text.parse());
        let cvss = fields
            .optional("cvss", &self.cvss, of(current, |c| &c.cvss), |score| CvssScore::from_number(*score));
        let remediation = fields.prose("remediation", &self.remediation, of(current, |c| &c.remediation));
        let root_cause = fields.prose("root_cause", &self.root_cause, of(current, |c| &c.root_cause));
        let measures = fields.measures(&self.measures, current.map(|c| c.measures.clone()), context);
        let requirements = self.read_requirements(&mut fields, current, links);
        let controls = self.read_controls(&mut fields, current, links);
        let build = || {
            let status = status?;
            Some(Finding {
                reference,
                programme_id,
                test_case_id,
                title: title?,
                description,
                severity: severity?,
                status,
                owner,
                affected_asset,
                cve,
                cvss,
                remediation,
                root_cause,
                acceptance,
                measures,
                requirements,
                controls,
                detected_at: detected_at?,
                due_on,
                due_by_rule: current.is_some_and(|current| current.keeps_rule(due_on)),
                closed_at: closed_at(current, status, context.now),
            })
        };
        fields.finish(build())
    }

    /// Compared with the day of detection whenever one of the two is set.
    fn read_due_on(
        &self,
        fields: &mut Fields,
        current: Option<&Finding>,
        detected_at: Option<Moment>,
    ) -> Option<Day> {
        let due_on =
            fields.optional("due_on", &self.due_on, of(current, |c| &c.due_on), |text| text.parse())?;
        let touched = matches!(self.due_on, Change::Set(_)) || matches!(self.detected_at, Change::Set(_));
        if let Some(detected) = detected_at.map(Moment::day)
            && touched
            && due_on < detected
        {
            fields.refuse("due_on", RecordComplaint::BeforeDetection { day: detected });
        }
        Some(due_on)
    }

    fn read_acceptance(
        &self,
        fields: &mut Fields,
        current: Option<&Finding>,
        status: Option<FindingStatus>,
        today: Day,
    ) -> Option<Acceptance> {
        let before = current.and_then(|c| c.acceptance.as_ref());
        match (status? == FindingStatus::RiskAccepted, &self.acceptance) {
            (true, Change::Keep) if before.is_some() => before.cloned(),
            (true, Change::Set(input)) => input.read(fields, before, today),
            (true, Change::Keep | Change::Clear) => {
                fields.refuse("acceptance", RecordComplaint::NoAcceptance);
                None
            }
            (false, Change::Set(_)) => {
                fields.refuse("acceptance", RecordComplaint::StrayAcceptance);
                None
            }
            (false, Change::Keep | Change::Clear) => None,
        }
    }
}

impl AcceptanceInput {
    fn read(&self, fields: &mut Fields, before: Option<&Acceptance>, today: Day) -> Option<Acceptance> {
        let reason = fields.required("acceptance.reason", &self.reason, before.map(|b| b.reason.clone()), {
            |text| Prose::parse(text)
        });
        let until =
            fields.required("acceptance.until", &self.until, before.map(|b| b.until), |text| text.parse());
        if until.is_some_and(|until| until <= today) {
            fields.refuse("acceptance.until", FieldComplaint::NotALaterDay);
        }
        Some(Acceptance { reason: reason?, until: until? })
    }
}

fn closed_at(current: Option<&Finding>, status: FindingStatus, now: Moment) -> Option<Moment> {
    let before = current.and_then(|c| c.closed_at);
    (status == FindingStatus::Closed).then(|| before.unwrap_or(now))
}

fn kept_or_parsed<T: std::str::FromStr>(change: &Change<String>, current: Option<T>) -> Option<T> {
    match change {
        Change::Keep => current,
        Change::Clear => None,
        Change::Set(text) => text.parse().ok(),
    }
}

fn of<T: Clone>(current: Option<&Finding>, field: impl Fn(&Finding) -> &Option<T>) -> Option<T> {
    current.and_then(|current| field(current).clone())
}

#[cfg(test)]
#[path = "finding_tests.rs"]
mod tests;
