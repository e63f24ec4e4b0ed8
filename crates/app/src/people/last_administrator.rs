//! A tenant keeps an administrator who can sign in, in whichever way: without one it could only be repaired from the
//! command line.

use domain::{id::UserId, user::Role, violation::AccountComplaint};
use store::{
    TenantScope, Tx,
    user::{UserRow, able_administrators},
};

use crate::{Error, Result};

/// Two are enough to know whether there is another one.
const LOOKED_AT: u32 = 2;

/// Refuses a change of an account after which no administrator could sign in.
pub(crate) fn check_change(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    before: &UserRow,
    after: &UserRow,
) -> Result<()> {
    let limited = after.ends_on.is_some() && after.role == Role::Administrator;
    let given_up = is_lasting_administrator(before) && !is_lasting_administrator(after);
    if !limited && !given_up {
        return Ok(());
    }
    let able = able_administrators(tx, scope, LOOKED_AT)?;
    let has_another = able.iter().any(|id| *id != before.id);
    // An account that cannot sign in itself may go, if it leaves the tenant as it was.
    let is_able = able.contains(&before.id);
    if has_another || (!limited && !is_able) { Ok(()) } else { Err(refusal("role")) }
}

fn is_lasting_administrator(user: &UserRow) -> bool {
    user.role == Role::Administrator && user.disabled_at.is_none() && user.ends_on.is_none()
}

/// Takes a way to sign in away, unless it was the only one of the last administrator.
pub(crate) fn take_away(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    field: &str,
    take: impl FnOnce(&mut Tx<'_>) -> Result<()>,
) -> Result<()> {
    let before: Vec<UserId> = able_administrators(tx, scope, LOOKED_AT)?;
    take(tx)?;
    let none_left = !before.is_empty() && able_administrators(tx, scope, LOOKED_AT)?.is_empty();
    if none_left { Err(refusal(field)) } else { Ok(()) }
}

fn refusal(field: &str) -> Error {
    Error::invalid(field, AccountComplaint::LastAdministrator)
}
