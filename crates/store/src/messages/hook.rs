//! What webhooks and event hooks have in common when something is sent: where to, with what, and how it went.

use domain::{
    delivery::{Health, HookId},
    id::TenantId,
    moment::Moment,
    time_zone::TimeZone,
    webhook::Channel,
    wording::Language,
};

use super::{
    event_hook,
    webhook::{self, LastTry},
};
use crate::{Reader, Result, TenantScope, Tx};

/// What sends to a certain destination, with what a message to it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    pub id: HookId,
    pub tenant: TenantId,
    pub target: Target,
    /// Of an event hook, with its secrets.
    pub sealed_url: String,
    pub active: bool,
    /// Whether the owner of the address has not agreed yet.
    pub pending: bool,
    pub name: String,
    pub tenant_name: String,
    pub language: Language,
    pub time_zone: TimeZone,
}

/// What a destination takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Messages for people.
    Channel(Channel),
    /// Signed events.
    Events,
}

/// What sends to this destination, of any tenant.
pub fn at(reader: &mut Reader<'_>, url_hash: &str) -> Result<Vec<Sender>> {
    let mut senders = webhook::at(reader, url_hash)?;
    senders.extend(event_hook::at(reader, url_hash)?);
    Ok(senders)
}

/// How the destination has behaved, if the webhook or event hook still exists.
pub fn health(reader: &mut Reader<'_>, scope: &TenantScope, id: HookId) -> Result<Option<Health>> {
    match id {
        HookId::Webhook(id) => webhook::health(reader, scope, id),
        HookId::Event(id) => event_hook::health(reader, scope, id),
    }
}

/// Records a try. That is no change: the version stays.
pub fn note_try(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: HookId,
    health: Health,
    last: LastTry,
) -> Result<()> {
    match id {
        HookId::Webhook(id) => webhook::note_try(tx, scope, id, health, last),
        HookId::Event(id) => event_hook::note_try(tx, scope, id, health, last),
    }
}

/// Switches an active one off because its destination no longer accepts messages.
pub fn switch_off(tx: &mut Tx<'_>, scope: &TenantScope, id: HookId, now: Moment) -> Result<bool> {
    match id {
        HookId::Webhook(id) => webhook::switch_off(tx, scope, id, now),
        HookId::Event(id) => event_hook::switch_off(tx, scope, id, now),
    }
}
