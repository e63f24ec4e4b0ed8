//! Findings. Their references are counted per tenant and year; their counts are updated with every change.

use domain::{
    archive::Archived,
    cve::CvssScore,
    finding::{Acceptance, Finding, FindingStatus},
    id::{FindingId, ProgrammeId, TenantId, TestCaseId},
    moment::{Day, Moment},
    page::{Page, PageRequest},
    reference::FindingReference,
    sort::FindingSort,
    text::{Name, Prose},
    vocabulary::Severity,
};

use crate::{
    Error, Reader, Result, TenantScope, Tx, document,
    finding_count::{self, Days, Parent, Tally},
    measure_use::{self, Said},
    params,
    sql::{FEW, Filter, Found, List, ListQuery, Order, Row, Search, Value, walk},
};

crate::sql! {
    NUMBER = "INSERT INTO finding_numbers (tenant_id, year, last) VALUES ($1, $2, 1)
              ON CONFLICT (tenant_id, year) DO UPDATE SET last = finding_numbers.last + 1
              RETURNING last";
    INSERT = "INSERT INTO findings (id, tenant_id, year, number, programme_id, test_case_id, title, description,
                                    severity, status, open, owner, affected_asset, cve, cvss, remediation,
                                    acceptance_reason, acceptance_until, measures, detected_at, due_on, closed_at,
                                    archived, archived_at, due_by_rule, version, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
                      $21, $22, $23, $24, $25, $26, $27, $28)";
    GET = "SELECT f.id, f.year, f.number, f.programme_id, f.test_case_id, f.title, f.description, f.severity,
                  f.status, f.owner, f.affected_asset, f.cve, f.cvss, f.remediation, f.acceptance_reason,
                  f.acceptance_until, f.measures, f.detected_at, f.due_on, f.closed_at, f.version, f.created_at,
                  f.updated_at, f.archived_at, f.due_by_rule
           FROM findings f WHERE f.tenant_id = $1 AND f.id = $2";
    BY_REFERENCE = "SELECT f.id, f.year, f.number, f.programme_id, f.test_case_id, f.title, f.description, f.severity,
                           f.status, f.owner, f.affected_asset, f.cve, f.cvss, f.remediation, f.acceptance_reason,
                           f.acceptance_until, f.measures, f.detected_at, f.due_on, f.closed_at, f.version,
                           f.created_at, f.updated_at, f.archived_at, f.due_by_rule
                    FROM findings f WHERE f.tenant_id = $1 AND f.year = $2 AND f.number = $3";
    GET_MANY = differs("each engine has its own way to bind a list",
        sqlite
          "SELECT f.id, f.year, f.number, f.programme_id, f.test_case_id, f.title, f.description, f.severity,
                  f.status, f.owner, f.affected_asset, f.cve, f.cvss, f.remediation, f.acceptance_reason,
                  f.acceptance_until, f.measures, f.detected_at, f.due_on, f.closed_at, f.version, f.created_at,
                  f.updated_at, f.archived_at, f.due_by_rule
           FROM json_each($2) CROSS JOIN findings f WHERE f.tenant_id = $1 AND f.id = json_each.value",
        postgres
          "SELECT f.id, f.year, f.number, f.programme_id, f.test_case_id, f.title, f.description, f.severity,
                  f.status, f.owner, f.affected_asset, f.cve, f.cvss, f.remediation, f.acceptance_reason,
                  f.acceptance_until, f.measures, f.detected_at, f.due_on, f.closed_at, f.version, f.created_at,
                  f.updated_at, f.archived_at, f.due_by_rule
           FROM findings f
           WHERE f.tenant_id = $1
             AND f.id IN (SELECT jsonb_array_elements_text(CAST(CAST($2 AS TEXT) AS JSONB)))");
    UPDATE = "UPDATE findings SET programme_id = $4, test_case_id = $5, title = $6, description = $7, severity = $8,
                                  status = $9, open = $10, owner = $11, affected_asset = $12, cve = $13, cvss = $14,
                                  remediation = $15, acceptance_reason = $16, acceptance_until = $17,
                                  measures = $18, detected_at = $19, due_on = $20, closed_at = $21,
                                  archived = $22, archived_at = $23, due_by_rule = $24, version = version + 1,
                                  updated_at = $25
              WHERE tenant_id = $1 AND id = $2 AND version = $3";
    DELETE = "DELETE FROM findings WHERE tenant_id = $1 AND id = $2";
    /// Open findings due in the future. Those without a due day sort last, and the caller leaves them out.
    NEXT_DUE = "SELECT f.id, f.year, f.number, f.programme_id, f.test_case_id, f.title, f.description, f.severity,
                       f.status, f.owner, f.affected_asset, f.cve, f.cvss, f.remediation, f.acceptance_reason,
                       f.acceptance_until, f.measures, f.detected_at, f.due_on, f.closed_at, f.version, f.created_at,
                       f.updated_at, f.archived_at, f.due_by_rule
                FROM findings f WHERE f.tenant_id = $1 AND f.open = 1 AND f.due_on >= $2
                ORDER BY f.due_on, f.id LIMIT $3";
    /// Across tenants, for the job that reopens them.
    LAPSED = "SELECT tenant_id, id FROM findings WHERE acceptance_until < $1
              ORDER BY acceptance_until, tenant_id, id LIMIT $2";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "findings",
    columns: "f.id, f.year, f.number, f.programme_id, f.test_case_id, f.title, f.description, f.severity, f.status,
              f.owner, f.affected_asset, f.cve, f.cvss, f.remediation, f.acceptance_reason, f.acceptance_until,
              f.measures, f.detected_at, f.due_on, f.closed_at, f.version, f.created_at, f.updated_at,
              f.archived_at, f.due_by_rule",
    stamps: Some("f.id, f.version"),
    from: "findings f",
    base: "f.tenant_id = $1",
    filters: &[
        Filter { name: "archived", condition: "f.archived = ?" },
        Filter { name: "open", condition: "f.open = ?" },
        Filter { name: "status", condition: "f.status = ?" },
        Filter { name: "severity", condition: "f.severity = ?" },
        Filter { name: "programme", condition: "f.programme_id = ?" },
        Filter { name: "test_case", condition: "f.test_case_id = ?" },
        Filter { name: "overdue", condition: "f.open = 1 AND f.due_on < ?" },
        // The same condition, written so that SQLite cannot use the index of `due_on`: faster when many rows match.
        Filter { name: "late_among_many", condition: "f.open = 1 AND f.due_on || '' < ?" },
        Filter { name: "in_time", condition: "(f.open = 0 OR f.due_on >= ?)" },
        Filter { name: "owner", condition: "f.owner = ?" },
    ],
    orders: &[
        Order { name: "-created_at", by: "f.id DESC", back: "f.id" },
        Order { name: "created_at", by: "f.id", back: "f.id DESC" },
        Order { name: "severity", by: "f.severity, f.id", back: "f.severity DESC, f.id DESC" },
        Order { name: "-severity", by: "f.severity DESC, f.id DESC", back: "f.severity, f.id" },
        Order { name: "due_on", by: "f.due_on, f.id", back: "f.due_on DESC, f.id DESC" },
        Order { name: "-due_on", by: "f.due_on DESC, f.id DESC", back: "f.due_on, f.id" },
        Order {
            name: "urgency",
            by: "f.severity, f.due_on, f.id",
            back: "f.severity DESC, f.due_on DESC, f.id DESC",
        },
        Order { name: "detected_at", by: "f.detected_at, f.id", back: "f.detected_at DESC, f.id DESC" },
        Order { name: "-detected_at", by: "f.detected_at DESC, f.id DESC", back: "f.detected_at, f.id" },
    ],
    found: Some(Found { on: "f.id = d.record_id" }),
    walk: walk!("f.id", FindingId, "f.updated_at"),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingRow {
    pub id: FindingId,
    pub reference: FindingReference,
    pub finding: Finding,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
    /// Set exactly while the finding is archived.
    pub archived_at: Option<Moment>,
    /// The due day was derived from the severity by the tenant's settings.
    pub due_by_rule: bool,
}

/// Which states a list contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum States {
    /// All states in which work remains to be done.
    #[default]
    Open,
    One(FindingStatus),
    All,
}

