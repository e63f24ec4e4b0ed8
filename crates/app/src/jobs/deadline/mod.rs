//! Announces deadlines that are near: once for each deadline and lead time, whoever looks, however often.
//!
//! Candidates are found across tenants by what was not announced yet; each is judged again inside its tenant's
//! transaction, which also remembers the announcement. So restarts, several nodes and jumping clocks change nothing.

mod announce;

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    cra_report::CraStage,
    deadline::{Deadline, Due, Subject, day_bands},
    id::{CraReportId, FindingId, ProgrammeId, TenantId, TestCaseId},
    wording::Language,
};
use serde_json::{Value, json};
use store::{Reader, Tx, announcement, cra_report};

use crate::{
    App, Error, Result, author::Author, authz::Caller, catalogue::milestone::Milestone, cra_report as cra,
};

/// How many records are looked for at once, and announced in one transaction at most.
const BATCH: u32 = 500;
/// How long an announcement is remembered: longer than the longest lead time, whatever the clock does.
const REMEMBERED_MS: i64 = 400 * 24 * 60 * 60 * 1000;

/// A record whose deadline may have to be announced.
#[derive(Debug, Clone)]
enum Candidate {
    Finding(FindingId),
    TestCase(TestCaseId),
    Programme(ProgrammeId),
    CraStage(CraReportId, CraStage),
    Milestone(Arc<NearMilestone>),
    /// The next review of the latest concentration analysis.
    Review,
}

#[derive(Debug)]
struct NearMilestone {
    deadline: Deadline,
    payload: Value,
}

impl NearMilestone {
    fn new(milestone: &Milestone) -> Self {
        let subject = Subject::Timeline(milestone.id.to_string());
        Self {
            deadline: Deadline { subject, due: Due::On(milestone.date) },
            payload: json!({ "timeline_item": {
                "id": milestone.id,
                "title": milestone.title.get(Language::English),
                "framework": milestone.framework_word(),
                "date": milestone.date,
            } }),
        }
    }
}

impl App {
    /// Announces every deadline that has come near, and says how many. A job calls it every minute.
    pub async fn raise_deadlines(&self) -> Result<u64> {
        let mut raised = 0;
        loop {
            let now_raised = self.announce_all(self.near_days().await?).await?;
            raised += now_raised;
            // Nothing raised although something was found: another node is at it.
            if now_raised == 0 {
                break;
            }
        }
        raised += self.announce_all(self.near_stages().await?).await?;
        raised += self.announce_all(self.untold_milestones().await?).await?;
        Ok(raised)
    }

    /// Announces reviews of concentration analyses that have come near, and says how many. A job calls it every
    /// hour: each tenant's latest result has to be read.
    pub async fn raise_review_deadlines(&self) -> Result<u64> {
        let mut raised = 0;
        for tenant in self.tenants().await? {
            raised += self.announce_all(vec![(tenant.id, Candidate::Review)]).await?;
        }
        Ok(raised)
    }

    /// Forgets announcements of deadlines long past. A job calls it.
    pub async fn prune_announcements(&self) -> Result<u64> {
        let before = self.clock.now().plus_millis(-REMEMBERED_MS);
        self.db.platform().bookkeep(move |tx| announcement::prune(tx, before)).await.map_err(Error::from)
    }

    async fn near_days(&self) -> Result<Vec<(TenantId, Candidate)>> {
        let bands = day_bands(self.clock.now().day());
        let look = move |r: &mut Reader<'_>| {
            let mut near = Vec::new();
            for band in &bands {
                let findings = announcement::findings(r, band, BATCH)?;
                near.extend(findings.into_iter().map(|(tenant, id)| (tenant, Candidate::Finding(id))));
                let test_cases = announcement::test_cases(r, band, BATCH)?;
                near.extend(test_cases.into_iter().map(|(tenant, id)| (tenant, Candidate::TestCase(id))));
                let programmes = announcement::programmes(r, band, BATCH)?;
                near.extend(programmes.into_iter().map(|(tenant, id)| (tenant, Candidate::Programme(id))));
            }
            Ok(near)
        };
        self.db.platform().read(look).await
    }

    async fn near_stages(&self) -> Result<Vec<(TenantId, Candidate)>> {
        let now = self.clock.now();
        let clocks = self.clocks()?;
        let reports = self.db.platform().read(cra_report::running).await?;
        let mut near = Vec::new();
        for (tenant, row) in reports {
            for stage in CraStage::ALL.iter().copied() {
                let deadline = cra::deadline(&row, stage, &clocks, now);
                if deadline.is_some_and(|deadline| deadline.lead_at(now).is_some()) {
                    near.push((tenant, Candidate::CraStage(row.id, stage)));
                }
            }
        }
        Ok(near)
    }

    /// Dates of the compliance timeline concern every tenant.
    async fn untold_milestones(&self) -> Result<Vec<(TenantId, Candidate)>> {
        let now = self.clock.now();
        let mut near = Vec::new();
        for milestone in &self.timeline().await?.milestones {
            let milestone = Arc::new(NearMilestone::new(milestone));
            let Some(lead) = milestone.deadline.lead_at(now) else { continue };
            let asked = Arc::clone(&milestone);
            let look = move |r: &mut Reader<'_>| announcement::tenants(r, &asked.deadline, lead, BATCH);
            let tenants = self.db.platform().read(look).await.map_err(Error::from)?;
            near.extend(
                tenants.into_iter().map(|tenant| (tenant, Candidate::Milestone(Arc::clone(&milestone)))),
            );
        }
        Ok(near)
    }

    async fn announce_all(&self, near: Vec<(TenantId, Candidate)>) -> Result<u64> {
        let mut by_tenant: BTreeMap<TenantId, Vec<Candidate>> = BTreeMap::new();
        for (tenant, candidate) in near {
            by_tenant.entry(tenant).or_default().push(candidate);
        }
        let mut raised = 0;
        for (tenant, candidates) in by_tenant {
            let author = Author::new(self, &Caller::system(tenant));
            let scope = *author.scope();
            let write = move |tx: &mut Tx<'_>| author.announce(tx, &candidates);
            raised += self.db.tenant(&scope).write(write).await?;
        }
        Ok(raised)
    }
}
