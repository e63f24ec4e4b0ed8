//! Open work as a table.

use domain::{deadline::Due, wording::Language};
use reports::csv::ColumnKind::{self, Text};

use super::{File, TableFormat};
use crate::{
    App, Result,
    authz::Caller,
    work::{TaskFilter, WorkItem},
};

const COLUMNS: [(&str, ColumnKind); 9] = [
    ("id", Text),
    ("type", Text),
    ("action", Text),
    ("title", Text),
    ("owner", Text),
    ("due_on", Text),
    ("due_at", Text),
    ("late", Text),
    ("updated_at", Text),
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
