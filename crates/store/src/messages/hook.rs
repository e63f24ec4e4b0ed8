//! What webhooks and event hooks have in common when something is sent: where to, with what, and how it went.

use std::collections::HashMap;

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

/// What sends to each of these destinations, of any tenant.
pub fn at(reader: &mut Reader<'_>, url_hashes: &[&str]) -> Result<Vec<Vec<Sender>>> {
    let mut senders = webhook::at(reader, url_hashes)?;
    for (senders, hooks) in senders.iter_mut().zip(event_hook::at(reader, url_hashes)?) {
        senders.extend(hooks);
    }
    Ok(senders)
}

/// How the destinations have behaved, of those webhooks and event hooks that still exist.
pub fn health(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    ids: impl IntoIterator<Item = HookId>,
) -> Result<HashMap<HookId, Health>> {
    let (mut webhooks, mut hooks) = (Vec::new(), Vec::new());
    for id in ids {
        match id {
            HookId::Webhook(id) => webhooks.push(id),
            HookId::Event(id) => hooks.push(id),
        }
    }
    let of_webhooks = webhook::health(reader, scope, &webhooks)?;
    let of_hooks = event_hook::health(reader, scope, &hooks)?;
    let webhooks = webhooks.into_iter().map(HookId::from).zip(of_webhooks);
    let hooks = hooks.into_iter().map(HookId::from).zip(of_hooks);
    Ok(webhooks.chain(hooks).filter_map(|(id, health)| Some((id, health?))).collect())
}

/// Records tries. That is no change: the version stays.
pub fn note_tries(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    tries: impl IntoIterator<Item = (HookId, Health, LastTry)>,
) -> Result<()> {
    let (mut webhooks, mut hooks) = (Vec::new(), Vec::new());
    for (id, health, last) in tries {
        match id {
            HookId::Webhook(id) => webhooks.push((id, health, last)),
            HookId::Event(id) => hooks.push((id, health, last)),
        }
    }
    webhook::note_tries(tx, scope, &webhooks)?;
    event_hook::note_tries(tx, scope, &hooks)
}

/// Switches an active one off because its destination no longer accepts messages.
pub fn switch_off(tx: &mut Tx<'_>, scope: &TenantScope, id: HookId, now: Moment) -> Result<bool> {
    match id {
        HookId::Webhook(id) => webhook::switch_off(tx, scope, id, now),
        HookId::Event(id) => event_hook::switch_off(tx, scope, id, now),
    }
}
