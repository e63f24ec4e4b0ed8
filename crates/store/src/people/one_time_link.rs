//! Links that work once: the digest of each, never the link.

use std::{fmt, str::FromStr};

use domain::{
    id::{TenantId, UserId},
    moment::Moment,
};

use crate::{Reader, Result, TenantScope, Tx, params, sql::Row};

crate::sql! {
    INSERT = "INSERT INTO one_time_links (digest, tenant_id, user_id, purpose, created_at, expires_at, issued_by)
              VALUES ($1, $2, $3, $4, $5, $6, $7)";
    GET = "SELECT tenant_id, user_id, purpose, created_at, expires_at, issued_by FROM one_time_links
           WHERE digest = $1";
    SINCE = "SELECT created_at FROM one_time_links
             WHERE user_id = $2 AND tenant_id = $1 AND issued_by = $3 AND created_at > $4 LIMIT 1";
    DELETE = "DELETE FROM one_time_links WHERE digest = $1";
    DELETE_OF_USER = "DELETE FROM one_time_links WHERE user_id = $2 AND tenant_id = $1";
    PRUNE = "DELETE FROM one_time_links WHERE expires_at <= $1";
}

/// Issuers that are no actor of the audit log: the owner who forgot the password, and the warning of wrong codes.
pub const OWNER: &str = "owner";
pub const WARNING: &str = "code_warning";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The first administrator of a store without users.
    SetUp,
    /// A person who has no password yet.
    Invitation,
    /// A person who lost theirs.
    Reset,
}

impl Purpose {
    const ALL: [Self; 3] = [Self::SetUp, Self::Invitation, Self::Reset];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::SetUp => "set_up",
            Self::Invitation => "invitation",
            Self::Reset => "reset",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownPurpose;

impl fmt::Display for UnknownPurpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("is no purpose of a link")
    }
}

impl FromStr for Purpose {
    type Err = UnknownPurpose;

    fn from_str(text: &str) -> Result<Self, UnknownPurpose> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownPurpose)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRow {
    /// The user it belongs to; `None` for the first set-up.
    pub owner: Option<(TenantId, UserId)>,
    pub purpose: Purpose,
    pub created_at: Moment,
    pub expires_at: Moment,
    /// The issuer as the audit log names it; unknown for links of earlier versions.
    pub issued_by: Option<String>,
}

fn read(row: &Row<'_>) -> Result<LinkRow> {
    let (tenant, user) = (row.parse_opt(0)?, row.parse_opt(1)?);
    Ok(LinkRow {
        owner: tenant.zip(user),
        purpose: row.parse(2)?,
        created_at: row.get(3)?,
        expires_at: row.get(4)?,
        issued_by: row.get(5)?,
    })
}

pub fn insert(tx: &mut Tx<'_>, digest: &str, link: &LinkRow) -> Result<()> {
    let (tenant, user) = link.owner.unzip();
    let (purpose, issued_by) = (link.purpose.as_str(), link.issued_by.as_deref());
    tx.execute(&INSERT, params![digest, tenant, user, purpose, link.created_at, link.expires_at, issued_by])?;
    Ok(())
}

/// The link with this digest, of any user: the bearer needs no other right.
pub fn get(reader: &mut Reader<'_>, digest: &str) -> Result<Option<LinkRow>> {
    reader.query_opt(&GET, params![digest], read)
}

/// Whether this issuer created a link for the user after that time which is still unused.
pub fn was_issued_since(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    user: UserId,
    issuer: &str,
    since: Moment,
) -> Result<bool> {
    let found =
        reader.query_opt(&SINCE, params![scope.tenant(), user, issuer, since], |row| row.get::<Moment>(0))?;
    Ok(found.is_some())
}

/// Uses the link up; false if another request has used it before.
pub fn delete(tx: &mut Tx<'_>, digest: &str) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![digest])? > 0)
}

/// A newer link, a new password or a closed account makes all older ones void.
pub fn delete_of_user(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId) -> Result<()> {
    tx.execute(&DELETE_OF_USER, params![scope.tenant(), user])?;
    Ok(())
}

/// Deletes expired links and returns their number.
pub fn prune(tx: &mut Tx<'_>, now: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![now])
}
