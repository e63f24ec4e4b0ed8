//! Creates deliveries for event hooks. Each reads the stream of events from its own place, so that a write to a record
//! costs the same however many event hooks there are.

use domain::{
    delivery::{DeliveryState, Medium},
    moment::Moment,
};
use store::{
    Tx,
    delivery::{self, NewDelivery},
    destination::{self, Wake},
    event_hook::{self as rows, HookBehind},
    outbox,
    sql::stream::end_of_revision,
};

use super::fan_out::FannedOut;
use crate::{
    App, Result,
    authz::Caller,
    record_event::{self, EventSubject, RecordEvent},
};

/// Event hooks per transaction, and events for each: few enough to keep the writer free.
const HOOKS: u32 = 20;
const EVENTS: u32 = 100;

impl App {
    pub(super) async fn fan_out_to_hooks(&self) -> Result<FannedOut> {
        let (app, now) = (self.clone(), self.clock.now());
        let behind = self.db.platform().read(|r| rows::behind(r, 1)).await?;
        if behind.is_empty() {
            return Ok(FannedOut::default());
        }
        self.db.platform().bookkeep(move |tx| app.follow_stream(tx, now)).await
    }

    fn follow_stream(&self, tx: &mut Tx<'_>, now: Moment) -> Result<FannedOut> {
        let mut done = FannedOut::default();
        if !outbox::lock(tx)? {
            return Ok(done);
        }
        let hooks = rows::behind(tx, HOOKS)?;
        done.more = hooks.len() == HOOKS as usize;
        for hook in &hooks {
            let some = self.follow_one(tx, hook, now)?;
            done.events += some.events;
            done.deliveries += some.deliveries;
            done.more |= some.more;
        }
        if done.deliveries > 0 {
            // Idle nodes may take some of it.
            tx.hint();
        }
        Ok(done)
    }

    /// The next events of one event hook.
    fn follow_one(&self, tx: &mut Tx<'_>, hook: &HookBehind, now: Moment) -> Result<FannedOut> {
        let is_named = |noun: &str| hook.events.names_kind(noun) && hook.filter.names_kind(noun);
        let tables = EventSubject::tables(is_named);
        let scope = *Caller::system(hook.tenant).scope();
        let start = (hook.position, Moment::from_millis(0));
        let events = record_event::load(tx, &scope, start, &tables, EVENTS)?;
        let more = events.len() == EVENTS as usize;
        let wanted = events.iter().filter(|event| is_wanted(hook, event));
        let new: Vec<NewDelivery> = wanted.map(|event| self.delivery_of_event(hook, event, now)).collect();
        let deliveries = delivery::insert(tx, &new, now)?;
        let position = match events.last() {
            Some(last) if more => last.position(),
            Some(last) => last.position().max(end_of_revision(hook.revision)),
            None => end_of_revision(hook.revision),
        };
        rows::advance(tx, hook.id, position)?;
        if deliveries > 0 && hook.active {
            let url_hash = hook.url_hash.clone();
            destination::wake(tx, &[Wake { url_hash, medium: Medium::Hook, owner: hook.tenant, at: now }])?;
        }
        Ok(FannedOut { events: events.len(), deliveries, more })
    }

    fn delivery_of_event(&self, hook: &HookBehind, event: &RecordEvent, now: Moment) -> NewDelivery {
        NewDelivery {
            id: self.ids.next(now),
            tenant: hook.tenant,
            webhook: hook.id.into(),
            event: event.id,
            kind: event.name(),
            occurred_at: event.at,
            // One that the service switched off can receive later, on request, what it missed.
            state: if hook.active { DeliveryState::Waiting } else { DeliveryState::Skipped },
        }
    }
}

fn is_wanted(hook: &HookBehind, event: &RecordEvent) -> bool {
    hook.events.contains(&event.name())
        && hook.filter.admits(event.kind, event.before.as_ref(), event.after.as_ref())
}
