//! Tasks. The list of all open work, in `work`, includes them.

use std::sync::LazyLock;

use domain::{
    id::TaskId,
    task::{Task, TaskAction, TaskStatus, TaskType},
};

use crate::{
    Reader, Result, TenantScope, params,
    record::{Kind, RecordRow},
    sql::{Cells, ListQuery, Table, TableColumn, TableStatements, Value},
    work::{Work, WorkDay},
};

crate::sql! {
    ABOUT = "SELECT id FROM tasks WHERE tenant_id = $1 AND about = $2 AND archived = 0 ORDER BY due_on, id LIMIT $3";
}

pub type TaskRow = RecordRow<Task>;

/// The tasks about a record, soonest due first.
pub fn about(reader: &mut Reader<'_>, scope: &TenantScope, record: &str, limit: u32) -> Result<Vec<TaskRow>> {
    let ids: Vec<TaskId> =
        reader.query(&ABOUT, params![scope.tenant(), record, limit], |row| row.parse(0))?;
    let mut rows = crate::record::get_many::<Task>(reader, scope, &ids)?;
    rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
    Ok(rows)
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&Task::TABLE));

impl Kind for Task {
    type Id = TaskId;
    /// Tasks are listed together with all other open work, so their own list has no filter.
    type Filter = ();

    const TABLE: Table<Self> = Table {
        name: "tasks",
        prefix: TaskId::PREFIX,
        columns: &[
            TableColumn::new("title", |task| Value::from(&task.title)),
            TableColumn::new("note", |task| Value::from(task.note.as_ref())),
            TableColumn::new("owner", |task| Value::from(task.owner.as_ref())),
            TableColumn::new("due_on", |task| Value::day(task.due_on)),
            TableColumn::new("status", |task| Value::from(task.status.as_str())),
            TableColumn::derived("open", |task| Value::from(task.status == TaskStatus::Open)),
            TableColumn::new("about", |task| Value::from(task.about.as_ref())),
            TableColumn::new("cadence", |task| Value::from(task.cadence.as_str())),
            TableColumn::new("next_task", |task| Value::from(task.next)),
        ],
        archives: true,
        work: Some(&Work {
            table: "tasks",
            task: Some(TaskType::Task),
            id: "id",
            title: "title",
            owner: "owner",
            open: "r.open = 1",
            days: &[WorkDay::new("due_on", TaskAction::Do).optional()],
        }),
        filters: &[],
        sorts: &[],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            title: cells.name("title")?,
            note: cells.prose_opt("note")?,
            owner: cells.name_opt("owner")?,
            due_on: cells.day("due_on")?,
            status: cells.parse("status")?,
            about: cells.name_opt("about")?,
            cadence: cells.parse("cadence")?,
            next: cells.parse_opt("next_task")?,
        })
    }

    fn narrow<'q>((): &'q (), list: ListQuery<'q>) -> ListQuery<'q> {
        list
    }
}
