//! Webhooks. Their URLs are secrets and are sealed before they reach the store.

use domain::{
    delivery::{AttemptClass, Health},
    id::WebhookId,
    moment::Moment,
    page::{Page, PageRequest},
    text::Name,
    webhook::{Channel, Events},
};

use super::hook::{Sender, Target};
use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, List, Order, Params, Row, cursor_columns},
};

crate::sql! {
    INSERT = "INSERT INTO webhooks (id, tenant_id, name, channel, url, url_hash, events, active, version, created_at,
                                    updated_at, pending)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    GET = "SELECT id, name, channel, url, url_hash, events, active, version, created_at, updated_at, failing_since,
                  gone_since, tried_at, tried_class, switched_off_at, pending
           FROM webhooks WHERE tenant_id = $1 AND id = $2";
    UPDATE = "UPDATE webhooks SET name = $4, channel = $5, url = $6, url_hash = $7, events = $8, active = $9,
                                  failing_since = $10, gone_since = $11, switched_off_at = $12,
                                  version = version + 1, updated_at = $13, pending = $14
              WHERE tenant_id = $1 AND id = $2 AND version = $3";
    DELETE = "DELETE FROM webhooks WHERE tenant_id = $1 AND id = $2";
    AT = "SELECT w.id, w.tenant_id, w.channel, w.url, w.active, w.name, t.name, t.language, t.time_zone,
                 w.pending
          FROM webhooks w JOIN tenants t ON t.id = w.tenant_id WHERE w.url_hash = $1 ORDER BY w.id";
    HEALTH = "SELECT failing_since, gone_since FROM webhooks WHERE tenant_id = $1 AND id = $2";
    NOTE_TRY = "UPDATE webhooks SET failing_since = $3, gone_since = $4, tried_at = $5, tried_class = $6
                WHERE tenant_id = $1 AND id = $2";
    SWITCH_OFF = "UPDATE webhooks SET active = 0, switched_off_at = $3, version = version + 1, updated_at = $3
                  WHERE tenant_id = $1 AND id = $2 AND active = 1";
    PENDING = "SELECT id, url FROM webhooks WHERE tenant_id = $1 AND pending = 1 ORDER BY id";
    CONFIRM = "UPDATE webhooks SET pending = 0, version = version + 1, updated_at = $3
               WHERE tenant_id = $1 AND id = $2";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "webhooks",
    columns: "w.id, w.name, w.channel, w.url, w.url_hash, w.events, w.active, w.version, w.created_at, w.updated_at,
              w.failing_since, w.gone_since, w.tried_at, w.tried_class, w.switched_off_at, w.pending",
    stamps: None,
    from: "webhooks w",
    base: "w.tenant_id = $1",
    filters: &[],
    orders: &[Order { name: "created_at", by: "w.id", back: "w.id DESC" }],
    found: None,
    tagged: None,
    cursor: cursor_columns!("w.id", WebhookId, "w.updated_at"),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookRow {
    pub id: WebhookId,
    pub name: Name,
    pub channel: Channel,
    pub sealed_url: String,
    /// Identifies the destination without revealing it; absent in rows of versions that did not deliver yet.
    pub url_hash: Option<String>,
    pub events: Events,
    pub active: bool,
    /// Whether nothing is sent because the owner of the address has not agreed yet.
    pub pending: bool,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
    pub health: Health,
    pub last_try: Option<LastTry>,
    /// When the service itself switched it off, if it did.
    pub switched_off_at: Option<Moment>,
}

/// The latest try to send to a webhook's destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastTry {
    pub at: Moment,
    pub class: AttemptClass,
}

fn read(row: &Row<'_>) -> Result<WebhookRow> {
    Ok(WebhookRow {
        id: row.parse(0)?,
        name: Name::parse(row.text(1)?).map_err(Error::corrupt)?,
        channel: row.parse(2)?,
        sealed_url: row.get(3)?,
        url_hash: row.get(4)?,
        events: Events::parse(row.text(5)?).ok_or_else(|| Error::corrupt("a webhook with unknown events"))?,
        active: row.get(6)?,
        pending: row.get(15)?,
        version: row.get(7)?,
        created_at: row.get(8)?,
        updated_at: row.get(9)?,
        health: Health { failing_since: row.get(10)?, gone_since: row.get(11)? },
        last_try: last_try(row, 12, 13)?,
        switched_off_at: row.get(14)?,
    })
}

