//! Drill runs as files: the list as a table, and one run as a document. Each is marked as an exercise.

mod paper;

use domain::{drill_run::DrillRun as Record, page::Reading, text::Name};
use reports::csv::ColumnKind::{self, Number, Text};

use super::{File, TableFormat};
use crate::{
    App, Result,
    authz::Caller,
    drill_run::{DrillRun, DrillRunFilter},
};

const COLUMNS: [(&str, ColumnKind); 14] = [
    ("id", Text),
    ("reference", Text),
    ("practice", Text),
    ("title", Text),
    ("scenario", Text),
    ("status", Text),
    ("planned_for", Text),
    ("participants", Text),
    ("started_at", Text),
    ("finished_at", Text),
    ("score", Number),
    ("programme_id", Text),
    ("test_case_id", Text),
    ("findings", Text),
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
        let load = self.record_pages_as_of::<Record>(caller, filter, reading);
        Ok(self.table(caller, "drill-runs", format, COLUMNS, load, cells).await?.named_as_of(reading))
    }
}

fn cells(run: &DrillRun) -> [String; 14] {
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
