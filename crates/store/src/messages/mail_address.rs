//! Mail addresses outside the domains of an institution, and whether their owners agreed to its mail.

use domain::{id::TenantId, moment::Moment, user::Email};

use crate::{Reader, Result, TenantScope, Tx, params, sql::Row};

crate::sql! {
    GET = "SELECT tenant_id, address, asked_at, ends_at, confirmed_at FROM mail_addresses
           WHERE tenant_id = $1 AND address = $2";
    BY_DIGEST = "SELECT tenant_id, address, asked_at, ends_at, confirmed_at FROM mail_addresses WHERE digest = $1";
    ASK = "INSERT INTO mail_addresses (tenant_id, address, digest, asked_at, ends_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (tenant_id, address) DO UPDATE SET
               digest = excluded.digest, asked_at = excluded.asked_at, ends_at = excluded.ends_at";
    CONFIRM = "UPDATE mail_addresses SET confirmed_at = $3
               WHERE tenant_id = $1 AND address = $2 AND confirmed_at IS NULL";
}

/// An address whose owner was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailAddressRow {
    pub tenant: TenantId,
    pub address: Email,
    /// When the last mail with a link was written.
    pub asked_at: Moment,
    /// Until when that link works.
    pub ends_at: Moment,
    pub confirmed_at: Option<Moment>,
}

fn read(row: &Row<'_>) -> Result<MailAddressRow> {
    Ok(MailAddressRow {
        tenant: row.parse(0)?,
        address: row.parse(1)?,
        asked_at: row.get(2)?,
        ends_at: row.get(3)?,
        confirmed_at: row.get(4)?,
    })
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, address: &Email) -> Result<Option<MailAddressRow>> {
    reader.query_opt(&GET, params![scope.tenant(), address.as_str()], read)
}

/// The address that the link with this digest confirms, of any institution: the bearer needs no other right.
pub fn by_digest(reader: &mut Reader<'_>, digest: &str) -> Result<Option<MailAddressRow>> {
    reader.query_opt(&BY_DIGEST, params![digest], read)
}

/// Stores that the owner is asked; an earlier link stops working.
pub fn ask(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    address: &Email,
    digest: &str,
    (now, ends_at): (Moment, Moment),
) -> Result<()> {
    tx.execute(&ASK, params![scope.tenant(), address.as_str(), digest, now, ends_at])?;
    Ok(())
}

/// Stores that the owner agreed; false if that is known already.
pub fn confirm(tx: &mut Tx<'_>, scope: &TenantScope, address: &Email, now: Moment) -> Result<bool> {
    Ok(tx.execute(&CONFIRM, params![scope.tenant(), address.as_str(), now])? > 0)
}
