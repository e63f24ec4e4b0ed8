//! Browsers in which an account's second factor was presented before: the digest of their cookie's value.

use domain::{id::UserId, moment::Moment};

use crate::{Reader, Result, TenantScope, Tx, params, user::Failures};

crate::sql! {
    GET = "SELECT failures, failed_at FROM known_devices WHERE user_id = $2 AND tenant_id = $1 AND digest = $3";
    KEEP = "INSERT INTO known_devices (user_id, digest, tenant_id, failures, seen_at) VALUES ($2, $3, $1, 0, $4)
            ON CONFLICT (user_id, digest) DO UPDATE SET failures = 0, failed_at = NULL, seen_at = excluded.seen_at";
    SET_FAILURES = "UPDATE known_devices SET failures = $4, failed_at = $5
                    WHERE user_id = $2 AND tenant_id = $1 AND digest = $3";
    DELETE_OF_USER = "DELETE FROM known_devices WHERE user_id = $2 AND tenant_id = $1";
    PRUNE = "DELETE FROM known_devices WHERE seen_at <= $1";
}

/// The number of wrong codes from this browser, if the account knows it.
pub fn failures(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    user: UserId,
    digest: &str,
) -> Result<Option<Failures>> {
    reader.query_opt(&GET, params![scope.tenant(), user, digest], |row| {
        Ok(Failures { count: row.get(0)?, last: row.get(1)? })
    })
}

/// Adds the browser, or updates when it was last seen. Either way its count of wrong codes is reset.
pub fn keep(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId, digest: &str, at: Moment) -> Result<()> {
    tx.execute(&KEEP, params![scope.tenant(), user, digest, at])?;
    Ok(())
}

pub fn set_failures(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    user: UserId,
    digest: &str,
    failures: Failures,
) -> Result<()> {
    tx.execute(&SET_FAILURES, params![scope.tenant(), user, digest, failures.count, failures.last])?;
    Ok(())
}

/// A new password or second factor makes every browser unknown again.
pub fn delete_of_user(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId) -> Result<()> {
    tx.execute(&DELETE_OF_USER, params![scope.tenant(), user])?;
    Ok(())
}

/// Deletes browsers not seen since then and returns their number.
pub fn prune(tx: &mut Tx<'_>, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![before])
}
