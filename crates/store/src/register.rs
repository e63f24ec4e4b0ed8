//! The official tables of the register of information as they were imported last.

use domain::{moment::Moment, register::Template};

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    GET = "SELECT content FROM register_tables WHERE tenant_id = $1 AND template = $2";
    PUT = "INSERT INTO register_tables (tenant_id, template, content, imported_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (tenant_id, template) DO UPDATE SET
               content = excluded.content, imported_at = excluded.imported_at";
}

/// The table as CSV.
pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, template: Template) -> Result<Option<String>> {
    reader.query_opt(&GET, params![scope.tenant(), template.id()], |row| row.get(0))
}

pub fn put(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    template: Template,
    content: &str,
    at: Moment,
) -> Result<()> {
    tx.execute(&PUT, params![scope.tenant(), template.id(), content, at])?;
    Ok(())
}
