//! Figures on the incidents of the last twelve months.

use std::collections::BTreeMap;

use domain::{
    calendar::moment_months_after,
    incident::{Incident, IncidentStatus, Outcome, due::ReportState},
    moment::Moment,
    text::Name,
};
use store::{Reader, incident as rows, profile, record};

use super::IncidentView;
use crate::{Resilience, Result, authz::Caller};

const MONTHS: i32 = 12;
/// The maximum number of incidents that are counted, the oldest first.
const MOST: u32 = 2_000;
/// How many root causes are named.
const CAUSES: usize = 10;

/// The incidents detected in one month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MonthOfIncidents {
    /// Like `2026-11`.
    pub month: String,
    pub all: u64,
    pub major: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncidentStatistics {
    pub total: u64,
    pub open: u64,
    /// Oldest first, including months without incidents.
    pub months: Vec<MonthOfIncidents>,
    /// By the classification in force: stored, or computed while there is none.
    pub results: Vec<(Outcome, u64)>,
    /// The most frequent root causes as entered, compared without regard to case.
    pub causes: Vec<(String, u64)>,
    pub without_cause: u64,
    /// How many were classified, and the median and longest minutes from awareness to the classification.
    pub classified: u64,
    pub median_minutes: Option<u64>,
    pub longest_minutes: Option<u64>,
    pub reports_in_time: u64,
    pub reports_late: u64,
    /// There are more incidents than were counted.
    pub is_cut: bool,
}

impl Resilience {
    pub async fn incident_statistics(&self, caller: &Caller) -> Result<IncidentStatistics> {
        let (scope, now, clocks) = (*caller.scope(), self.clock.now(), self.clocks()?);
        let read = move |reader: &mut Reader<'_>| {
            let ids = rows::since(reader, &scope, moment_months_after(now, -MONTHS), MOST)?;
            let found = record::get_many::<Incident>(reader, &scope, &ids)?;
            let filer = profile::get(reader, &scope)?.profile.filer();
            Ok::<_, crate::Error>((found, filer, ids.len() == MOST as usize))
        };
        let (found, filer, is_cut) = self.db.tenant(caller.scope()).read(read).await?;
        let counted = found.into_iter().filter(|row| row.record.status != IncidentStatus::NotAnIncident);
        let incidents: Vec<IncidentView> =
            counted.map(|row| IncidentView::of(row, &clocks, &filer, now)).collect();
        Ok(IncidentStatistics { is_cut, ..count(&incidents, now) })
    }
}

fn count(incidents: &[IncidentView], now: Moment) -> IncidentStatistics {
    let mut counted = IncidentStatistics { months: months(now), ..IncidentStatistics::default() };
    let (mut results, mut causes, mut waits) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for incident in incidents {
        let record = &incident.row.record;
        let decision = record.decision.as_ref();
        let result = incident.result();
        counted.total += 1;
        counted.open += u64::from(record.status.is_open());
        *results.entry(result.as_str()).or_insert(0) += 1;
        let detected = month_of(record.times.detected_at);
        if let Some(month) = counted.months.iter_mut().find(|month| month.month == detected) {
            month.all += 1;
            month.major += u64::from(result == Outcome::Major);
        }
        match record.root_cause.as_ref().map(Name::as_str) {
            Some(cause) => {
                let entry = causes.entry(cause.trim().to_lowercase()).or_insert((cause.to_owned(), 0));
                entry.1 += 1;
            }
            None => counted.without_cause += 1,
        }
        if let Some(decision) = decision {
            let millis = decision.at.millis() - record.times.aware_at.millis();
            waits.push(u64::try_from(millis / 60_000).unwrap_or(0));
        }
        for report in &incident.reports {
            counted.reports_in_time += u64::from(report.state == ReportState::Submitted);
            counted.reports_late += u64::from(report.state == ReportState::SubmittedLate);
        }
    }
    waits.sort_unstable();
    counted.classified = waits.len() as u64;
    counted.median_minutes = waits.get(waits.len() / 2).copied();
    counted.longest_minutes = waits.last().copied();
    counted.results =
        Outcome::ALL.iter().filter_map(|outcome| Some((*outcome, *results.get(outcome.as_str())?))).collect();
    counted.causes = causes.into_values().collect();
    counted.causes.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    counted.causes.truncate(CAUSES);
    counted
}

/// The last twelve months including the current one.
fn months(now: Moment) -> Vec<MonthOfIncidents> {
    (1 - MONTHS..=0)
        .map(|offset| {
            let month = month_of(moment_months_after(now, offset));
            MonthOfIncidents { month, all: 0, major: 0 }
        })
        .collect()
}

fn month_of(at: Moment) -> String {
    at.day().to_string().chars().take(7).collect()
}
