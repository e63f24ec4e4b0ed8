//! What the first page of the day shows, read from one snapshot of the tenant and from the catalogue.

use std::sync::Arc;

use domain::{
    moment::Day,
    page::PageRequest,
    sort::{FindingSort, TestCaseSort},
    test_case::TestCaseStatus,
    vocabulary::{Severity, Vocabulary as _},
};
use store::{
    Reader, TenantScope,
    finding::{self, FindingQuery, FindingRow, States},
    finding_age,
    finding_count::{self, FindingCounts, Parent},
    test_case::{self, TestCaseQuery, TestCaseRow},
    test_case_count::{self, TestCaseCounts},
    webhook::{self, WebhookRow},
};

pub use store::finding_age::Ages;

use crate::{
    App, Error, Result, analysis::Analysis, authz::Caller, catalogue::Edition, score::Score,
    timeline::Timeline,
};

/// How many of each kind of deadline are shown.
const NEXT: u64 = 5;
/// Open findings are younger than these many days, one after the other, or older than all.
pub const AGE_DAYS: [i64; 3] = [30, 90, 180];

#[derive(Debug)]
pub struct Dashboard {
    pub findings: FindingCounts,
    pub overdue: u64,
    /// Open findings by their due day, soonest first.
    pub due_findings: Vec<FindingRow>,
    pub test_cases: TestCaseCounts,
    /// Tests that are to be run, soonest first.
    pub due_test_cases: Vec<TestCaseRow>,
    /// How old the open findings are, by severity, worst first.
    pub ages: Vec<Ages>,
    pub analysis: Option<Analysis>,
    pub failing_webhooks: Vec<WebhookRow>,
    pub scores: Vec<Score>,
    pub timeline: Arc<Timeline>,
    pub edition: Arc<Edition>,
}

impl App {
    pub async fn dashboard(&self, caller: &Caller) -> Result<Dashboard> {
        let (scope, today) = (*caller.scope(), self.clock.now().day());
        let tenant = self.db.tenant(&scope).read(move |r| Part::read(r, &scope, today)).await?;
        let (edition, scores) = self.compliance_scores().await?;
        Ok(Dashboard {
            findings: tenant.findings,
            overdue: tenant.overdue,
            ages: self.finding_ages(caller, today).await?,
            due_findings: tenant.due_findings,
            test_cases: tenant.test_cases,
            due_test_cases: tenant.due_test_cases,
            analysis: self.analysis(caller).await?,
            failing_webhooks: tenant.failing_webhooks,
            scores,
            timeline: self.timeline().await?,
            edition,
        })
    }

    /// Counting every open finding takes longer than a page may, so the answer is kept until the tenant changes.
    async fn finding_ages(&self, caller: &Caller, today: Day) -> Result<Vec<Ages>> {
        let scope = *caller.scope();
        let since = AGE_DAYS.map(|days| today.plus_days(-days).start());
        let load = move |r: &mut Reader<'_>| Ok(finding_age::open(r, &scope, since)?);
        let kept = self.page(caller, "finding-ages", &today.to_string(), load, |ages| written(ages)).await?;
        let read: Vec<(String, [u64; 4])> = serde_json::from_slice(&kept.body).map_err(Error::internal)?;
        let ages = read
            .into_iter()
            .filter_map(|(severity, groups)| Some(Ages { severity: Severity::find(&severity)?, groups }));
        let mut ages: Vec<Ages> = ages.collect();
        ages.sort_by_key(|ages| ages.severity);
        Ok(ages)
    }
}

fn written(ages: &[Ages]) -> Vec<u8> {
    let plain: Vec<_> = ages.iter().map(|ages| (ages.severity.as_str(), ages.groups)).collect();
    // Words and numbers always serialise; without them the next reader counts anew.
    serde_json::to_vec(&plain).unwrap_or_default()
}

/// What is the tenant's own.
struct Part {
    findings: FindingCounts,
    overdue: u64,
    due_findings: Vec<FindingRow>,
    test_cases: TestCaseCounts,
    due_test_cases: Vec<TestCaseRow>,
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
            failing_webhooks: failing(reader, scope)?,
        })
    }
}

/// Tests that are ready or under way; a draft is not promised to anybody yet.
fn due_tests(reader: &mut Reader<'_>, scope: &TenantScope, few: PageRequest) -> Result<Vec<TestCaseRow>> {
    let mut rows = Vec::new();
    for status in [TestCaseStatus::Ready, TestCaseStatus::InProgress, TestCaseStatus::Blocked] {
        let query =
            TestCaseQuery { status: Some(status), sort: Some(TestCaseSort::Due), ..TestCaseQuery::default() };
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
    let troubled = |row: &WebhookRow| row.health.failing_since.is_some() || row.switched_off_at.is_some();
    Ok(rows.into_iter().filter(troubled).collect())
}
