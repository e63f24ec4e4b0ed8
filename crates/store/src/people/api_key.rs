//! API keys: the digest of each, never the key.

use domain::{
    actor::Actor,
    api_key::KeyDigest,
    id::{ApiKeyId, TenantId, UserId},
    key_limits::{KeyLimits, Networks, Scopes},
    moment::Moment,
    page::{Page, PageRequest},
    permission::Permissions,
    text::Name,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, List, Order, Row, cursor_columns, hex},
};

crate::sql! {
    INSERT = "INSERT INTO api_keys (id, tenant_id, name, prefix, digest, permissions, created_at, expires_at, created_by,
                                    scopes, networks)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    BY_DIGEST = "SELECT k.id, k.tenant_id, k.name, k.prefix, k.permissions, k.created_at, k.expires_at, k.revoked_at,
                        k.last_used_at, k.scopes, k.networks, k.replaced_by, k.created_by, NULL
                 FROM api_keys k JOIN tenants t ON t.id = k.tenant_id
                 WHERE k.digest = $1 AND t.closed_at IS NULL";
    BY_ID = "SELECT k.id, k.tenant_id, k.name, k.prefix, k.permissions, k.created_at, k.expires_at, k.revoked_at,
                    k.last_used_at, k.scopes, k.networks, k.replaced_by, k.created_by, NULL
             FROM api_keys k WHERE k.tenant_id = $1 AND k.id = $2";
    MADE_BY = whole("a person has made few keys, and what is read whole is the list of these", "WITH RECURSIVE made (id) AS (
                   SELECT id FROM api_keys WHERE tenant_id = $1 AND created_by = $2
                   UNION
                   SELECT c.id FROM made p JOIN api_keys c ON c.tenant_id = $1 AND c.created_by = p.id)
               SELECT k.id, k.tenant_id, k.name, k.prefix, k.permissions, k.created_at, k.expires_at, k.revoked_at,
                      k.last_used_at, k.scopes, k.networks, k.replaced_by, k.created_by, NULL
               FROM made JOIN api_keys k ON k.id = made.id
               WHERE k.tenant_id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $3)
               ORDER BY k.id LIMIT $4");
    ORIGIN = whole("the chain of one key, each found by its id", "WITH RECURSIVE chain (id, maker, step) AS (
                    SELECT id, created_by, 0 FROM api_keys WHERE tenant_id = $1 AND id = $2
                    UNION ALL
                    SELECT k.id, k.created_by, c.step + 1 FROM chain c
                    JOIN api_keys k ON k.tenant_id = $1 AND k.id = c.maker WHERE c.step < 1000)
                SELECT id, maker FROM chain ORDER BY step DESC LIMIT 1");
    REVOKE = "UPDATE api_keys SET revoked_at = $3 WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL";
    REPLACE = "UPDATE api_keys SET expires_at = $3, replaced_by = $4, changed_at = $5
               WHERE tenant_id = $1 AND id = $2";
    TOUCH = "UPDATE api_keys SET last_used_at = $2 WHERE id = $1";
    ENDING = "SELECT k.id, k.tenant_id, k.name, k.prefix, k.expires_at
              FROM api_keys k JOIN tenants t ON t.id = k.tenant_id
              WHERE k.expires_at > $1 AND k.expires_at <= $2 AND k.expires_at - k.created_at > $2 - $1
                AND k.revoked_at IS NULL AND k.replaced_by IS NULL AND t.closed_at IS NULL
                AND (k.noticed_days IS NULL OR k.noticed_days > $3)
              ORDER BY k.expires_at, k.id LIMIT $4";
    NOTICED = "UPDATE api_keys SET noticed_days = $3
               WHERE tenant_id = $1 AND id = $2 AND (noticed_days IS NULL OR noticed_days > $3)";
    WORKING = "SELECT COUNT(*) FROM api_keys
               WHERE tenant_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "api_keys",
    columns: "k.id, k.tenant_id, k.name, k.prefix, k.permissions, k.created_at, k.expires_at, k.revoked_at,
              k.last_used_at, k.scopes, k.networks, k.replaced_by, k.created_by,
              COALESCE((SELECT u.name FROM users u WHERE u.id = k.created_by AND u.tenant_id = k.tenant_id),
                       (SELECT p.name FROM api_keys p WHERE p.id = k.created_by AND p.tenant_id = k.tenant_id))",
    stamps: None,
    // Without joins, which the engines would also make to count the keys.
    from: "api_keys k",
    base: "k.tenant_id = $1",
    filters: &[],
    orders: &[Order { name: "created_at", by: "k.id", back: "k.id DESC" }],
    found: None,
    tagged: None,
    cursor: cursor_columns!("k.id", ApiKeyId, "COALESCE(k.revoked_at, k.changed_at, k.created_at)"),
};

