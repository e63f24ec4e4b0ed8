//! A report under CRA Art. 14: an exploited vulnerability or a severe incident of a product, and the three
//! stages in which it is reported.
//!
//! Moving the status is reporting: it stamps the stage. The deadlines come from the catalogue's clocks; this
//! module only says which event happened when.

use crate::{
    change::{Change, Context, Fields, happened, without_repeats},
    clock::{Clocks, Reading},
    country::Country,
    cve::Cve,
    moment::Moment,
    text::{Name, Prose},
    transition::lifecycle,
    violation::{FixedField, Violations},
    vocabulary::{Severity, vocabulary},
};

lifecycle! {
    /// How far a report has come.
    CraReportStatus ("a CRA report", "eine CRA-Meldung") starts at Draft {
        Draft = "draft" ("Draft", "Entwurf") => [
            EarlyWarningSent ("Record the early warning", "Frühwarnung erfassen"),
            Withdrawn ("Withdraw", "Zurückziehen"),
        ],
        EarlyWarningSent = "early_warning_sent" ("Early warning sent", "Frühwarnung übermittelt") => [
            NotificationSent ("Record the notification", "Meldung erfassen"),
        ],
        NotificationSent = "notification_sent" ("Notification sent", "Meldung übermittelt") => [
            FinalReportSent ("Record the final report", "Abschlussbericht erfassen"),
        ],
        FinalReportSent = "final_report_sent" ("Final report sent", "Abschlussbericht übermittelt") => [
            Closed ("Close", "Schließen"),
        ],
        Closed = "closed" ("Closed", "Geschlossen") => [],
        Withdrawn = "withdrawn" ("Withdrawn", "Zurückgezogen") => [],
    }
}

vocabulary! {
    /// What is reported.
    CraReportKind {
        ExploitedVulnerability = "exploited_vulnerability"
            ("Actively exploited vulnerability", "Aktiv ausgenutzte Schwachstelle"),
        SevereIncident = "severe_incident" ("Severe incident", "Schwerwiegender Vorfall"),
    }
}

vocabulary! {
    /// A step of reporting.
    CraStage {
        EarlyWarning = "early_warning" ("Early warning", "Frühwarnung"),
        Notification = "notification" ("Notification", "Meldung"),
        FinalReport = "final_report" ("Final report", "Abschlussbericht"),
    }
}

impl CraReportStatus {
    /// The stage that reaching this status completes.
    pub fn completes(self) -> Option<CraStage> {
        match self {
            Self::EarlyWarningSent => Some(CraStage::EarlyWarning),
            Self::NotificationSent => Some(CraStage::Notification),
            Self::FinalReportSent => Some(CraStage::FinalReport),
            Self::Draft | Self::Closed | Self::Withdrawn => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub name: Name,
    pub version: Option<Name>,
}

/// When each stage was handed in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Submissions {
    pub early_warning: Option<Moment>,
    pub notification: Option<Moment>,
    pub final_report: Option<Moment>,
}

impl Submissions {
    pub fn of(&self, stage: CraStage) -> Option<Moment> {
        match stage {
            CraStage::EarlyWarning => self.early_warning,
            CraStage::Notification => self.notification,
            CraStage::FinalReport => self.final_report,
        }
    }

    fn stamped(mut self, stage: CraStage, now: Moment) -> Self {
        let slot = match stage {
            CraStage::EarlyWarning => &mut self.early_warning,
            CraStage::Notification => &mut self.notification,
            CraStage::FinalReport => &mut self.final_report,
        };
        *slot = Some(now);
        self
    }
}

/// A report as it stands, without its identity.
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
    pub status: CraReportStatus,
    pub submissions: Submissions,
}

impl CraReport {
    const REGIME: &'static str = "cra";

    /// Where a stage stands. A withdrawn report owes nothing: none of its clocks runs.
    pub fn stage(&self, stage: CraStage, clocks: &Clocks, now: Moment) -> Reading {
        if self.status == CraReportStatus::Withdrawn {
            return Reading::STOPPED;
        }
        let clock = clocks.get(Self::REGIME, self.kind.as_str(), stage.as_str());
        let due_at = clock.and_then(|clock| clock.due_at(|event| self.event(event)));
        Reading::at(now, due_at, self.submissions.of(stage))
    }

    /// When an event happened that a clock may start from.
    fn event(&self, name: &str) -> Option<Moment> {
        match name {
            "aware_at" => Some(self.aware_at),
            "corrective_measure_at" => self.corrective_measure_at,
            "early_warning_submitted_at" => self.submissions.early_warning,
            "notification_submitted_at" => self.submissions.notification,
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
    pub status: Change<String>,
    /// Why the status moves, for the history.
    pub note: Change<String>,
}

/// What starts the clocks must not change under them.
const START_ANEW: FixedField = FixedField::StartOfClocks;

impl CraReportInput {
    pub fn create(&self, context: &Context<'_>) -> Result<CraReport, Violations> {
        self.read(None, context)
    }

    /// The report after this change; moving its status stamps the stage with the present.
    pub fn change(&self, current: &CraReport, context: &Context<'_>) -> Result<CraReport, Violations> {
        self.read(Some(current), context)
    }

    fn read(&self, current: Option<&CraReport>, context: &Context<'_>) -> Result<CraReport, Violations> {
        let now = context.now;
        let mut fields = Fields::default();
        let kind = fields.fixed("kind", &self.kind, current.map(|c| c.kind), |text| text.parse(), START_ANEW);
        let aware_at = fields.fixed(
            "aware_at",
            &self.aware_at,
            current.map(|c| c.aware_at),
            |text| happened(text, now),
            START_ANEW,
        );
        let product = self.read_product(&mut fields, current);
        let title =
            fields.required("title", &self.title, current.map(|c| c.title.clone()), |text| Name::parse(text));
        let severity =
            fields.required("severity", &self.severity, current.map(|c| c.severity), |text| text.parse());
        fields.prose("note", &self.note, None);
        let status = fields.status(&self.status, current.map(|c| c.status));
        let description =
            fields.prose("description", &self.description, current.and_then(|c| c.description.clone()));
        let cve = fields.optional("cve", &self.cve, current.and_then(|c| c.cve.clone()), |text| text.parse());
        let corrective_measure_at = fields.optional(
            "corrective_measure_at",
            &self.corrective_measure_at,
            current.and_then(|c| c.corrective_measure_at),
            |text| happened(text, now),
        );
        let member_states = fields.list(
            "member_states",
            &self.member_states,
            current.map(|c| c.member_states.clone()),
            |code| code.parse(),
        );
        let build = || {
            let status = status?;
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
                status,
                submissions: submissions(current, status, now),
            })
        };
        fields.finish(build())
    }

    /// A product's parts can be changed one by one.
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

fn submissions(current: Option<&CraReport>, status: CraReportStatus, now: Moment) -> Submissions {
    let before = current.map(|c| c.submissions).unwrap_or_default();
    let moved = current.is_none_or(|c| c.status != status);
    match status.completes() {
        Some(stage) if moved => before.stamped(stage, now),
        _ => before,
    }
}

#[cfg(test)]
#[path = "cra_report_tests.rs"]
mod tests;
