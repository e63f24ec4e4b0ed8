//! The part that a user has in a run: leading it, or taking part. The lead judges and ends the run; participants read
//! neither the script nor the expected results before it is finished.

use domain::{
    actor::Actor,
    drill_run::{DrillRun, DrillRunComplaint, DrillRunStatus},
    page::PageRequest,
    right::{Resource, Right},
    text::Name,
};
use store::{Reader, drill_run::DrillRunFilter, user};

use crate::{
    Error, Resilience, Result,
    author::Author,
    authz::Caller,
    ownership::{may_own, owns},
};

/// What the caller is in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrillPart {
    /// Whether the caller may judge the criteria and end the run.
    pub leads: bool,
    pub takes_part: bool,
}

fn part(reader: &mut Reader<'_>, caller: &Caller, run: &DrillRun) -> Result<DrillPart> {
    let mut takes_part = false;
    for name in &run.participants {
        takes_part = takes_part || may_own(reader, caller, Some(name))?;
    }
    let is_lead = match &run.lead {
        Some(lead) => owns(reader, caller, Some(lead))?,
        // A run of an earlier version, or of a key, has no lead: all who may write it lead it, except participants.
        None => caller.has(Resource::DrillRuns, Right::Write) && !takes_part,
    };
    Ok(DrillPart { leads: is_lead || caller.has(Resource::DrillRuns, Right::Decide), takes_part })
}

impl Resilience {
    /// The caller's part in a run.
    pub async fn drill_part(&self, caller: &Caller, run: &DrillRun) -> Result<DrillPart> {
        let (caller, run) = (caller.clone(), run.clone());
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |reader| part(reader, &caller, &run)).await
    }

    /// Whether the caller takes part in a run of this scenario that is not finished.
    pub async fn practises(&self, caller: &Caller, scenario: &str) -> Result<bool> {
        let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
        for status in [DrillRunStatus::Planned, DrillRunStatus::Running] {
            let filter = DrillRunFilter {
                status: status.into(),
                scenario: Some(scenario.to_owned()),
                ..DrillRunFilter::default()
            };
            for run in self.records.records::<DrillRun>(caller, &filter, all).await?.items {
                if self.drill_part(caller, &run.row.record).await?.takes_part {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

impl Author {
    /// Refuses a user who does not lead the run.
    pub(super) fn require_lead(&self, reader: &mut Reader<'_>, run: &DrillRun) -> Result<()> {
        if part(reader, &self.caller, run)?.leads {
            return Ok(());
        }
        Err(Error::invalid("drill_run", DrillRunComplaint::ForLead))
    }

    /// The person who plans a run leads it, unless another person is named or they take part.
    pub(super) fn led(&self, reader: &mut Reader<'_>, mut run: DrillRun) -> Result<DrillRun> {
        let Actor::User(id) = self.caller.actor() else { return Ok(run) };
        if run.lead.is_none() && !part(reader, &self.caller, &run)?.takes_part {
            let found = user::get(reader, self.scope(), id)?;
            run.lead = found.map(|(row, _)| row.name).filter(|name: &Name| !run.participants.contains(name));
        }
        Ok(run)
    }
}
