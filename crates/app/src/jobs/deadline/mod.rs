//! Announces approaching deadlines: once for each deadline and lead time, on whatever node and however often it runs.
//!
//! Candidates are deadlines of all tenants not yet announced under the tenant's lead times; each is checked again
//! inside its tenant's transaction, which also records the announcement. So restarts, several nodes and clock changes
//! have no effect.

mod announce;
mod missed;
mod person;
mod search;

use std::collections::BTreeMap;

use domain::id::TenantId;
use store::{Tx, announcement, contract_notice};

use self::search::Candidate;
use crate::{App, Error, Result, author::Author, authz::Caller};

/// How long an announcement is stored: longer than the longest lead time, whatever the clock does.
const REMEMBERED_MS: i64 = 400 * 24 * 60 * 60 * 1000;

impl App {
    /// Announces every approaching deadline and returns their number. A job calls it every minute.
    pub async fn raise_deadlines(&self) -> Result<u64> {
        let leads = self.all_lead_times().await?;
        let mut raised = 0;
        loop {
            let now_raised = self.announce_all(self.near_days(&leads).await?).await?;
            raised += now_raised;
            // Nothing was raised although something was found: another node is doing it.
            if now_raised == 0 {
                break;
            }
        }
        raised += self.announce_all(self.near_stages(&leads).await?).await?;
        raised += self.announce_all(self.near_incident_reports(&leads).await?).await?;
        raised += self.announce_all(self.unannounced_milestones(&leads).await?).await?;
        Ok(raised)
    }

    /// Announces approaching reviews of concentration analyses and returns their number. A job calls it only every
    /// hour, because it reads each tenant's latest result.
    pub async fn raise_review_deadlines(&self) -> Result<u64> {
        let mut raised = 0;
        for tenant in self.people.tenants().await? {
            raised += self.announce_all(vec![(tenant.id, Candidate::Review)]).await?;
        }
        Ok(raised)
    }

    /// Forgets announcements of deadlines long past, and the notice days of contracts that have ended. A job calls it.
    pub async fn prune_announcements(&self) -> Result<u64> {
        let now = self.clock.now();
        let before = now.plus_millis(-REMEMBERED_MS);
        let prune = move |tx: &mut Tx<'_>| {
            contract_notice::prune(tx, now.day())?;
            announcement::prune(tx, before)
        };
        self.db.platform().bookkeep(prune).await.map_err(Error::from)
    }

    async fn announce_all(&self, near: Vec<(TenantId, Candidate)>) -> Result<u64> {
        let mut by_tenant: BTreeMap<TenantId, Vec<Candidate>> = BTreeMap::new();
        for (tenant, candidate) in near {
            by_tenant.entry(tenant).or_default().push(candidate);
        }
        let mut raised = 0;
        for (tenant, candidates) in by_tenant {
            let author = Author::new(self, &Caller::system(tenant));
            let scope = *author.scope();
            let write = move |tx: &mut Tx<'_>| author.announce(tx, &candidates);
            raised += self.db.tenant(&scope).write(write).await?;
        }
        Ok(raised)
    }
}
