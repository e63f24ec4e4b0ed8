//! The clocks of statutory reports in the stream of events: those that approach, and those that have run out.

use std::collections::BTreeMap;

use domain::{
    deadline::{Deadline, Subject},
    id::TenantId,
    lead_time::Lead,
    record_event::Occurrence,
    task::TaskType,
};
use serde_json::{Value, json};
use store::{Reader, Tx, announcement, record_event::Subject as Published};

use super::{
    announce::described,
    search::{Candidate, Clock},
};
use crate::{App, Error, Result, author::Author, authz::Caller, records::AnyKind};

impl App {
    /// Adds reports whose time ran out to the stream of events, each once, and returns their number. A job calls it.
    pub async fn publish_missed_reports(&self) -> Result<u64> {
        let now = self.clock.now();
        let clocks = self.report_clocks().await?;
        let missed: Vec<_> =
            clocks.into_iter().filter(|(_, _, deadline)| deadline.has_just_passed(now)).collect();
        if missed.is_empty() {
            return Ok(0);
        }
        let unsaid = self.db.platform().read(move |reader| unsaid(reader, &missed)).await?;
        let mut published = 0;
        for (tenant, candidates) in unsaid {
            let author = Author::new(self, &Caller::system(tenant));
            let scope = *author.scope();
            let write = move |tx: &mut Tx<'_>| author.publish_missed(tx, &candidates);
            published += self.db.tenant(&scope).write(write).await?;
        }
        Ok(published)
    }
}

/// Those that were not published yet.
fn unsaid(reader: &mut Reader<'_>, missed: &[Clock]) -> Result<BTreeMap<TenantId, Vec<Candidate>>> {
    let mut unsaid: BTreeMap<TenantId, Vec<Candidate>> = BTreeMap::new();
    for (tenant, candidate, deadline) in missed {
        let said = announcement::said(reader, Caller::system(*tenant).scope(), deadline)?;
        if said != Some(Lead::NONE.hours()) {
            unsaid.entry(*tenant).or_default().push(candidate.clone());
        }
    }
    Ok(unsaid)
}

impl Author {
    fn publish_missed(&self, tx: &mut Tx<'_>, candidates: &[Candidate]) -> Result<u64> {
        let mut published = Vec::new();
        for candidate in candidates {
            let Some((deadline, _)) = self.current_deadline(tx, candidate)? else { continue };
            // The record may have changed since, and another node may have been faster.
            let said = announcement::said(tx, self.scope(), &deadline)?;
            if !deadline.has_just_passed(self.now) || said == Some(Lead::NONE.hours()) {
                continue;
            }
            announcement::put(tx, self.scope(), &deadline, Lead::NONE, self.now)?;
            let mut detail = described(&deadline, Lead::NONE);
            if let Some(fields) = detail.as_object_mut() {
                fields.remove("lead");
            }
            self.publish_clock(tx, Occurrence::ReportDue, &deadline, &detail)?;
            published.push(deadline.subject.to_string());
        }
        if !published.is_empty() {
            let detail = json!({ "deadlines": published });
            self.audit(tx, "deadlines.missed", self.caller.tenant(), &detail)?;
        }
        Ok(published.len() as u64)
    }

    /// Adds the deadline of a report to an authority to the stream; others are not statutory.
    pub(super) fn publish_clock(
        &self,
        tx: &mut Tx<'_>,
        occurrence: Occurrence,
        deadline: &Deadline,
        detail: &Value,
    ) -> Result<()> {
        let (task, id) = match &deadline.subject {
            Subject::Record(task @ TaskType::RegisterFiling, id) => (*task, id.clone()),
            Subject::CraStage(id, _) => (TaskType::CraReport, id.to_string()),
            Subject::IncidentReport(id, ..) => (TaskType::Incident, id.to_string()),
            Subject::Record(..) | Subject::Timeline(_) | Subject::Review(_) => return Ok(()),
        };
        let kind = AnyKind::of_task(task).ok_or(Error::NotFound)?;
        let standing = kind.standing(self, tx, &id)?.ok_or(Error::NotFound)?;
        let subject = Published { table: kind.table, id, version: standing.version };
        self.publish(tx, occurrence, subject, detail)
    }
}
