//! Passkeys of accounts. They hold public keys only, so nothing here is sealed.

use domain::{
    id::{PasskeyId, TenantId, UserId},
    moment::Moment,
    text::Name,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    INSERT = "INSERT INTO passkeys (id, tenant_id, user_id, credential_id, name, public_key, algorithm,
                                    signature_count, created_at, used_at)
              VALUES ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10)";
    OF_USER = "SELECT id, tenant_id, user_id, credential_id, name, public_key, algorithm, signature_count, created_at,
                      used_at
               FROM passkeys WHERE user_id = $2 AND tenant_id = $1 ORDER BY id";
    BY_CREDENTIAL = "SELECT id, tenant_id, user_id, credential_id, name, public_key, algorithm, signature_count,
                            created_at, used_at
                     FROM passkeys WHERE credential_id = $1";
    USE = "UPDATE passkeys SET signature_count = $4, used_at = $5
           WHERE id = $2 AND tenant_id = $1 AND signature_count = $3";
    DELETE = "DELETE FROM passkeys WHERE id = $3 AND user_id = $2 AND tenant_id = $1";
    DELETE_OF_USER = "DELETE FROM passkeys WHERE user_id = $2 AND tenant_id = $1";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyRow {
    pub id: PasskeyId,
    pub tenant: TenantId,
    pub user: UserId,
    /// The device's name for it, in base64 for addresses.
    pub credential_id: String,
    pub name: Name,
    /// In the form of COSE, in base64 for addresses.
    pub public_key: String,
    pub algorithm: String,
    /// How often it has signed, as it says itself; always zero for those that do not count.
    pub signature_count: u32,
    pub created_at: Moment,
    pub used_at: Option<Moment>,
}

fn read(row: &Row<'_>) -> Result<PasskeyRow> {
    Ok(PasskeyRow {
        id: row.parse(0)?,
        tenant: row.parse(1)?,
        user: row.parse(2)?,
        credential_id: row.get(3)?,
        name: row.check(4, Name::parse)?,
        public_key: row.get(5)?,
        algorithm: row.get(6)?,
        signature_count: u32::try_from(row.get::<i64>(7)?).map_err(Error::corrupt)?,
        created_at: row.get(8)?,
        used_at: row.get(9)?,
    })
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, passkey: &PasskeyRow) -> Result<()> {
    tx.execute(
        &INSERT,
        params![
            scope.tenant(),
            passkey.id,
            passkey.user,
            passkey.credential_id.as_str(),
            &passkey.name,
            passkey.public_key.as_str(),
            passkey.algorithm.as_str(),
            passkey.signature_count,
            passkey.created_at,
            passkey.used_at,
        ],
    )?;
    Ok(())
}

/// The passkeys of an account, the oldest first.
pub fn of_user(reader: &mut Reader<'_>, scope: &TenantScope, user: UserId) -> Result<Vec<PasskeyRow>> {
    reader.query(&OF_USER, params![scope.tenant(), user], read)
}

/// The passkey that a browser names when no one is signed in yet, of whichever tenant.
pub fn by_credential(reader: &mut Reader<'_>, credential_id: &str) -> Result<Option<PasskeyRow>> {
    reader.query_opt(&BY_CREDENTIAL, params![credential_id], read)
}

/// Notes that the passkey was used; false if it was removed, or used at the same moment by another request.
pub fn note_use(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: PasskeyId,
    (before, after): (u32, u32),
    at: Moment,
) -> Result<bool> {
    Ok(tx.execute(&USE, params![scope.tenant(), id, before, after, at])? > 0)
}

/// Removes one passkey of an account; false if it has none of this id.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId, id: PasskeyId) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![scope.tenant(), user, id])? > 0)
}

/// Removes all passkeys of an account; false if it has none.
pub fn delete_of_user(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId) -> Result<bool> {
    Ok(tx.execute(&DELETE_OF_USER, params![scope.tenant(), user])? > 0)
}
