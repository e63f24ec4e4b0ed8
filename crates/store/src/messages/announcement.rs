//! Deadlines that were announced, and the records whose deadline is near and has not been announced yet.

use std::sync::LazyLock;

use domain::{
    deadline::{Band, Deadline},
    id::TenantId,
    lead_time::Lead,
    moment::Moment,
    task::TaskType,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row, Statement, Text},
    work::{self, OpenKind, WorkDay},
};

crate::sql! {
    SAID = "SELECT MIN(hours) FROM announcements WHERE tenant_id = $1 AND subject = $2 AND due = $3";
    PUT = "INSERT INTO announcements (tenant_id, subject, due, lead, hours, announced_at)
           VALUES ($1, $2, $3, $4, $5, $6)";
    IS_SAID = "SELECT subject FROM announcements WHERE tenant_id = $1 AND subject = $2 AND due = $3 AND lead = $4";
    PUT_ONCE = "INSERT INTO announcements (tenant_id, subject, due, lead, hours, announced_at)
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant_id, subject, due, lead) DO NOTHING";
    PRUNE = "DELETE FROM announcements WHERE announced_at < $1";
    TENANTS = whole("every tenant is notified of a date of the platform, and a platform has few tenants",
                    "SELECT t.id FROM tenants t
                     WHERE NOT EXISTS (SELECT 1 FROM announcements a
                                       WHERE a.tenant_id = t.id AND a.subject = $1 AND a.due = $2 AND a.hours <= $3)
                       AND NOT EXISTS (SELECT 1 FROM lead_times l WHERE l.tenant_id = t.id)
                     ORDER BY t.id LIMIT $4");
}

/// The statements for one day of one kind of record.
#[derive(Debug)]
struct Near {
    kind: TaskType,
    all: Statement,
    of: Statement,
}

/// Every day that is announced, by the tables of the kinds.
static NEAR: LazyLock<Vec<Near>> = LazyLock::new(|| {
    let days = work::kinds().flat_map(|kind| {
        let announced = kind.work.days.iter().filter(|day| day.is_announced);
        announced.filter_map(move |day| Some(Near::new(kind, kind.work.task?, day)))
    });
    days.collect()
});

impl Near {
    fn new(kind: OpenKind, task: TaskType, day: &WorkDay) -> Self {
        let (table, id, due) = (kind.work.table, kind.work.id, day.column);
        let open = kind.condition(day.only);
        let near = format!(
            "r.{due} >= $1 AND r.{due} <= $2{open}
             AND NOT EXISTS (SELECT 1 FROM announcements a
                             WHERE a.tenant_id = r.tenant_id AND a.subject = '{task}:' || r.{id}
                               AND a.due = r.{due} AND a.hours <= $3)"
        );
        let all = format!(
            "SELECT r.tenant_id, r.{id} FROM {table} r WHERE {near}
             AND NOT EXISTS (SELECT 1 FROM lead_times l WHERE l.tenant_id = r.tenant_id)
             ORDER BY r.{due}, r.tenant_id, r.{id} LIMIT $4"
        );
        let of = format!(
            "SELECT r.{id} FROM {table} r WHERE r.tenant_id = $5 AND {near} ORDER BY r.{due}, r.{id} LIMIT $4"
        );
        let statement = |which: &str, text: String| Statement {
            name: format!("announcement::{table}_{due}_{which}").leak(),
            text: Text::Same(text.leak()),
            whole_table: None,
        };
        Self { kind: task, all: statement("all", all), of: statement("of", of) }
    }
}

/// Every statement that is composed from the tables of the kinds.
pub(crate) fn every() -> impl Iterator<Item = &'static Statement> {
    NEAR.iter().flat_map(|near| [&near.all, &near.of])
}

/// The hours of the nearest lead time under which a deadline was announced.
pub fn said(reader: &mut Reader<'_>, scope: &TenantScope, deadline: &Deadline) -> Result<Option<u32>> {
    let (subject, due) = (deadline.subject.to_string(), deadline.due.to_string());
    let hours: Option<i64> =
        reader.query_one(&SAID, params![scope.tenant(), subject, due], |row| row.get(0))?;
    hours.map(|hours| u32::try_from(hours).map_err(Error::corrupt)).transpose()
}

pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, deadline: &Deadline, lead: Lead, at: Moment) -> Result<()> {
    let (subject, due) = (deadline.subject.to_string(), deadline.due.to_string());
    tx.execute(&PUT, params![scope.tenant(), subject, due, lead.to_string(), lead.hours(), at])?;
    Ok(())
}

/// Whether a notice said this of a deadline before.
pub fn is_said(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    deadline: &Deadline,
    lead: &str,
) -> Result<bool> {
    let (subject, due) = (deadline.subject.to_string(), deadline.due.to_string());
    let found: Option<String> =
        reader.query_opt(&IS_SAID, params![scope.tenant(), subject, due, lead], |row| row.get(0))?;
    Ok(found.is_some())
}

/// Records what a notice said of a deadline, and returns whether it was not said before.
pub fn put_once(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    deadline: &Deadline,
    (lead, hours): (&str, u32),
    at: Moment,
) -> Result<bool> {
    let (subject, due) = (deadline.subject.to_string(), deadline.due.to_string());
    Ok(tx.execute(&PUT_ONCE, params![scope.tenant(), subject, due, lead, hours, at])? > 0)
}

/// Deletes announcements made before a moment and returns their number. Deadlines that old have passed.
pub fn prune(tx: &mut Tx<'_>, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![before])
}

/// Records of all tenants without lead times of their own that are due within this lead time and were not announced
/// under it or a nearer one.
pub fn near(reader: &mut Reader<'_>, band: &Band, limit: u32) -> Result<Vec<(TenantId, TaskType, String)>> {
    let mut found = Vec::new();
    for near in &*NEAR {
        let params = params![band.from, band.to, band.lead.hours(), limit];
        let read = |row: &Row<'_>| Ok::<_, Error>((row.parse(0)?, near.kind, row.get(1)?));
        found.extend(reader.query(&near.all, params, read)?);
    }
    Ok(found)
}

/// The records of one tenant, whatever its lead times.
pub fn near_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    band: &Band,
    limit: u32,
) -> Result<Vec<(TaskType, String)>> {
    let mut found = Vec::new();
    for near in &*NEAR {
        let params = params![band.from, band.to, band.lead.hours(), limit, scope.tenant()];
        found.extend(reader.query(&near.of, params, |row| Ok::<_, Error>((near.kind, row.get(0)?)))?);
    }
    Ok(found)
}

/// The tenants without lead times of their own that were not notified of this deadline under this lead time or a nearer one.
pub fn tenants(
    reader: &mut Reader<'_>,
    deadline: &Deadline,
    lead: Lead,
    limit: u32,
) -> Result<Vec<TenantId>> {
    let (subject, due) = (deadline.subject.to_string(), deadline.due.to_string());
    reader.query(&TENANTS, params![subject, due, lead.hours(), limit], |row| row.parse(0))
}
