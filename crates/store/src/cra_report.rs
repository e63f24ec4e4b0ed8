//! Reports under CRA Art. 14. Deadlines are not stored: they follow from the events and the catalogue's clocks.

use domain::{
    cra_report::{CraReport, CraReportKind, CraReportStatus, Product, Submission, Submissions},
    cve::Cve,
    id::{CraReportId, TenantId},
    moment::Moment,
    page::{Page, PageRequest},
    sort::CraReportSort,
    text::{Name, Prose},
};

use crate::{
    Error, Reader, Result, TenantScope, Tx, document, params,
    sql::{Filter, Found, List, Order, Row, Search, Value, walk},
};

crate::sql! {
    INSERT = "INSERT INTO cra_reports (id, tenant_id, kind, product_name, product_version, title, description, cve,
                                       severity, member_states, aware_at, corrective_measure_at, status, running,
                                       finding_id, version, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)";
    GET = "SELECT c.id, c.kind, c.product_name, c.product_version, c.title, c.description, c.cve, c.severity,
                  c.member_states, c.aware_at, c.corrective_measure_at, c.status, c.finding_id, c.early_warning_at,
                  c.early_warning_recorded_at, c.early_warning_reference, c.notification_at,
                  c.notification_recorded_at, c.notification_reference, c.final_report_at,
                  c.final_report_recorded_at, c.final_report_reference, c.archived_at, c.version, c.created_at,
                  c.updated_at
           FROM cra_reports c WHERE c.tenant_id = $1 AND c.id = $2";
    /// Across tenants, for the job that announces deadlines.
    RUNNING = whole("reports with a running clock are few, and each of them has to be looked at",
          "SELECT c.id, c.kind, c.product_name, c.product_version, c.title, c.description, c.cve, c.severity,
                  c.member_states, c.aware_at, c.corrective_measure_at, c.status, c.finding_id, c.early_warning_at,
                  c.early_warning_recorded_at, c.early_warning_reference, c.notification_at,
                  c.notification_recorded_at, c.notification_reference, c.final_report_at,
                  c.final_report_recorded_at, c.final_report_reference, c.archived_at, c.version, c.created_at,
                  c.updated_at, c.tenant_id
           FROM cra_reports c WHERE c.running = 1 ORDER BY c.tenant_id, c.id");
    UPDATE = "UPDATE cra_reports SET product_name = $4, product_version = $5, title = $6, description = $7, cve = $8,
                                     severity = $9, member_states = $10, aware_at = $11, corrective_measure_at = $12,
                                     status = $13, running = $14, finding_id = $15, early_warning_at = $16,
                                     early_warning_recorded_at = $17, early_warning_reference = $18,
                                     notification_at = $19, notification_recorded_at = $20,
                                     notification_reference = $21, final_report_at = $22,
                                     final_report_recorded_at = $23, final_report_reference = $24, archived_at = $25,
                                     version = version + 1, updated_at = $26
              WHERE tenant_id = $1 AND id = $2 AND version = $3";
    DELETE = "DELETE FROM cra_reports WHERE tenant_id = $1 AND id = $2";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "cra_reports",
    columns: "c.id, c.kind, c.product_name, c.product_version, c.title, c.description, c.cve, c.severity,
              c.member_states, c.aware_at, c.corrective_measure_at, c.status, c.finding_id, c.early_warning_at,
              c.early_warning_recorded_at, c.early_warning_reference, c.notification_at,
              c.notification_recorded_at, c.notification_reference, c.final_report_at,
              c.final_report_recorded_at, c.final_report_reference, c.archived_at, c.version, c.created_at,
              c.updated_at",
    stamps: None,
    from: "cra_reports c",
    base: "c.tenant_id = $1",
    filters: &[
        Filter { name: "status", condition: "c.status = ?" },
        Filter { name: "kind", condition: "c.kind = ?" },
        Filter { name: "live_before", condition: "COALESCE(c.archived_at, 0) < ?" },
        Filter { name: "archived_since", condition: "c.archived_at >= ?" },
    ],
    orders: &[
        Order { name: "-created_at", by: "c.id DESC", back: "c.id" },
        Order { name: "created_at", by: "c.id", back: "c.id DESC" },
        Order { name: "aware_at", by: "c.aware_at, c.id", back: "c.aware_at DESC, c.id DESC" },
        Order { name: "-aware_at", by: "c.aware_at DESC, c.id DESC", back: "c.aware_at, c.id" },
    ],
    found: Some(Found { on: "c.id = d.record_id" }),
    walk: walk!("c.id", CraReportId, "c.updated_at"),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CraReportRow {
    pub id: CraReportId,
    pub report: CraReport,
    /// Since when it is out of sight; its clocks rest.
    pub archived_at: Option<Moment>,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

/// Which reports, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CraReportQuery {
    pub status: Option<CraReportStatus>,
    pub kind: Option<CraReportKind>,
    /// Only archived ones, or only others; nothing means all.
    pub archived: Option<bool>,
    pub search: Option<Search>,
    pub sort: Option<CraReportSort>,
}

fn read(row: &Row<'_>) -> Result<CraReportRow> {
    let states: Vec<String> = row.json(8)?;
    Ok(CraReportRow {
        id: row.parse(0)?,
        report: CraReport {
            kind: row.parse(1)?,
            product: Product { name: row.check(2, Name::parse)?, version: row.check_opt(3, Name::parse)? },
            title: row.check(4, Name::parse)?,
            description: row.check_opt(5, Prose::parse)?,
            cve: row.parse_opt(6)?,
            severity: row.rank(7)?,
            member_states: states
                .iter()
                .map(|code| code.parse().map_err(Error::corrupt))
                .collect::<Result<_>>()?,
            aware_at: row.get(9)?,
            corrective_measure_at: row.get(10)?,
            status: row.parse(11)?,
            finding: row.parse_opt(12)?,
            submissions: Submissions {
                early_warning: submission(row, 13)?,
                notification: submission(row, 16)?,
                final_report: submission(row, 19)?,
            },
        },
        archived_at: row.get(22)?,
        version: row.get(23)?,
        created_at: row.get(24)?,
        updated_at: row.get(25)?,
    })
}

/// A filing, from three columns. One of an earlier version has no recorded time of its own: both were the same.
fn submission(row: &Row<'_>, first: usize) -> Result<Option<Submission>> {
    let Some(submitted_at) = row.get(first)? else { return Ok(None) };
    let recorded_at: Option<Moment> = row.get(first + 1)?;
    let reference = row.check_opt(first + 2, Name::parse)?;
    Ok(Some(Submission { submitted_at, recorded_at: recorded_at.unwrap_or(submitted_at), reference }))
}

/// A clock of the report may still run out.
fn is_running(row: &CraReportRow) -> bool {
    use CraReportStatus::{Draft, EarlyWarningSent, NotificationSent};
    row.archived_at.is_none() && matches!(row.report.status, Draft | EarlyWarningSent | NotificationSent)
}

fn states(report: &CraReport) -> Value<'static> {
    Value::json(&report.member_states.iter().map(ToString::to_string).collect::<Vec<_>>())
}

