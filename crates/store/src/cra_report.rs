//! Reports under CRA Art. 14. Deadlines are not stored: they follow from the events and the catalogue's clocks.

use domain::{
    cra_report::{CraReport, CraReportKind, CraReportStatus, Product, Submissions},
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
                                       early_warning_at, notification_at, final_report_at, version, created_at,
                                       updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)";
    GET = "SELECT c.id, c.kind, c.product_name, c.product_version, c.title, c.description, c.cve, c.severity,
                  c.member_states, c.aware_at, c.corrective_measure_at, c.status, c.early_warning_at,
                  c.notification_at, c.final_report_at, c.version, c.created_at, c.updated_at
           FROM cra_reports c WHERE c.tenant_id = $1 AND c.id = $2";
    /// Across tenants, for the job that announces deadlines.
    RUNNING = whole("reports with a running clock are few, and each of them has to be looked at",
          "SELECT c.id, c.kind, c.product_name, c.product_version, c.title, c.description, c.cve, c.severity,
                  c.member_states, c.aware_at, c.corrective_measure_at, c.status, c.early_warning_at,
                  c.notification_at, c.final_report_at, c.version, c.created_at, c.updated_at, c.tenant_id
           FROM cra_reports c WHERE c.running = 1 ORDER BY c.tenant_id, c.id");
    UPDATE = "UPDATE cra_reports SET product_name = $4, product_version = $5, title = $6, description = $7, cve = $8,
                                     severity = $9, member_states = $10, corrective_measure_at = $11, status = $12,
                                     running = $13, early_warning_at = $14, notification_at = $15,
                                     final_report_at = $16, version = version + 1, updated_at = $17
              WHERE tenant_id = $1 AND id = $2 AND version = $3";
    DELETE = "DELETE FROM cra_reports WHERE tenant_id = $1 AND id = $2";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "cra_reports",
    columns: "c.id, c.kind, c.product_name, c.product_version, c.title, c.description, c.cve, c.severity,
              c.member_states, c.aware_at, c.corrective_measure_at, c.status, c.early_warning_at, c.notification_at,
              c.final_report_at, c.version, c.created_at, c.updated_at",
    stamps: None,
    from: "cra_reports c",
    base: "c.tenant_id = $1",
    filters: &[
        Filter { name: "status", condition: "c.status = ?" },
        Filter { name: "kind", condition: "c.kind = ?" },
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
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

/// Which reports, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CraReportQuery {
    pub status: Option<CraReportStatus>,
    pub kind: Option<CraReportKind>,
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
            submissions: Submissions {
                early_warning: row.get(12)?,
                notification: row.get(13)?,
                final_report: row.get(14)?,
            },
        },
        version: row.get(15)?,
        created_at: row.get(16)?,
        updated_at: row.get(17)?,
    })
}

/// A clock of the report may still run out.
fn is_running(status: CraReportStatus) -> bool {
    use CraReportStatus::{Draft, EarlyWarningSent, NotificationSent};
    matches!(status, Draft | EarlyWarningSent | NotificationSent)
}

fn states(report: &CraReport) -> Value<'static> {
    Value::json(&report.member_states.iter().map(ToString::to_string).collect::<Vec<_>>())
}

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
            is_running(report.status),
            report.submissions.early_warning,
            report.submissions.notification,
            report.submissions.final_report,
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
        .search(query.search.clone())
        .order_opt(query.sort.map(CraReportSort::as_str))
        .page(reader, request, read)
}

/// The reports of all tenants that may still be late.
pub fn running(reader: &mut Reader<'_>) -> Result<Vec<(TenantId, CraReportRow)>> {
    reader.query(&RUNNING, &[], |row| Ok((row.parse(18)?, read(row)?)))
}

/// Stores the changed report if its version is still the one it was read with.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, row: &CraReportRow) -> Result<bool> {
    let report = &row.report;
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
            report.corrective_measure_at,
            report.status.as_str(),
            is_running(report.status),
            report.submissions.early_warning,
            report.submissions.notification,
            report.submissions.final_report,
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
