//! Reports over a period. One that waits is claimed by the node that makes it; a claim that has ended without a result
//! can be claimed again. One that is released is never changed or deleted.

use domain::{
    id::TenantId,
    moment::{Day, Moment},
    own_text::OwnText,
    page::{Page, PageRequest},
    period_report::{PeriodReportId, ReportState, ReportWish},
};

use crate::{
    Error, Reader, Result, TenantScope, Tx, params,
    sql::{CursorColumns, List, Order, Row, cursor_columns},
};

crate::sql! {
    INSERT = "INSERT INTO period_reports (id, tenant_id, kind, framework, from_on, until_on, language, template_id,
                                          scheduled_for, state, asked_by, asked_at, claimed_until, own)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'waiting', $10, $11, 0, $12)
              ON CONFLICT (tenant_id, template_id, scheduled_for) DO NOTHING";
    GET = "SELECT p.id, p.kind, p.framework, p.from_on, p.until_on, p.language, p.template_id, p.scheduled_for, p.state,
                  p.asked_by, p.asked_at, p.made_at, p.content_id, p.bytes, p.sha256, p.problem, p.released_by,
                  p.released_at, p.version, p.own
           FROM period_reports p WHERE p.tenant_id = $1 AND p.id = $2";
    LAST_REVIEW = "SELECT p.id, p.kind, p.framework, p.from_on, p.until_on, p.language, p.template_id, p.scheduled_for,
                          p.state, p.asked_by, p.asked_at, p.made_at, p.content_id, p.bytes, p.sha256, p.problem,
                          p.released_by, p.released_at, p.version, p.own
                   FROM period_reports p WHERE p.tenant_id = $1 AND p.version IS NOT NULL AND p.until_on < $2
                   ORDER BY p.version DESC LIMIT 1";
    REVIEWS = "SELECT p.id, p.kind, p.framework, p.from_on, p.until_on, p.language, p.template_id, p.scheduled_for,
                      p.state, p.asked_by, p.asked_at, p.made_at, p.content_id, p.bytes, p.sha256, p.problem,
                      p.released_by, p.released_at, p.version
               FROM period_reports p WHERE p.tenant_id = $1 AND p.version BETWEEN $2 AND $3 ORDER BY p.version DESC";
    OPEN = "SELECT tenant_id, id FROM period_reports WHERE state = 'waiting' AND claimed_until = 0 ORDER BY id LIMIT $1";
    LEFT = "SELECT tenant_id, id FROM period_reports WHERE state = 'making' AND claimed_until < $1
            ORDER BY claimed_until, id LIMIT $2";
    CLAIM = "UPDATE period_reports SET state = 'making', claim = $3, claimed_until = $4
             WHERE tenant_id = $1 AND id = $2 AND state IN ('waiting', 'making') AND claimed_until < $5";
    MADE = "UPDATE period_reports SET state = 'made', made_at = $4, content_id = $5, bytes = $6, sha256 = $7
            WHERE tenant_id = $1 AND id = $2 AND claim = $3 AND state = 'making'";
    FAILED = "UPDATE period_reports SET state = 'failed', problem = $4
              WHERE tenant_id = $1 AND id = $2 AND claim = $3 AND state = 'making'";
    POSTPONE = "UPDATE period_reports SET claimed_until = $4
                WHERE tenant_id = $1 AND id = $2 AND claim = $3 AND state = 'making'";
    RELEASE = "UPDATE period_reports SET released_by = $3, released_at = $4, version = $5
               WHERE tenant_id = $1 AND id = $2 AND state = 'made' AND released_at IS NULL";
    COUNTS = "SELECT COUNT(*), COALESCE(SUM(CASE WHEN state IN ('waiting', 'making') THEN 1 ELSE 0 END), 0)
              FROM period_reports WHERE tenant_id = $1 AND released_at IS NULL";
    DELETE = "DELETE FROM period_reports WHERE tenant_id = $1 AND id = $2 AND state <> 'making' AND released_at IS NULL";
    OLD = "SELECT tenant_id, id FROM period_reports
           WHERE released_at IS NULL AND asked_at < $1 AND state IN ('made', 'failed') ORDER BY asked_at LIMIT $2";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "period_reports",
    columns: "p.id, p.kind, p.framework, p.from_on, p.until_on, p.language, p.template_id, p.scheduled_for, p.state,
              p.asked_by, p.asked_at, p.made_at, p.content_id, p.bytes, p.sha256, p.problem, p.released_by,
              p.released_at, p.version",
    stamps: None,
    from: "period_reports p",
    base: "p.tenant_id = $1",
    filters: &[],
    tagged: None,
    orders: &[Order { name: "-asked_at", by: "p.id DESC", back: "p.id" }],
    found: None,
    cursor: CursorColumns {
        prefix: PeriodReportId::PREFIX,
        ..cursor_columns!("p.id", BundleId, "p.asked_at")
    },
};