/// Who made a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maker {
    pub actor: Actor,
    /// The person's name, or that of the key; read only with lists.
    pub name: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKeyRow {
    pub id: ApiKeyId,
    pub tenant: TenantId,
    pub name: Name,
    pub prefix: String,
    pub permissions: Permissions,
    pub created_at: Moment,
    pub revoked_at: Option<Moment>,
    pub last_used_at: Option<Moment>,
    /// What it reaches, where it may be used from, and when it ends.
    pub limits: KeyLimits,
    /// The key that was made in its place.
    pub replaced_by: Option<ApiKeyId>,
    /// Unknown for keys of earlier versions.
    pub created_by: Option<Maker>,
}

impl ApiKeyRow {
    /// Whether the key is accepted at this time.
    pub fn works(&self, now: Moment) -> bool {
        self.revoked_at.is_none() && self.limits.ends_at.is_none_or(|end| now < end)
    }
}

fn read(row: &Row<'_>) -> Result<ApiKeyRow> {
    let scopes = row.get::<Option<String>>(9)?.map(|text| Scopes::stored(&text));
    let networks: Option<Networks> = row.parse_opt(10)?;
    let actor: Option<Actor> = row.parse_opt(12)?;
    let name: Option<String> = row.get(13)?;
    Ok(ApiKeyRow {
        id: row.parse(0)?,
        tenant: row.parse(1)?,
        name: Name::parse(row.text(2)?).map_err(Error::corrupt)?,
        prefix: row.get(3)?,
        permissions: Permissions::parse(row.text(4)?).map_err(Error::corrupt)?,
        created_at: row.get(5)?,
        revoked_at: row.get(7)?,
        last_used_at: row.get(8)?,
        limits: KeyLimits { scopes, networks, ends_at: row.get(6)? },
        replaced_by: row.parse_opt(11)?,
        created_by: actor.map(|actor| Maker { actor, name }),
    })
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, key: &ApiKeyRow, digest: &KeyDigest) -> Result<()> {
    let permissions = key.permissions.to_string();
    let scopes = key.limits.scopes.as_ref().map(Scopes::to_string);
    let networks = key.limits.networks.as_ref().map(Networks::to_string);
    let maker = key.created_by.as_ref().map(|maker| maker.actor.to_string());
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
            key.limits.ends_at,
            maker.as_deref(),
            scopes.as_deref(),
            networks.as_deref(),
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

/// The keys that still work of those a person made, or that were made with one of theirs.
pub fn made_by(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    person: UserId,
    now: Moment,
    limit: u32,
) -> Result<Vec<ApiKeyRow>> {
    reader.query(&MADE_BY, params![scope.tenant(), person, now, limit], read)
}

/// The first key of the chain of makers that leads to this one, and who made that.
pub fn origin(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: ApiKeyId,
) -> Result<Option<(ApiKeyId, Option<Actor>)>> {
    reader.query_opt(&ORIGIN, params![scope.tenant(), id], |row| Ok((row.parse(0)?, row.parse_opt(1)?)))
}

/// How many keys of the tenant still work.
pub fn working(reader: &mut Reader<'_>, scope: &TenantScope, now: Moment) -> Result<u64> {
    let count: i64 = reader.query_one(&WORKING, params![scope.tenant(), now], |row| row.get(0))?;
    u64::try_from(count).map_err(Error::corrupt)
}

/// False if there is no such key or it was revoked before.
pub fn revoke(tx: &mut Tx<'_>, scope: &TenantScope, id: ApiKeyId, at: Moment) -> Result<bool> {
    Ok(tx.execute(&REVOKE, params![scope.tenant(), id, at])? > 0)
}

/// Notes that another key was made in place of this one, which ends then.
pub fn replace(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    (id, ends_at): (ApiKeyId, Moment),
    by: ApiKeyId,
    now: Moment,
) -> Result<()> {
    tx.execute(&REPLACE, params![scope.tenant(), id, ends_at, by, now])?;
    Ok(())
}

/// Notes when keys were last used. Several at once: it happens at most once a minute.
pub fn touch(tx: &mut Tx<'_>, used: &[(ApiKeyId, Moment)]) -> Result<()> {
    for (id, at) in used {
        tx.execute(&TOUCH, params![*id, *at])?;
    }
    Ok(())
}

/// A key that ends soon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndingKey {
    pub id: ApiKeyId,
    pub tenant: TenantId,
    pub name: String,
    pub prefix: String,
    pub ends_at: Moment,
}

/// Keys of all tenants that end between two moments, whose administrators were not notified yet within this many days
/// of the end. A key that lives no longer than that is left out.
pub fn ending(
    reader: &mut Reader<'_>,
    (from, to): (Moment, Moment),
    days: i64,
    limit: u32,
) -> Result<Vec<EndingKey>> {
    reader.query(&ENDING, params![from, to, days, limit], |row| {
        Ok::<_, Error>(EndingKey {
            id: row.parse(0)?,
            tenant: row.parse(1)?,
            name: row.get(2)?,
            prefix: row.get(3)?,
            ends_at: row.get(4)?,
        })
    })
}

/// Notes that the administrators were notified; false if another node did it meanwhile.
pub fn note_notice(tx: &mut Tx<'_>, scope: &TenantScope, id: ApiKeyId, days: i64) -> Result<bool> {
    Ok(tx.execute(&NOTICED, params![scope.tenant(), id, days])? > 0)
}
