//! The tenant's own part of the start page, from one snapshot.

use domain::{
    arrangement::Arrangement,
    finding::{Finding, FindingSort},
    moment::Day,
    page::PageRequest,
    programme::Programme,
    test_case::{TestCase, TestCaseSort, TestCaseStatus},
};
use store::{
    Reader, TenantScope,
    analysis::{self, BreachRow},
    arrangement::ArrangementFilter,
    contract_notice::{self, ContractNotice},
    finding::{self, FindingFilter, FindingRow, States},
    finding_age::{self, Ages},
    finding_count::{self, Days, FindingCounts, Parent},
    programme::ProgrammeFilter,
    provider::{self, NextReview},
    record,
    register_filing::{self, RegisterFilingRow},
    test_case::{self, TestCaseFilter, TestCaseRow},
    test_case_count::{self, TestCaseCounts},
    webhook::{self, WebhookRow},
};

use super::AGE_DAYS;
use crate::{
    Result,
    analysis::{Analysis, read_analysis},
};

/// How many of each kind of deadline are shown.
const NEXT: u64 = 5;

pub(super) struct Part {
    pub(super) findings: FindingCounts,
    pub(super) overdue: u64,
    pub(super) ages: Vec<Ages>,
    /// Those longest overdue.
    pub(super) overdue_findings: Vec<FindingRow>,
    pub(super) due_findings: Vec<FindingRow>,
    pub(super) test_cases: TestCaseCounts,
    pub(super) late_test_cases: Vec<TestCaseRow>,
    pub(super) due_test_cases: Vec<TestCaseRow>,
    pub(super) due_filings: Vec<RegisterFilingRow>,
    pub(super) next_reviews: Vec<NextReview>,
    pub(super) next_notices: Vec<ContractNotice>,
    pub(super) programmes: u64,
    pub(super) arrangements: u64,
    pub(super) analysis: Option<Analysis>,
    pub(super) breaches: Vec<BreachRow>,
    pub(super) failing_webhooks: Vec<WebhookRow>,
}

impl Part {
    pub(super) fn read(reader: &mut Reader<'_>, scope: &TenantScope, today: Day) -> Result<Self> {
        let one = PageRequest::new(Some(1), None).unwrap_or_default();
        let few = PageRequest::new(Some(NEXT), None).unwrap_or_default();
        // In this order overdue findings come first, if there are any.
        let soonest =
            FindingFilter { states: States::Open, sort: Some(FindingSort::Due), ..FindingFilter::default() };
        let mut overdue_findings = record::list::<Finding>(reader, scope, &soonest, None, few)?.items;
        overdue_findings.retain(|row| row.record.due_on.is_some_and(|due| due < today));
        let analysis = analysis::latest(reader, scope)?;
        let analysis = analysis.map(|kept| read_analysis(reader, scope, kept)).transpose()?;
        Ok(Self {
            findings: finding_count::of(reader, scope, Parent::Tenant)?,
            overdue: finding_count::of_days(reader, scope, Days::Due, None, Some(today))?.open(),
            ages: finding_age::open(reader, scope, AGE_DAYS.map(|days| today.plus_days(-days)))?,
            overdue_findings,
            due_findings: finding::next_due(reader, scope, today, few.limit())?,
            test_cases: test_case_count::of(reader, scope, None)?,
            late_test_cases: late_tests(reader, scope, few, today)?,
            due_test_cases: test_case::next_due(reader, scope, today, few.limit())?,
            due_filings: register_filing::next_due(reader, scope, few.limit())?,
            next_reviews: provider::next_reviews(reader, scope, few.limit())?,
            next_notices: contract_notice::next_due(reader, scope, few.limit())?,
            programmes: record::list::<Programme>(reader, scope, &ProgrammeFilter::default(), None, one)?
                .total,
            arrangements: record::list::<Arrangement>(
                reader,
                scope,
                &ArrangementFilter::default(),
                None,
                one,
            )?
            .total,
            breaches: breaches(reader, scope, analysis.as_ref())?,
            analysis,
            failing_webhooks: failing(reader, scope)?,
        })
    }
}

/// Tests that are ready or in progress although their due day has passed; drafts are left out because they are not
/// committed to.
fn late_tests(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    few: PageRequest,
    today: Day,
) -> Result<Vec<TestCaseRow>> {
    let mut rows = Vec::new();
    for status in [TestCaseStatus::Ready, TestCaseStatus::InProgress, TestCaseStatus::Blocked] {
        let query = TestCaseFilter {
            status: status.into(),
            sort: Some(TestCaseSort::Due),
            ..TestCaseFilter::default()
        };
        rows.extend(record::list::<TestCase>(reader, scope, &query, None, few)?.items);
    }
    rows.retain(|row| row.record.due_on.is_some_and(|due| due < today));
    rows.sort_by_key(|row| row.record.due_on);
    rows.truncate(usize::try_from(NEXT).unwrap_or(usize::MAX));
    Ok(rows)
}

fn breaches(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    analysis: Option<&Analysis>,
) -> Result<Vec<BreachRow>> {
    let Some(analysis) = analysis.filter(|analysis| analysis.head.breaches > 0) else {
        return Ok(Vec::new());
    };
    let mut rows =
        analysis::breaches(reader, scope, analysis.head.id, None, false, PageRequest::default())?.items;
    rows.sort_by_key(|row| std::cmp::Reverse(row.excess));
    Ok(rows)
}

fn failing(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<WebhookRow>> {
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let rows = webhook::list(reader, scope, all)?.items;
    let troubled = |row: &WebhookRow| row.health.failing_since.is_some() || row.switched_off_at.is_some();
    Ok(rows.into_iter().filter(troubled).collect())
}
