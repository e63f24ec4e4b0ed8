//! Creates one delivery for each new event and webhook subscribed to it.

use std::collections::{BTreeMap, HashMap, hash_map::Entry};

use domain::{delivery::DeliveryState, id::TenantId, moment::Moment};
use store::{
    Tx,
    delivery::{self, NewDelivery},
    destination::{self, Wake},
    outbox::{self, FreshEvent, Subscriber},
};

use crate::{App, Result};

/// Events per transaction: enough to share its commit, few enough to keep the writer free.
const BATCH: u32 = 200;

/// The result of one transaction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct FannedOut {
    pub(super) events: usize,
    pub(super) deliveries: usize,
    /// Whether there may be more.
    pub(super) more: bool,
}

/// When each destination has work, in a fixed order, so that two transactions never deadlock.
type Wakes = BTreeMap<String, Wake>;

impl App {
    pub(super) async fn fan_out_some(&self) -> Result<FannedOut> {
        let (app, now) = (self.clone(), self.clock.now());
        self.db.platform().bookkeep(move |tx| app.fan_out(tx, now)).await
    }

    fn fan_out(&self, tx: &mut Tx<'_>, now: Moment) -> Result<FannedOut> {
        if !outbox::lock(tx)? {
            return Ok(FannedOut::default());
        }
        let events = outbox::fresh(tx, BATCH)?;
        let mut subscribers: HashMap<TenantId, Vec<Subscriber>> = HashMap::new();
        let (mut wakes, mut new) = (Wakes::new(), Vec::new());
        for event in &events {
            let listening = match subscribers.entry(event.tenant) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(self.subscribers(tx, event.tenant)?),
            };
            for subscriber in listening.iter() {
                if let Some(state) = wanted(subscriber, event) {
                    new.push(self.delivery(event, subscriber, state, now));
                    note_wake(&mut wakes, event, subscriber, state, now);
                }
            }
        }
        let deliveries = delivery::insert(tx, &new, now)?;
        outbox::done(tx, &events, now)?;
        destination::wake(tx, &wakes.into_values().collect::<Vec<_>>())?;
        if deliveries > 0 {
            // Idle nodes may take some of it.
            tx.hint();
        }
        Ok(FannedOut { events: events.len(), deliveries, more: events.len() == BATCH as usize })
    }

    /// The tenant's webhooks, each with the hash of its URL.
    fn subscribers(&self, tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<Subscriber>> {
        let mut subscribers = outbox::subscribers(tx, tenant)?;
        for subscriber in subscribers.iter_mut().filter(|subscriber| subscriber.url_hash.is_none()) {
            // A URL that cannot be decrypted cannot be sent to, but must not block all other webhooks.
            let url_hash = match self.messages.destination(tenant, subscriber.id, &subscriber.sealed_url) {
                Ok(url) => self.vault.fingerprint(url.reveal()),
                Err(_) => self.vault.fingerprint(&subscriber.id.to_string()),
            };
            outbox::set_url_hash(tx, subscriber.id, &url_hash)?;
            subscriber.url_hash = Some(url_hash);
        }
        Ok(subscribers)
    }

    fn delivery(
        &self,
        event: &FreshEvent,
        subscriber: &Subscriber,
        state: DeliveryState,
        now: Moment,
    ) -> NewDelivery {
        NewDelivery {
            id: self.ids.next(now),
            tenant: event.tenant,
            webhook: subscriber.id.into(),
            event: event.id,
            kind: event.kind.to_string(),
            occurred_at: event.occurred_at,
            state,
        }
    }
}

/// A webhook that the service switched off, or whose address is not confirmed yet, can receive later, on request, what
/// it missed; one that its tenant switched off cannot.
fn wanted(subscriber: &Subscriber, event: &FreshEvent) -> Option<DeliveryState> {
    if !subscriber.events.contains(event.kind) {
        return None;
    }
    match (subscriber.active, subscriber.switched_off) {
        (true, _) if subscriber.pending => Some(DeliveryState::Skipped),
        (true, _) => Some(DeliveryState::Waiting),
        (false, true) => Some(DeliveryState::Skipped),
        (false, false) => None,
    }
}

fn note_wake(
    wakes: &mut Wakes,
    event: &FreshEvent,
    subscriber: &Subscriber,
    state: DeliveryState,
    now: Moment,
) {
    let Some(url_hash) = subscriber.url_hash.clone().filter(|_| state == DeliveryState::Waiting) else {
        return;
    };
    let due = event.occurred_at.min(now);
    let (medium, owner) = (subscriber.channel.into(), event.tenant);
    let wake = wakes.entry(url_hash.clone()).or_insert(Wake { url_hash, medium, owner, at: due });
    wake.at = wake.at.min(due);
}
