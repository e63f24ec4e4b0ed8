//! The fingerprint of the vault key the store's secrets are sealed with, and the secrets that last.
//!
//! Stored responses and letters are sealed too, but live for days at most, so they are not sealed again with a new
//! key.

use domain::{
    delivery::HookId,
    id::{TenantId, UserId},
};

use crate::{Reader, Result, Tx, params, sql::Error};

crate::sql! {
    MARK = "SELECT value FROM store_meta WHERE name = 'vault'";
    PUT = "INSERT INTO store_meta (name, value) VALUES ('vault', $1) ON CONFLICT (name) DO NOTHING";
    SET = "UPDATE store_meta SET value = $1 WHERE name = 'vault'";
    URLS = "SELECT id, tenant_id, url FROM webhooks WHERE id > $1
            UNION ALL SELECT id, tenant_id, sealed FROM event_hooks WHERE id > $1 ORDER BY id LIMIT $2";
    USERS = "SELECT id, totp_secret, totp_pending FROM users WHERE id > $1 ORDER BY id LIMIT $2";
    SET_WEBHOOK = "UPDATE webhooks SET url = $2 WHERE id = $1";
    SET_EVENT_HOOK = "UPDATE event_hooks SET sealed = $2 WHERE id = $1";
    SET_USER = "UPDATE users SET totp_secret = $2, totp_pending = $3 WHERE id = $1";
}

/// The fingerprint of the store's vault key, once a key was used with it.
pub fn mark(reader: &mut Reader<'_>) -> Result<Option<String>> {
    reader.query_opt(&MARK, &[], |row| row.get(0))
}

/// Stores the fingerprint of the key in a store that has none yet.
pub fn put_mark(tx: &mut Tx<'_>, mark: &str) -> Result<()> {
    tx.execute(&PUT, params![mark])?;
    Ok(())
}

pub fn set_mark(tx: &mut Tx<'_>, mark: &str) -> Result<()> {
    tx.execute(&SET, params![mark])?;
    Ok(())
}

/// A sealed URL with its webhook or event hook and tenant; that of an event hook with its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedUrl {
    pub webhook: HookId,
    pub tenant: TenantId,
    pub sealed: String,
}

/// Sealed URLs of all tenants, in order, after the given one.
pub fn urls(reader: &mut Reader<'_>, after: &str, limit: u32) -> Result<Vec<SealedUrl>> {
    reader.query(&URLS, params![after, limit], |row| {
        Ok::<_, Error>(SealedUrl { webhook: row.parse(0)?, tenant: row.parse(1)?, sealed: row.get(2)? })
    })
}

pub fn set_url(tx: &mut Tx<'_>, webhook: HookId, sealed: &str) -> Result<()> {
    let statement = match webhook {
        HookId::Webhook(_) => &SET_WEBHOOK,
        HookId::Event(_) => &SET_EVENT_HOOK,
    };
    tx.execute(statement, params![webhook, sealed])?;
    Ok(())
}

/// The sealed second factors of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedFactors {
    pub user: UserId,
    pub secret: Option<String>,
    pub pending: Option<String>,
}

/// Second factors of all users, in order, after the given one.
pub fn factors(reader: &mut Reader<'_>, after: &str, limit: u32) -> Result<Vec<SealedFactors>> {
    reader.query(&USERS, params![after, limit], |row| {
        Ok::<_, Error>(SealedFactors { user: row.parse(0)?, secret: row.get(1)?, pending: row.get(2)? })
    })
}

pub fn set_factors(tx: &mut Tx<'_>, factors: &SealedFactors) -> Result<()> {
    let SealedFactors { user, secret, pending } = factors;
    tx.execute(&SET_USER, params![*user, secret.as_deref(), pending.as_deref()])?;
    Ok(())
}
