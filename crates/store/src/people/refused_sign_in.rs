//! Refused sign-ins of existing accounts: one row for each day, means and address, however many tries there were.

use domain::{id::UserId, moment::Moment, text::Name};

use crate::{Reader, Result, TenantScope, Tx, params, sql::Row};

crate::sql! {
    COUNT = "INSERT INTO refused_sign_ins (user_id, day, means, address, tenant_id, tries, first_at, last_at)
             VALUES ($2, $3, $4, $5, $1, 1, $6, $6)
             ON CONFLICT (user_id, day, means, address)
             DO UPDATE SET tries = refused_sign_ins.tries + 1, last_at = excluded.last_at";
    ROWS_OF_DAY = "SELECT COUNT(*) FROM refused_sign_ins WHERE user_id = $2 AND day = $3 AND tenant_id = $1";
    KNOWN = "SELECT COUNT(*) FROM refused_sign_ins
             WHERE user_id = $2 AND day = $3 AND means = $4 AND address = $5 AND tenant_id = $1";
    OF_USER = "SELECT r.user_id, u.name, r.means, r.address, r.tries, r.first_at, r.last_at
               FROM refused_sign_ins r JOIN users u ON u.id = r.user_id
               WHERE r.user_id = $2 AND r.tenant_id = $1 ORDER BY r.last_at DESC LIMIT $3";
    OF_TENANT = "SELECT r.user_id, u.name, r.means, r.address, r.tries, r.first_at, r.last_at
                 FROM refused_sign_ins r JOIN users u ON u.id = r.user_id
                 WHERE r.tenant_id = $1 ORDER BY r.last_at DESC LIMIT $2";
    PRUNE = "DELETE FROM refused_sign_ins WHERE last_at <= $1";
}

/// Refused tries on one account with one means from one address on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRow {
    pub user: UserId,
    pub name: Name,
    /// What was wrong: `password`, `code` or `passkey`.
    pub means: String,
    /// Empty if the account had tries from too many addresses on that day to store each.
    pub address: String,
    pub tries: i64,
    pub first_at: Moment,
    pub last_at: Moment,
}

fn read(row: &Row<'_>) -> Result<RefusedRow> {
    Ok(RefusedRow {
        user: row.parse(0)?,
        name: row.check(1, Name::parse)?,
        means: row.get(2)?,
        address: row.get(3)?,
        tries: row.get(4)?,
        first_at: row.get(5)?,
        last_at: row.get(6)?,
    })
}

/// Counts one more try. At most `most` rows are stored per account and day; further addresses share one.
pub fn count(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    user: UserId,
    (means, address): (&str, &str),
    (at, most): (Moment, i64),
) -> Result<()> {
    let (tenant, day) = (scope.tenant(), at.day().to_string());
    let number = |row: &Row<'_>| row.get::<i64>(0);
    let known = tx.query_one(&KNOWN, params![tenant, user, day.as_str(), means, address], number)?;
    let rows = tx.query_one(&ROWS_OF_DAY, params![tenant, user, day.as_str()], number)?;
    let address = if known > 0 || rows < most { address } else { "" };
    tx.execute(&COUNT, params![tenant, user, day.as_str(), means, address, at])?;
    Ok(())
}

/// The refused sign-ins of one account, the latest first.
pub fn of_user(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    user: UserId,
    limit: u32,
) -> Result<Vec<RefusedRow>> {
    reader.query(&OF_USER, params![scope.tenant(), user, limit], read)
}

/// The refused sign-ins of all accounts of the tenant, the latest first.
pub fn of_tenant(reader: &mut Reader<'_>, scope: &TenantScope, limit: u32) -> Result<Vec<RefusedRow>> {
    reader.query(&OF_TENANT, params![scope.tenant(), limit], read)
}

/// Deletes rows before this moment and returns their number.
pub fn prune(tx: &mut Tx<'_>, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![before])
}
