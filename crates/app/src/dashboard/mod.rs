//! What the first page of the day shows, from one snapshot of the tenant, the catalogue and what is kept in memory.
//!
//! It is read with every visit, so nothing here may take longer with every finding: numbers come from counts that are
//! kept, and lists are as short as they are shown.

mod audience;
mod part;

use std::sync::Arc;

use domain::{moment::Moment, page::PageRequest};
use store::{
    finding::FindingRow, finding_count::FindingCounts, test_case::TestCaseRow,
    test_case_count::TestCaseCounts, webhook::WebhookRow,
};

use self::part::Part;
pub use store::finding_age::Ages;

use crate::{
    App, Result,
    alert::{self, Alert},
    analysis::{Analysis, BreachRow},
    authz::Caller,
    catalogue::Edition,
    coverage::CoverageGlance,
    cra_report::{CraReport, CraReportFilter},
    health::{Grain, Sample},
    scan::ScanGlance,
    score_day::FrameworkScore,
    timeline::Timeline,
    traffic::Recent,
};

/// Open findings are younger than these many days, one after the other, or older than all.
pub const AGE_DAYS: [i64; 3] = [30, 90, 180];
/// How many of the newest CRA reports are looked at for clocks that run.
const REPORTS: u64 = 50;
/// How many minutes the line of the service's own performance is long.
const MINUTES: u64 = 120;
/// An older sample says nothing of now.
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
    /// How many programmes and arrangements there are.
    pub programmes: u64,
    pub arrangements: u64,
    /// How old the open findings are, by severity, worst first.
    pub ages: Vec<Ages>,
    pub analysis: Option<Analysis>,
    /// Of that analysis, furthest above its limit first.
    pub breaches: Vec<BreachRow>,
    pub failing_webhooks: Vec<WebhookRow>,
    /// The newest ones, whether or not they still owe a stage.
    pub cra_reports: Vec<CraReport>,
    pub alerts: Vec<Alert>,
    pub coverage: CoverageGlance,
    /// The tenant's own score of each framework.
    pub scores: Vec<FrameworkScore>,
    pub scan: Option<Arc<ScanGlance>>,
    pub traffic: Recent,
    /// How the service was, minute by minute, latest first.
    pub samples: Vec<Sample>,
    pub timeline: Arc<Timeline>,
    pub edition: Arc<Edition>,
}

impl App {
    pub async fn dashboard(&self, caller: &Caller) -> Result<Dashboard> {
        let now = self.clock.now();
        let (scope, today) = (*caller.scope(), now.day());
        let part = self.db.tenant(&scope).read(move |r| Part::read(r, &scope, today)).await?;
        let (edition, scores) = self.framework_scores(caller).await?;
        let newest = PageRequest::new(Some(REPORTS), None).unwrap_or_default();
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
            programmes: part.programmes,
            arrangements: part.arrangements,
            analysis: part.analysis,
            breaches: part.breaches,
            failing_webhooks: part.failing_webhooks,
            cra_reports: self.cra_reports(caller, &CraReportFilter::default(), newest).await?.0.items,
            alerts: self.key_alerts(caller, now).await?,
            coverage: self.coverage_glance(caller).await?,
            scores,
            scan: self.scan_glance().await?,
            traffic: self.traffic.recent(now),
            samples: self.health_history(Grain::Minute, minutes).await?.items,
            timeline: self.timeline().await?,
            edition,
        };
        dashboard.raise_alerts(now);
        Ok(dashboard)
    }
}

impl Dashboard {
    /// Whether the tenant has no record yet that anything could follow from.
    pub fn is_empty(&self) -> bool {
        self.findings.total() == 0
            && self.test_cases.total() == 0
            && self.programmes == 0
            && self.arrangements == 0
            && self.cra_reports.is_empty()
    }

    /// The scores that rest on the tenant's own tests.
    pub fn founded_scores(&self) -> impl Iterator<Item = &FrameworkScore> {
        self.scores.iter().filter(|score| score.is_founded())
    }

    /// The alerts that follow from what was read anyway, worst first. Of overdue findings those longest overdue.
    fn raise_alerts(&mut self, now: Moment) {
        let overdue = self.overdue_findings.iter().cloned();
        let mut alerts: Vec<Alert> = overdue.filter_map(alert::overdue).collect();
        alerts.extend(self.breaches.iter().cloned().map(alert::breached));
        alerts.extend(self.failing_webhooks.iter().filter_map(alert::failing));
        alerts.extend(self.cra_reports.iter().flat_map(alert::stages_due));
        alerts.extend(alert::near(&self.timeline, now.day()));
        let latest = self.samples.first().filter(|sample| sample.row.at > now.plus_millis(-NOW_MS));
        alerts.extend(latest.map(alert::sampled).unwrap_or_default());
        self.alerts.append(&mut alerts);
        self.alerts.sort_by_key(|alert| (alert.severity, alert.since));
    }
}
