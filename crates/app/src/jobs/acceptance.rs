//! Accepted risks that have run out: the finding opens again by itself, the day after the last day.

use std::collections::BTreeMap;

use domain::{
    id::{FindingId, TenantId},
    text::Prose,
};
use serde_json::json;
use store::{Tx, finding as rows, finding_count::Tally};

use crate::{App, Result, author::Author, authz::Caller};

/// How many findings are looked for at once, and opened in one transaction at most.
const BATCH: u32 = 500;

impl App {
    /// Opens every finding whose accepted risk has run out, and says how many. A job calls it.
    ///
    /// Whoever comes second, on this node or another, finds nothing left to do.
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
            // Nothing opened although something was found: another node is at it.
            if now_opened == 0 {
                return Ok(opened);
            }
        }
    }

    async fn reopen(&self, tenant: TenantId, findings: Vec<FindingId>) -> Result<u64> {
        let author = Author::new(self, &Caller::system(tenant));
        let scope = *author.scope();
        let write = move |tx: &mut Tx<'_>| {
            let mut tally = Tally::default();
            let mut opened = 0;
            for id in &findings {
                opened += u64::from(author.reopen_lapsed(tx, *id, &mut tally)?);
            }
            tally.write(tx, author.scope())?;
            Ok(opened)
        };
        self.db.tenant(&scope).write(write).await
    }
}

impl Author {
    fn reopen_lapsed(&self, tx: &mut Tx<'_>, id: FindingId, tally: &mut Tally) -> Result<bool> {
        let Some(before) = rows::get(tx, self.scope(), id)? else { return Ok(false) };
        let Some(finding) = before.finding.lapsed(self.now.day()) else { return Ok(false) };
        let until = before.finding.acceptance.as_ref().map(|acceptance| acceptance.until);
        let note =
            until.and_then(|until| Prose::parse(&format!("The risk was accepted until {until}.")).ok());
        self.replace_finding(tx, &before, finding, note, tally)?;
        self.audit(tx, "finding.acceptance_expired", id, &json!({ "until": until }))?;
        Ok(true)
    }
}
