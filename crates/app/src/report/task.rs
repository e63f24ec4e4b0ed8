//! Open work as a table.

use domain::{
    control::ControlCadence,
    deadline::Due,
    field::Field,
    moment::Moment,
    task::{Task, TaskAction, TaskInput, TaskStatus, TaskType},
    wording::Language,
};

use super::{
    File, TableFormat,
    column::{RecordColumn, TableColumn, cell, cells, columns, of},
    words::{self, word},
};
use crate::{
    Reports, Result,
    authz::Caller,
    records::{Exchanged, Given},
    task::TaskRow,
    work::{TaskFilter, WorkItem},
};

/// What names a line of the list, and a task.
const TITLE: Field = Task::TITLE.called(Field::TITLE.label);

/// The columns of the list, which has the work of all kinds.
const OF_WORK: &[RecordColumn<WorkItem>] = &[
    (TableColumn::id(), |item| item.id.clone()),
    (TableColumn::word::<TaskType>("type", word("Kind of record", "Art des Eintrags")).unread(), |item| {
        item.kind.to_string()
    }),
    (TableColumn::word::<TaskAction>("action", word("Action", "Aufgabe")).unread(), |item| {
        item.action.to_string()
    }),
    (of::text(TITLE), |item| item.title.clone()),
    (of::text(Field::OWNER), |item| cell(item.owner.as_ref())),
    (of::day(Field::DUE_ON), |item| cell(item.day())),
    (TableColumn::moment("due_at", word("Due at", "Fällig um")).unread(), |item| cell(due_at(item))),
    (TableColumn::flag("late", words::OVERDUE).unread(), |item| item.late.to_string()),
    (TableColumn::moment("updated_at", word("Last changed", "Zuletzt geändert")).unread(), |item| {
        item.updated_at.to_string()
    }),
];

/// The columns of tasks alone: of the lines of the list, those of tasks can be imported.
const COLUMNS: &[RecordColumn<TaskRow>] = &[
    (TableColumn::id(), |task| task.id.to_string()),
    (of::text(TITLE), |task| task.record.title.to_string()),
    (of::text(Task::NOTE), |task| cell(task.record.note.as_ref())),
    (of::text(Task::OWNER), |task| cell(task.record.owner.as_ref())),
    (of::day(Task::DUE_ON), |task| cell(task.record.due_on)),
    (of::word::<TaskStatus>(Task::STATUS), |task| task.record.status.to_string()),
    (of::text(Task::ABOUT), |task| cell(task.record.about.as_ref())),
    (of::word::<ControlCadence>(Task::CADENCE), |task| task.record.cadence.to_string()),
];

impl Reports {
    /// The open work that a page with these filters lists.
    pub async fn tasks_file(
        &self,
        caller: &Caller,
        filter: TaskFilter,
        format: TableFormat,
        language: Language,
    ) -> Result<File> {
        let load = self.work.task_pages(caller, filter, language).await?;
        let plain = OF_WORK.iter().map(|(column, _)| *column).collect();
        self.table(caller, "tasks", format, plain, load, |item| cells(OF_WORK, item)).await
    }
}

fn due_at(item: &WorkItem) -> Option<Moment> {
    match item.due {
        Some(Due::At(moment)) => Some(moment),
        Some(Due::On(_)) | None => None,
    }
}

impl Exchanged for Task {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = Some(Into::into);

    fn cells(task: &TaskRow) -> Vec<String> {
        cells(COLUMNS, task)
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
