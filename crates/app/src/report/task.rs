//! Open work as a table.

use domain::{
    control::ControlCadence,
    deadline::Due,
    task::{Task, TaskAction, TaskInput, TaskStatus, TaskType},
    text::{Name, Prose},
    wording::Language,
};

use super::{
    File, TableFormat,
    column::TableColumn,
    words::{self, word},
};
use crate::{
    App, Result,
    authz::Caller,
    records::{Exchanged, Given},
    task::TaskRow,
    work::{TaskFilter, WorkItem},
};

const COLUMNS: [TableColumn; 9] = [
    TableColumn::id(),
    TableColumn::word::<TaskType>("type", word("Kind of record", "Art des Eintrags")).unread(),
    TableColumn::word::<TaskAction>("action", word("Action", "Aufgabe")).unread(),
    TableColumn::text("title", words::TITLE),
    TableColumn::text("owner", words::OWNER),
    TableColumn::day("due_on", words::DUE_ON),
    TableColumn::moment("due_at", word("Due at", "Fällig um")).unread(),
    TableColumn::flag("late", words::OVERDUE).unread(),
    TableColumn::moment("updated_at", word("Last changed", "Zuletzt geändert")).unread(),
];

impl App {
    /// The open work that a page with these filters lists.
    pub async fn tasks_file(
        &self,
        caller: &Caller,
        filter: TaskFilter,
        format: TableFormat,
        language: Language,
    ) -> Result<File> {
        let load = self.task_pages(caller, filter, language).await?;
        self.table(caller, "tasks", format, COLUMNS, load, cells).await
    }
}

fn cells(item: &WorkItem) -> [String; COLUMNS.len()] {
    let due_at = match item.due {
        Some(Due::At(moment)) => moment.to_string(),
        Some(Due::On(_)) | None => String::new(),
    };
    [
        item.id.clone(),
        item.kind.to_string(),
        item.action.to_string(),
        item.title.clone(),
        item.owner.clone().unwrap_or_default(),
        item.day().map(|day| day.to_string()).unwrap_or_default(),
        due_at,
        item.late.to_string(),
        item.updated_at.to_string(),
    ]
}

/// The columns of tasks alone. The list of tasks has the work of all kinds; of its lines, those of tasks can be imported.
const OF_TASKS: [TableColumn; 8] = [
    TableColumn::id(),
    TableColumn::text("title", words::TITLE),
    TableColumn::text("note", words::NOTE),
    TableColumn::text("owner", words::OWNER),
    TableColumn::day("due_on", words::DUE_ON),
    TableColumn::word::<TaskStatus>("status", words::STATUS),
    TableColumn::text("about", word("About", "Betrifft")),
    TableColumn::word::<ControlCadence>("cadence", word("Repeats", "Wiederholung")),
];

impl Exchanged for Task {
    const COLUMNS: &'static [TableColumn] = &OF_TASKS;

    fn cells(row: &TaskRow) -> Vec<String> {
        let record = &row.record;
        vec![
            row.id.to_string(),
            record.title.to_string(),
            record.note.as_ref().map(Prose::as_str).unwrap_or_default().to_owned(),
            record.owner.as_ref().map(Name::as_str).unwrap_or_default().to_owned(),
            record.due_on.map(|day| day.to_string()).unwrap_or_default(),
            record.status.to_string(),
            record.about.as_ref().map(Name::as_str).unwrap_or_default().to_owned(),
            record.cadence.to_string(),
        ]
    }

    fn input(given: &Given) -> TaskInput {
        TaskInput {
            title: given.text("title"),
            note: given.text("note"),
            owner: given.text("owner"),
            due_on: given.text("due_on"),
            status: given.text("status"),
            about: given.text("about"),
            cadence: given.text("cadence"),
        }
    }
}
