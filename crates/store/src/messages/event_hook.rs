//! Event hooks. Their URLs and secrets are sealed before they reach the store.

use domain::{
    delivery::Health,
    event_hook::{EventFilter, EventPatterns},
    id::{EventHookId, TenantId},
    moment::Moment,
    page::{Page, PageRequest},
    text::Name,
};

use super::{
    hook::{Sender, Target},
    webhook::{LastTry, last_try},
};
use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, List, Order, Params, Row, cursor_columns},
};

crate::sql! {
    INSERT = "INSERT INTO event_hooks (id, tenant_id, name, sealed, url_hash, events, kinds, severities, owner, active,
                                       position, version, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
    GET = "SELECT id, name, sealed, url_hash, events, kinds, severities, owner, active, position, version,
                  created_at, updated_at, failing_since, gone_since, tried_at, tried_class, switched_off_at
           FROM event_hooks WHERE tenant_id = $1 AND id = $2";
    UPDATE = "UPDATE event_hooks SET name = $4, sealed = $5, url_hash = $6, events = $7, kinds = $8, severities = $9,
                                     owner = $10, active = $11, position = $12, failing_since = $13,
                                     gone_since = $14, switched_off_at = $15, version = version + 1, updated_at = $16
              WHERE tenant_id = $1 AND id = $2 AND version = $3";
    DELETE = "DELETE FROM event_hooks WHERE tenant_id = $1 AND id = $2";
    AT = "SELECT h.id, h.tenant_id, h.sealed, h.active, h.name, t.name, t.language, t.time_zone
          FROM event_hooks h JOIN tenants t ON t.id = h.tenant_id WHERE h.url_hash = $1 ORDER BY h.id";
    HEALTH = "SELECT failing_since, gone_since FROM event_hooks WHERE tenant_id = $1 AND id = $2";
    NOTE_TRY = "UPDATE event_hooks SET failing_since = $3, gone_since = $4, tried_at = $5, tried_class = $6
                WHERE tenant_id = $1 AND id = $2";
    SWITCH_OFF = "UPDATE event_hooks SET active = 0, switched_off_at = $3, version = version + 1, updated_at = $3
                  WHERE tenant_id = $1 AND id = $2 AND active = 1";
    BEHIND = whole("one short row is read for each event hook, of which there are few",
                   "SELECT h.id, h.tenant_id, h.url_hash, h.events, h.kinds, h.severities, h.owner, h.active, h.position,
                           c.revision
                    FROM event_hooks h JOIN chains c ON c.name = h.tenant_id JOIN tenants t ON t.id = h.tenant_id
                    WHERE (h.active = 1 OR h.switched_off_at IS NOT NULL) AND t.closed_at IS NULL
                      AND h.position < c.revision * 16777216
                    ORDER BY h.id LIMIT $1");
    ADVANCE = "UPDATE event_hooks SET position = $2 WHERE id = $1 AND position < $2";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "event_hooks",
    columns:
        "h.id, h.name, h.sealed, h.url_hash, h.events, h.kinds, h.severities, h.owner, h.active, h.position,
              h.version, h.created_at, h.updated_at, h.failing_since, h.gone_since, h.tried_at,
              h.tried_class, h.switched_off_at",
    stamps: None,
    from: "event_hooks h",
    base: "h.tenant_id = $1",
    filters: &[],
    tagged: None,
    orders: &[Order { name: "created_at", by: "h.id", back: "h.id DESC" }],
    found: None,
    cursor: cursor_columns!("h.id", EventHookId, "h.updated_at"),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventHookRow {
    pub id: EventHookId,
    pub name: Name,
    /// The URL and the secrets.
    pub sealed: String,
    /// Identifies the destination without revealing it.
    pub url_hash: String,
    pub events: EventPatterns,
    pub filter: EventFilter,
    pub active: bool,
    /// The place in the stream up to which deliveries were made.
    pub position: i64,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
    pub health: Health,
    pub last_try: Option<LastTry>,
    /// When the service itself switched it off, if it did.
    pub switched_off_at: Option<Moment>,
}

/// What making deliveries for an event hook needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookBehind {
    pub id: EventHookId,
    pub tenant: TenantId,
    pub url_hash: String,
    pub events: EventPatterns,
    pub filter: EventFilter,
    pub active: bool,
    pub position: i64,
    /// The revision of the tenant.
    pub revision: i64,
}

fn filter(row: &Row<'_>, kinds: usize) -> Result<EventFilter> {
    let owner = row.check_opt(kinds + 2, Name::parse)?;
    Ok(EventFilter::stored(row.text(kinds)?, row.text(kinds + 1)?, owner))
}

fn read(row: &Row<'_>) -> Result<EventHookRow> {
    Ok(EventHookRow {
        id: row.parse(0)?,
        name: Name::parse(row.text(1)?).map_err(Error::corrupt)?,
        sealed: row.get(2)?,
        url_hash: row.get(3)?,
        events: EventPatterns::stored(row.text(4)?),
        filter: filter(row, 5)?,
        active: row.get(8)?,
        position: row.get(9)?,
        version: row.get(10)?,
        created_at: row.get(11)?,
        updated_at: row.get(12)?,
        health: Health { failing_since: row.get(13)?, gone_since: row.get(14)? },
        last_try: last_try(row, 15, 16)?,
        switched_off_at: row.get(17)?,
    })
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, hook: &EventHookRow) -> Result<()> {
    tx.execute(
        &INSERT,
        params![
            hook.id,
            scope.tenant(),
            hook.name.as_str(),
            &hook.sealed,
            &hook.url_hash,
            hook.events.to_string(),
            hook.filter.stored_kinds(),
            hook.filter.stored_severities(),
            hook.filter.owner.as_ref(),
            hook.active,
            hook.position,
            hook.version,
            hook.created_at,
            hook.updated_at,
        ],
    )?;
    Ok(())
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: EventHookId) -> Result<Option<EventHookRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    request: PageRequest,
) -> Result<Page<EventHookRow>> {
    LIST.query(scope).page(reader, request, read)
}

