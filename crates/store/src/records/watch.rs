//! The people who watch a record.

use domain::{id::UserId, moment::Moment};

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    PUT = "INSERT INTO watches (tenant_id, subject, user_id, created_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (tenant_id, subject, user_id) DO NOTHING";
    GET = "SELECT user_id FROM watches WHERE tenant_id = $1 AND subject = $2 AND user_id = $3";
    OF = "SELECT user_id FROM watches WHERE tenant_id = $1 AND subject = $2 ORDER BY user_id";
    DELETE = "DELETE FROM watches WHERE tenant_id = $1 AND subject = $2 AND user_id = $3";
    FORGET = "DELETE FROM watches WHERE tenant_id = $1 AND subject = $2";
    HAND_OVER = "INSERT INTO watches (tenant_id, subject, user_id, created_at)
                 SELECT tenant_id, subject, $3, $4 FROM watches WHERE tenant_id = $1 AND user_id = $2
                 ON CONFLICT (tenant_id, subject, user_id) DO NOTHING";
    LEAVE = "DELETE FROM watches WHERE tenant_id = $1 AND user_id = $2";
}

/// A person who watches the record already goes on doing so.
pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, subject: &str, user: UserId, now: Moment) -> Result<()> {
    tx.post(&PUT, params![scope.tenant(), subject, user, now])?;
    Ok(())
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, subject: &str, user: UserId) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), subject, user])?;
    Ok(())
}

pub fn is_watching(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    subject: &str,
    user: UserId,
) -> Result<bool> {
    let found: Option<String> =
        reader.query_opt(&GET, params![scope.tenant(), subject, user], |row| row.get(0))?;
    Ok(found.is_some())
}

/// The people who watch a record.
pub fn of(reader: &mut Reader<'_>, scope: &TenantScope, subject: &str) -> Result<Vec<UserId>> {
    reader.query(&OF, params![scope.tenant(), subject], |row| row.parse(0))
}

/// Of a record that is deleted.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, subject: &str) -> Result<()> {
    tx.execute(&FORGET, params![scope.tenant(), subject])?;
    Ok(())
}

/// Another person watches from now on what this one watched. Returns how many records these are.
pub fn hand_over(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    (from, to): (UserId, UserId),
    now: Moment,
) -> Result<u64> {
    tx.execute(&HAND_OVER, params![scope.tenant(), from, to, now])?;
    tx.execute(&LEAVE, params![scope.tenant(), from])
}
