//! Incidents that may form a series: the same root cause within six months. A monthly job compares them, proposes the
//! series and shows their combined figures (Delegated Regulation (EU) 2024/1772, Art. 8(2)).

use std::collections::HashMap;

use domain::{
    calendar::moment_months_after,
    id::{IncidentId, TenantId},
    incident::{
        Incident, IncidentStatus, Outcome, Reason,
        dora::{Assessment, Measures, assess},
        recurrence::{self, Occurrence, collected, series},
    },
    moment::Moment,
    text::Name,
};
use store::{Reader, TenantScope, Tx, incident as rows, profile, record};

use super::{IncidentChange, IncidentRow};
use crate::{Error, Resilience, Result, author::Author, authz::Caller, pages::Precondition};

/// How far back incidents are compared: twice the six months of a series.
const MONTHS_BACK: i32 = -12;
/// The maximum number of incidents in a year that are compared, the oldest first.
const MOST: u32 = 2_000;

/// The incidents of a series and their combined figures.
#[derive(Debug, Clone)]
pub struct SeriesView {
    /// By time of detection, including the requested one.
    pub members: Vec<IncidentRow>,
    pub together: Assessment,
}

impl SeriesView {
    pub fn outcome(&self) -> Outcome {
        self.together.outcome
    }

    pub fn reasons(&self) -> &[Reason] {
        &self.together.reasons
    }
}

fn occurrence(row: &IncidentRow, now: Moment) -> Occurrence {
    let record = &row.record;
    Occurrence {
        at: record.times.start(),
        root_cause: record.root_cause.as_ref().map(Name::as_str).unwrap_or_default().to_owned(),
        measures: Measures::of(&record.facts, &record.times, now),
    }
}

/// Events that turned out to be no incident are not compared.
fn compared(reader: &mut Reader<'_>, scope: &TenantScope, now: Moment) -> Result<Vec<IncidentRow>> {
    let ids = rows::since(reader, scope, moment_months_after(now, MONTHS_BACK), MOST)?;
    let mut found = record::get_many::<Incident>(reader, scope, &ids)?;
    found.retain(|row| row.record.status != IncidentStatus::NotAnIncident);
    found.sort_by_key(|row| (row.record.times.start(), row.id));
    Ok(found)
}

/// The first incident of the series that each incident belongs to.
fn proposals(found: &[IncidentRow], now: Moment) -> HashMap<IncidentId, IncidentId> {
    let occurrences: Vec<Occurrence> = found.iter().map(|row| occurrence(row, now)).collect();
    let mut proposed = HashMap::new();
    for series in series(&occurrences) {
        let Some(first) = series.members.first().and_then(|place| found.get(*place)) else { continue };
        for member in series.members.iter().filter_map(|place| found.get(*place)) {
            proposed.entry(member.id).or_insert(first.id);
        }
    }
    proposed
}

impl Resilience {
    /// Compares the incidents of every institution, proposes series and returns the number of changed incidents. A
    /// job calls it every month.
    pub async fn propose_recurring_incidents(&self) -> Result<u64> {
        let tenants = self.db.platform().read(rows::tenants).await?;
        let mut changed = 0;
        for tenant in tenants {
            changed += self.propose_series(tenant).await?;
        }
        Ok(changed)
    }

    async fn propose_series(&self, tenant: TenantId) -> Result<u64> {
        let author = Author::new(self, &Caller::system(tenant));
        let (scope, now) = (*author.scope(), author.now);
        let read = move |reader: &mut Reader<'_>| {
            let has_duty = recurrence::has_duty(&profile::facts(reader, &scope)?);
            Ok::<_, Error>((compared(reader, &scope, now)?, has_duty))
        };
        let (found, has_duty) = self.db.tenant(&scope).read(read).await?;
        // Series that were proposed before the institution was known to have no such duty are taken back.
        let proposed = if has_duty { proposals(&found, now) } else { HashMap::new() };
        let new: Vec<(IncidentId, Option<IncidentId>)> = found
            .iter()
            .map(|row| (row, proposed.get(&row.id).copied()))
            .filter(|(row, first)| row.record.recurring_group != *first)
            .map(|(row, first)| (row.id, first))
            .collect();
        if new.is_empty() {
            return Ok(0);
        }
        let write = move |tx: &mut Tx<'_>| {
            let mut changed = 0;
            for (id, first) in &new {
                let input = IncidentChange::Series(*first);
                changed += u64::from(author.change::<Incident>(tx, *id, &input, &Precondition::None)?);
            }
            Ok::<_, Error>(changed)
        };
        self.db.tenant(&scope).write(write).await
    }

    /// The series an incident belongs to, if one was proposed.
    pub async fn incident_series(&self, caller: &Caller, row: &IncidentRow) -> Result<Option<SeriesView>> {
        let Some(first) = row.record.recurring_group else { return Ok(None) };
        let (scope, now) = (*caller.scope(), self.clock.now());
        let read = move |reader: &mut Reader<'_>| compared(reader, &scope, now);
        let mut members = self.db.tenant(&scope).read(read).await?;
        members.retain(|row| row.record.recurring_group == Some(first));
        let occurrences: Vec<Occurrence> = members.iter().map(|row| occurrence(row, now)).collect();
        let together = collected(occurrences.iter().map(|occurrence| &occurrence.measures));
        Ok(together.map(|together| SeriesView { members, together: assess(&together) }))
    }
}
