//! A tenant's scores for each framework, now and per day. The domain contains the rule.

use std::{collections::HashMap, sync::Arc};

use catalogue::compliance::FrameworkStatus;
use domain::{
    concentration::Dimension,
    finding::FindingStatus,
    framework::Framework,
    moment::Day,
    page::PageRequest,
    programme::Programme,
    score::{Score, Standing},
    test_case::TestCaseStatus,
    vocabulary::Severity,
};
use store::{
    Reader, TenantScope, Tx, analysis,
    finding_count::{self, FindingCounts, Parent},
    programme::ProgrammeFilter,
    record,
    score_day::{self, ScoreDay},
    tenant,
    test_case_count::{self, TestCaseCounts},
    threshold,
};

use crate::{Compliance, Result, assessment, authz::Caller, catalogue::Edition};

/// How many days a history shows.
const DAYS: u32 = 30;

/// One framework's score.
#[derive(Debug, Clone)]
pub struct FrameworkScore {
    pub framework: Framework,
    pub standing: Standing,
    pub score: Score,
    /// The stored days, latest first; today is included only if it is already stored.
    pub days: Vec<ScoreDay>,
    /// How far the catalogue covers the framework.
    pub coverage: Option<FrameworkStatus>,
}

impl FrameworkScore {
    /// Whether the tenant has assessments or tests under this framework. Without any the score is 0 because nothing
    /// is known.
    pub fn is_founded(&self) -> bool {
        self.standing.tests > 0 || self.standing.assessed > 0
    }

    /// The latest score of a day before this one.
    pub fn before(&self, today: Day) -> Option<ScoreDay> {
        self.days.iter().find(|kept| kept.day < today).copied()
    }
}

impl Compliance {
    /// The current score of every framework, in display order.
    pub async fn framework_scores(&self, caller: &Caller) -> Result<(Arc<Edition>, Vec<FrameworkScore>)> {
        let edition = self.edition_of(caller).await?;
        let (scope, today) = (*caller.scope(), self.clock.now().day());
        let read_from = Arc::clone(&edition);
        let read = move |r: &mut Reader<'_>| {
            let standings = standings(&read_from, r, &scope, today)?.into_iter();
            standings
                .map(|(framework, standing)| {
                    Ok((framework, standing, score_day::latest(r, &scope, framework, DAYS)?))
                })
                .collect::<Result<Vec<_>>>()
        };
        let found = self.db.tenant(&scope).read(read).await?;
        let scores = found.into_iter().map(|(framework, standing, days)| {
            let coverage = edition.compliance.framework(framework).cloned();
            FrameworkScore { framework, standing, score: standing.score(), days, coverage }
        });
        let scores = scores.collect();
        Ok((edition, scores))
    }

    /// Stores the scores of all tenants for today and returns the number of tenants. A job calls it.
    pub async fn keep_scores(&self) -> Result<u64> {
        let today = self.clock.now().day();
        let tenants = self.db.platform().read(tenant::list).await?;
        let count = tenants.len() as u64;
        for tenant in tenants {
            let scope = *Caller::system(tenant.id).scope();
            let this = self.clone();
            let keep = move |tx: &mut Tx<'_>| {
                let edition = this.edition_in(tx, &scope)?;
                for (framework, standing) in standings(&edition, tx, &scope, today)? {
                    score_day::put(tx, &scope, framework, today, &standing.score())?;
                }
                assessment::keep_today(&edition, tx, &scope, today)
            };
            self.db.platform().bookkeep(keep).await?;
        }
        Ok(count)
    }
}

/// The figures of a tenant for each framework: from its assessments, and from stored counters.
fn standings(
    edition: &Edition,
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    today: Day,
) -> Result<Vec<(Framework, Standing)>> {
    let breached = breached_limits(reader, scope)?;
    let tallies = assessment::tallies(edition, reader, scope, today)?;
    let tested = Tested::of(reader, scope)?;
    let mut all = Vec::new();
    for framework in edition.frameworks.iter().map(|framework| framework.id) {
        // Not every framework requires limits on concentration.
        let breached_limits = edition.concentration_limits.contains(&framework).then_some(breached);
        let of_programmes = tested.by_framework.get(&framework).copied().unwrap_or_default();
        let mut standing = Standing { breached_limits, ..of_programmes };
        if let Some(tally) = tallies.get(&framework) {
            standing.add_assessments(tally);
        }
        // Findings without a programme count for every framework.
        add(&mut standing, &tested.elsewhere);
        all.push((framework, standing));
    }
    Ok(all)
}

/// What the programmes of a tenant show.
struct Tested {
    /// Their tests and findings.
    by_framework: HashMap<Framework, Standing>,
    /// The findings without a programme. Those of a programme whose framework is no longer in force count nowhere.
    elsewhere: FindingCounts,
}

impl Tested {
    fn of(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Self> {
        let elsewhere = finding_count::of(reader, scope, Parent::Tenant)?;
        let mut tested = Self { by_framework: HashMap::new(), elsewhere };
        let mut seen = 0;
        loop {
            let request =
                PageRequest::new(Some(PageRequest::MAX_LIMIT.into()), Some(seen)).unwrap_or_default();
            let page = record::list::<Programme>(reader, scope, &ProgrammeFilter::default(), None, request)?;
            if page.items.is_empty() {
                return Ok(tested);
            }
            seen += page.items.len() as u64;
            let ids = || page.items.iter().map(|row| row.id);
            let tests = test_case_count::of_many(reader, scope, ids())?;
            let findings = finding_count::of_many(reader, scope, ids().map(Parent::Programme))?;
            for ((row, tests), findings) in page.items.iter().zip(&tests).zip(&findings) {
                tested.add(row.record.framework, tests, findings);
            }
        }
    }

    fn add(&mut self, framework: Framework, tests: &TestCaseCounts, findings: &FindingCounts) {
        let standing = self.by_framework.entry(framework).or_default();
        standing.passed += tests.with_status(TestCaseStatus::Passed);
        standing.tests += tests.total() - tests.with_status(TestCaseStatus::Cancelled);
        add(standing, findings);
        self.elsewhere = std::mem::take(&mut self.elsewhere).without(findings);
    }
}

fn add(standing: &mut Standing, counts: &FindingCounts) {
    for severity in Severity::ALL.iter().copied() {
        standing.add_findings(severity, counts.matching(FindingStatus::is_open, Some(severity)));
    }
}

/// How many of the four limits the latest analysis breaches; `None` if they are switched off.
fn breached_limits(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<u64> {
    if !threshold::get(reader, scope)?.thresholds.enabled {
        return Ok(0);
    }
    let Some((head, _)) = analysis::latest(reader, scope)? else { return Ok(0) };
    let one = PageRequest::new(Some(1), None).unwrap_or_default();
    let mut breached = 0;
    for dimension in Dimension::ALL.iter().copied() {
        let page = analysis::breaches(reader, scope, head.id, Some(dimension), false, one)?;
        breached += u64::from(page.total > 0);
    }
    Ok(breached)
}
