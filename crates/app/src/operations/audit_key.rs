//! The keys of the audit chains: when a store begins with them, and what is kept of those before a rotation.
//!
//! A new store is keyed from its first entry on. One of an earlier version gets an entry `audit.keyed` in every chain, the
//! platform's last: from then on a chain without keys is a fault. While nodes of an earlier version may still run on
//! the same store, which know nothing of keys, nothing begins.

use domain::{actor::Actor, id::TenantId, moment::Moment};
use serde_json::json;
use store::{Reader, Tx, audit as chains, audit_key as rows};

use crate::{Error, Operations, Result, audit, authz::Caller, vault::Vault};

/// How long nodes of the version before may take to be exchanged.
const EXCHANGE_MS: i64 = 24 * 60 * 60 * 1000;

/// Who wants to begin with keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beginner {
    /// A service that starts: no other one runs on an embedded store.
    Service,
    /// A verb or a job, beside which a service of an earlier version may run.
    Other,
}

impl Operations {
    /// Begins with keys where that has not happened yet and may. Says how many chains became keyed.
    pub async fn key_audit_chains(&self, beginner: Beginner) -> Result<u64> {
        if self.vault.is_made_up() {
            return Ok(0);
        }
        if self.vault.ids().count() > 1 {
            self.keep_audit_keys(&self.vault).await?;
        }
        if !self.may_begin(beginner).await? {
            return Ok(0);
        }
        let id = self.vault.id().to_owned();
        let begin_new = move |tx: &mut Tx<'_>| rows::begin_new(tx, &id);
        if self.db.platform().bookkeep::<_, store::Error>(begin_new).await? {
            return Ok(1);
        }
        let mut keyed = 0;
        loop {
            for name in self.db.platform().read::<_, store::Error>(rows::unkeyed).await? {
                let tenant: TenantId = name.parse().map_err(Error::internal)?;
                keyed += u64::from(self.key_chain_of(tenant).await?);
            }
            if self.key_platform_chain().await? {
                return Ok(keyed + 1);
            }
        }
    }

    async fn may_begin(&self, beginner: Beginner) -> Result<bool> {
        let alone = !self.db.is_shared() && beginner == Beginner::Service;
        let now = self.clock.now();
        let may = move |r: &mut Reader<'_>| {
            if rows::is_begun(r)? {
                return Ok(false);
            }
            let is_new = chains::head(r, chains::platform_chain())?.seq == 0;
            let since = rows::possible_since(r)?;
            let is_old = since.is_some_and(|since| now.millis() - since.millis() >= EXCHANGE_MS);
            Ok::<_, store::Error>(is_new || is_old || alone)
        };
        Ok(self.db.platform().read(may).await?)
    }

    async fn key_chain_of(&self, tenant: TenantId) -> Result<bool> {
        let (scope, now) = (*Caller::system(tenant).scope(), self.clock.now());
        self.db.tenant(&scope).write(move |tx| begin(tx, now)).await
    }

    /// Keys the platform's chain, unless a chain came in meanwhile that is not keyed.
    async fn key_platform_chain(&self) -> Result<bool> {
        let now = self.clock.now();
        // New tenants come on the same chain, so that none can come in between.
        let work = move |tx: &mut Tx<'_>| {
            if !rows::unkeyed(tx)?.is_empty() {
                return Ok(false);
            }
            begin(tx, now)?;
            Ok::<_, Error>(true)
        };
        self.db.platform().write(work).await
    }

    /// Keeps the audit keys of older vault keys, sealed with the first of the ring.
    pub(crate) async fn keep_audit_keys(&self, ring: &Vault) -> Result<()> {
        let (ring, now) = (ring.clone(), self.clock.now());
        let keep = move |tx: &mut Tx<'_>| {
            for key in ring.sealed_audit_keys(&rows::kept(tx)?)? {
                rows::put(tx, &key, now)?;
            }
            Ok::<_, Error>(())
        };
        self.db.platform().bookkeep(keep).await
    }
}

/// Makes the chain of the running change a keyed one; the entry about it is its first keyed one.
fn begin(tx: &mut Tx<'_>, now: Moment) -> Result<bool> {
    let begins = tx.begin_keys()?;
    if begins {
        audit::record(tx, Actor::System, now, "audit.keyed", "audit", &json!({}))?;
    }
    Ok(begins)
}

/// Notes that every audit key but that of this vault is lost.
pub(crate) fn give_up(tx: &mut Tx<'_>, vault: &Vault, now: Moment) -> Result<()> {
    let kept = rows::kept(tx)?.into_iter().map(|key| key.id);
    let mut lost: Vec<String> = rows::in_use(tx)?.into_iter().chain(kept).collect();
    lost.sort();
    lost.dedup();
    for id in lost.into_iter().filter(|id| id != vault.id()) {
        rows::put(tx, &vault.lost_audit_key(id)?, now)?;
    }
    Ok(())
}
