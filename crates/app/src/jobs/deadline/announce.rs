//! Raises the event of one deadline, unless it was raised before.

use domain::{
    cra_report::CraReport,
    deadline::{Deadline, Due, Subject},
    event::EventKind,
    inbox::Reason,
    incident::{Incident, Regime},
    lead_time::{Lead, LeadTimes},
    moment::Day,
    record_event::Occurrence,
    task::TaskType,
    wording::{Label, Language},
};
use serde_json::{Value, json};
use store::{Reader, TenantScope, Tx, analysis, announcement, lead_time, profile, record};

use super::search::Candidate;
use crate::{
    Error, Result,
    author::Author,
    cra_report as cra,
    inbox::{About, owner_of},
    incident as incidents,
    records::AnyKind,
};

impl Author {
    pub(super) fn announce(&self, tx: &mut Tx<'_>, candidates: &[Candidate]) -> Result<u64> {
        let leads = lead_time::get(tx, self.scope())?.map_or_else(LeadTimes::default, |(leads, _)| leads);
        let mut announced = Vec::new();
        for candidate in candidates {
            let Some((deadline, payload)) = self.current_deadline(tx, candidate)? else { continue };
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

    /// The current deadline, if there still is one, and the content of its event.
    pub(super) fn current_deadline(
        &self,
        tx: &mut Tx<'_>,
        candidate: &Candidate,
    ) -> Result<Option<(Deadline, Value)>> {
        let scope = self.scope();
        let found = match candidate {
            Candidate::Record(kind, id) => {
                let Some(any) = AnyKind::of_task(*kind) else { return Ok(None) };
                any.announced(tx, scope, id)?.map(|(day, summary)| {
                    let subject = Subject::Record(*kind, id.clone());
                    (Deadline { subject, due: Due::On(day) }, json!({ kind.as_str(): summary }))
                })
            }
            Candidate::CraStage(id, stage) => {
                let clocks = self.core.clocks()?;
                let zone = profile::get(tx, scope)?.profile.time_zone;
                record::get::<CraReport>(tx, scope, *id)?.and_then(|row| {
                    let deadline = cra::deadline(&row, *stage, (&clocks, &zone), self.now)?;
                    Some((deadline, json!({ "cra_report": cra::summary(&row) })))
                })
            }
            Candidate::IncidentReport(id, regime, stage) => {
                let clocks = self.core.clocks()?;
                let row = record::get::<Incident>(tx, scope, *id)?.filter(|row| row.record.status.is_open());
                let filer = profile::get(tx, scope)?.profile.filer();
                row.map(|row| incidents::IncidentView::of(row, &clocks, &filer, self.now)).and_then(
                    |incident| {
                        let payload = json!({ "incident": incidents::summary(&incident.row) });
                        let near = incident.deadlines();
                        let place = Subject::IncidentReport(*id, *regime, *stage);
                        Some((near.into_iter().find(|deadline| deadline.subject == place)?, payload))
                    },
                )
            }
            Candidate::Milestone(near) => Some((near.deadline.clone(), near.payload.clone())),
            Candidate::Review => {
                let language = self.language(tx)?;
                next_review(tx, scope, language)?
            }
        };
        Ok(found)
    }

    /// Raises the event unless it was raised before, and records it.
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
        self.notify_of_deadline(tx, deadline, due.lead, &payload)?;
        let mut payload = payload;
        payload["deadline"] = described(deadline, due.lead);
        self.publish_clock(tx, Occurrence::ClockApproaching, deadline, &payload["deadline"])?;
        let subject = subject_id(&deadline.subject);
        self.raise_once(tx, EventKind::DeadlineApproaching, subject, Some(due.key), &payload)?;
        Ok(true)
    }
}

impl Author {
    /// The owner gets a notice, and for the clock of a statutory report the managers too.
    fn notify_of_deadline(
        &self,
        tx: &mut Tx<'_>,
        deadline: &Deadline,
        lead: Lead,
        payload: &Value,
    ) -> Result<()> {
        let Some(record) = payload.as_object().and_then(|payload| payload.values().next()) else {
            return Ok(());
        };
        let (task, id) = match &deadline.subject {
            Subject::Record(task, id) => (*task, id.clone()),
            Subject::CraStage(id, _) => (TaskType::CraReport, id.to_string()),
            Subject::IncidentReport(id, ..) => (TaskType::Incident, id.to_string()),
            Subject::Timeline(_) | Subject::Review(_) => return Ok(()),
        };
        let Some(kind) = AnyKind::of_task(task) else { return Ok(()) };
        let version = notice_version(deadline, lead.hours());
        let due = Some(deadline.due.to_string());
        let about = About { due, ..About::of_fields(kind.table, id, version, record) };
        let owner = owner_of(record);
        match (&deadline.subject, task) {
            (Subject::CraStage(..) | Subject::IncidentReport(..), _) => {
                self.notify_managers(tx, Reason::StatutoryClock, owner, &about)
            }
            (_, TaskType::Evidence) => {
                self.notify_named(tx, Reason::EvidenceExpiring, owner.unwrap_or_default(), &about)
            }
            _ => self.notify_named(tx, Reason::DueSoon, owner.unwrap_or_default(), &about),
        }
    }
}

/// Each lead time before each day is a notice of its own.
pub(super) fn notice_version(deadline: &Deadline, hours: u32) -> i64 {
    let begins = match deadline.due {
        Due::On(day) => day.start(),
        Due::At(moment) => moment,
    };
    begins.millis() / HOUR_MS * MOST_LEAD_HOURS + i64::from(hours)
}

const HOUR_MS: i64 = 60 * 60 * 1000;
/// More than the hours of the longest lead time.
const MOST_LEAD_HOURS: i64 = 100_000;

/// The fields of a result that give its next review.
#[derive(serde::Deserialize)]
struct Reviewed {
    next_review_on: String,
}

/// What the event calls the review.
const REVIEW: Label = Label::new("Review of the concentration risk", "Überprüfung des Konzentrationsrisikos");

fn next_review(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    language: Language,
) -> Result<Option<(Deadline, Value)>> {
    let Some((head, result)) = analysis::latest(reader, scope)? else { return Ok(None) };
    let reviewed: Reviewed = serde_json::from_str(&result).map_err(Error::internal)?;
    let due: Day = reviewed.next_review_on.parse().map_err(|error| Error::internal(format!("{error}")))?;
    let deadline = Deadline { subject: Subject::Review(head.id), due: Due::On(due) };
    let record = json!({
        "id": head.id,
        "title": REVIEW.text(language),
        "level": head.level,
        "breaches": head.breaches,
        "analysed_at": head.analysed_at,
    });
    Ok(Some((deadline, json!({ "analysis": record }))))
}

pub(super) fn described(deadline: &Deadline, lead: Lead) -> Value {
    let stage = match &deadline.subject {
        Subject::CraStage(_, stage) => Some(stage.as_str()),
        Subject::IncidentReport(_, _, stage) => Some(stage.as_str()),
        _ => None,
    };
    let regime = match &deadline.subject {
        Subject::IncidentReport(_, regime, _) => Some(regime.as_str()),
        Subject::CraStage(..) => Some(Regime::Cra.as_str()),
        Subject::Record(TaskType::RegisterFiling, _) => Some(Regime::Dora.as_str()),
        _ => None,
    };
    let (on, at) = match deadline.due {
        Due::On(day) => (Some(day), None),
        Due::At(moment) => (None, Some(moment)),
    };
    let mut said = json!({ "due_on": on, "due_at": at, "lead": lead.to_string(), "stage": stage });
    if let Some(regime) = regime {
        said["regime"] = json!(regime);
    }
    said
}

/// The id of the record the deadline belongs to.
fn subject_id(subject: &Subject) -> String {
    match subject {
        Subject::Record(_, id) | Subject::Timeline(id) => id.clone(),
        Subject::Review(id) => id.to_string(),
        Subject::CraStage(id, _) => id.to_string(),
        Subject::IncidentReport(id, ..) => id.to_string(),
    }
}
