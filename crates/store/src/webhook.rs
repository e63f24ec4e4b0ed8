//! Webhooks. Their URLs are secrets and arrive here sealed: the store never sees one.

use domain::{
    id::WebhookId,
    moment::Moment,
    page::{Page, PageRequest},
    text::Name,
    webhook::{Channel, Events},
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    INSERT = "INSERT INTO webhooks (id, tenant_id, name, channel, url, events, active, version, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    GET = "SELECT id, name, channel, url, events, active, version, created_at, updated_at
           FROM webhooks WHERE tenant_id = $1 AND id = $2";
    LIST = "SELECT id, name, channel, url, events, active, version, created_at, updated_at
            FROM webhooks WHERE tenant_id = $1 ORDER BY id LIMIT $2 OFFSET $3";
    COUNT = "SELECT COUNT(*) FROM webhooks WHERE tenant_id = $1";
    UPDATE = "UPDATE webhooks SET name = $4, channel = $5, url = $6, events = $7, active = $8,
                                  version = version + 1, updated_at = $9
              WHERE tenant_id = $1 AND id = $2 AND version = $3";
    DELETE = "DELETE FROM webhooks WHERE tenant_id = $1 AND id = $2";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookRow {
    pub id: WebhookId,
    pub name: Name,
    pub channel: Channel,
    pub sealed_url: String,
    pub events: Events,
    pub active: bool,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

fn read(row: &Row<'_>) -> Result<WebhookRow> {
    Ok(WebhookRow {
        id: row.parse(0)?,
        name: Name::parse(row.text(1)?).map_err(Error::corrupt)?,
        channel: row.parse(2)?,
        sealed_url: row.get(3)?,
        events: Events::parse(row.text(4)?).ok_or_else(|| Error::corrupt("a webhook with unknown events"))?,
        active: row.get(5)?,
        version: row.get(6)?,
        created_at: row.get(7)?,
        updated_at: row.get(8)?,
    })
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
            webhook.events.to_string(),
            webhook.active,
            webhook.version,
            webhook.created_at,
            webhook.updated_at,
        ],
    )?;
    Ok(())
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: WebhookId) -> Result<Option<WebhookRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

pub fn list(reader: &mut Reader<'_>, scope: &TenantScope, request: PageRequest) -> Result<Page<WebhookRow>> {
    let total = reader.query_one(&COUNT, params![scope.tenant()], |row| row.get(0))?;
    let items = reader.query(&LIST, params![scope.tenant(), request.limit(), request.offset()], read)?;
    Ok(Page { items, total, request })
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
            webhook.events.to_string(),
            webhook.active,
            webhook.updated_at,
        ],
    )?;
    Ok(changed > 0)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: WebhookId) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![scope.tenant(), id])? > 0)
}
