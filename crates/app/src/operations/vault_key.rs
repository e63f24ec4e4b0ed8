//! Checks that the vault key is the one the store is sealed with, and reseals everything with another one.
//!
//! A store records the fingerprint of its key at the first use. From then on a node or a command with another key is
//! refused before it seals anything that no other node could open.

use domain::actor::Actor;
use serde_json::json;
use store::{
    Db, Reader, Tx, bundle as bundles, identity_provider as providers,
    vault::{self as rows, SealedFactors},
};

use crate::{
    Error, Operations, Result, audit, audit_key,
    bundle::KEY_CONTEXT,
    identity_provider::secret_context,
    user::totp_context,
    vault::{Vault, VaultError},
    webhook::url_context,
};

/// How many secrets are resealed in one transaction.
const BATCH: u32 = 500;

/// The id of the key a store is sealed with. `unknown` for a store of an earlier version that holds secrets.
pub async fn wanted_key(db: &Db) -> Result<Option<String>, VaultError> {
    let (mark, url) = db
        .platform()
        .read(|r: &mut Reader<'_>| Ok::<_, store::Error>((rows::mark(r)?, rows::urls(r, "", 1)?)))
        .await?;
    let known = mark.map(|mark| mark.split('.').next().unwrap_or_default().to_owned());
    Ok(known.or_else(|| (!url.is_empty()).then(|| "unknown".to_owned())))
}

/// The vault, if it contains the key the store is sealed with. A store without a recorded key accepts this one.
pub async fn agreed(db: &Db, vault: Vault) -> Result<Vault, VaultError> {
    if vault.is_made_up() {
        return Ok(vault);
    }
    let read = |r: &mut Reader<'_>| Ok::<_, store::Error>((rows::mark(r)?, rows::urls(r, "", 1)?));
    let (mark, urls) = db.platform().read(read).await?;
    if let Some(mark) = mark {
        return vault.marked(&mark);
    }
    // A store of an earlier version: its secrets show which key it is.
    if let Some(url) = urls.first() {
        let opened = vault.open_for(url.tenant, &url_context(url.webhook), &url.sealed);
        opened.map_err(|_| VaultError::OtherKey {
            wanted: "of its webhooks".to_owned(),
            found: vault.id().to_owned(),
        })?;
    }
    let own = vault.mark();
    db.platform().bookkeep(move |tx| rows::put_mark(tx, &own)).await?;
    // Another node may have been first.
    let mark = db.platform().read(rows::mark).await?.unwrap_or_default();
    vault.marked(&mark)
}

/// The counts of resealed secrets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resealed {
    pub urls: u64,
    pub factors: u64,
    /// Of identity providers, and the key that signs bundles.
    pub secrets: u64,
    /// Secrets that none of the keys opens; they are left as they are.
    pub unreadable: u64,
}

impl Operations {
    /// Seals every lasting secret with the first key of `ring` and records that key as the store's.
    pub async fn reseal(&self, ring: &Vault) -> Result<Resealed> {
        let mut done = Resealed::default();
        self.reseal_urls(ring, &mut done).await?;
        self.reseal_factors(ring, &mut done).await?;
        self.reseal_secrets(ring, &mut done).await?;
        self.reseal_bundle_key(ring, &mut done).await?;
        self.keep_audit_keys(ring).await?;
        let (mark, id, old, now) =
            (ring.mark(), ring.id().to_owned(), self.vault.id().to_owned(), self.clock.now());
        self.db
            .platform()
            .write(move |tx| {
                rows::set_mark(tx, &mark)?;
                let detail = json!({
                    "from": old, "to": id, "urls": done.urls, "factors": done.factors, "secrets": done.secrets,
                });
                audit::record(tx, Actor::Operator, now, "vault.rotated", "vault", &detail)
            })
            .await?;
        Ok(done)
    }