/// Which findings, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FindingQuery {
    pub archive: Archived,
    pub states: States,
    pub severity: Option<Severity>,
    pub programme: Option<ProgrammeId>,
    pub test_case: Option<TestCaseId>,
    pub owner: Option<String>,
    /// Overdue or not on this day.
    pub overdue: Option<(bool, Day)>,
    pub search: Option<Search>,
    pub sort: Option<FindingSort>,
}

fn read(row: &Row<'_>) -> Result<FindingRow> {
    let year = i32::try_from(row.get::<i64>(1)?).map_err(Error::corrupt)?;
    let reason = row.check_opt(14, Prose::parse)?;
    let acceptance = reason.zip(row.parse_opt(15)?).map(|(reason, until)| Acceptance { reason, until });
    Ok(FindingRow {
        id: row.parse(0)?,
        reference: FindingReference::new(year, row.get(2)?).map_err(Error::corrupt)?,
        finding: Finding {
            programme_id: row.parse_opt(3)?,
            test_case_id: row.parse_opt(4)?,
            title: row.check(5, Name::parse)?,
            description: row.check_opt(6, Prose::parse)?,
            severity: row.rank(7)?,
            status: row.parse(8)?,
            owner: row.check_opt(9, Name::parse)?,
            affected_asset: row.check_opt(10, Name::parse)?,
            cve: row.parse_opt(11)?,
            cvss: row
                .get::<Option<i64>>(12)?
                .map(CvssScore::from_tenths)
                .transpose()
                .map_err(Error::corrupt)?,
            remediation: row.check_opt(13, Prose::parse)?,
            acceptance,
            measures: row.json(16)?,
            detected_at: row.get(17)?,
            due_on: row.day(18)?,
            closed_at: row.get(19)?,
        },
        version: row.get(20)?,
        created_at: row.get(21)?,
        updated_at: row.get(22)?,
        archived_at: row.get(23)?,
        due_by_rule: row.get(24)?,
    })
}

