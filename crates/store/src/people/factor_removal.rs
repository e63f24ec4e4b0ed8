//! Removals of an administrator's second factor and passkeys that wait for the confirmation of another administrator.

use domain::{id::UserId, moment::Moment};

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    GET = "SELECT factor_removal_by, factor_removal_at FROM users
           WHERE tenant_id = $1 AND id = $2 AND factor_removal_by IS NOT NULL AND factor_removal_at IS NOT NULL";
    SET = "UPDATE users SET factor_removal_by = $3, factor_removal_at = $4 WHERE tenant_id = $1 AND id = $2";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovalRow {
    /// The actor who asked.
    pub asked_by: String,
    pub asked_at: Moment,
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, user: UserId) -> Result<Option<RemovalRow>> {
    reader.query_opt(&GET, params![scope.tenant(), user], |row| {
        Ok(RemovalRow { asked_by: row.get(0)?, asked_at: row.get(1)? })
    })
}

pub fn ask(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId, removal: &RemovalRow) -> Result<()> {
    tx.execute(&SET, params![scope.tenant(), user, &removal.asked_by, removal.asked_at])?;
    Ok(())
}

pub fn clear(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId) -> Result<()> {
    tx.execute(&SET, params![scope.tenant(), user, None::<String>, None::<Moment>])?;
    Ok(())
}
