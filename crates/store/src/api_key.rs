//! API keys: the digest of each, never the key.

use domain::{
    api_key::KeyDigest,
    id::{ApiKeyId, TenantId},
    moment::Moment,
    page::{Page, PageRequest},
    permission::Permissions,
    text::Name,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, List, Order, Row, hex, walk},
};

crate::sql! {
    INSERT = "INSERT INTO api_keys (id, tenant_id, name, prefix, digest, permissions, created_at, expires_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    BY_DIGEST = "SELECT k.id, k.tenant_id, k.name, k.prefix, k.permissions, k.created_at, k.expires_at, k.revoked_at,
                        k.last_used_at
                 FROM api_keys k JOIN tenants t ON t.id = k.tenant_id
                 WHERE k.digest = $1 AND t.closed_at IS NULL";
    BY_ID = "SELECT id, tenant_id, name, prefix, permissions, created_at, expires_at, revoked_at, last_used_at
             FROM api_keys WHERE tenant_id = $1 AND id = $2";
    REVOKE = "UPDATE api_keys SET revoked_at = $3 WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL";
    TOUCH = "UPDATE api_keys SET last_used_at = $2 WHERE id = $1";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

/// A key changes once: when it is revoked.
static LIST: List = List {
    name: "api_keys",
    columns: "k.id, k.tenant_id, k.name, k.prefix, k.permissions, k.created_at, k.expires_at, k.revoked_at,
              k.last_used_at",
    stamps: None,
    from: "api_keys k",
    base: "k.tenant_id = $1",
    filters: &[],
    orders: &[Order { name: "created_at", by: "k.id", back: "k.id DESC" }],
    found: None,
    walk: walk!("k.id", ApiKeyId, "COALESCE(k.revoked_at, k.created_at)"),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKeyRow {
    pub id: ApiKeyId,
    pub tenant: TenantId,
    pub name: Name,
    pub prefix: String,
    pub permissions: Permissions,
    pub created_at: Moment,
    pub expires_at: Option<Moment>,
    pub revoked_at: Option<Moment>,
    pub last_used_at: Option<Moment>,
}

fn read(row: &Row<'_>) -> Result<ApiKeyRow> {
    Ok(ApiKeyRow {
        id: row.parse(0)?,
        tenant: row.parse(1)?,
        name: Name::parse(row.text(2)?).map_err(Error::corrupt)?,
        prefix: row.get(3)?,
        permissions: Permissions::parse(row.text(4)?).map_err(Error::corrupt)?,
        created_at: row.get(5)?,
        expires_at: row.get(6)?,
        revoked_at: row.get(7)?,
        last_used_at: row.get(8)?,
    })
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, key: &ApiKeyRow, digest: &KeyDigest) -> Result<()> {
    let permissions = key.permissions.to_string();
    tx.execute(
        &INSERT,
        params![
            key.id,
            scope.tenant(),
            key.name.as_str(),
            &key.prefix,
            hex(digest),
            permissions,
            key.created_at,
            key.expires_at,
        ],
    )?;
    Ok(())
}

/// The key with this digest, of whichever tenant that is not closed: this is how a tenant is found, so there is no
/// scope yet.
pub fn by_digest(reader: &mut Reader<'_>, digest: &KeyDigest) -> Result<Option<ApiKeyRow>> {
    reader.query_opt(&BY_DIGEST, params![hex(digest)], read)
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: ApiKeyId) -> Result<Option<ApiKeyRow>> {
    reader.query_opt(&BY_ID, params![scope.tenant(), id], read)
}

pub fn list(reader: &mut Reader<'_>, scope: &TenantScope, request: PageRequest) -> Result<Page<ApiKeyRow>> {
    LIST.query(scope).page(reader, request, read)
}

/// False if there is no such key or it was revoked before.
pub fn revoke(tx: &mut Tx<'_>, scope: &TenantScope, id: ApiKeyId, at: Moment) -> Result<bool> {
    Ok(tx.execute(&REVOKE, params![scope.tenant(), id, at])? > 0)
}

/// Notes when keys were last used. Several at once: it happens at most once a minute.
pub fn touch(tx: &mut Tx<'_>, used: &[(ApiKeyId, Moment)]) -> Result<()> {
    for (id, at) in used {
        tx.execute(&TOUCH, params![*id, *at])?;
    }
    Ok(())
}