/// The latest try, from its two columns.
pub(super) fn last_try(row: &Row<'_>, at: usize, class: usize) -> Result<Option<LastTry>> {
    let (at, class): (Option<Moment>, Option<AttemptClass>) = (row.get(at)?, row.parse_opt(class)?);
    Ok(at.zip(class).map(|(at, class)| LastTry { at, class }))
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, webhook: &WebhookRow) -> Result<()> {
    tx.execute(
        &INSERT,
        params![
            webhook.id,
            scope.tenant(),
            webhook.name.as_str(),
            webhook.channel.as_str(),
            &webhook.sealed_url,
            webhook.url_hash.as_deref(),
            webhook.events.to_string(),
            webhook.active,
            webhook.version,
            webhook.created_at,
            webhook.updated_at,
            webhook.pending,
        ],
    )?;
    Ok(())
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: WebhookId) -> Result<Option<WebhookRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

pub fn list(reader: &mut Reader<'_>, scope: &TenantScope, request: PageRequest) -> Result<Page<WebhookRow>> {
    LIST.query(scope).page(reader, request, read)
}

/// Stores the changed webhook if its version is still the one it was read with.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, webhook: &WebhookRow) -> Result<bool> {
    let changed = tx.execute(
        &UPDATE,
        params![
            scope.tenant(),
            webhook.id,
            webhook.version,
            webhook.name.as_str(),
            webhook.channel.as_str(),
            &webhook.sealed_url,
            webhook.url_hash.as_deref(),
            webhook.events.to_string(),
            webhook.active,
            webhook.health.failing_since,
            webhook.health.gone_since,
            webhook.switched_off_at,
            webhook.updated_at,
            webhook.pending,
        ],
    )?;
    Ok(changed > 0)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: WebhookId) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![scope.tenant(), id])? > 0)
}

/// The webhooks whose URL this is, of any tenant.
pub(super) fn at(reader: &mut Reader<'_>, url_hashes: &[&str]) -> Result<Vec<Vec<Sender>>> {
    let sets: Vec<Params<'_>> = url_hashes.iter().map(|hash| params![*hash].to_vec()).collect();
    reader.query_many(&AT, &sets, |row| {
        let id: WebhookId = row.parse(0)?;
        Ok(Sender {
            id: id.into(),
            tenant: row.parse(1)?,
            target: Target::Channel(row.parse(2)?),
            sealed_url: row.get(3)?,
            active: row.get(4)?,
            pending: row.get(9)?,
            name: row.get(5)?,
            tenant_name: row.get(6)?,
            language: row.parse(7)?,
            time_zone: row.parse(8)?,
        })
    })
}

/// The webhooks that wait for the owner of their address, each with its sealed URL.
pub fn pending(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<(WebhookId, String)>> {
    reader.query(&PENDING, params![scope.tenant()], |row| Ok((row.parse(0)?, row.get(1)?)))
}

/// The owner of the webhook's address agreed.
pub fn confirm(tx: &mut Tx<'_>, scope: &TenantScope, id: WebhookId, now: Moment) -> Result<()> {
    tx.execute(&CONFIRM, params![scope.tenant(), id, now])?;
    Ok(())
}

/// How the destination of each webhook has behaved, if it still exists.
pub(super) fn health(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    ids: &[WebhookId],
) -> Result<Vec<Option<Health>>> {
    let sets: Vec<Params<'_>> = ids.iter().map(|id| params![scope.tenant(), *id].to_vec()).collect();
    let found = reader.query_many(&HEALTH, &sets, |row| {
        Ok(Health { failing_since: row.get(0)?, gone_since: row.get(1)? })
    })?;
    Ok(found.into_iter().map(|rows| rows.into_iter().next()).collect())
}

/// Records tries. That is no change of a webhook: its version stays.
pub(super) fn note_tries(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    tries: &[(WebhookId, Health, LastTry)],
) -> Result<()> {
    let set = |(id, health, last): &(WebhookId, Health, LastTry)| {
        let (failing, gone) = (health.failing_since, health.gone_since);
        params![scope.tenant(), *id, failing, gone, last.at, last.class.as_str()].to_vec()
    };
    let sets: Vec<Params<'_>> = tries.iter().map(set).collect();
    tx.execute_many(&NOTE_TRY, &sets)?;
    Ok(())
}

/// Switches an active webhook off because its destination no longer accepts messages.
pub fn switch_off(tx: &mut Tx<'_>, scope: &TenantScope, id: WebhookId, now: Moment) -> Result<bool> {
    Ok(tx.execute(&SWITCH_OFF, params![scope.tenant(), id, now])? > 0)
}