/// Where the bytes of a report are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFile {
    pub content_id: String,
    pub bytes: u64,
    pub sha256: String,
}

/// Who released a report, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Released {
    pub by: String,
    pub at: Moment,
    /// The number of its signed version, for a management review.
    pub version: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeriodReportRow {
    pub id: PeriodReportId,
    pub wish: ReportWish,
    /// The time of the schedule that it was made for.
    pub scheduled_for: Option<Moment>,
    pub state: ReportState,
    pub asked_by: String,
    pub asked_at: Moment,
    pub made_at: Option<Moment>,
    /// There once it is made.
    pub file: Option<ReportFile>,
    /// Why it failed.
    pub problem: Option<String>,
    pub released: Option<Released>,
}

impl PeriodReportRow {
    /// A report that is asked for now.
    pub fn new(id: PeriodReportId, wish: ReportWish, asked_by: String, now: Moment) -> Self {
        Self {
            id,
            wish,
            scheduled_for: None,
            state: ReportState::Waiting,
            asked_by,
            asked_at: now,
            made_at: None,
            file: None,
            problem: None,
            released: None,
        }
    }
}

/// A report with what the institution says in it.
fn read(row: &Row<'_>) -> Result<PeriodReportRow> {
    let mut report = read_listed(row)?;
    if let Some(own) = row.get::<Option<String>>(19)? {
        report.wish.own = serde_json::from_str(&own).map_err(Error::corrupt)?;
    }
    Ok(report)
}

/// The same without that.
fn read_listed(row: &Row<'_>) -> Result<PeriodReportRow> {
    let bytes = row.get::<Option<i64>>(13)?.and_then(|bytes| u64::try_from(bytes).ok());
    let file = row.get::<Option<String>>(12)?.zip(bytes).zip(row.get::<Option<String>>(14)?);
    let released = row.get::<Option<String>>(16)?.zip(row.get::<Option<Moment>>(17)?);
    let version = row.get::<Option<i64>>(18)?;
    Ok(PeriodReportRow {
        id: row.parse(0)?,
        wish: ReportWish {
            kind: row.parse(1)?,
            framework: row.parse_opt(2)?,
            from: row.parse(3)?,
            until: row.parse(4)?,
            language: row.parse(5)?,
            template: row.parse_opt(6)?,
            own: OwnText::default(),
        },
        scheduled_for: row.get(7)?,
        state: row.parse(8)?,
        asked_by: row.get(9)?,
        asked_at: row.get(10)?,
        made_at: row.get(11)?,
        file: file.map(|((content_id, bytes), sha256)| ReportFile { content_id, bytes, sha256 }),
        problem: row.get(15)?,
        released: released.map(|(by, at)| Released { by, at, version }),
    })
}

