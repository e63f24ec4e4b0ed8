//! What the first page of the day shows, read from one snapshot of the tenant and from the catalogue.

use std::sync::Arc;

use domain::{
    moment::Day,
    page::PageRequest,
    sort::{FindingSort, TestCaseSort},
    test_case::TestCaseStatus,
};
use store::{
    Reader, TenantScope, analysis,
    analysis::AnalysisHead,
    finding::{self, FindingQuery, FindingRow, States},
    finding_count::{self, FindingCounts, Parent},
    test_case::{self, TestCaseQuery, TestCaseRow},
    test_case_count::{self, TestCaseCounts},
    webhook::{self, WebhookRow},
};

use crate::{App, Result, authz::Caller, score::Score, timeline::Timeline};

/// How many of each kind of deadline are shown.
const NEXT: u64 = 5;

#[derive(Debug)]
pub struct Dashboard {
    pub findings: FindingCounts,
    pub overdue: u64,
    /// Open findings by their due day, soonest first.
    pub due_findings: Vec<FindingRow>,
    pub test_cases: TestCaseCounts,
    /// Tests that are to be run, soonest first.
    pub due_test_cases: Vec<TestCaseRow>,
    pub analysis: Option<AnalysisHead>,
    pub failing_webhooks: Vec<WebhookRow>,
    pub scores: Vec<Score>,
    pub timeline: Arc<Timeline>,
}

impl App {
    pub async fn dashboard(&self, caller: &Caller) -> Result<Dashboard> {
        let (scope, today) = (*caller.scope(), self.clock.now().day());
        let tenant = self.db.tenant(&scope).read(move |r| Part::read(r, &scope, today)).await?;
        let (_, scores) = self.compliance_scores().await?;
        Ok(Dashboard {
            findings: tenant.findings,
            overdue: tenant.overdue,
            due_findings: tenant.due_findings,
            test_cases: tenant.test_cases,
            due_test_cases: tenant.due_test_cases,
            analysis: tenant.analysis,
            failing_webhooks: tenant.failing_webhooks,
            scores,
            timeline: self.timeline().await?,
        })
    }
}

/// What is the tenant's own.
struct Part {
    findings: FindingCounts,
    overdue: u64,
    due_findings: Vec<FindingRow>,
    test_cases: TestCaseCounts,
    due_test_cases: Vec<TestCaseRow>,
    analysis: Option<AnalysisHead>,
    failing_webhooks: Vec<WebhookRow>,
}

impl Part {
    fn read(reader: &mut Reader<'_>, scope: &TenantScope, today: Day) -> Result<Self> {
        let few = PageRequest::new(Some(NEXT), None).unwrap_or_default();
        let open = |overdue| FindingQuery {
            states: States::Open,
            overdue,
            sort: Some(FindingSort::Due),
            ..FindingQuery::default()
        };
        let due = finding::list(reader, scope, &open(None), few)?.items;
        Ok(Self {
            findings: finding_count::of(reader, scope, Parent::Tenant)?,
            overdue: finding::list(reader, scope, &open(Some((true, today))), few)?.total,
            due_findings: due.into_iter().filter(|row| row.finding.due_on.is_some()).collect(),
            test_cases: test_case_count::of(reader, scope, None)?,
            due_test_cases: due_tests(reader, scope, few)?,
            analysis: analysis::latest(reader, scope)?.map(|(head, _)| head),
            failing_webhooks: failing(reader, scope)?,
        })
    }
}

/// Tests that are ready or under way; a draft is not promised to anybody yet.
fn due_tests(reader: &mut Reader<'_>, scope: &TenantScope, few: PageRequest) -> Result<Vec<TestCaseRow>> {
    let mut rows = Vec::new();
    for status in [TestCaseStatus::Ready, TestCaseStatus::InProgress, TestCaseStatus::Blocked] {
        let query = TestCaseQuery {
            status: Some(status),
            sort: Some(TestCaseSort::Due),
            ..TestCaseQuery::default()
        };
        rows.extend(test_case::list(reader, scope, &query, few)?.items);
    }
    rows.retain(|row| row.test_case.due_on.is_some());
    rows.sort_by_key(|row| row.test_case.due_on);
    rows.truncate(usize::try_from(NEXT).unwrap_or(usize::MAX));
    Ok(rows)
}

fn failing(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<WebhookRow>> {
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let rows = webhook::list(reader, scope, all)?.items;
    let troubled =
        |row: &WebhookRow| row.health.failing_since.is_some() || row.switched_off_at.is_some();
    Ok(rows.into_iter().filter(troubled).collect())
}
