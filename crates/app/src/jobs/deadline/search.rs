//! Finds records whose deadline may have to be announced, by the lead times of each tenant.

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    cra_report::{CraReport, CraStage},
    deadline::{Band, Deadline, Due, Subject, day_bands},
    id::{CraReportId, IncidentId, TenantId},
    incident::{Incident, Regime, due::Stage},
    lead_time::LeadTimes,
    moment::Moment,
    task::TaskType,
    wording::Language,
};
use serde_json::{Value, json};
use store::{Reader, announcement, cra_report, incident, lead_time, profile, record};

use crate::{
    App, Error, Result, authz::Caller, catalogue::milestone::Milestone, cra_report as cra,
    incident::IncidentView,
};

/// How many records are read at once, and announced in one transaction at most.
const BATCH: u32 = 500;

fn by_tenant<T>(found: Vec<(TenantId, T)>) -> BTreeMap<TenantId, Vec<T>> {
    let mut by_tenant: BTreeMap<TenantId, Vec<T>> = BTreeMap::new();
    for (tenant, id) in found {
        by_tenant.entry(tenant).or_default().push(id);
    }
    by_tenant
}

/// A record whose deadline may have to be announced.
#[derive(Debug, Clone)]
pub(super) enum Candidate {
    /// A record with a day, by the kind of its tasks and its id.
    Record(TaskType, String),
    CraStage(CraReportId, CraStage),
    IncidentReport(IncidentId, Regime, Stage),
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

/// The lead times of all tenants.
#[derive(Debug, Clone, Default)]
pub(super) struct AllLeadTimes {
    usual: LeadTimes,
    /// Tenants with lead times of their own.
    own: Vec<(TenantId, LeadTimes)>,
}

impl AllLeadTimes {
    pub(super) fn of(&self, tenant: TenantId) -> &LeadTimes {
        self.own.iter().find(|(one, _)| *one == tenant).map_or(&self.usual, |(_, leads)| leads)
    }
}

type Found = Vec<(TenantId, Candidate)>;

/// A report that was not sent, with its deadline.
pub(super) type Clock = (TenantId, Candidate, Deadline);

/// The reports whose deadline is within a lead time of their tenant.
fn near(clocks: Vec<Clock>, leads: &AllLeadTimes, now: Moment) -> Found {
    let is_near = |(tenant, _, deadline): &Clock| deadline.lead_at(now, leads.of(*tenant)).is_some();
    clocks.into_iter().filter(is_near).map(|(tenant, candidate, _)| (tenant, candidate)).collect()
}

impl App {
    pub(super) async fn all_lead_times(&self) -> Result<AllLeadTimes> {
        let own = self.db.platform().read(lead_time::all).await?;
        Ok(AllLeadTimes { own, usual: LeadTimes::default() })
    }

    pub(super) async fn near_days(&self, leads: &AllLeadTimes) -> Result<Found> {
        let (today, leads) = (self.clock.now().day(), leads.clone());
        let look = move |r: &mut Reader<'_>| {
            let mut near = Vec::new();
            for band in &day_bands(today, &leads.usual.days) {
                near_band(r, band, &mut near)?;
            }
            for (tenant, leads) in &leads.own {
                for band in &day_bands(today, &leads.days) {
                    near_band_of(r, *tenant, band, &mut near)?;
                }
            }
            Ok(near)
        };
        self.db.platform().read(look).await
    }

    pub(super) async fn near_stages(&self, leads: &AllLeadTimes) -> Result<Found> {
        Ok(near(self.cra_clocks().await?, leads, self.clock.now()))
    }

    /// Reports on open incidents, under every regime.
    pub(super) async fn near_incident_reports(&self, leads: &AllLeadTimes) -> Result<Found> {
        Ok(near(self.incident_clocks().await?, leads, self.clock.now()))
    }

    /// The deadlines of all reports that were not sent, of all tenants.
    pub(super) async fn report_clocks(&self) -> Result<Vec<Clock>> {
        let mut clocks = self.cra_clocks().await?;
        clocks.extend(self.incident_clocks().await?);
        Ok(clocks)
    }