/// The next reference of the year. The counter advances only if the transaction commits, so there are no gaps.
pub fn next_reference(tx: &mut Tx<'_>, scope: &TenantScope, year: i32) -> Result<FindingReference> {
    let number = tx.query_one(&NUMBER, params![scope.tenant(), year], |row| row.get(0))?;
    FindingReference::new(year, number).map_err(Error::corrupt)
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &FindingRow, tally: &mut Tally) -> Result<()> {
    let finding = &row.finding;
    tx.execute(
        &INSERT,
        params![
            row.id,
            scope.tenant(),
            row.reference.year(),
            row.reference.number(),
            finding.programme_id,
            finding.test_case_id,
            &finding.title,
            finding.description.as_ref(),
            Value::rank(finding.severity),
            finding.status.as_str(),
            finding.status.is_open(),
            finding.owner.as_ref(),
            finding.affected_asset.as_ref(),
            finding.cve.as_ref().map(domain::cve::Cve::as_str),
            finding.cvss.map(CvssScore::tenths),
            finding.remediation.as_ref(),
            finding.acceptance.as_ref().map(|acceptance| &acceptance.reason),
            finding.acceptance.as_ref().map(|acceptance| acceptance.until),
            Value::json(&finding.measures),
            finding.detected_at,
            Value::day(finding.due_on),
            finding.closed_at,
            row.archived_at.is_some(),
            row.archived_at,
            row.due_by_rule,
            row.version,
            row.created_at,
            row.updated_at,
        ],
    )?;
    tally.add(row);
    let said = Said::by_finding(finding, row.archived_at.is_some());
    measure_use::put(tx, scope, &row.id.to_string(), &Said::default(), &said)
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: FindingId) -> Result<Option<FindingRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// The finding with this reference.
pub fn by_reference(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    reference: FindingReference,
) -> Result<Option<FindingRow>> {
    reader.query_opt(&BY_REFERENCE, params![scope.tenant(), reference.year(), reference.number()], read)
}

/// The findings with these ids, in any order.
pub fn get_many(reader: &mut Reader<'_>, scope: &TenantScope, ids: &[FindingId]) -> Result<Vec<FindingRow>> {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    reader.query(&GET_MANY, params![scope.tenant(), Value::json(&ids)], read)
}

pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    query: &FindingQuery,
    request: PageRequest,
) -> Result<Page<FindingRow>> {
    page(reader, scope, query, request, |list| list, read)
}

/// The same list, but only the id and the version of each finding.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is for one lifetime, the parameter for all"
)]
pub fn list_stamps(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    query: &FindingQuery,
    request: PageRequest,
) -> Result<Page<(FindingId, i64)>> {
    page(reader, scope, query, request, |list| list.stamps(), |row| Ok((row.parse(0)?, row.get(1)?)))
}

fn page<T>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    query: &FindingQuery,
    request: PageRequest,
    columns: for<'q> fn(ListQuery<'q>) -> ListQuery<'q>,
    read: fn(&Row<'_>) -> Result<T>,
) -> Result<Page<T>> {
    match counted_by(query) {
        None => columns(narrowed(scope, query, false)).page(reader, request, read),
        Some(counted) => {
            let wanted = |status: FindingStatus| match query.states {
                States::Open => status.is_open(),
                States::One(one) => status == one,
                States::All => true,
            };
            let all = finding_count::of(reader, scope, counted)?.matching(wanted, query.severity);
            let total = match query.overdue {
                None => all,
                Some((overdue, today)) => {
                    let late = finding_count::of_days(reader, scope, Days::Due, None, Some(today))?;
                    let late = late.matching(wanted, query.severity);
                    if overdue { late } else { all.saturating_sub(late) }
                }
            };
            columns(narrowed(scope, query, total > FEW)).page_of(reader, request, total, read)
        }
    }
}

