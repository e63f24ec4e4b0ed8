//! Announces deadlines that are near: once for each deadline and lead time, whoever looks, however often.
//!
//! Candidates are found across tenants by what was not announced yet under the lead times of each; each is judged again
//! inside its tenant's transaction, which also remembers the announcement. So restarts, several nodes and jumping clocks
//! change nothing.

mod announce;
mod search;

use std::collections::BTreeMap;

use domain::id::TenantId;
use store::{Tx, announcement};

use self::search::Candidate;
use crate::{App, Error, Result, author::Author, authz::Caller};

/// How long an announcement is remembered: longer than the longest lead time, whatever the clock does.
const REMEMBERED_MS: i64 = 400 * 24 * 60 * 60 * 1000;

impl App {
    /// Announces every deadline that has come near, and says how many. A job calls it every minute.
    pub async fn raise_deadlines(&self) -> Result<u64> {
        let held = self.held().await?;
        let mut raised = 0;
        loop {
            let now_raised = self.announce_all(self.near_days(&held).await?).await?;
            raised += now_raised;
            // Nothing raised although something was found: another node is at it.
            if now_raised == 0 {
                break;
            }
        }
        raised += self.announce_all(self.near_stages(&held).await?).await?;
        raised += self.announce_all(self.untold_milestones(&held).await?).await?;
        Ok(raised)
    }

    /// Announces reviews of concentration analyses that have come near, and says how many. A job calls it every
    /// hour: each tenant's latest result has to be read.
    pub async fn raise_review_deadlines(&self) -> Result<u64> {
        let mut raised = 0;
        for tenant in self.tenants().await? {
            raised += self.announce_all(vec![(tenant.id, Candidate::Review)]).await?;
        }
        Ok(raised)
    }

    /// Forgets announcements of deadlines long past. A job calls it.
    pub async fn prune_announcements(&self) -> Result<u64> {
        let before = self.clock.now().plus_millis(-REMEMBERED_MS);
        self.db.platform().bookkeep(move |tx| announcement::prune(tx, before)).await.map_err(Error::from)
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
