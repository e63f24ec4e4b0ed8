//! The inputs of an analysis, each with the tenant's revision of its latest change.

use domain::{concentration::Cause, moment::Moment};

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    PUT = "INSERT INTO register_changes (tenant_id, cause, revision, changed_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (tenant_id, cause) DO UPDATE SET
               revision = excluded.revision, changed_at = excluded.changed_at";
    ALL = "SELECT cause, revision, changed_at FROM register_changes WHERE tenant_id = $1";
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterChange {
    pub cause: Cause,
    pub revision: i64,
    pub changed_at: Moment,
}

/// Records that this transaction changes the input.
pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, cause: Cause, at: Moment) -> Result<()> {
    let revision = tx.revision().unwrap_or_default();
    tx.execute(&PUT, params![scope.tenant(), cause.as_str(), revision, at])?;
    Ok(())
}

pub fn all(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<RegisterChange>> {
    reader.query(&ALL, params![scope.tenant()], |row| {
        Ok(RegisterChange { cause: row.parse(0)?, revision: row.get(1)?, changed_at: row.get(2)? })
    })
}
