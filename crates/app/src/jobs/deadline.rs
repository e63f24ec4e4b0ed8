//! Announces deadlines that are near: once for each deadline and lead time, whoever looks, however often.
//!
//! Candidates are found across tenants by what was not announced yet; each is judged again inside its tenant's
//! transaction, which also remembers the announcement. So restarts, several nodes and jumping clocks change nothing.

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    cra_report::CraStage,
    deadline::{Deadline, Due, Subject, day_bands},
    event::EventKind,
    id::{CraReportId, FindingId, ProgrammeId, TenantId, TestCaseId},
    moment::Day,
};
use serde_json::{Value, json};
use store::{Reader, Tx, announcement, cra_report, finding, programme, test_case};

use crate::{
    App, Error, Result,
    author::Author,
    authz::Caller,
    catalogue::{Edition, milestone::Milestone, record::Record as _},
    cra_report as cra, finding as findings, programme as programmes, test_case as test_cases,
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
}

#[derive(Debug)]
struct NearMilestone {
    deadline: Deadline,
    payload: Value,
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
        raised += self.announce_all(self.near_milestones().await?).await?;
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
    async fn near_milestones(&self) -> Result<Vec<(TenantId, Candidate)>> {
        let now = self.clock.now();
        let mut near = Vec::new();
        for milestone in near_milestones(&*self.catalogue()?) {
            let Some(lead) = milestone.deadline.lead_at(now) else { continue };
            let milestone = Arc::new(milestone);
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

fn near_milestones(catalogue: &Edition) -> Vec<NearMilestone> {
    catalogue.milestones.iter().map(near_milestone).collect()
}

fn near_milestone(milestone: &Milestone) -> NearMilestone {
    let subject = Subject::Timeline(milestone.id().to_owned());
    NearMilestone {
        deadline: Deadline { subject, due: Due::On(milestone.date) },
        payload: json!({ "timeline_item": {
            "id": milestone.id(),
            "title": milestone.title.get(crate::catalogue::language::Language::English),
            "framework": milestone.framework_word(),
            "date": milestone.date,
        } }),
    }
}

impl Author {
    fn announce(&self, tx: &mut Tx<'_>, candidates: &[Candidate]) -> Result<u64> {
        let mut announced = Vec::new();
        for candidate in candidates {
            let Some((deadline, payload)) = self.look_again(tx, candidate)? else { continue };
            if self.announce_one(tx, &deadline, payload)? {
                announced.push(deadline.subject.to_string());
            }
        }
        if !announced.is_empty() {
            let detail = json!({ "deadlines": announced });
            self.audit(tx, "deadlines.announced", self.caller.tenant(), &detail)?;
        }
        Ok(announced.len() as u64)
    }

    /// The deadline as it stands now, if there still is one, and what its event says.
    fn look_again(&self, tx: &mut Tx<'_>, candidate: &Candidate) -> Result<Option<(Deadline, Value)>> {
        let scope = self.scope();
        let on = |subject, due: Option<Day>| due.map(|day| Deadline { subject, due: Due::On(day) });
        let found = match candidate {
            Candidate::Finding(id) => {
                let row = finding::get(tx, scope, *id)?.filter(|row| row.finding.status.is_open());
                row.and_then(|row| {
                    let deadline = on(Subject::Finding(*id), row.finding.due_on)?;
                    Some((deadline, json!({ "finding": findings::summary(&row) })))
                })
            }
            Candidate::TestCase(id) => {
                let row = test_case::get(tx, scope, *id)?.filter(|row| row.test_case.status.is_pending());
                row.and_then(|row| {
                    let deadline = on(Subject::TestCase(*id), row.test_case.due_on)?;
                    Some((deadline, json!({ "test_case": test_cases::summary(*id, &row.test_case) })))
                })
            }
            Candidate::Programme(id) => {
                let row = programme::get(tx, scope, *id)?.filter(|row| row.programme.status.is_running());
                row.and_then(|row| {
                    let deadline = on(Subject::ProgrammeEnd(*id), row.programme.ends_on)?;
                    Some((deadline, json!({ "programme": programmes::summary(*id, &row.programme) })))
                })
            }
            Candidate::CraStage(id, stage) => {
                let clocks = self.app.clocks()?;
                cra_report::get(tx, scope, *id)?.and_then(|row| {
                    let deadline = cra::deadline(&row, *stage, &clocks, self.now)?;
                    Some((deadline, json!({ "cra_report": cra::summary(&row) })))
                })
            }
            Candidate::Milestone(near) => Some((near.deadline.clone(), near.payload.clone())),
        };
        Ok(found)
    }

    /// Raises the event unless it was raised before, and remembers that.
    pub(crate) fn announce_one(&self, tx: &mut Tx<'_>, deadline: &Deadline, payload: Value) -> Result<bool> {
        let said = announcement::said(tx, self.scope(), deadline)?;
        let said: Vec<String> =
            said.iter().map(|lead| format!("{}:{}:{lead}", deadline.subject, deadline.due)).collect();
        let Some(due) = deadline.announce(self.now, |key| said.iter().any(|before| before == key)) else {
            return Ok(false);
        };
        announcement::put(tx, self.scope(), deadline, due.lead, self.now)?;
        let mut payload = payload;
        payload["deadline"] = described(deadline, due.lead);
        let subject = subject_id(&deadline.subject);
        self.raise_once(tx, EventKind::DeadlineApproaching, subject, Some(due.key), &payload)?;
        Ok(true)
    }
}

fn described(deadline: &Deadline, lead: domain::deadline::Lead) -> Value {
    let stage = match &deadline.subject {
        Subject::CraStage(_, stage) => Some(stage.as_str()),
        _ => None,
    };
    let (on, at) = match deadline.due {
        Due::On(day) => (Some(day), None),
        Due::At(moment) => (None, Some(moment)),
    };
    json!({ "due_on": on, "due_at": at, "lead": lead.to_string(), "stage": stage })
}

/// The id of the record the deadline belongs to.
fn subject_id(subject: &Subject) -> String {
    match subject {
        Subject::Finding(id) => id.to_string(),
        Subject::TestCase(id) => id.to_string(),
        Subject::ProgrammeEnd(id) => id.to_string(),
        Subject::Timeline(id) => id.clone(),
        Subject::Review(id) => id.to_string(),
        Subject::CraStage(id, _) => id.to_string(),
    }
}