/// Stores the changed event hook if its version is still the one it was read with.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, hook: &EventHookRow) -> Result<bool> {
    let changed = tx.execute(
        &UPDATE,
        params![
            scope.tenant(),
            hook.id,
            hook.version,
            hook.name.as_str(),
            &hook.sealed,
            &hook.url_hash,
            hook.events.to_string(),
            hook.filter.stored_kinds(),
            hook.filter.stored_severities(),
            hook.filter.owner.as_ref(),
            hook.active,
            hook.position,
            hook.health.failing_since,
            hook.health.gone_since,
            hook.switched_off_at,
            hook.updated_at,
        ],
    )?;
    Ok(changed > 0)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: EventHookId) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![scope.tenant(), id])? > 0)
}

/// The event hooks whose destination this is.
pub(super) fn at(reader: &mut Reader<'_>, url_hashes: &[&str]) -> Result<Vec<Vec<Sender>>> {
    let sets: Vec<Params<'_>> = url_hashes.iter().map(|hash| params![*hash].to_vec()).collect();
    reader.query_many(&AT, &sets, |row| {
        let id: EventHookId = row.parse(0)?;
        Ok(Sender {
            id: id.into(),
            tenant: row.parse(1)?,
            target: Target::Events,
            sealed_url: row.get(2)?,
            active: row.get(3)?,
            pending: false,
            name: row.get(4)?,
            tenant_name: row.get(5)?,
            language: row.parse(6)?,
            time_zone: row.parse(7)?,
        })
    })
}

pub(super) fn health(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    ids: &[EventHookId],
) -> Result<Vec<Option<Health>>> {
    let sets: Vec<Params<'_>> = ids.iter().map(|id| params![scope.tenant(), *id].to_vec()).collect();
    let found = reader.query_many(&HEALTH, &sets, |row| {
        Ok(Health { failing_since: row.get(0)?, gone_since: row.get(1)? })
    })?;
    Ok(found.into_iter().map(|rows| rows.into_iter().next()).collect())
}

pub(super) fn note_tries(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    tries: &[(EventHookId, Health, LastTry)],
) -> Result<()> {
    let set = |(id, health, last): &(EventHookId, Health, LastTry)| {
        let (failing, gone) = (health.failing_since, health.gone_since);
        params![scope.tenant(), *id, failing, gone, last.at, last.class.as_str()].to_vec()
    };
    let sets: Vec<Params<'_>> = tries.iter().map(set).collect();
    tx.execute_many(&NOTE_TRY, &sets)?;
    Ok(())
}

pub(super) fn switch_off(tx: &mut Tx<'_>, scope: &TenantScope, id: EventHookId, now: Moment) -> Result<bool> {
    Ok(tx.execute(&SWITCH_OFF, params![scope.tenant(), id, now])? > 0)
}

/// Event hooks of all tenants in which something was written since deliveries were made. Those that their tenants
/// switched off, and those of closed tenants, are left out.
pub fn behind(reader: &mut Reader<'_>, limit: u32) -> Result<Vec<HookBehind>> {
    reader.query(&BEHIND, params![limit], |row| {
        Ok(HookBehind {
            id: row.parse(0)?,
            tenant: row.parse(1)?,
            url_hash: row.get(2)?,
            events: EventPatterns::stored(row.text(3)?),
            filter: filter(row, 4)?,
            active: row.get(7)?,
            position: row.get(8)?,
            revision: row.get(9)?,
        })
    })
}

/// Notes up to which place in the stream deliveries were made.
pub fn advance(tx: &mut Tx<'_>, id: EventHookId, position: i64) -> Result<()> {
    tx.execute(&ADVANCE, params![id, position])?;
    Ok(())
}
