//! A tenant's scores: how well it stands with each framework, now and day by day. The rule is the domain's.

use std::sync::Arc;

use catalogue::compliance::FrameworkStatus;
use domain::{
    concentration::Dimension,
    finding::FindingStatus,
    moment::Day,
    page::PageRequest,
    programme::Programme,
    score::{Score, Standing},
    test_case::TestCaseStatus,
    vocabulary::{Framework, Severity},
};
use store::{
    Reader, TenantScope, Tx, analysis,
    finding_count::{self, FindingCounts, Parent},
    programme::ProgrammeFilter,
    record,
    score_day::{self, ScoreDay},
    tenant, test_case_count, threshold,
};

use crate::{App, Result, authz::Caller, catalogue::Edition};

/// How many days a history shows.
const DAYS: u32 = 30;

/// One framework's score.
#[derive(Debug, Clone)]
pub struct FrameworkScore {
    pub framework: Framework,
    pub standing: Standing,
    pub score: Score,
    /// The days kept, latest first; today is the last one only when it is kept already.
    pub days: Vec<ScoreDay>,
    /// How far the catalogue covers the framework.
    pub coverage: Option<FrameworkStatus>,
}

impl FrameworkScore {
    /// Whether the tenant has tests under this framework. Without any the score is 0 because nothing is known.
    pub fn is_founded(&self) -> bool {
        self.standing.tests > 0
    }

    /// The latest score of a day before this one.
    pub fn before(&self, today: Day) -> Option<ScoreDay> {
        self.days.iter().find(|kept| kept.day < today).copied()
    }
}

impl App {
    /// The score of every framework, live, in the order people expect.
    pub async fn framework_scores(&self, caller: &Caller) -> Result<(Arc<Edition>, Vec<FrameworkScore>)> {
        let edition = self.catalogue()?;
        let scope = *caller.scope();
        let subjects = Scored::of(&edition);
        let read = move |r: &mut Reader<'_>| {
            let standings = standings(r, &scope, &subjects)?.into_iter();
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

    /// Keeps the scores of all tenants under today, and says of how many. A job calls it.
    pub async fn keep_scores(&self) -> Result<u64> {
        let today = self.clock.now().day();
        let scored = Arc::new(Scored::of(&*self.catalogue()?));
        let tenants = self.db.platform().read(tenant::list).await?;
        let count = tenants.len() as u64;
        for tenant in tenants {
            let scope = *Caller::system(tenant.id).scope();
            let scored = Arc::clone(&scored);
            let keep = move |tx: &mut Tx<'_>| {
                for (framework, standing) in standings(tx, &scope, &scored)? {
                    score_day::put(tx, &scope, framework, today, &standing.score())?;
                }
                Ok::<_, crate::Error>(())
            };
            self.db.platform().bookkeep(keep).await?;
        }
        Ok(count)
    }
}

/// The frameworks of a catalogue, each with whether it asks to limit concentration on providers.
struct Scored(Vec<(Framework, bool)>);

impl Scored {
    fn of(edition: &Edition) -> Self {
        let limits = |framework| edition.concentration_limits.contains(&framework);
        Self(edition.frameworks.iter().map(|framework| (framework.id, limits(framework.id))).collect())
    }
}

/// Where a tenant stands with each framework, from counts that are kept anyway.
fn standings(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    scored: &Scored,
) -> Result<Vec<(Framework, Standing)>> {
    let breached = breached_limits(reader, scope)?;
    let mut everywhere = finding_count::of(reader, scope, Parent::Tenant)?;
    let mut all = Vec::new();
    for (framework, limits_concentration) in scored.0.iter().copied() {
        let breached_limits = limits_concentration.then_some(breached);
        let mut standing = Standing { breached_limits, ..Standing::default() };
        for counts in of_programmes(reader, scope, framework, &mut standing)? {
            add(&mut standing, &counts);
            everywhere = everywhere.without(&counts);
        }
        all.push((framework, standing));
    }
    // What is left belongs to no programme, and so to every framework.
    for (_, standing) in &mut all {
        add(standing, &everywhere);
    }
    Ok(all)
}

/// Counts the tests of a framework's programmes in; gives the findings of each.
fn of_programmes(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    framework: Framework,
    standing: &mut Standing,
) -> Result<Vec<FindingCounts>> {
    let query = ProgrammeFilter { framework: Some(framework), ..ProgrammeFilter::default() };
    let mut findings = Vec::new();
    loop {
        let request = PageRequest::new(Some(PageRequest::MAX_LIMIT.into()), Some(findings.len() as u64));
        let page = record::list::<Programme>(reader, scope, &query, None, request.unwrap_or_default())?;
        let ids: Vec<_> = page.items.iter().map(|row| row.id).collect();
        if ids.is_empty() {
            return Ok(findings);
        }
        for tests in test_case_count::of_many(reader, scope, ids.iter().copied())? {
            standing.passed += tests.with_status(TestCaseStatus::Passed);
            standing.tests += tests.total() - tests.with_status(TestCaseStatus::Cancelled);
        }
        findings.extend(finding_count::of_many(reader, scope, ids.into_iter().map(Parent::Programme))?);
    }
}

fn add(standing: &mut Standing, counts: &FindingCounts) {
    for severity in Severity::ALL.iter().copied() {
        standing.add_findings(severity, counts.matching(FindingStatus::is_open, Some(severity)));
    }
}

/// How many of the four limits the latest analysis breaches; none where they are switched off.
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
