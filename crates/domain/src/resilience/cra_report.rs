//! A report under CRA Art. 14: an exploited vulnerability or a severe incident of a product, and the three
//! stages in which it is reported.
//!
//! Moving the status records a filing: when the stage was filed with the authority, under which reference, and when
//! that was recorded. The deadlines come from the catalogue's clocks; this module only supplies the times of events.

mod content;
mod filing;
mod provided;
mod status;

use crate::{
    change::{Change, Context, Fields, happened, without_repeats},
    clock::{Clocks, Reading},
    country::Country,
    cve::Cve,
    field::fields,
    finding::FindingId,
    identifier::{Id, Identified},
    moment::Moment,
    text::{Name, Prose},
    time_zone::TimeZone,
    violation::{FilingComplaint, FixedField, Violations},
    vocabulary::{Severity, vocabulary},
};

pub use self::{
    content::{CraContents, CraPoint, CraValues, INCIDENT_PREFIX},
    filing::{StageInput, Submission, Submissions},
    provided::Interim,
    status::CraReportStatus,
};

vocabulary! {
    /// The kind of event that is reported.
    CraReportKind {
        ExploitedVulnerability = "exploited_vulnerability"
            ("Actively exploited vulnerability", "Aktiv ausgenutzte Schwachstelle"),
        SevereIncident = "severe_incident" ("Severe incident", "Schwerwiegender Vorfall"),
    }
}

vocabulary! {
    /// A stage of reporting.
    CraStage {
        EarlyWarning = "early_warning" ("Early warning", "Frühwarnung"),
        Notification = "notification" ("Notification", "Meldung"),
        FinalReport = "final_report" ("Final report", "Abschlussbericht"),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub name: Name,
    pub version: Option<Name>,
}

vocabulary! {
    /// The orders of a list of CRA reports: a field, with a minus sign for descending. The first is the default.
    CraReportSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Aware = "aware_at" ("Known longest first", "Am längsten bekannte zuerst"),
        AwareFalling = "-aware_at" ("Latest known first", "Zuletzt bekannte zuerst"),
    }
}

/// The content of a report, without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CraReport {
    pub kind: CraReportKind,
    pub product: Product,
    pub title: Name,
    pub description: Option<Prose>,
    pub cve: Option<Cve>,
    pub severity: Severity,
    pub member_states: Vec<Country>,
    pub aware_at: Moment,
    pub corrective_measure_at: Option<Moment>,
    /// The responsible person: an account or a plain name.
    pub owner: Option<Name>,
    /// The finding that led to the report.
    pub finding: Option<FindingId>,
    pub status: CraReportStatus,
    pub submissions: Submissions,
    /// The intermediate report of Art. 14(6), which the CSIRT may request.
    pub interim: Interim,
    /// The contents of the stages, unless they are those of an incident.
    pub contents: CraContents,
}

pub type CraReportId = Id<CraReport>;

impl Identified for CraReport {
    const PREFIX: &'static str = "cra";
}

fields! {
    /// The fields of a CRA report.
    CraReport {
        KIND = "kind" ("Kind", "Art"),
        PRODUCT = "product" ("Product", "Produkt"),
        PRODUCT_NAME = "product.name" ("Product", "Produkt"),
        PRODUCT_VERSION = "product.version" ("Version of the product", "Version des Produkts"),
        NAME,
        VERSION = "version" ("Version", "Version"),
        TITLE,
        DESCRIPTION,
        CVE = "cve" ("CVE", "CVE"),
        SEVERITY = "severity" ("Severity", "Schweregrad"),
        MEMBER_STATES = "member_states" ("Member States", "Mitgliedstaaten"),
        AWARE_AT = "aware_at" ("Known since", "Bekannt seit"),
        CORRECTIVE_AT = "corrective_measure_at" ("Corrective measure available since", "Korrekturmaßnahme verfügbar seit"),
        OWNER,
        FINDING = "finding_id" ("Finding", "Feststellung"),
        STATUS,
        SUBMITTED_AT = "submitted_at" ("Filed with the authority", "Bei der Behörde eingereicht"),
        RECORDED_AT = "recorded_at" ("Recorded here", "Hier erfasst"),
        AUTHORITY_REFERENCE = "reference" ("Reference of the authority", "Aktenzeichen der Behörde"),
        CORRECTION_REASON = "reason" ("Reason for the correction", "Grund der Korrektur"),
        ALREADY_PROVIDED = "already_provided" ("Provided with the stage before", "Mit der Stufe davor übermittelt"),
        EARLY_WARNING = "early_warning" ("Early warning", "Frühwarnung"),
        EARLY_WARNING_DUE = "early_warning_due_at" ("Early warning: due", "Frühwarnung: fällig"),
        EARLY_WARNING_SENT = "early_warning_submitted_at" ("Early warning: sent", "Frühwarnung: gesendet"),
        EARLY_WARNING_STATE = "early_warning_state" ("Early warning: state", "Frühwarnung: Stand"),
        EARLY_WARNING_REFERENCE = "early_warning_reference" ("Early warning: reference", "Frühwarnung: Aktenzeichen"),
        NOTIFICATION = "notification" ("Notification", "Meldung"),
        NOTIFICATION_DUE = "notification_due_at" ("Notification: due", "Meldung: fällig"),
        NOTIFICATION_SENT = "notification_submitted_at" ("Notification: sent", "Meldung: gesendet"),
        NOTIFICATION_STATE = "notification_state" ("Notification: state", "Meldung: Stand"),
        NOTIFICATION_REFERENCE = "notification_reference" ("Notification: reference", "Meldung: Aktenzeichen"),
        FINAL_REPORT = "final_report" ("Final report", "Abschlussbericht"),
        FINAL_REPORT_DUE = "final_report_due_at" ("Final report: due", "Abschlussbericht: fällig"),
        FINAL_REPORT_SENT = "final_report_submitted_at" ("Final report: sent", "Abschlussbericht: gesendet"),
        FINAL_REPORT_STATE = "final_report_state" ("Final report: state", "Abschlussbericht: Stand"),
        FINAL_REPORT_REFERENCE = "final_report_reference" ("Final report: reference", "Abschlussbericht: Aktenzeichen"),
        INTERIM = "interim" ("Intermediate report on request (Art. 14(6))", "Zwischenbericht auf Verlangen (Art. 14 Abs. 6)"),
        INTERIM_REQUESTED = "interim_requested_at" ("Intermediate report requested", "Zwischenbericht verlangt"),
        INTERIM_SENT = "interim_submitted_at" ("Intermediate report sent", "Zwischenbericht gesendet"),
        INTERIM_REFERENCE = "interim_reference" ("Reference of the intermediate report", "Aktenzeichen des Zwischenberichts"),
        CONTENTS = "contents" ("Required contents", "Vorgeschriebener Inhalt"),
        FILED_CONTENTS = "filed_contents" ("Filed contents", "Eingereichter Inhalt"),
    }
}

