//! Until when contracts have to be terminated to their end: the last day of an arrangement minus its notice period, or the
//! one of its provider where it has none.
//!
//! The days are kept, and not computed where they are shown, because deadlines are looked for over all tenants and tasks
//! are listed in the order of their days. They are written with every change of the arrangement or of its provider. A
//! contract that has ended has none.

use domain::{
    arrangement::{Arrangement, Facts},
    id::{ArrangementId, ProviderId},
    moment::Day,
};

use crate::{
    Reader, Result, TenantScope, Tx,
    arrangement::{ArrangementRow, FactsText},
    params,
    sql::Row,
};

crate::sql! {
    PUT = "INSERT INTO contract_notices (id, tenant_id, provider_id, title, owner, notice_on, ends_on)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (id) DO UPDATE SET provider_id = excluded.provider_id, title = excluded.title,
                                          owner = excluded.owner, notice_on = excluded.notice_on,
                                          ends_on = excluded.ends_on";
    GET = "SELECT id, provider_id, title, owner, notice_on, ends_on FROM contract_notices
           WHERE tenant_id = $1 AND id = $2";
    NEXT = "SELECT id, provider_id, title, owner, notice_on, ends_on FROM contract_notices
            WHERE tenant_id = $1 ORDER BY notice_on, id LIMIT $2";
    DELETE = "DELETE FROM contract_notices WHERE tenant_id = $1 AND id = $2";
    DELETE_OF = "DELETE FROM contract_notices WHERE tenant_id = $1 AND provider_id = $2";
    RUNNING = "SELECT a.id, a.service, a.ends_on, a.facts FROM provider_links l
               JOIN arrangements a ON a.tenant_id = l.tenant_id AND a.id = l.record_id
               WHERE l.tenant_id = $1 AND l.provider_id = $2 AND l.kind = 'arrangement'
                 AND a.ends_on >= $3 AND a.ends_on <= $4";
    PRUNE = "DELETE FROM contract_notices WHERE ends_on < $1";
}

/// What a provider decides about the days of its contracts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    pub name: String,
    pub notice_days: Option<u32>,
    pub owner: Option<String>,
}

impl Terms {
    /// The last day to terminate a contract, unless it has no end or has ended.
    fn notice_on(&self, facts: &Facts, ends_on: Option<Day>, today: Day) -> Option<(Day, Day)> {
        let ends_on = ends_on.filter(|day| *day >= today)?;
        Some((facts.notice_by(Some(ends_on), self.notice_days)?, ends_on))
    }
}

/// A contract with the last day to terminate it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractNotice {
    pub id: ArrangementId,
    pub provider: ProviderId,
    /// The names of the provider and of the service.
    pub title: String,
    pub owner: Option<String>,
    pub notice_on: Day,
    pub ends_on: Day,
}

fn read(row: &Row<'_>) -> Result<ContractNotice> {
    Ok(ContractNotice {
        id: row.parse(0)?,
        provider: row.parse(1)?,
        title: row.get(2)?,
        owner: row.get(3)?,
        notice_on: row.parse(4)?,
        ends_on: row.parse(5)?,
    })
}

fn put(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    (provider, terms): (ProviderId, &Terms),
    (id, service): (ArrangementId, &str),
    (notice_on, ends_on): (Day, Day),
) -> Result<()> {
    let title = format!("{}: {service}", terms.name);
    let owner = terms.owner.as_deref();
    tx.execute(&PUT, params![id, scope.tenant(), provider, title, owner, notice_on, ends_on])?;
    Ok(())
}

/// Keeps the day of one contract as the terms of its provider have it.
pub(crate) fn keep(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    provider: (ProviderId, &Terms),
    row: &ArrangementRow,
) -> Result<()> {
    let Arrangement { contract, facts } = &row.record;
    match provider.1.notice_on(facts, contract.ends_on, row.updated_at.day()) {
        Some(days) => put(tx, scope, provider, (row.id, contract.service.as_str()), days),
        None => forget(tx, scope, &row.id.to_string()),
    }
}

/// Keeps the days of all contracts of a provider whose terms changed.
pub fn keep_all(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    provider: ProviderId,
    terms: &Terms,
    today: Day,
) -> Result<()> {
    tx.execute(&DELETE_OF, params![scope.tenant(), provider])?;
    let running: Vec<(ArrangementId, String, Day, Facts)> =
        tx.query(&RUNNING, params![scope.tenant(), provider, today, Day::LAST], |row| {
            Ok((row.parse(0)?, row.get(1)?, row.parse(2)?, FactsText(row.text(3)?).read()?))
        })?;
    for (id, service, ends_on, facts) in running {
        if let Some(days) = terms.notice_on(&facts, Some(ends_on), today) {
            put(tx, scope, (provider, terms), (id, &service), days)?;
        }
    }
    Ok(())
}

/// The contract is gone, or has no day any more.
pub(crate) fn forget(tx: &mut Tx<'_>, scope: &TenantScope, arrangement: &str) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), arrangement])?;
    Ok(())
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: ArrangementId,
) -> Result<Option<ContractNotice>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// The contracts whose day comes first, at most so many.
pub fn next_due(reader: &mut Reader<'_>, scope: &TenantScope, limit: u32) -> Result<Vec<ContractNotice>> {
    reader.query(&NEXT, params![scope.tenant(), limit], read)
}

/// Forgets the days of contracts that have ended, and says how many.
pub fn prune(tx: &mut Tx<'_>, today: Day) -> Result<u64> {
    tx.execute(&PRUNE, params![today])
}