    async fn reseal_urls(&self, ring: &Vault, done: &mut Resealed) -> Result<()> {
        let mut after = String::new();
        loop {
            let (ring, from) = (ring.clone(), after.clone());
            let step = move |tx: &mut Tx<'_>| {
                let urls = rows::urls(tx, &from, BATCH)?;
                let (mut sealed, mut unreadable) = (0, 0);
                for url in &urls {
                    let context = url_context(url.webhook);
                    match ring.open_for(url.tenant, &context, &url.sealed) {
                        Ok(text) => {
                            rows::set_url(tx, url.webhook, &ring.seal_for(url.tenant, &context, &text)?)?;
                            sealed += 1;
                        }
                        Err(_) => unreadable += 1,
                    }
                }
                Ok::<_, Error>((urls.last().map(|url| url.webhook.to_string()), sealed, unreadable))
            };
            let (last, sealed, unreadable) = self.db.platform().bookkeep(step).await?;
            done.urls += sealed;
            done.unreadable += unreadable;
            let Some(last) = last else { return Ok(()) };
            after = last;
        }
    }

    async fn reseal_factors(&self, ring: &Vault, done: &mut Resealed) -> Result<()> {
        let mut after = String::new();
        loop {
            let (ring, from) = (ring.clone(), after.clone());
            let step = move |tx: &mut Tx<'_>| {
                let people = rows::factors(tx, &from, BATCH)?;
                let (mut sealed, mut unreadable) = (0, 0);
                for person in &people {
                    let context = totp_context(person.user);
                    let mut again = |held: &Option<String>| match held {
                        None => Ok(None),
                        Some(text) => {
                            let Ok(secret) = ring.open(&context, text) else {
                                unreadable += 1;
                                return Ok(Some(text.clone()));
                            };
                            sealed += 1;
                            ring.seal(&context, &secret).map(Some)
                        }
                    };
                    let (secret, pending) = (again(&person.secret)?, again(&person.pending)?);
                    if secret.is_some() || pending.is_some() {
                        rows::set_factors(tx, &SealedFactors { user: person.user, secret, pending })?;
                    }
                }
                Ok::<_, Error>((people.last().map(|person| person.user.to_string()), sealed, unreadable))
            };
            let (last, sealed, unreadable) = self.db.platform().bookkeep(step).await?;
            done.factors += sealed;
            done.unreadable += unreadable;
            let Some(last) = last else { return Ok(()) };
            after = last;
        }
    }

    async fn reseal_secrets(&self, ring: &Vault, done: &mut Resealed) -> Result<()> {
        let mut after = String::new();
        loop {
            let (ring, from) = (ring.clone(), after.clone());
            let step = move |tx: &mut Tx<'_>| {
                let providers = providers::secrets(tx, &from, BATCH)?;
                let (mut sealed, mut unreadable) = (0, 0);
                for (tenant, held) in &providers {
                    let Some(held) = held else { continue };
                    let context = secret_context(*tenant);
                    match ring.open_for(*tenant, &context, held) {
                        Ok(text) => {
                            let again = ring.seal_for(*tenant, &context, &text)?;
                            providers::set_secret(tx, *tenant, &again)?;
                            sealed += 1;
                        }
                        Err(_) => unreadable += 1,
                    }
                }
                Ok::<_, Error>((providers.last().map(|(tenant, _)| tenant.to_string()), sealed, unreadable))
            };
            let (last, sealed, unreadable) = self.db.platform().bookkeep(step).await?;
            done.secrets += sealed;
            done.unreadable += unreadable;
            let Some(last) = last else { return Ok(()) };
            after = last;
        }
    }

    async fn reseal_bundle_key(&self, ring: &Vault, done: &mut Resealed) -> Result<()> {
        let ring = ring.clone();
        let step = move |tx: &mut Tx<'_>| {
            let Some(held) = bundles::key(tx)? else { return Ok((0, 0)) };
            let Ok(seed) = ring.open(KEY_CONTEXT, &held) else { return Ok((0, 1)) };
            bundles::set_key(tx, &ring.seal(KEY_CONTEXT, &seed)?)?;
            Ok::<_, Error>((1, 0))
        };
        let (sealed, unreadable) = self.db.platform().bookkeep(step).await?;
        done.secrets += sealed;
        done.unreadable += unreadable;
        Ok(())
    }

    /// Takes a key as the store's although nothing was sealed with it: the one before is lost.
    pub async fn adopt_vault(&self, vault: &Vault) -> Result<()> {
        let (mark, id, now) = (vault.mark(), vault.id().to_owned(), self.clock.now());
        self.db.use_audit_keys(vault.audit_keys(&[]));
        let vault = vault.clone();
        self.db
            .platform()
            .write(move |tx| {
                rows::put_mark(tx, &mark)?;
                rows::set_mark(tx, &mark)?;
                audit_key::give_up(tx, &vault, now)?;
                audit::record(tx, Actor::Operator, now, "vault.adopted", "vault", &json!({ "to": id }))
            })
            .await
    }

    /// How many lasting secrets still need another key than the one that seals.
    pub async fn sealed_before(&self) -> Result<u64> {
        let vault = self.vault.clone();
        let count = move |r: &mut Reader<'_>| {
            let (mut old, mut after) = (0, String::new());
            loop {
                let urls = rows::urls(r, &after, BATCH)?;
                old += urls.iter().filter(|url| !vault.is_current(&url.sealed)).count() as u64;
                let Some(last) = urls.last() else { break };
                after = last.webhook.to_string();
            }
            after.clear();
            loop {
                let people = rows::factors(r, &after, BATCH)?;
                let texts = people.iter().flat_map(|person| [&person.secret, &person.pending]).flatten();
                old += texts.filter(|text| !vault.is_current(text)).count() as u64;
                let Some(last) = people.last() else { break };
                after = last.user.to_string();
            }
            after.clear();
            loop {
                let held = providers::secrets(r, &after, BATCH)?;
                let texts = held.iter().filter_map(|(_, sealed)| sealed.as_ref());
                old += texts.filter(|text| !vault.is_current(text)).count() as u64;
                let Some((last, _)) = held.last() else { return Ok::<_, store::Error>(old) };
                after = last.to_string();
            }
        };
        self.db.platform().read(count).await.map_err(Error::from)
    }
}
