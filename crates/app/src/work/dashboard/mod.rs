//! The data of the start page, from one snapshot of the tenant, the catalogue and caches.
//!
//! It is read with every visit, so its cost must not grow with the number of findings: numbers come from stored
//! counters, and lists are only as long as they are shown.

mod audience;
mod part;

use std::sync::Arc;

use domain::{cra_report::CraReport, incident::Incident, moment::Moment, page::PageRequest};
use store::{
    contract_notice::ContractNotice, finding::FindingRow, finding_count::FindingCounts, provider::NextReview,
    register_filing::RegisterFilingRow, test_case::TestCaseRow, test_case_count::TestCaseCounts,
    webhook::WebhookRow,
};

use self::part::Part;
pub use store::finding_age::Ages;

use crate::{
    Result, Work,
    alert::{self, Alert},
    analysis::{Analysis, BreachRow},
    authz::Caller,
    catalogue::Edition,
    coverage::CoverageGlance,
    cra_report::{CraReportFilter, CraReportView},
    health::{Grain, Sample},
    incident::{IncidentFilter, IncidentView},
    scan::ScanGlance,
    score_day::FrameworkScore,
    timeline::Timeline,
    traffic::Recent,
    training::{self, TrainingTotals},
};

/// Upper bounds of the age groups of open findings, in days; the last group has none.
pub const AGE_DAYS: [i64; 3] = [30, 90, 180];
/// How many of the newest CRA reports are checked for running clocks.
const REPORTS: u64 = 50;
/// The length of the service's performance chart in minutes.
const MINUTES: u64 = 120;
/// An older sample says nothing about the present.
const NOW_MS: i64 = 5 * 60 * 1000;

#[derive(Debug)]
pub struct Dashboard {
    pub findings: FindingCounts,
    pub overdue: u64,
    /// The open findings that are longest overdue.
    pub overdue_findings: Vec<FindingRow>,
    /// Open findings that are due today or later, soonest first.
    pub due_findings: Vec<FindingRow>,
    pub test_cases: TestCaseCounts,
    /// Tests that should have been run, longest overdue first.
    pub late_test_cases: Vec<TestCaseRow>,
    /// Tests that are to be run today or later, soonest first.
    pub due_test_cases: Vec<TestCaseRow>,
    /// Filings of the register that are still to be sent, soonest due first.
    pub due_filings: Vec<RegisterFilingRow>,
    /// Providers that are to be reviewed, soonest first.
    pub next_reviews: Vec<NextReview>,
    /// Contracts that have to be terminated or go on, soonest first.
    pub next_notices: Vec<ContractNotice>,
    /// How many programmes and arrangements there are.
    pub programmes: u64,
    pub arrangements: u64,
    /// How old the open findings are, by severity, worst first.
    pub ages: Vec<Ages>,
    pub analysis: Option<Analysis>,
    /// Of that analysis, furthest above its limit first.
    pub breaches: Vec<BreachRow>,
    pub failing_webhooks: Vec<WebhookRow>,
    /// The newest ones, whether or not a stage is still due.
    pub cra_reports: Vec<CraReportView>,
    /// The newest ones that still need work.
    pub incidents: Vec<IncidentView>,
    pub alerts: Vec<Alert>,
    /// For those who see the trainings of all people.
    pub trainings: Option<TrainingTotals>,
    pub coverage: CoverageGlance,
    /// The tenant's own score for each framework.
    pub scores: Vec<FrameworkScore>,
    pub scan: Option<Arc<ScanGlance>>,
    pub traffic: Recent,
    /// Health samples of the service by the minute, latest first.
    pub samples: Vec<Sample>,
    pub timeline: Arc<Timeline>,
    pub edition: Arc<Edition>,
}

impl Work {
    pub async fn dashboard(&self, caller: &Caller) -> Result<Dashboard> {
        let now = self.clock.now();
        let (scope, today) = (*caller.scope(), now.day());
        let part = self.db.tenant(&scope).read(move |r| Part::read(r, &scope, today)).await?;
        let (edition, scores) = self.compliance.framework_scores(caller).await?;
        let newest = PageRequest::new(Some(REPORTS), None).unwrap_or_default();
        let open_incidents = IncidentFilter { open: Some(true), ..IncidentFilter::default() };
        let minutes = PageRequest::new(Some(MINUTES), None).unwrap_or_default();
        let mut dashboard = Dashboard {
            findings: part.findings,
            overdue: part.overdue,
            ages: part.ages,
            overdue_findings: part.overdue_findings,
            due_findings: part.due_findings,
            test_cases: part.test_cases,
            late_test_cases: part.late_test_cases,
            due_test_cases: part.due_test_cases,
            due_filings: part.due_filings,
            next_reviews: part.next_reviews,
            next_notices: part.next_notices,
            programmes: part.programmes,
            arrangements: part.arrangements,
            analysis: part.analysis,
            breaches: part.breaches,
            failing_webhooks: part.failing_webhooks,
            cra_reports: self
                .records
                .records::<CraReport>(caller, &CraReportFilter::default(), newest)
                .await?
                .items,
            alerts: [self.key_alerts(caller, now).await?, self.risks_above_appetite(caller).await?].concat(),
            incidents: self.records.records::<Incident>(caller, &open_incidents, newest).await?.items,
            trainings: if training::sees_all(caller) {
                Some(self.compliance.training_totals(caller).await?)
            } else {
                None
            },
            coverage: self.compliance.coverage_glance(caller).await?,
            scores,
            scan: self.operations.scan_glance().await?,
            traffic: self.traffic.recent(now),
            samples: self.operations.health_history(Grain::Minute, minutes).await?.items,
            timeline: self.resilience.timeline().await?,
            edition,
        };
        dashboard.raise_alerts(now);
        Ok(dashboard)
    }
}

impl Dashboard {
    /// Whether the tenant has no records yet to show figures for.
    pub fn is_empty(&self) -> bool {
        self.findings.total() == 0
            && self.test_cases.total() == 0
            && self.programmes == 0
            && self.arrangements == 0
            && self.cra_reports.is_empty()
            && self.incidents.is_empty()
            && self.due_filings.is_empty()
            && self.next_reviews.is_empty()
            && self.next_notices.is_empty()
    }

    /// The scores that are based on the tenant's own tests.
    pub fn founded_scores(&self) -> impl Iterator<Item = &FrameworkScore> {
        self.scores.iter().filter(|score| score.is_founded())
    }

    /// The alerts that follow from the data already read, worst first. For overdue findings, those longest overdue.
    /// Legal dates of the catalogue are no decision of the institution; they are listed among the dates alone.
    fn raise_alerts(&mut self, now: Moment) {
        let overdue = self.overdue_findings.iter().cloned();
        let mut alerts: Vec<Alert> = overdue.filter_map(alert::overdue).collect();
        alerts.extend(self.breaches.iter().cloned().map(alert::breached));
        alerts.extend(self.failing_webhooks.iter().filter_map(alert::failing));
        alerts.extend(self.cra_reports.iter().flat_map(alert::stages_due));
        alerts.extend(self.incidents.iter().flat_map(alert::reports_due));
        let latest = self.samples.first().filter(|sample| sample.row.at > now.plus_millis(-NOW_MS));
        alerts.extend(latest.map(alert::sampled).unwrap_or_default());
        self.alerts.append(&mut alerts);
        self.alerts.sort_by_key(|alert| (alert.severity, alert.since));
    }
}
