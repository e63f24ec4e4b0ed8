//! Looks for records whose deadline may have to be announced, under the lead times that hold for each tenant.

use std::sync::Arc;

use domain::{
    cra_report::CraStage,
    deadline::{Band, Deadline, Due, Subject, day_bands},
    id::{CraReportId, FindingId, ProgrammeId, TenantId, TestCaseId},
    lead_time::LeadTimes,
    wording::Language,
};
use serde_json::{Value, json};
use store::{Reader, announcement, cra_report, lead_time};

use crate::{App, Error, Result, authz::Caller, catalogue::milestone::Milestone, cra_report as cra};

/// How many records are looked for at once, and announced in one transaction at most.
const BATCH: u32 = 500;

/// A record whose deadline may have to be announced.
#[derive(Debug, Clone)]
pub(super) enum Candidate {
    Finding(FindingId),
    TestCase(TestCaseId),
    Programme(ProgrammeId),
    CraStage(CraReportId, CraStage),
    Milestone(Arc<NearMilestone>),
    /// The next review of the latest concentration analysis.
    Review,
}

#[derive(Debug)]
pub(super) struct NearMilestone {
    pub(super) deadline: Deadline,
    pub(super) payload: Value,
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

/// Which lead times hold for whom.
#[derive(Debug, Clone, Default)]
pub(super) struct Held {
    usual: LeadTimes,
    /// Of the tenants that chose their own.
    own: Vec<(TenantId, LeadTimes)>,
}

impl Held {
    fn of(&self, tenant: TenantId) -> &LeadTimes {
        self.own.iter().find(|(one, _)| *one == tenant).map_or(&self.usual, |(_, leads)| leads)
    }
}

type Found = Vec<(TenantId, Candidate)>;

impl App {
    pub(super) async fn held(&self) -> Result<Held> {
        let own = self.db.platform().read(lead_time::all).await?;
        Ok(Held { own, usual: LeadTimes::default() })
    }

    pub(super) async fn near_days(&self, held: &Held) -> Result<Found> {
        let (today, held) = (self.clock.now().day(), held.clone());
        let look = move |r: &mut Reader<'_>| {
            let mut near = Vec::new();
            for band in &day_bands(today, &held.usual.days) {
                near_band(r, band, &mut near)?;
            }
            for (tenant, leads) in &held.own {
                for band in &day_bands(today, &leads.days) {
                    near_band_of(r, *tenant, band, &mut near)?;
                }
            }
            Ok(near)
        };
        self.db.platform().read(look).await
    }

    pub(super) async fn near_stages(&self, held: &Held) -> Result<Found> {
        let now = self.clock.now();
        let clocks = self.clocks()?;
        let reports = self.db.platform().read(cra_report::running).await?;
        let mut near = Vec::new();
        for (tenant, row) in reports {
            for stage in CraStage::ALL.iter().copied() {
                let deadline = cra::deadline(&row, stage, &clocks, now);
                if deadline.is_some_and(|deadline| deadline.lead_at(now, held.of(tenant)).is_some()) {
                    near.push((tenant, Candidate::CraStage(row.id, stage)));
                }
            }
        }
        Ok(near)
    }

    /// Dates of the compliance timeline concern every tenant.
    pub(super) async fn untold_milestones(&self, held: &Held) -> Result<Found> {
        let mut near = Vec::new();
        for milestone in &self.timeline().await?.milestones {
            let milestone = Arc::new(NearMilestone::new(milestone));
            let told = self.untold(&milestone, held).await?;
            near.extend(
                told.into_iter().map(|tenant| (tenant, Candidate::Milestone(Arc::clone(&milestone)))),
            );
        }
        Ok(near)
    }

    /// The tenants that are to be told of a date now.
    async fn untold(&self, milestone: &Arc<NearMilestone>, held: &Held) -> Result<Vec<TenantId>> {
        let now = self.clock.now();
        let usual = milestone.deadline.lead_at(now, &held.usual);
        let own: Vec<_> = held
            .own
            .iter()
            .filter_map(|(tenant, leads)| Some((*tenant, milestone.deadline.lead_at(now, leads)?)))
            .collect();
        if usual.is_none() && own.is_empty() {
            return Ok(Vec::new());
        }
        let asked = Arc::clone(milestone);
        let look = move |r: &mut Reader<'_>| {
            let mut tenants = match usual {
                Some(lead) => announcement::tenants(r, &asked.deadline, lead, BATCH)?,
                None => Vec::new(),
            };
            for (tenant, lead) in &own {
                let said = announcement::said(r, Caller::system(*tenant).scope(), &asked.deadline)?;
                if said.is_none_or(|hours| hours > lead.hours()) {
                    tenants.push(*tenant);
                }
            }
            Ok(tenants)
        };
        self.db.platform().read(look).await.map_err(|error: store::Error| Error::from(error))
    }
}

/// What stands in one of the usual lead times, of all tenants that have no others.
fn near_band(reader: &mut Reader<'_>, band: &Band, near: &mut Found) -> Result<()> {
    let findings = announcement::findings(reader, band, BATCH)?;
    near.extend(findings.into_iter().map(|(tenant, id)| (tenant, Candidate::Finding(id))));
    let test_cases = announcement::test_cases(reader, band, BATCH)?;
    near.extend(test_cases.into_iter().map(|(tenant, id)| (tenant, Candidate::TestCase(id))));
    let programmes = announcement::programmes(reader, band, BATCH)?;
    near.extend(programmes.into_iter().map(|(tenant, id)| (tenant, Candidate::Programme(id))));
    Ok(())
}

/// What stands in one lead time of a tenant's own.
fn near_band_of(reader: &mut Reader<'_>, tenant: TenantId, band: &Band, near: &mut Found) -> Result<()> {
    let caller = Caller::system(tenant);
    let scope = caller.scope();
    let findings = announcement::findings_of(reader, scope, band, BATCH)?;
    near.extend(findings.into_iter().map(|id| (tenant, Candidate::Finding(id))));
    let test_cases = announcement::test_cases_of(reader, scope, band, BATCH)?;
    near.extend(test_cases.into_iter().map(|id| (tenant, Candidate::TestCase(id))));
    let programmes = announcement::programmes_of(reader, scope, band, BATCH)?;
    near.extend(programmes.into_iter().map(|id| (tenant, Candidate::Programme(id))));
    Ok(())
}
