//! The private calendar address of a person: the digest of its secret, never the secret.

use domain::{
    id::{TenantId, UserId},
    moment::Moment,
};

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    PUT = "INSERT INTO calendar_links (user_id, tenant_id, digest, created_at) VALUES ($2, $1, $3, $4)
           ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, created_at = excluded.created_at";
    MADE_AT = "SELECT created_at FROM calendar_links WHERE user_id = $2 AND tenant_id = $1";
    FIND = "SELECT tenant_id, user_id FROM calendar_links WHERE digest = $1";
    DELETE = "DELETE FROM calendar_links WHERE user_id = $2 AND tenant_id = $1";
}

/// Stores a new address. The one before stops working.
pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId, digest: &str, now: Moment) -> Result<()> {
    tx.execute(&PUT, params![scope.tenant(), user, digest, now])?;
    Ok(())
}

/// When the address of a person was made; `None` if they have none.
pub fn made_at(reader: &mut Reader<'_>, scope: &TenantScope, user: UserId) -> Result<Option<Moment>> {
    reader.query_opt(&MADE_AT, params![scope.tenant(), user], |row| row.get(0))
}

/// The person whose address has this digest, of any institution.
pub fn find(reader: &mut Reader<'_>, digest: &str) -> Result<Option<(TenantId, UserId)>> {
    reader.query_opt(&FIND, params![digest], |row| Ok((row.parse(0)?, row.parse(1)?)))
}

/// The address stops working.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), user])?;
    Ok(())
}
