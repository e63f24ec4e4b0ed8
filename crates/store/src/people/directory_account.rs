//! Accounts as a directory sees them over SCIM: the person, the directory's own id, and whether it removed them.
//!
//! The row of a person is changed in `user`; here only what the directory adds to it is written. An account is removed
//! when the directory removed it and it was not opened again since: it is then left out of every list.

use domain::{
    id::UserId,
    moment::Moment,
    text::Name,
    user::{Email, Role},
};

use crate::{Reader, Result, TenantScope, Tx, params, sql::Row};

crate::sql! {
    INVITED = "SELECT invited_at FROM users WHERE tenant_id = $1 AND id = $2";
    NOTE_INVITED = "UPDATE users SET invited_at = $3 WHERE tenant_id = $1 AND id = $2";
    GET = "SELECT u.id, u.email, u.name, u.role, u.disabled_at, u.version, u.created_at, u.updated_at, d.external_id,
                  d.removed_at
           FROM users u LEFT JOIN directory_accounts d ON d.user_id = u.id AND d.tenant_id = u.tenant_id
           WHERE u.tenant_id = $1 AND u.id = $2";
    BY_EMAIL = "SELECT u.id, u.email, u.name, u.role, u.disabled_at, u.version, u.created_at, u.updated_at,
                       d.external_id, d.removed_at
                FROM users u LEFT JOIN directory_accounts d ON d.user_id = u.id AND d.tenant_id = u.tenant_id
                WHERE u.tenant_id = $1 AND u.email = $2";
    LIST = "SELECT u.id, u.email, u.name, u.role, u.disabled_at, u.version, u.created_at, u.updated_at, d.external_id,
                   d.removed_at
            FROM users u LEFT JOIN directory_accounts d ON d.user_id = u.id AND d.tenant_id = u.tenant_id
            WHERE u.tenant_id = $1
              AND (d.removed_at IS NULL OR u.disabled_at IS NULL OR u.disabled_at > d.removed_at)
            ORDER BY u.id LIMIT $2 OFFSET $3";
    COUNT = "SELECT COUNT(*)
             FROM users u LEFT JOIN directory_accounts d ON d.user_id = u.id AND d.tenant_id = u.tenant_id
             WHERE u.tenant_id = $1
               AND (d.removed_at IS NULL OR u.disabled_at IS NULL OR u.disabled_at > d.removed_at)";
    OPEN = "SELECT u.id, u.email, u.name, u.role, u.disabled_at, u.version, u.created_at, u.updated_at, d.external_id,
                   d.removed_at
            FROM users u LEFT JOIN directory_accounts d ON d.user_id = u.id AND d.tenant_id = u.tenant_id
            WHERE u.tenant_id = $1 AND u.disabled_at IS NULL
            ORDER BY u.id LIMIT $2 OFFSET $3";
    COUNT_OPEN = "SELECT COUNT(*) FROM users WHERE tenant_id = $1 AND disabled_at IS NULL";
    CLOSED = "SELECT u.id, u.email, u.name, u.role, u.disabled_at, u.version, u.created_at, u.updated_at,
                     d.external_id, d.removed_at
              FROM users u LEFT JOIN directory_accounts d ON d.user_id = u.id AND d.tenant_id = u.tenant_id
              WHERE u.tenant_id = $1 AND u.disabled_at IS NOT NULL
                AND (d.removed_at IS NULL OR u.disabled_at > d.removed_at)
              ORDER BY u.id LIMIT $2 OFFSET $3";
    COUNT_CLOSED = "SELECT COUNT(*)
                    FROM users u LEFT JOIN directory_accounts d ON d.user_id = u.id AND d.tenant_id = u.tenant_id
                    WHERE u.tenant_id = $1 AND u.disabled_at IS NOT NULL
                      AND (d.removed_at IS NULL OR u.disabled_at > d.removed_at)";
    BY_EXTERNAL_ID = "SELECT u.id, u.email, u.name, u.role, u.disabled_at, u.version, u.created_at, u.updated_at,
                             d.external_id, d.removed_at
                      FROM directory_accounts d JOIN users u ON u.id = d.user_id AND u.tenant_id = d.tenant_id
                      WHERE d.tenant_id = $1 AND d.external_id = $2
                        AND (d.removed_at IS NULL OR u.disabled_at IS NULL OR u.disabled_at > d.removed_at)
                      ORDER BY d.user_id LIMIT $3 OFFSET $4";
    COUNT_BY_EXTERNAL_ID = "SELECT COUNT(*)
                            FROM directory_accounts d JOIN users u ON u.id = d.user_id AND u.tenant_id = d.tenant_id
                            WHERE d.tenant_id = $1 AND d.external_id = $2
                              AND (d.removed_at IS NULL OR u.disabled_at IS NULL OR u.disabled_at > d.removed_at)";
    OF_ROLE = "SELECT u.id, u.email, u.name, u.role, u.disabled_at, u.version, u.created_at, u.updated_at,
                      d.external_id, d.removed_at
               FROM users u LEFT JOIN directory_accounts d ON d.user_id = u.id AND d.tenant_id = u.tenant_id
               WHERE u.tenant_id = $1 AND u.role = $2 AND u.id > $3
                 AND (d.removed_at IS NULL OR u.disabled_at IS NULL OR u.disabled_at > d.removed_at)
               ORDER BY u.id LIMIT $4";
    KEEP = "INSERT INTO directory_accounts (user_id, tenant_id, external_id, removed_at) VALUES ($2, $1, $3, NULL)
            ON CONFLICT (user_id) DO UPDATE SET external_id = excluded.external_id, removed_at = NULL";
    REMOVE = "INSERT INTO directory_accounts (user_id, tenant_id, external_id, removed_at) VALUES ($2, $1, NULL, $3)
              ON CONFLICT (user_id) DO UPDATE SET removed_at = excluded.removed_at";
    FORGET_PASSWORD = "UPDATE users SET password_hash = NULL, version = version + 1, updated_at = $3
                       WHERE tenant_id = $1 AND id = $2";
}

