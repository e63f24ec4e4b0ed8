//! The exchange rates a tenant keeps. No row means none.

use std::collections::BTreeMap;

use domain::{
    currency::Currency,
    moment::{Day, Moment},
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    GET = "SELECT base, valid_on, rates, updated_at FROM exchange_rates WHERE tenant_id = $1";
    PUT = "INSERT INTO exchange_rates (tenant_id, base, valid_on, rates, updated_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (tenant_id) DO UPDATE SET
               base = excluded.base, valid_on = excluded.valid_on, rates = excluded.rates,
               updated_at = excluded.updated_at";
    DELETE = "DELETE FROM exchange_rates WHERE tenant_id = $1";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatesRow {
    /// The currency they convert to.
    pub base: Currency,
    /// The day they are valid for.
    pub valid_on: Day,
    /// The value of one unit of each currency, as entered.
    pub rates: BTreeMap<String, String>,
    pub updated_at: Moment,
}

fn read(row: &Row<'_>) -> Result<RatesRow> {
    Ok(RatesRow {
        base: row.parse(0)?,
        valid_on: row.parse(1)?,
        rates: row.json(2)?,
        updated_at: row.get(3)?,
    })
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Option<RatesRow>> {
    reader.query_opt(&GET, params![scope.tenant()], read)
}

pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, row: &RatesRow) -> Result<()> {
    let rates = serde_json::to_string(&row.rates).map_err(Error::corrupt)?;
    tx.execute(&PUT, params![scope.tenant(), row.base.as_str(), row.valid_on, rates, row.updated_at])?;
    Ok(())
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant()])?;
    Ok(())
}
