//! Raises the event of one deadline, unless it was raised before.

use domain::{
    deadline::{Deadline, Due, Subject},
    event::EventKind,
    lead_time::{Lead, LeadTimes},
    moment::Day,
    programme::Programme,
    test_case::TestCase,
};
use serde_json::{Value, json};
use store::{Reader, TenantScope, Tx, analysis, announcement, cra_report, finding, lead_time, record};

use super::search::Candidate;
use crate::{
    Error, Result, author::Author, cra_report as cra, finding as findings, programme as programmes,
    test_case as test_cases,
};

impl Author {
    pub(super) fn announce(&self, tx: &mut Tx<'_>, candidates: &[Candidate]) -> Result<u64> {
        let leads = lead_time::get(tx, self.scope())?.map_or_else(LeadTimes::default, |(leads, _)| leads);
        let mut announced = Vec::new();
        for candidate in candidates {
            let Some((deadline, payload)) = self.look_again(tx, candidate)? else { continue };
            if self.announce_one(tx, &deadline, &leads, payload)? {
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
                let row =
                    record::get::<TestCase>(tx, scope, *id)?.filter(|row| row.record.status.is_pending());
                row.and_then(|row| {
                    let deadline = on(Subject::TestCase(*id), row.record.due_on)?;
                    Some((deadline, json!({ "test_case": test_cases::summary(*id, &row.record) })))
                })
            }
            Candidate::Programme(id) => {
                let row =
                    record::get::<Programme>(tx, scope, *id)?.filter(|row| row.record.status.is_running());
                row.and_then(|row| {
                    let deadline = on(Subject::ProgrammeEnd(*id), row.record.ends_on)?;
                    Some((deadline, json!({ "programme": programmes::summary(*id, &row.record) })))
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
            Candidate::Review => next_review(tx, scope)?,
        };
        Ok(found)
    }

    /// Raises the event unless it was raised before, and remembers that.
    fn announce_one(
        &self,
        tx: &mut Tx<'_>,
        deadline: &Deadline,
        leads: &LeadTimes,
        payload: Value,
    ) -> Result<bool> {
        let said = announcement::said(tx, self.scope(), deadline)?;
        let Some(due) = deadline.announce(self.now, leads, said) else { return Ok(false) };
        announcement::put(tx, self.scope(), deadline, due.lead, self.now)?;
        let mut payload = payload;
        payload["deadline"] = described(deadline, due.lead);
        let subject = subject_id(&deadline.subject);
        self.raise_once(tx, EventKind::DeadlineApproaching, subject, Some(due.key), &payload)?;
        Ok(true)
    }
}

/// What of a result says when it is to be looked at again.
#[derive(serde::Deserialize)]
struct Reviewed {
    next_review_on: String,
}

fn next_review(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Option<(Deadline, Value)>> {
    let Some((head, result)) = analysis::latest(reader, scope)? else { return Ok(None) };
    let reviewed: Reviewed = serde_json::from_str(&result).map_err(Error::internal)?;
    let due: Day = reviewed.next_review_on.parse().map_err(|error| Error::internal(format!("{error}")))?;
    let deadline = Deadline { subject: Subject::Review(head.id), due: Due::On(due) };
    let record = json!({
        "id": head.id,
        "title": "Review of the concentration risk",
        "level": head.level,
        "breaches": head.breaches,
        "analysed_at": head.analysed_at,
    });
    Ok(Some((deadline, json!({ "analysis": record }))))
}

fn described(deadline: &Deadline, lead: Lead) -> Value {
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
