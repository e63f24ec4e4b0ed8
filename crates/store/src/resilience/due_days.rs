//! How many days a tenant's findings may take, by severity. No row means that the tenant has set none.

use domain::{due_days::DueDays, moment::Moment, vocabulary::Severity};

use crate::{Error, Reader, Result, TenantScope, Tx, params};

crate::sql! {
    GET = "SELECT critical, high, medium, low, info FROM due_days WHERE tenant_id = $1";
    PUT = "INSERT INTO due_days (tenant_id, critical, high, medium, low, info, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (tenant_id) DO UPDATE SET
               critical = excluded.critical, high = excluded.high, medium = excluded.medium, low = excluded.low,
               info = excluded.info, updated_at = excluded.updated_at";
}

/// In the order of the columns.
const SEVERITIES: [Severity; 5] =
    [Severity::Critical, Severity::High, Severity::Medium, Severity::Low, Severity::Info];

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<DueDays> {
    let found = reader.query_opt(&GET, params![scope.tenant()], |row| {
        let mut days = DueDays::default();
        for (column, severity) in SEVERITIES.into_iter().enumerate() {
            let number = row.get::<Option<i64>>(column)?.map(u16::try_from);
            days = days.with(severity, number.transpose().map_err(Error::corrupt)?);
        }
        Ok(days)
    })?;
    Ok(found.unwrap_or_default())
}

pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, days: &DueDays, at: Moment) -> Result<()> {
    let [critical, high, medium, low, info] = SEVERITIES.map(|severity| days.of(severity).map(i64::from));
    tx.execute(&PUT, params![scope.tenant(), critical, high, medium, low, info, at])?;
    Ok(())
}