/// Stores a new report. Says whether it is the first of its template for this time of the schedule.
pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &PeriodReportRow) -> Result<bool> {
    let wish = &row.wish;
    let framework = wish.framework.map(|framework| framework.to_string());
    let own = (!wish.own.is_empty()).then(|| serde_json::to_string(&wish.own)).transpose();
    let own = own.map_err(Error::corrupt)?;
    let values = params![
        row.id,
        scope.tenant(),
        wish.kind.as_str(),
        framework.as_deref(),
        wish.from,
        wish.until,
        wish.language.as_str(),
        wish.template,
        row.scheduled_for,
        &row.asked_by,
        row.asked_at,
        own.as_deref(),
    ];
    Ok(tx.execute(&INSERT, values)? > 0)
}

/// Newest first, without what the institution says in them.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    request: PageRequest,
) -> Result<Page<PeriodReportRow>> {
    LIST.query(scope).page(reader, request, read_listed)
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: PeriodReportId,
) -> Result<Option<PeriodReportRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// The released management review with the highest number whose period ended before a day.
pub fn last_review(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    before: Day,
) -> Result<Option<PeriodReportRow>> {
    reader.query_opt(&LAST_REVIEW, params![scope.tenant(), before], read)
}

/// The management reviews with these numbers, newest first, without what the institution says in them.
pub fn reviews(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    (first, last): (i64, i64),
) -> Result<Vec<PeriodReportRow>> {
    reader.query(&REVIEWS, params![scope.tenant(), first, last], read_listed)
}

/// Reports of all tenants that no node makes: those that wait, and those whose node went away.
pub fn open(reader: &mut Reader<'_>, now: Moment, limit: u32) -> Result<Vec<(TenantId, PeriodReportId)>> {
    let both = |row: &Row<'_>| Ok((row.parse(0)?, row.parse(1)?));
    let mut found = reader.query(&LEFT, params![now, limit], both)?;
    found.extend(reader.query(&OPEN, params![limit], both)?);
    Ok(found)
}

/// How many reports of a tenant are not released, and how many of them wait or are being made.
pub fn counts(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<(u64, u64)> {
    let both = |row: &Row<'_>| Ok((row.get::<u64>(0)?, row.get::<u64>(1)?));
    Ok(reader.query_opt(&COUNTS, params![scope.tenant()], both)?.unwrap_or_default())
}

/// Reports of all tenants that were asked for before a moment, are finished and were not released.
pub fn old(reader: &mut Reader<'_>, before: Moment, limit: u32) -> Result<Vec<(TenantId, PeriodReportId)>> {
    reader.query(&OLD, params![before, limit], |row| Ok((row.parse(0)?, row.parse(1)?)))
}

/// Deletes a report, but not its bytes. Says whether it was there, not being made and not released.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: PeriodReportId) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![scope.tenant(), id])? > 0)
}

/// Claims a report. Says whether no other node has it.
pub fn claim(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: PeriodReportId,
    claim: &str,
    (now, until): (Moment, Moment),
) -> Result<bool> {
    Ok(tx.execute(&CLAIM, params![scope.tenant(), id, claim, until, now])? > 0)
}

/// Ends the work with its file. Says whether the claim still held.
pub fn made(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: PeriodReportId,
    claim: &str,
    (file, now): (&ReportFile, Moment),
) -> Result<bool> {
    let values = params![scope.tenant(), id, claim, now, &file.content_id, file.bytes, &file.sha256];
    Ok(tx.execute(&MADE, values)? > 0)
}

/// Ends the work without one.
pub fn failed(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: PeriodReportId,
    claim: &str,
    problem: &str,
) -> Result<bool> {
    Ok(tx.execute(&FAILED, params![scope.tenant(), id, claim, problem])? > 0)
}

/// Lets no node make the report before a moment. Says whether the claim still held.
pub fn postpone(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: PeriodReportId,
    claim: &str,
    until: Moment,
) -> Result<bool> {
    Ok(tx.execute(&POSTPONE, params![scope.tenant(), id, claim, until])? > 0)
}

/// Records who released a report. Says whether it was made and not released yet.
pub fn release(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: PeriodReportId,
    released: &Released,
) -> Result<bool> {
    let values = params![scope.tenant(), id, &released.by, released.at, released.version];
    Ok(tx.execute(&RELEASE, values)? > 0)
}
