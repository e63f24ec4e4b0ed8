//! A tenant's lead times. No row means the defaults.

use domain::{
    id::TenantId,
    lead_time::{BadLeads, LeadTimes, Leads},
    moment::Moment,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    GET = "SELECT days, hours, updated_at FROM lead_times WHERE tenant_id = $1";
    ALL = whole("a platform has few tenants, and fewer with lead times of their own",
                "SELECT days, hours, tenant_id FROM lead_times ORDER BY tenant_id");
    PUT = "INSERT INTO lead_times (tenant_id, days, hours, updated_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (tenant_id) DO UPDATE SET
               days = excluded.days, hours = excluded.hours, updated_at = excluded.updated_at";
    DELETE = "DELETE FROM lead_times WHERE tenant_id = $1";
}

fn read(row: &Row<'_>) -> Result<LeadTimes> {
    let wrong = |error: BadLeads| Error::corrupt(error);
    Ok(LeadTimes {
        days: Leads::of_days(row.text(0)?).map_err(wrong)?,
        stages: Leads::of_hours(row.text(1)?).map_err(wrong)?,
    })
}

/// The tenant's own lead times, if it has any, and when they were set.
pub fn get(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Option<(LeadTimes, Moment)>> {
    reader.query_opt(&GET, params![scope.tenant()], |row| Ok::<_, Error>((read(row)?, row.get(2)?)))
}

/// Every tenant that has lead times of its own.
pub fn all(reader: &mut Reader<'_>) -> Result<Vec<(TenantId, LeadTimes)>> {
    reader.query(&ALL, &[], |row| Ok::<_, Error>((row.parse(2)?, read(row)?)))
}

pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, leads: &LeadTimes, at: Moment) -> Result<()> {
    let (days, hours) = (leads.days.to_string(), leads.stages.to_string());
    tx.execute(&PUT, params![scope.tenant(), days, hours, at])?;
    Ok(())
}

/// Restores the defaults.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant()])?;
    Ok(())
}
