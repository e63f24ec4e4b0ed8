//! Which chains are keyed, and the sealed root keys of entries that were hashed before the vault key was rotated.

use domain::moment::Moment;

use crate::{Reader, Result, Tx, params, sql::PLATFORM};

crate::sql! {
    KEPT = whole("a store has a handful of earlier keys", "SELECT id, sealed FROM audit_chain_keys ORDER BY id");
    PUT = "INSERT INTO audit_chain_keys (id, sealed, kept_at) VALUES ($1, $2, $3)
           ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed";
    IN_USE = whole("a chain for each tenant, looked at when a key is lost",
                   "SELECT DISTINCT audit_key FROM chains WHERE audit_key IS NOT NULL ORDER BY audit_key");
    UNKEYED = whole("a chain for each tenant, looked at once, when keys begin",
                    "SELECT name FROM chains WHERE audit_key IS NULL ORDER BY name");
    OF_CHAIN = "SELECT audit_key FROM chains WHERE name = $1";
    LAST = "SELECT key_id FROM audit_entries WHERE chain = $1 ORDER BY seq DESC LIMIT 1";
    BEGIN_EMPTY = "UPDATE chains SET audit_key = $2 WHERE name = $1 AND audit_seq = 0 AND audit_key IS NULL";
    APPLIED = "SELECT applied_at FROM migrations WHERE name = '0235_audit_keys'";
}

/// A root key of earlier entries, sealed with the vault key in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedKey {
    pub id: String,
    pub sealed: String,
}

pub fn kept(reader: &mut Reader<'_>) -> Result<Vec<SealedKey>> {
    reader.query(&KEPT, &[], |row| Ok(SealedKey { id: row.get(0)?, sealed: row.get(1)? }))
}

pub fn put(tx: &mut Tx<'_>, key: &SealedKey, now: Moment) -> Result<()> {
    tx.execute(&PUT, params![&key.id, &key.sealed, now])?;
    Ok(())
}

/// The root keys that the newest entries of the chains were hashed with.
pub fn in_use(reader: &mut Reader<'_>) -> Result<Vec<String>> {
    reader.query(&IN_USE, &[], |row| row.get(0))
}

/// The chains that are not keyed, without the platform's.
pub fn unkeyed(reader: &mut Reader<'_>) -> Result<Vec<String>> {
    let names: Vec<String> = reader.query(&UNKEYED, &[], |row| row.get(0))?;
    Ok(names.into_iter().filter(|name| name != PLATFORM).collect())
}

/// Whether all chains are keyed: the platform's becomes so last. Its entries say it, too, should the row be changed.
pub fn is_begun(reader: &mut Reader<'_>) -> Result<bool> {
    let row: Option<Option<String>> = reader.query_opt(&OF_CHAIN, params![PLATFORM], |row| row.get(0))?;
    let last: Option<Option<String>> = reader.query_opt(&LAST, params![PLATFORM], |row| row.get(0))?;
    Ok(row.flatten().is_some() || last.flatten().is_some())
}

/// Keys the platform's chain while it has no entry: a new store needs no entry about the change. Says whether it did.
pub fn begin_new(tx: &mut Tx<'_>, id: &str) -> Result<bool> {
    Ok(tx.execute(&BEGIN_EMPTY, params![PLATFORM, id])? > 0)
}

/// Since when the store has room for keys.
pub fn possible_since(reader: &mut Reader<'_>) -> Result<Option<Moment>> {
    reader.query_opt(&APPLIED, &[], |row| row.get(0))
}
