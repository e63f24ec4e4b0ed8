//! Drill runs as files: the list as a table, and one run as a document. Each is marked as an exercise.

mod paper;

use domain::{
    drill_run::{DrillRun, DrillRunInput, DrillRunStatus},
    page::Reading,
};

use super::{
    File, TableFormat,
    column::{RecordColumn, TableColumn, cell, cells, columns, joined, of},
};
use crate::{
    Reports, Result,
    authz::Caller,
    drill_run::{DrillRunFilter, DrillRunView},
    records::{Exchanged, Given},
};

const COLUMNS: &[RecordColumn<DrillRunView>] = &[
    (TableColumn::id(), |run| run.row.id.to_string()),
    (of::text(DrillRun::REFERENCE).unread(), |run| run.row.record.reference.to_string()),
    (of::flag(DrillRun::PRACTICE).unread(), |_| true.to_string()),
    (of::text(DrillRun::TITLE), |run| run.row.record.title.to_string()),
    (of::text(DrillRun::SCENARIO), |run| run.row.record.scenario.clone()),
    (of::word::<DrillRunStatus>(DrillRun::STATUS).unread(), |run| run.row.record.status.to_string()),
    (of::day(DrillRun::PLANNED_FOR), |run| run.row.record.planned_for.to_string()),
    (of::items(DrillRun::PARTICIPANTS, "; "), |run| joined(&run.row.record.participants)),
    (of::moment(DrillRun::STARTED).unread(), |run| cell(run.row.record.started_at)),
    (of::moment(DrillRun::FINISHED).unread(), |run| cell(run.row.record.finished_at)),
    (of::number(DrillRun::SCORE).unread(), |run| cell(run.row.record.outcome.map(|outcome| outcome.score))),
    (of::records(DrillRun::PROGRAMME, &["programme"], ""), |run| cell(run.row.record.programme_id)),
    (of::records(DrillRun::TEST_CASE, &["test_case"], ""), |run| cell(run.row.record.test_case_id)),
    (of::records(DrillRun::FINDINGS, &["finding"], "; ").unread(), |run| joined(&run.row.record.findings)),
];

impl Reports {
    /// The runs a page with these filters lists.
    pub async fn drill_runs_file(
        &self,
        caller: &Caller,
        filter: &DrillRunFilter,
        reading: Reading,
        format: TableFormat,
    ) -> Result<File> {
        let load = self.records.record_pages_as_of::<DrillRun>(caller, filter, reading);
        Ok(self
            .record_file::<DrillRun>(caller, "drill-runs", format, COLUMNS, load)
            .await?
            .named_as_of(reading))
    }
}

impl Exchanged for DrillRun {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = Some(Into::into);

    fn cells(run: &DrillRunView) -> Vec<String> {
        cells(COLUMNS, run)
    }

    fn input(given: &Given) -> Self::Input {
        DrillRunInput {
            title: given.text("title"),
            scenario: given.text("scenario"),
            planned_for: given.text("planned_for"),
            participants: given.list("participants"),
            programme_id: given.text("programme_id"),
            test_case_id: given.text("test_case_id"),
            ..DrillRunInput::default()
        }
    }
}