    async fn cra_clocks(&self) -> Result<Vec<Clock>> {
        let now = self.clock.now();
        let clocks = self.clocks()?;
        let look = |reader: &mut Reader<'_>| {
            let mut rows = Vec::new();
            for (tenant, ids) in by_tenant(cra_report::running(reader)?) {
                let caller = Caller::system(tenant);
                let zone = profile::get(reader, caller.scope())?.profile.time_zone;
                for ids in ids.chunks(BATCH as usize) {
                    let found = record::get_many::<CraReport>(reader, caller.scope(), ids)?;
                    rows.extend(found.into_iter().map(|row| (tenant, row, zone.clone())));
                }
            }
            Ok::<_, Error>(rows)
        };
        let mut found = Vec::new();
        for (tenant, row, zone) in self.db.platform().read(look).await? {
            for stage in CraStage::ALL.iter().copied() {
                if let Some(deadline) = cra::deadline(&row, stage, (&clocks, &zone), now) {
                    found.push((tenant, Candidate::CraStage(row.id, stage), deadline));
                }
            }
        }
        Ok(found)
    }

    async fn incident_clocks(&self) -> Result<Vec<Clock>> {
        let now = self.clock.now();
        let clocks = self.clocks()?;
        let look = |reader: &mut Reader<'_>| {
            let mut rows = Vec::new();
            for (tenant, ids) in by_tenant(incident::work(reader)?) {
                let caller = Caller::system(tenant);
                let filer = profile::get(reader, caller.scope())?.profile.filer();
                for ids in ids.chunks(BATCH as usize) {
                    let found = record::get_many::<Incident>(reader, caller.scope(), ids)?;
                    rows.extend(found.into_iter().map(|row| (tenant, row, filer.clone())));
                }
            }
            Ok::<_, Error>(rows)
        };
        let mut found = Vec::new();
        for (tenant, row, filer) in self.db.platform().read(look).await? {
            for deadline in IncidentView::of(row, &clocks, &filer, now).deadlines() {
                if let Subject::IncidentReport(id, regime, stage) = &deadline.subject {
                    found.push((tenant, Candidate::IncidentReport(*id, *regime, *stage), deadline));
                }
            }
        }
        Ok(found)
    }

    /// Dates of the compliance timeline concern every tenant.
    pub(super) async fn unannounced_milestones(&self, leads: &AllLeadTimes) -> Result<Found> {
        let mut near = Vec::new();
        for milestone in &self.resilience.timeline().await?.milestones {
            let milestone = Arc::new(NearMilestone::new(milestone));
            let tenants = self.not_announced_to(&milestone, leads).await?;
            near.extend(
                tenants.into_iter().map(|tenant| (tenant, Candidate::Milestone(Arc::clone(&milestone)))),
            );
        }
        Ok(near)
    }

    /// The tenants to which a date must be announced now.
    async fn not_announced_to(
        &self,
        milestone: &Arc<NearMilestone>,
        leads: &AllLeadTimes,
    ) -> Result<Vec<TenantId>> {
        let now = self.clock.now();
        let usual = milestone.deadline.lead_at(now, &leads.usual);
        let own: Vec<_> = leads
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
            Ok::<_, Error>(tenants)
        };
        self.db.platform().read(look).await
    }
}

/// Deadlines within one of the default lead times, of all tenants without lead times of their own.
fn near_band(reader: &mut Reader<'_>, band: &Band, near: &mut Found) -> Result<()> {
    let found = announcement::near(reader, band, BATCH)?;
    near.extend(found.into_iter().map(|(tenant, kind, id)| (tenant, Candidate::Record(kind, id))));
    Ok(())
}

/// Deadlines within one of a tenant's own lead times.
fn near_band_of(reader: &mut Reader<'_>, tenant: TenantId, band: &Band, near: &mut Found) -> Result<()> {
    let found = announcement::near_of(reader, Caller::system(tenant).scope(), band, BATCH)?;
    near.extend(found.into_iter().map(|(kind, id)| (tenant, Candidate::Record(kind, id))));
    Ok(())
}