/// A person as the directory sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountRow {
    pub id: UserId,
    pub email: Email,
    pub name: Name,
    pub role: Role,
    pub disabled_at: Option<Moment>,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
    /// The directory's own id for the person.
    pub external_id: Option<Name>,
    pub removed_at: Option<Moment>,
}

impl AccountRow {
    pub fn is_active(&self) -> bool {
        self.disabled_at.is_none()
    }

    /// Whether the directory removed the account, and it was not opened again since.
    pub fn is_removed(&self) -> bool {
        self.disabled_at.zip(self.removed_at).is_some_and(|(closed, removed)| removed >= closed)
    }
}

/// Which accounts a list is to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountFilter {
    All,
    Active(bool),
    Email(Email),
    ExternalId(Name),
}

fn read(row: &Row<'_>) -> Result<AccountRow> {
    Ok(AccountRow {
        id: row.parse(0)?,
        email: row.parse(1)?,
        name: row.check(2, Name::parse)?,
        role: row.parse(3)?,
        disabled_at: row.get(4)?,
        version: row.get(5)?,
        created_at: row.get(6)?,
        updated_at: row.get(7)?,
        external_id: row.check_opt(8, Name::parse)?,
        removed_at: row.get(9)?,
    })
}

/// The account, also one that was removed.
pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: UserId) -> Result<Option<AccountRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// The account with this address, also one that was removed.
pub fn by_email(reader: &mut Reader<'_>, scope: &TenantScope, email: &Email) -> Result<Option<AccountRow>> {
    reader.query_opt(&BY_EMAIL, params![scope.tenant(), email.as_str()], read)
}

/// At most `limit` of the accounts after the first `offset`, and how many there are in all.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    wanted: &AccountFilter,
    (limit, offset): (u32, u64),
) -> Result<(Vec<AccountRow>, u64)> {
    let (page, count) = match wanted {
        AccountFilter::All => (&LIST, &COUNT),
        AccountFilter::Active(true) => (&OPEN, &COUNT_OPEN),
        AccountFilter::Active(false) => (&CLOSED, &COUNT_CLOSED),
        AccountFilter::Email(email) => {
            let found = by_email(reader, scope, email)?.filter(|account| !account.is_removed());
            let total = u64::from(found.is_some());
            return Ok((found.into_iter().filter(|_| limit > 0 && offset == 0).collect(), total));
        }
        AccountFilter::ExternalId(id) => {
            let (tenant, id) = (scope.tenant(), id.as_str());
            let total = reader.query_one(&COUNT_BY_EXTERNAL_ID, params![tenant, id], |row| row.get(0))?;
            let found = reader.query(&BY_EXTERNAL_ID, params![tenant, id, limit, offset], read)?;
            return Ok((found, total));
        }
    };
    let total = reader.query_one(count, params![scope.tenant()], |row| row.get(0))?;
    Ok((reader.query(page, params![scope.tenant(), limit, offset], read)?, total))
}

/// Accounts with this role in the order of their ids, after one of them.
pub fn of_role(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    role: Role,
    after: Option<UserId>,
    limit: u32,
) -> Result<Vec<AccountRow>> {
    let after = after.map_or_else(String::new, |id| id.to_string());
    reader.query(&OF_ROLE, params![scope.tenant(), role.as_str(), after, limit], read)
}

/// Keeps the directory's own id; an account it had removed belongs to it again.
pub fn keep(tx: &mut Tx<'_>, scope: &TenantScope, id: UserId, external_id: Option<&Name>) -> Result<()> {
    tx.execute(&KEEP, params![scope.tenant(), id, external_id])?;
    Ok(())
}

/// Notes that the directory removed the account. The caller closes it.
pub fn remove(tx: &mut Tx<'_>, scope: &TenantScope, id: UserId, at: Moment) -> Result<()> {
    tx.execute(&REMOVE, params![scope.tenant(), id, at])?;
    Ok(())
}

/// The person has no password any more.
pub fn forget_password(tx: &mut Tx<'_>, scope: &TenantScope, id: UserId, at: Moment) -> Result<()> {
    tx.execute(&FORGET_PASSWORD, params![scope.tenant(), id, at])?;
    Ok(())
}

/// When the directory last had the person invited by mail.
pub fn invited_at(reader: &mut Reader<'_>, scope: &TenantScope, id: UserId) -> Result<Option<Moment>> {
    reader.query_one(&INVITED, params![scope.tenant(), id], |row| row.get(0))
}

pub fn note_invited(tx: &mut Tx<'_>, scope: &TenantScope, id: UserId, now: Moment) -> Result<()> {
    tx.execute(&NOTE_INVITED, params![scope.tenant(), id, now])?;
    Ok(())
}
