//! Drill runs as files: the list as a table, and one run as a document. Each is marked as an exercise.

mod paper;

use domain::{
    drill_run::{DrillRun, DrillRunInput, DrillRunStatus},
    page::Reading,
    text::Name,
};

use super::{
    File, TableFormat,
    column::TableColumn,
    words::{self, word},
};
use crate::{
    App, Result,
    authz::Caller,
    drill_run::{DrillRunChange, DrillRunFilter, DrillRunView},
    records::{Exchanged, Given},
};

const COLUMNS: [TableColumn; 14] = [
    TableColumn::id(),
    TableColumn::text("reference", words::REFERENCE).unread(),
    TableColumn::flag("practice", word("Practice", "Übung")).unread(),
    TableColumn::text("title", words::TITLE),
    TableColumn::text("scenario", word("Scenario", "Szenario")),
    TableColumn::word::<DrillRunStatus>("status", words::STATUS).unread(),
    TableColumn::day("planned_for", word("Planned for", "Geplant für")),
    TableColumn::items("participants", word("Participants", "Teilnehmer"), "; "),
    TableColumn::moment("started_at", word("Started", "Begonnen")).unread(),
    TableColumn::moment("finished_at", word("Finished", "Beendet")).unread(),
    TableColumn::number("score", word("Score", "Ergebnis")).unread(),
    TableColumn::record("programme_id", words::PROGRAMME, &["programme"]),
    TableColumn::record("test_case_id", words::TEST_CASE, &["test_case"]),
    TableColumn::records("findings", words::FINDINGS, &["finding"], "; ").unread(),
];

impl App {
    /// The runs a page with these filters lists.
    pub async fn drill_runs_file(
        &self,
        caller: &Caller,
        filter: &DrillRunFilter,
        reading: Reading,
        format: TableFormat,
    ) -> Result<File> {
        let load = self.record_pages_as_of::<DrillRun>(caller, filter, reading);
        Ok(self
            .record_table::<DrillRun, _>(caller, "drill-runs", format, COLUMNS, load, cells)
            .await?
            .named_as_of(reading))
    }
}

fn cells(run: &DrillRunView) -> [String; COLUMNS.len()] {
    let record = &run.row.record;
    let people: Vec<&str> = record.participants.iter().map(Name::as_str).collect();
    let findings: Vec<String> = record.findings.iter().map(ToString::to_string).collect();
    [
        run.row.id.to_string(),
        record.reference.to_string(),
        "true".to_owned(),
        record.title.to_string(),
        record.scenario.clone(),
        record.status.to_string(),
        record.planned_for.to_string(),
        people.join("; "),
        record.started_at.map(|at| at.to_string()).unwrap_or_default(),
        record.finished_at.map(|at| at.to_string()).unwrap_or_default(),
        record.outcome.map(|outcome| outcome.score.to_string()).unwrap_or_default(),
        record.programme_id.map(|id| id.to_string()).unwrap_or_default(),
        record.test_case_id.map(|id| id.to_string()).unwrap_or_default(),
        findings.join("; "),
    ]
}

impl Exchanged for DrillRun {
    const COLUMNS: &'static [TableColumn] = &COLUMNS;

    fn cells(view: &Self::View) -> Vec<String> {
        cells(view).into()
    }

    fn input(given: &Given) -> Self::Input {
        DrillRunChange::Fields(Box::new(DrillRunInput {
            title: given.text("title"),
            scenario: given.text("scenario"),
            planned_for: given.text("planned_for"),
            participants: given.list("participants"),
            programme_id: given.text("programme_id"),
            test_case_id: given.text("test_case_id"),
            ..DrillRunInput::default()
        }))
    }
}
