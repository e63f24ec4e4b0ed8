//! Figures on the incidents of a period and of the period before, and the major ones that are open now.

use std::collections::BTreeMap;

use domain::{
    currency::Currency,
    incident::{CostKind, Incident, IncidentStatus, Outcome, due::ReportState},
    moment::Day,
    page::PageRequest,
    text::{Name, Prose},
    time_zone::TimeZone,
    violation::{FieldComplaint, FieldName},
};
use store::{Reader, incident as rows, profile, record};

use super::{IncidentFilter, IncidentView};
use crate::{Error, Resilience, Result, authz::Caller};

/// The maximum number of incidents that are counted, the oldest first.
const MOST: u32 = 2_000;
/// The maximum number of lessons shown.
const LESSONS: usize = 100;

/// Days of the institution's calendar, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub from: Day,
    pub until: Day,
}

impl Period {
    /// A period that does not end before it begins.
    pub fn new(from: Day, until: Day) -> Result<Self> {
        if until < from {
            let complaint = FieldComplaint::Before { field: FieldName::From, day: from };
            return Err(Error::invalid("until", complaint));
        }
        Ok(Self { from, until })
    }

    /// The period of the same length immediately before.
    pub(crate) fn before(self) -> Self {
        let days = self.from.days_until(self.until) + 1;
        Self { from: self.from.plus_days(-days), until: self.from.plus_days(-1) }
    }

    pub(crate) fn holds(self, day: Day) -> bool {
        (self.from..=self.until).contains(&day)
    }
}

/// Figures on the incidents that were detected in a period.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PeriodFigures {
    pub total: u64,
    /// By the classification in force, for each that occurs.
    pub results: Vec<(Outcome, u64)>,
    /// Reports on these incidents that were filed in time, filed late, or are outstanding.
    pub reports_in_time: u64,
    pub reports_late: u64,
    pub reports_owed: u64,
    /// In minor units, by currency and kind.
    pub costs: BTreeMap<(Currency, CostKind), u64>,
}

impl PeriodFigures {
    pub fn of(&self, outcome: Outcome) -> u64 {
        self.results.iter().find(|(result, _)| *result == outcome).map_or(0, |(_, count)| *count)
    }

    fn add(&mut self, incident: &IncidentView) {
        self.total += 1;
        let result = incident.result();
        match self.results.iter_mut().find(|(known, _)| *known == result) {
            Some((_, count)) => *count += 1,
            None => self.results.push((result, 1)),
        }
        let in_state = |state: ReportState| {
            incident.reports.iter().filter(|report| report.state == state).count() as u64
        };
        self.reports_in_time += in_state(ReportState::Submitted);
        self.reports_late += in_state(ReportState::SubmittedLate);
        self.reports_owed += incident.owed().len() as u64;
        let facts = &incident.row.record.facts;
        for kind in CostKind::ALL.iter().copied() {
            let Some(amount) = facts.dora.costs.of(kind).filter(|amount| *amount > 0) else { continue };
            let sum = self.costs.entry((facts.currency, kind)).or_insert(0);
            *sum = sum.saturating_add(amount);
        }
    }
}

/// The lesson from an incident of the period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// The reference and the title of the incident.
    pub incident: String,
    pub root_cause: Option<Name>,
    pub lessons: Option<Prose>,
}

/// The incidents of a period.
#[derive(Debug, Clone)]
pub struct IncidentPeriod {
    pub period: Period,
    pub period_before: Period,
    pub figures: PeriodFigures,
    pub figures_before: PeriodFigures,
    /// Major ones that are open now, whenever they were detected.
    pub open_major: Vec<IncidentView>,
    /// Oldest first, only incidents with a text.
    pub lessons: Vec<Lesson>,
    pub without_lessons: u64,
    /// There are more incidents than were counted.
    pub is_cut: bool,
}

impl Resilience {
    /// Summarises the incidents of a period; its days are those of the time zone.
    pub async fn incident_period(
        &self,
        caller: &Caller,
        period: Period,
        zone: &TimeZone,
    ) -> Result<IncidentPeriod> {
        let (this, reader, zone) = (self.clone(), caller.clone(), zone.clone());
        let read = move |r: &mut Reader<'_>| this.incident_period_in(&reader, r, period, &zone);
        self.db.tenant(caller.scope()).read(read).await
    }

    /// The same inside a snapshot.
    pub(crate) fn incident_period_in(
        &self,
        caller: &Caller,
        reader: &mut Reader<'_>,
        period: Period,
        zone: &TimeZone,
    ) -> Result<IncidentPeriod> {
        let (scope, now, clocks) = (*caller.scope(), self.clock.now(), self.clocks()?);
        // A day of the zone may begin on the day before in UTC.
        let start = period.before().from.plus_days(-1).start();
        let ids = rows::since(reader, &scope, start, MOST)?;
        let mut found = record::get_many::<Incident>(reader, &scope, &ids)?;
        let filer = profile::get(reader, &scope)?.profile.filer();
        found.retain(|row| row.record.status != IncidentStatus::NotAnIncident);
        found.sort_by_key(|row| (row.record.times.detected_at, row.record.reference.number()));
        let incidents = found.into_iter().map(|row| IncidentView::of(row, &clocks, &filer, now));
        let open_major = self.open_major(caller, reader)?;
        let is_cut = ids.len() == MOST as usize;
        Ok(IncidentPeriod { open_major, is_cut, ..summarise(incidents, period, zone) })
    }

    fn open_major(&self, caller: &Caller, reader: &mut Reader<'_>) -> Result<Vec<IncidentView>> {
        let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
        let filter = IncidentFilter { open: Some(true), ..IncidentFilter::default() };
        let mut open = self.records.record_pages::<Incident>(caller, &filter)(reader, all)?.items;
        open.retain(|incident| incident.result() == Outcome::Major);
        Ok(open)
    }
}

fn summarise(
    incidents: impl Iterator<Item = IncidentView>,
    period: Period,
    zone: &TimeZone,
) -> IncidentPeriod {
    let mut summary = IncidentPeriod {
        period,
        period_before: period.before(),
        figures: PeriodFigures::default(),
        figures_before: PeriodFigures::default(),
        open_major: Vec::new(),
        lessons: Vec::new(),
        without_lessons: 0,
        is_cut: false,
    };
    for incident in incidents {
        let record = &incident.row.record;
        let day = zone.local(record.times.detected_at).day;
        if summary.period_before.holds(day) {
            summary.figures_before.add(&incident);
        }
        if !period.holds(day) {
            continue;
        }
        summary.figures.add(&incident);
        if record.root_cause.is_none() && record.lessons.is_none() {
            summary.without_lessons += 1;
        } else if summary.lessons.len() < LESSONS {
            summary.lessons.push(Lesson {
                incident: format!("{} {}", record.reference, record.title),
                root_cause: record.root_cause.clone(),
                lessons: record.lessons.clone(),
            });
        }
    }
    summary
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_period_before_is_as_long_and_ends_where_this_one_begins() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        let period = Period::new(day("2026-10-01"), day("2026-12-31")).unwrap();
        let before = period.before();
        assert_eq!((before.from, before.until), (day("2026-07-01"), day("2026-09-30")));
        let one = Period::new(day("2027-03-01"), day("2027-03-01")).unwrap();
        assert_eq!(one.before(), Period { from: day("2027-02-28"), until: day("2027-02-28") });
        assert!(one.holds(day("2027-03-01")) && !one.holds(day("2027-03-02")));
        assert!(Period::new(day("2027-03-02"), day("2027-03-01")).is_err());
    }
}
