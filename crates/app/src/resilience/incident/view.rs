//! What an incident is at a moment: its classification and the reports that are due, computed from its facts.

use domain::{
    clock::Clocks,
    deadline::{self, Deadline, Subject},
    incident::{
        Classification, Outcome,
        due::{Due, DueReport, Filer, Waiting, due_reports, owed},
    },
    moment::Moment,
};
use store::incident::IncidentRow;

/// The current state of an incident.
#[derive(Debug, Clone)]
pub struct IncidentView {
    pub row: IncidentRow,
    /// The classification computed from the facts; the record contains the decision in force.
    pub classification: Classification,
    pub reports: Vec<DueReport>,
    /// The last moment at which both are as they are, while no fact changes.
    pub(crate) lasts_until: Option<Moment>,
}

impl IncidentView {
    pub(crate) fn of(row: IncidentRow, clocks: &Clocks, filer: &Filer, now: Moment) -> Self {
        let (record, filings) = (&row.record, row.record.filings());
        let classification = record.classification(now);
        let case = record.case(&classification, &filings, filer, now);
        let reports = due_reports(&case, clocks);
        let lasts_until = case.lasts_until(&reports);
        Self { row, classification, reports, lasts_until }
    }

    /// The stored classification, or the computed one while there is none.
    pub fn result(&self) -> Outcome {
        let decision = self.row.record.decision.as_ref();
        decision.map_or_else(|| self.classification.outcome(), |decision| decision.result)
    }

    /// Current and expected deadlines: reports that are due, and the latest time for one that waits for the
    /// classification that the facts already imply.
    pub(crate) fn deadlines(&self) -> Vec<Deadline> {
        let id = self.row.id;
        let latest = |report: &DueReport| match &report.due {
            Due::Waits { waiting: Waiting::Classification, at_latest } => *at_latest,
            _ => None,
        };
        let owed = self.owed().into_iter().filter_map(|report| Some((report, report.due.moment()?)));
        let waiting = self.reports.iter().filter_map(|report| Some((report, latest(report)?)));
        owed.chain(waiting)
            .map(|(report, at)| Deadline {
                subject: Subject::IncidentReport(id, report.regime, report.stage),
                due: deadline::Due::At(at),
            })
            .collect()
    }

    /// The reports that are due and were not sent, soonest first; those without a number of hours come first.
    pub fn owed(&self) -> Vec<&DueReport> {
        let mut owed: Vec<&DueReport> = owed(&self.reports).collect();
        owed.sort_by_key(|report| report.due.moment());
        owed
    }
}