/// Open findings that are due on a day or later, soonest first.
pub fn next_due(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    from: Day,
    limit: u32,
) -> Result<Vec<FindingRow>> {
    let mut rows = reader.query(&NEXT_DUE, params![scope.tenant(), from, limit], read)?;
    rows.retain(|row| row.finding.due_on.is_some());
    Ok(rows)
}

/// `many` means that so many rows match that searching an index for them would be slower than a scan in order.
fn narrowed<'q>(scope: &TenantScope, query: &'q FindingQuery, many: bool) -> ListQuery<'q> {
    let list = LIST.query(scope).filter_opt("archived", query.archive.wanted());
    let list = match query.states {
        States::Open => list.filter("open", true),
        States::One(status) => list.filter("status", status.as_str()),
        States::All => list,
    };
    let list = match query.overdue {
        Some((true, today)) if many => list.filter("late_among_many", today),
        Some((true, today)) => list.filter("overdue", today),
        Some((false, today)) => list.filter("in_time", today),
        None => list,
    };
    list.filter_opt("severity", query.severity.map(Value::rank))
        .filter_opt("programme", query.programme)
        .filter_opt("test_case", query.test_case)
        .filter_opt("owner", query.owner.as_deref())
        .search(query.search.clone())
        .order_opt(query.sort.map(FindingSort::as_str))
}

/// The materialised counter that gives this query's total. `None` for full-text search, owners, the archive, two
/// parents, or a parent together with days.
fn counted_by(query: &FindingQuery) -> Option<Parent> {
    if query.search.is_some() || query.owner.is_some() || query.archive != Archived::Without {
        return None;
    }
    if query.overdue.is_some() && (query.programme.is_some() || query.test_case.is_some()) {
        return None;
    }
    match (query.programme, query.test_case) {
        (None, None) => Some(Parent::Tenant),
        (Some(programme), None) => Some(Parent::Programme(programme)),
        (None, Some(test_case)) => Some(Parent::TestCase(test_case)),
        (Some(_), Some(_)) => None,
    }
}

/// Stores the changed finding if its version is still the one `before` was read with.
pub fn update(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    before: &FindingRow,
    after: &FindingRow,
    tally: &mut Tally,
) -> Result<bool> {
    let finding = &after.finding;
    let changed = tx.execute(
        &UPDATE,
        params![
            scope.tenant(),
            after.id,
            before.version,
            finding.programme_id,
            finding.test_case_id,
            &finding.title,
            finding.description.as_ref(),
            Value::rank(finding.severity),
            finding.status.as_str(),
            finding.status.is_open(),
            finding.owner.as_ref(),
            finding.affected_asset.as_ref(),
            finding.cve.as_ref().map(domain::cve::Cve::as_str),
            finding.cvss.map(CvssScore::tenths),
            finding.remediation.as_ref(),
            finding.acceptance.as_ref().map(|acceptance| &acceptance.reason),
            finding.acceptance.as_ref().map(|acceptance| acceptance.until),
            Value::json(&finding.measures),
            finding.detected_at,
            Value::day(finding.due_on),
            finding.closed_at,
            after.archived_at.is_some(),
            after.archived_at,
            after.due_by_rule,
            after.updated_at,
        ],
    )?;
    if changed == 0 {
        return Ok(false);
    }
    document::mark(tx, scope, &after.id.to_string())?;
    tally.remove(before);
    tally.add(after);
    let old = Said::by_finding(&before.finding, before.archived_at.is_some());
    let new = Said::by_finding(&after.finding, after.archived_at.is_some());
    measure_use::put(tx, scope, &after.id.to_string(), &old, &new)?;
    Ok(true)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, row: &FindingRow, tally: &mut Tally) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), row.id])?;
    tally.remove(row);
    let said = Said::by_finding(&row.finding, row.archived_at.is_some());
    measure_use::put(tx, scope, &row.id.to_string(), &said, &Said::default())
}

/// Findings of all tenants whose accepted risk ended before `today`, longest over first.
pub fn lapsed(reader: &mut Reader<'_>, today: Day, limit: u32) -> Result<Vec<(TenantId, FindingId)>> {
    reader.query(&LAPSED, params![today, limit], |row| Ok((row.parse(0)?, row.parse(1)?)))
}
