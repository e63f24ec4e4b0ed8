//! Templates of reports, and when the next report of each is made by itself.

use domain::{
    id::TenantId,
    moment::Moment,
    report_template::{ReportTemplate, ReportTemplateId},
    text::Name,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    INSERT = "INSERT INTO report_templates (id, tenant_id, name, content, logo, next_run_at, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $7)";
    UPDATE = "UPDATE report_templates SET name = $3, content = $4, logo = $5, next_run_at = $6, updated_at = $7
              WHERE tenant_id = $1 AND id = $2";
    GET = "SELECT id, name, content, logo, next_run_at, created_at, updated_at FROM report_templates
           WHERE tenant_id = $1 AND id = $2";
    ALL = "SELECT id, name, content, CASE WHEN logo IS NULL THEN NULL ELSE '' END, next_run_at, created_at, updated_at
           FROM report_templates WHERE tenant_id = $1 ORDER BY id";
    DELETE = "DELETE FROM report_templates WHERE tenant_id = $1 AND id = $2";
    DUE = "SELECT tenant_id, id FROM report_templates WHERE next_run_at <= $1 ORDER BY next_run_at, id LIMIT $2";
    RUN = "UPDATE report_templates SET next_run_at = $4 WHERE tenant_id = $1 AND id = $2 AND next_run_at = $3";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportTemplateRow {
    pub id: ReportTemplateId,
    pub template: ReportTemplate,
    /// A PNG image in base64. In a list it is empty, whatever the image is.
    pub logo: Option<String>,
    pub next_run_at: Option<Moment>,
    pub created_at: Moment,
    pub updated_at: Moment,
}

fn read(row: &Row<'_>) -> Result<ReportTemplateRow> {
    Ok(ReportTemplateRow {
        id: row.parse(0)?,
        template: ReportTemplate { name: row.check(1, Name::parse)?, content: row.json(2)? },
        logo: row.get(3)?,
        next_run_at: row.get(4)?,
        created_at: row.get(5)?,
        updated_at: row.get(6)?,
    })
}

fn content(row: &ReportTemplateRow) -> Result<String> {
    serde_json::to_string(&row.template.content).map_err(Error::corrupt)
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &ReportTemplateRow) -> Result<()> {
    let (name, logo) = (&row.template.name, row.logo.as_deref());
    let values = params![row.id, scope.tenant(), name, content(row)?, logo, row.next_run_at, row.created_at];
    tx.execute(&INSERT, values)?;
    Ok(())
}

pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, row: &ReportTemplateRow) -> Result<()> {
    let (name, logo) = (&row.template.name, row.logo.as_deref());
    let values = params![scope.tenant(), row.id, name, content(row)?, logo, row.next_run_at, row.updated_at];
    tx.execute(&UPDATE, values)?;
    Ok(())
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: ReportTemplateId,
) -> Result<Option<ReportTemplateRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// All templates of a tenant, without their images.
pub fn all(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<ReportTemplateRow>> {
    reader.query(&ALL, params![scope.tenant()], read)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: ReportTemplateId) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), id])?;
    Ok(())
}

/// Templates of all tenants whose next report is due.
pub fn due(reader: &mut Reader<'_>, now: Moment, limit: u32) -> Result<Vec<(TenantId, ReportTemplateId)>> {
    reader.query(&DUE, params![now, limit], |row| Ok((row.parse(0)?, row.parse(1)?)))
}

/// Sets the time of the next report. Says whether no other node has done so for this one.
pub fn run(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: ReportTemplateId,
    (due, next): (Moment, Moment),
) -> Result<bool> {
    Ok(tx.execute(&RUN, params![scope.tenant(), id, due, next])? > 0)
}
