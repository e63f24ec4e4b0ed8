//! Open work whose person gets a notice about its day: overdue work, and work that is due soon without an event that
//! announces it. What was said is stored with the announcements of deadlines, so each day is mentioned once.

use std::sync::LazyLock;

use domain::{
    deadline::Band,
    moment::Day,
    task::{TaskAction, TaskType},
};

use super::{
    WorkRow,
    kind::{self, OpenKind, WorkDay},
};
use crate::{
    Reader, Result, TenantScope, params,
    sql::{Row, Statement, Text},
};

/// The lead time under which an overdue day is stored.
pub const OVERDUE: &str = "overdue";

/// The statements for one day of one kind of record.
#[derive(Debug)]
struct Noticed {
    kind: TaskType,
    action: TaskAction,
    late: Statement,
    /// Only for a day that no event announces.
    soon: Option<Statement>,
}

static NOTICED: LazyLock<Vec<Noticed>> = LazyLock::new(|| {
    let days = kind::all().filter_map(|kind| Some((kind, kind.work.task?)));
    days.flat_map(|(kind, task)| kind.work.days.iter().map(move |day| Noticed::new(kind, task, day)))
        .collect()
});

impl Noticed {
    fn new(kind: OpenKind, task: TaskType, day: &WorkDay) -> Self {
        let late = statement(kind, task, day, ("late", &format!("a.lead = '{OVERDUE}'")));
        let soon = (!day.is_announced).then(|| statement(kind, task, day, ("soon", "a.hours <= $5")));
        Self { kind: task, action: day.action, late, soon }
    }

    fn read(&self, row: &Row<'_>) -> Result<WorkRow> {
        Ok(WorkRow {
            kind: self.kind,
            action: self.action,
            id: row.get(0)?,
            title: row.get(1)?,
            owner: row.get(2)?,
            due: row.day(3)?,
            updated_at: row.get(4)?,
        })
    }
}

fn statement(kind: OpenKind, task: TaskType, day: &WorkDay, (which, said): (&str, &str)) -> Statement {
    let work = kind.work;
    let (table, id, owner, due) = (work.table, work.id, work.owner, day.column);
    let text = format!(
        "SELECT r.{id}, r.{title}, r.{owner}, r.{due}, {changed} FROM {table} r
         WHERE r.tenant_id = $1 AND r.{due} >= $2 AND r.{due} <= $3{open} AND r.{owner} IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM announcements a
                           WHERE a.tenant_id = $1 AND a.subject = '{task}:' || r.{id} AND a.due = r.{due} AND {said})
         ORDER BY r.{due}, r.{id} LIMIT $4",
        title = work.title,
        changed = kind.changed(),
        open = kind.condition(day.only),
    );
    Statement {
        name: format!("work::{table}_{due}_{which}").leak(),
        text: Text::Same(text.leak()),
        whole_table: None,
    }
}

/// Every statement that is composed, for the tests that prepare and explain them all.
pub(crate) fn every() -> impl Iterator<Item = &'static Statement> {
    NOTICED.iter().flat_map(|noticed| [Some(&noticed.late), noticed.soon.as_ref()].into_iter().flatten())
}

/// Work that was due between these days and whose person was not notified of that, at most so much of each kind.
pub fn late(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    (from, to): (Day, Day),
    limit: u32,
) -> Result<Vec<WorkRow>> {
    let mut found = Vec::new();
    for noticed in &*NOTICED {
        let params = params![scope.tenant(), from, to, limit];
        found.extend(reader.query(&noticed.late, params, |row| noticed.read(row))?);
    }
    Ok(found)
}

/// Work that is due within this lead time, that no event announces, and whose person was not notified under this lead
/// time or a nearer one.
pub fn soon(reader: &mut Reader<'_>, scope: &TenantScope, band: &Band, limit: u32) -> Result<Vec<WorkRow>> {
    let mut found = Vec::new();
    for noticed in &*NOTICED {
        let Some(soon) = &noticed.soon else { continue };
        let params = params![scope.tenant(), band.from, band.to, limit, band.lead.hours()];
        found.extend(reader.query(soon, params, |row| noticed.read(row))?);
    }
    Ok(found)
}