impl CraReport {
    const REGIME: &'static str = "cra";

    /// The state of a stage. A withdrawn report has no duties: none of its clocks runs.
    pub fn stage(&self, stage: CraStage, clocks: &Clocks, zone: &TimeZone, now: Moment) -> Reading {
        if self.status == CraReportStatus::Withdrawn {
            return Reading::STOPPED;
        }
        let clock = clocks.get(Self::REGIME, self.kind.as_str(), stage.as_str());
        let due_at = clock.and_then(|clock| clock.due_at(|event| self.event(event)));
        let ends_at = clock.and_then(|clock| clock.ends_at(|event| self.event(event), zone));
        Reading::until(now, (due_at, ends_at), self.submissions.filed_at(stage))
    }

    /// When an event happened that a clock may start from.
    fn event(&self, name: &str) -> Option<Moment> {
        match name {
            "aware_at" => Some(self.aware_at),
            "corrective_measure_at" => self.corrective_measure_at,
            "early_warning_submitted_at" => self.submissions.filed_at(CraStage::EarlyWarning),
            "notification_submitted_at" => self.submissions.filed_at(CraStage::Notification),
            _ => None,
        }
    }
}

/// A product as a caller sent it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductInput {
    pub name: Change<String>,
    pub version: Change<String>,
}

/// A report's fields as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CraReportInput {
    pub kind: Change<String>,
    pub product: Change<ProductInput>,
    pub title: Change<String>,
    pub description: Change<String>,
    pub cve: Change<String>,
    pub severity: Change<String>,
    pub member_states: Change<Vec<String>>,
    pub aware_at: Change<String>,
    pub corrective_measure_at: Change<String>,
    pub owner: Change<String>,
    pub finding_id: Change<String>,
    pub status: Change<String>,
    /// When the stage that the new status completes was filed; now by default.
    pub submitted_at: Change<String>,
    /// The authority's reference for that filing.
    pub submission_reference: Change<String>,
    /// Stages of which nothing is filed because their content was provided with an earlier one, each with the reason.
    pub already_provided: Change<Vec<(CraStage, String)>>,
    /// When the CSIRT requested an intermediate report.
    pub interim_requested_at: Change<String>,
    /// When that was sent, and the authority's reference.
    pub interim_submitted_at: Change<String>,
    pub interim_reference: Change<String>,
    /// Contents of the stages by the name of their point; null removes one.
    pub contents: Change<std::collections::BTreeMap<String, Option<String>>>,
    /// Corrections of stages filed before.
    pub stages: Change<Vec<(CraStage, StageInput)>>,
    /// Why the status changes, or the reason for a correction; for the history.
    pub note: Change<String>,
}

/// The kind of case decides which clocks apply.
const START_ANEW: FixedField = FixedField::StartOfClocks;

impl CraReportInput {
    pub fn create(&self, context: &Context<'_>) -> Result<CraReport, Violations> {
        self.read(None, context)
    }

