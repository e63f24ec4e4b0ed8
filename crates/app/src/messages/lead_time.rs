//! Lead times: how long before its deadlines an institution is notified.

use domain::{
    lead_time::LeadTimes,
    moment::Moment,
    right::{Resource, Right},
};
use serde_json::{Value, json};
use store::lead_time as rows;

use crate::{Error, Messages, Result, audit, authz::Caller};

/// The lead times of a tenant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChosenLeads {
    pub leads: LeadTimes,
    /// When they were set; `None` for the defaults.
    pub chosen_at: Option<Moment>,
}

impl Messages {
    pub async fn lead_times(&self, caller: &Caller) -> Result<ChosenLeads> {
        let scope = *caller.scope();
        let own = self.db.tenant(&scope).read(move |r| rows::get(r, &scope)).await?;
        Ok(own.map_or_else(ChosenLeads::default, |(leads, at)| ChosenLeads { leads, chosen_at: Some(at) }))
    }

    /// Sets lead times, or restores the defaults. Setting the current ones leaves no audit entry.
    ///
    /// They apply from the next run on; a deadline that a nearer lead time has already announced is not announced
    /// again.
    pub async fn choose_lead_times(&self, caller: &Caller, chosen: Option<LeadTimes>) -> Result<()> {
        caller.require_right(Resource::Settings, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::get(tx, &scope)?.map(|(leads, _)| leads);
                if before == chosen {
                    return Ok::<_, Error>(());
                }
                match &chosen {
                    Some(leads) => rows::put(tx, &scope, leads, now)?,
                    None => rows::delete(tx, &scope)?,
                }
                let detail = difference(&before.unwrap_or_default(), &chosen.clone().unwrap_or_default());
                audit::record(tx, actor, now, "lead_times.changed", scope.tenant(), &detail)
            })
            .await
    }
}

/// What changed, as `field: [before, after]`.
fn difference(before: &LeadTimes, after: &LeadTimes) -> Value {
    json!({
        "days": [before.days.to_string(), after.days.to_string()],
        "hours": [before.stages.to_string(), after.stages.to_string()],
    })
}
