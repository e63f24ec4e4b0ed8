//! Open work until a day, over every kind of record, soonest first.
//!
//! Reports with a deadline by clock are not stored as work; the application adds them.

mod kind;
pub mod noticed;
mod statements;

use std::{fmt::Display, str::FromStr};

use domain::{
    id::{CraReportId, IncidentId},
    moment::{Day, Moment},
    page::PageRequest,
    task::{TaskAction, TaskType},
};

pub use self::kind::{Work, WorkDay, of_table};
use self::statements::{Changed, WORK};
pub(crate) use self::{
    kind::{OpenKind, all as kinds, owned},
    statements::every,
};
use crate::{
    Reader, Result, TenantScope, params,
    sql::{Row, Statement, Value},
};

crate::sql! {
    INCIDENTS = "SELECT id FROM incidents WHERE tenant_id = $1 AND open = 1 ORDER BY id DESC LIMIT $2";
    INCIDENTS_OF = "SELECT id FROM incidents WHERE tenant_id = $1 AND open = 1 AND LOWER(owner) = LOWER($3)
                    ORDER BY id DESC LIMIT $2";
    CRA_REPORTS = "SELECT id FROM cra_reports WHERE tenant_id = $1 AND running = 1 AND archived_at IS NULL
                   ORDER BY id DESC LIMIT $2";
    CRA_REPORTS_OF = "SELECT id FROM cra_reports WHERE tenant_id = $1 AND running = 1 AND archived_at IS NULL
                      AND LOWER(owner) = LOWER($3) ORDER BY id DESC LIMIT $2";
}

/// Which work is listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkFilter {
    /// The names of an owner, in any letter case and each once; `None` for all owners.
    pub names: Option<[Option<String>; 3]>,
    pub due_before: Option<Day>,
    pub kind: Option<TaskType>,
}

/// An item of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkRow {
    pub kind: TaskType,
    pub action: TaskAction,
    pub id: String,
    /// As stored: the id of the requirement for an assessment, the reference date for a filing.
    pub title: String,
    pub owner: Option<String>,
    pub due: Option<Day>,
    /// When the record was last changed.
    pub updated_at: Moment,
}

/// The tenant, the last day of what has a day, the last day of plain tasks, which may have none, and the kind.
fn first_values<'v>(scope: &TenantScope, filter: &'v WorkFilter) -> Vec<Value<'v>> {
    let before = filter.due_before.map(|day| day.plus_days(-1));
    let kind = filter.kind.map_or("", TaskType::as_str);
    let mut values = vec![
        scope.tenant().into(),
        Value::from(before.unwrap_or(Day::LAST)),
        Value::day(before),
        Value::from(kind),
    ];
    values.extend(filter.names.iter().flatten().map(|name| Value::from(name.as_deref())));
    values
}

pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &WorkFilter,
    request: PageRequest,
) -> Result<Vec<WorkRow>> {
    let mut values = first_values(scope, filter);
    values.extend([Value::from(request.limit()), Value::from(request.offset())]);
    reader.query(if filter.names.is_some() { &WORK.of } else { &WORK.all }, &values, read)
}

pub fn count(reader: &mut Reader<'_>, scope: &TenantScope, filter: &WorkFilter) -> Result<u64> {
    let statement = if filter.names.is_some() { &WORK.count_of } else { &WORK.count_all };
    reader.query_one(statement, &first_values(scope, filter), |row| row.get(0))
}

/// Work that changed after a moment, oldest change first.
pub fn changed_after(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &WorkFilter,
    moment: Moment,
    limit: u32,
) -> Result<Vec<WorkRow>> {
    let mut values = first_values(scope, filter);
    values.extend([Value::from(moment), Value::from(limit)]);
    reader.query(&changed(filter).after, &values, read)
}

/// Work that changed at this moment, in no order.
pub fn changed_at(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &WorkFilter,
    moment: Moment,
) -> Result<Vec<WorkRow>> {
    let mut values = first_values(scope, filter);
    values.push(Value::from(moment));
    reader.query(&changed(filter).at, &values, read)
}

/// How much changed at this moment or later.
pub fn changed_since(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &WorkFilter,
    moment: Moment,
) -> Result<u64> {
    let mut values = first_values(scope, filter);
    values.push(Value::from(moment));
    reader.query_one(&changed(filter).count, &values, |row| row.get(0))
}

fn changed(filter: &WorkFilter) -> &'static Changed {
    &WORK.changed[usize::from(filter.names.is_some())]
}

/// Incidents that still need work, newest first, at most so many under each name.
pub fn incidents(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &WorkFilter,
    limit: u32,
) -> Result<Vec<IncidentId>> {
    ids(reader, scope, filter, limit, (&INCIDENTS, &INCIDENTS_OF))
}

/// CRA reports with a running clock, newest first, at most so many under each name.
pub fn cra_reports(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &WorkFilter,
    limit: u32,
) -> Result<Vec<CraReportId>> {
    ids(reader, scope, filter, limit, (&CRA_REPORTS, &CRA_REPORTS_OF))
}

fn ids<T: FromStr<Err: Display>>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &WorkFilter,
    limit: u32,
    (all, of): (&Statement, &Statement),
) -> Result<Vec<T>> {
    let Some(names) = &filter.names else {
        return reader.query(all, params![scope.tenant(), limit], |row| row.parse(0));
    };
    let mut found = Vec::new();
    for name in names.iter().flatten() {
        let read: Vec<T> = reader.query(of, params![scope.tenant(), limit, name], |row| row.parse(0))?;
        found.extend(read);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<WorkRow> {
    Ok(WorkRow {
        kind: row.parse(0)?,
        action: row.parse(1)?,
        id: row.get(2)?,
        title: row.get(3)?,
        owner: row.get(4)?,
        due: row.day(5)?,
        updated_at: row.get(6)?,
    })
}