fn columns(filed: Option<&Submission>) -> (Option<Moment>, Option<Moment>, Option<&Name>) {
    (
        filed.map(|filed| filed.submitted_at),
        filed.map(|filed| filed.recorded_at),
        filed.and_then(|filed| filed.reference.as_ref()),
    )
}

/// Adds a new report; a new one has no filing yet.
pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &CraReportRow) -> Result<()> {
    let report = &row.report;
    tx.execute(
        &INSERT,
        params![
            row.id,
            scope.tenant(),
            report.kind.as_str(),
            &report.product.name,
            report.product.version.as_ref(),
            &report.title,
            report.description.as_ref(),
            report.cve.as_ref().map(Cve::as_str),
            Value::rank(report.severity),
            states(report),
            report.aware_at,
            report.corrective_measure_at,
            report.status.as_str(),
            is_running(row),
            report.finding,
            row.version,
            row.created_at,
            row.updated_at,
        ],
    )?;
    Ok(())
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: CraReportId) -> Result<Option<CraReportRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    query: &CraReportQuery,
    request: PageRequest,
) -> Result<Page<CraReportRow>> {
    LIST.query(scope)
        .filter_opt("status", query.status.map(CraReportStatus::as_str))
        .filter_opt("kind", query.kind.map(CraReportKind::as_str))
        .filter_opt("live_before", (query.archived == Some(false)).then_some(1_i64))
        .filter_opt("archived_since", (query.archived == Some(true)).then_some(1_i64))
        .search(query.search.clone())
        .order_opt(query.sort.map(CraReportSort::as_str))
        .page(reader, request, read)
}

/// The reports of all tenants that may still be late.
pub fn running(reader: &mut Reader<'_>) -> Result<Vec<(TenantId, CraReportRow)>> {
    reader.query(&RUNNING, &[], |row| Ok((row.parse(26)?, read(row)?)))
}

/// Stores the changed report if its version is still the one it was read with.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, row: &CraReportRow) -> Result<bool> {
    let report = &row.report;
    let filed = &report.submissions;
    let (early_at, early_recorded_at, early_reference) = columns(filed.early_warning.as_ref());
    let (notified_at, notified_recorded_at, notified_reference) = columns(filed.notification.as_ref());
    let (final_at, final_recorded_at, final_reference) = columns(filed.final_report.as_ref());
    let changed = tx.execute(
        &UPDATE,
        params![
            scope.tenant(),
            row.id,
            row.version,
            &report.product.name,
            report.product.version.as_ref(),
            &report.title,
            report.description.as_ref(),
            report.cve.as_ref().map(Cve::as_str),
            Value::rank(report.severity),
            states(report),
            report.aware_at,
            report.corrective_measure_at,
            report.status.as_str(),
            is_running(row),
            report.finding,
            early_at,
            early_recorded_at,
            early_reference,
            notified_at,
            notified_recorded_at,
            notified_reference,
            final_at,
            final_recorded_at,
            final_reference,
            row.archived_at,
            row.updated_at,
        ],
    )?;
    if changed == 0 {
        return Ok(false);
    }
    document::mark(tx, scope, &row.id.to_string())?;
    Ok(true)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: CraReportId) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![scope.tenant(), id])? > 0)
}
