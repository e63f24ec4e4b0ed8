//! Accepted risks that have expired: the finding or the risk is reopened on the day after the last day.

use std::collections::BTreeMap;

use domain::{
    finding::Finding,
    id::{FindingId, RiskId, TenantId},
    risk::Risk,
    service_note::ServiceNote,
};
use serde_json::json;
use store::{
    Tx, finding as rows,
    record::{self, RecordRow},
    risk as risks,
};

use crate::{App, Result, author::Author, authz::Caller};

/// How many findings are read at once, and reopened in one transaction at most.
const BATCH: u32 = 500;

impl App {
    /// Reopens every finding whose accepted risk has expired and returns their number. A job calls it.
    ///
    /// A second run, on this node or another, finds nothing left to do.
    pub async fn expire_acceptances(&self) -> Result<u64> {
        let mut opened = 0;
        loop {
            let today = self.clock.now().day();
            let lapsed = self.db.platform().read(move |r| rows::lapsed(r, today, BATCH)).await?;
            let mut by_tenant: BTreeMap<TenantId, Vec<FindingId>> = BTreeMap::new();
            for (tenant, finding) in lapsed {
                by_tenant.entry(tenant).or_default().push(finding);
            }
            let mut now_opened = 0;
            for (tenant, findings) in by_tenant {
                now_opened += self.reopen(tenant, findings).await?;
            }
            opened += now_opened;
            // Nothing was reopened although something was found: another node is doing it.
            if now_opened == 0 {
                return Ok(opened);
            }
        }
    }

    /// Reopens every risk of an institution whose acceptance has expired and returns their number. The same job calls
    /// it.
    pub async fn expire_risk_acceptances(&self) -> Result<u64> {
        let mut opened = 0;
        loop {
            let today = self.clock.now().day();
            let lapsed = self.db.platform().read(move |r| risks::lapsed(r, today, BATCH)).await?;
            let mut by_tenant: BTreeMap<TenantId, Vec<RiskId>> = BTreeMap::new();
            for (tenant, risk) in lapsed {
                by_tenant.entry(tenant).or_default().push(risk);
            }
            let mut now_opened = 0;
            for (tenant, risks) in by_tenant {
                now_opened += self.reopen_risks(tenant, risks).await?;
            }
            opened += now_opened;
            // Nothing was reopened although something was found: another node is doing it.
            if now_opened == 0 {
                return Ok(opened);
            }
        }
    }

    async fn reopen_risks(&self, tenant: TenantId, risks: Vec<RiskId>) -> Result<u64> {
        let author = Author::new(self, &Caller::system(tenant));
        let scope = *author.scope();
        let write = move |tx: &mut Tx<'_>| {
            let mut opened = 0;
            for id in &risks {
                opened += u64::from(author.reopen_lapsed_risk(tx, *id)?);
            }
            Ok(opened)
        };
        self.db.tenant(&scope).write(write).await
    }

    async fn reopen(&self, tenant: TenantId, findings: Vec<FindingId>) -> Result<u64> {
        let author = Author::new(self, &Caller::system(tenant));
        let scope = *author.scope();
        let write = move |tx: &mut Tx<'_>| {
            let mut opened = 0;
            for id in &findings {
                opened += u64::from(author.reopen_lapsed(tx, *id)?);
            }
            Ok(opened)
        };
        self.db.tenant(&scope).write(move |tx| tx.counting(&write)).await
    }
}

impl Author {
    fn reopen_lapsed(&self, tx: &mut Tx<'_>, id: FindingId) -> Result<bool> {
        let Some(before) = record::get::<Finding>(tx, self.scope(), id)? else { return Ok(false) };
        let Some(finding) = before.record.lapsed(self.now.day()) else { return Ok(false) };
        let until = before.record.acceptance.as_ref().map(|acceptance| acceptance.until);
        let note = match until {
            Some(until) => self.service_note(tx, ServiceNote::AcceptedUntil(until))?,
            None => None,
        };
        self.replace(tx, &before, finding, note)?;
        self.audit(tx, "finding.acceptance_expired", id, &json!({ "until": until }))?;
        Ok(true)
    }

    fn reopen_lapsed_risk(&self, tx: &mut Tx<'_>, id: RiskId) -> Result<bool> {
        let Some(before) = record::get::<Risk>(tx, self.scope(), id)? else { return Ok(false) };
        let Some(risk) = before.record.lapsed(self.now.day()) else { return Ok(false) };
        let until = before.record.accepted_until();
        let note = match until {
            Some(until) => self.service_note(tx, ServiceNote::AcceptedUntil(until))?,
            None => None,
        };
        let (from, to) = (before.record.status, risk.status);
        let after = RecordRow { record: risk, updated_at: self.now, ..before.clone() };
        self.store(tx, &before, &after)?;
        self.note_status(tx, &id.to_string(), Some(from.as_str()), to.as_str(), note)?;
        self.audit(tx, "risk.acceptance_expired", id, &json!({ "until": until }))?;
        Ok(true)
    }
}