    /// The report after this change.
    pub fn change(&self, current: &CraReport, context: &Context<'_>) -> Result<CraReport, Violations> {
        self.read(Some(current), context)
    }

    fn read(&self, current: Option<&CraReport>, context: &Context<'_>) -> Result<CraReport, Violations> {
        let now = context.now;
        let mut fields = Fields::default();
        let kind = fields.fixed("kind", &self.kind, current.map(|c| c.kind), |text| text.parse(), START_ANEW);
        let aware_at = self.read_aware_at(&mut fields, current, now);
        let product = self.read_product(&mut fields, current);
        let title =
            fields.required("title", &self.title, current.map(|c| c.title.clone()), |text| Name::parse(text));
        let severity =
            fields.required("severity", &self.severity, current.map(|c| c.severity), |text| text.parse());
        fields.prose("note", &self.note, None);
        let provided = self.read_provided(&mut fields, current, now);
        let status = self.read_status(&mut fields, current, provided.as_ref());
        let description =
            fields.prose("description", &self.description, current.and_then(|c| c.description.clone()));
        let cve = fields.optional("cve", &self.cve, current.and_then(|c| c.cve.clone()), |text| text.parse());
        let corrective_measure_at = fields.optional(
            "corrective_measure_at",
            &self.corrective_measure_at,
            current.and_then(|c| c.corrective_measure_at),
            |text| happened(text, now),
        );
        let owner = fields.line("owner", &self.owner, current.and_then(|c| c.owner.clone()));
        let finding =
            fields.optional("finding_id", &self.finding_id, current.and_then(|c| c.finding), |text| {
                text.parse().map_err(|_| FilingComplaint::NotAFinding)
            });
        let member_states = fields.list(
            "member_states",
            &self.member_states,
            current.map(|c| c.member_states.clone()),
            |code| code.parse(),
        );
        let contents = self.read_contents(&mut fields, current, kind);
        let interim = self.read_interim(&mut fields, current, aware_at, now);
        let submissions = self.read_submissions(&mut fields, (current, provided), status, aware_at, now);
        if let (Some(kind), Some(status)) = (kind, status)
            && corrective_measure_at.is_none()
            && !submissions.is_provided(CraStage::FinalReport)
        {
            miss_the_measure(&mut fields, kind, status, current);
        }
        let build = || {
            Some(CraReport {
                kind: kind?,
                product: product?,
                title: title?,
                description,
                cve,
                severity: severity?,
                member_states: without_repeats(member_states),
                aware_at: aware_at?,
                corrective_measure_at,
                owner,
                finding,
                status: status?,
                submissions,
                interim,
                contents,
            })
        };
        fields.finish(build())
    }

    /// Whether the request contains a reason.
    fn has_reason(&self) -> bool {
        matches!(&self.note, Change::Set(text) if !text.trim().is_empty())
    }

    /// A wrong start of the clocks can be corrected, with a reason, while no stage was filed.
    fn read_aware_at(&self, fields: &mut Fields, current: Option<&CraReport>, now: Moment) -> Option<Moment> {
        let before = current.map(|c| c.aware_at);
        let aware_at = fields.required("aware_at", &self.aware_at, before, |text| happened(text, now))?;
        let Some(current) = current.filter(|current| current.aware_at != aware_at) else {
            return Some(aware_at);
        };
        if current.submissions.any() {
            fields.refuse("aware_at", FilingComplaint::StartFiled);
        } else if !self.has_reason() {
            fields.refuse("aware_at", FilingComplaint::StartWithoutReason);
        }
        Some(aware_at)
    }

    /// A product's fields can be changed one by one.
    fn read_product(&self, fields: &mut Fields, current: Option<&CraReport>) -> Option<Product> {
        let before = current.map(|c| &c.product);
        let input = fields.required("product", &self.product, Some(ProductInput::default()), |input| {
            Ok::<_, std::convert::Infallible>(input.clone())
        })?;
        let name = fields
            .required("product.name", &input.name, before.map(|p| p.name.clone()), |text| Name::parse(text));
        let version = fields.line("product.version", &input.version, before.and_then(|p| p.version.clone()));
        Some(Product { name: name?, version })
    }
}

/// The final report on a vulnerability is due by its corrective measure, so that must be known.
fn miss_the_measure(
    fields: &mut Fields,
    kind: CraReportKind,
    status: CraReportStatus,
    current: Option<&CraReport>,
) {
    if kind != CraReportKind::ExploitedVulnerability {
        return;
    }
    let moved = current.is_none_or(|c| c.status != status);
    let removed = current.is_some_and(|c| c.corrective_measure_at.is_some());
    if moved && status == CraReportStatus::FinalReportSent {
        fields.refuse("corrective_measure_at", FilingComplaint::MeasureFirst);
    } else if removed && current.is_some_and(|c| c.submissions.of(CraStage::FinalReport).is_some()) {
        fields.refuse("corrective_measure_at", FilingComplaint::MeasureUsed);
    }
}

#[cfg(test)]
#[path = "cra_report_tests.rs"]
mod tests;
