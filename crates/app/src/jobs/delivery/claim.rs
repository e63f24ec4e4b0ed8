//! Claims messages from the queue under a lease, fairly between tenants.
//!
//! A claim takes a destination, not a delivery. So no more than one message to a URL is in flight, on whatever node,
//! and a destination with a hundred thousand waiting deliveries takes one place like any other.

use std::collections::{HashMap, HashSet};

use domain::{
    delivery::{AttemptClass, DeliveryState, HookId, Medium},
    id::{DeliveryId, TenantId},
    moment::Moment,
};
use outbound::{message::DIGEST_LIMIT, retry::SCHEDULE};
use store::{
    Tx,
    delivery::{self, DueDelivery, Settlement, Standing, Try},
    destination::{self, Lease, ReadyDestination, Returned},
    hook::{self, Sender, Target},
};

use super::DeliveryOptions;
use crate::{Result, ids::random_u128, record_event};

/// Tenants considered at once. If there are more, they take turns.
const TENANTS: u32 = 64;
/// How far down the queue of a webhook is searched for more of the same kind.
const WINDOW: usize = 2 * DIGEST_LIMIT;

/// What is sent at once, and by what.
type Message = (Sender, Vec<DueDelivery>);

/// One message to send: a delivery, or several of one kind as a digest.
#[derive(Debug, Clone)]
pub struct Job {
    pub(super) url_hash: String,
    pub(super) medium: Medium,
    /// The tenant it is counted for.
    pub(super) owner: TenantId,
    pub(super) lease: Lease,
    pub(super) webhook: Sender,
    pub(super) deliveries: Vec<DueDelivery>,
}

/// What may be claimed for one medium.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) medium: Medium,
    pub(super) now: Moment,
    /// The tenant served last: the next one is served first.
    pub(super) after: Option<TenantId>,
    pub(super) capacity: usize,
    /// Messages in flight, by tenant.
    pub(super) in_flight: HashMap<TenantId, usize>,
    pub(super) options: DeliveryOptions,
}

/// The result of a claim.
#[derive(Debug, Default)]
pub(super) struct Claimed {
    pub(super) jobs: Vec<Job>,
    pub(super) last: Option<TenantId>,
    /// Deliveries found under expired leases.
    pub(super) recovered: usize,
}

impl Plan {
    pub(super) fn claim(&self, tx: &mut Tx<'_>) -> Result<Claimed> {
        let mut claimed = Claimed::default();
        let busy: usize = self.in_flight.values().sum();
        let mut room = self.capacity.saturating_sub(busy);
        if room == 0 {
            return Ok(claimed);
        }
        let tenants = self.tenants(tx)?;
        // Always leaves room for one more tenant, so that no tenant waits for another one's slow destinations.
        let with_work = tenants.iter().chain(self.in_flight.keys()).collect::<HashSet<_>>();
        let share = (self.capacity / (with_work.len() + 1)).max(1);
        for tenant in tenants {
            let held = self.in_flight.get(&tenant).copied().unwrap_or(0);
            let most = share.saturating_sub(held).min(room);
            if most == 0 {
                continue;
            }
            let ready = destination::ready(tx, self.medium, tenant, self.now, limit(most))?;
            for token in ready.iter().filter_map(|destination| destination.expired_lease.as_deref()) {
                claimed.recovered += recover(tx, token, self.now)?;
            }
            let jobs = self.take(tx, tenant, &ready)?;
            room -= jobs.len();
            claimed.jobs.extend(jobs);
            claimed.last = Some(tenant);
        }
        Ok(claimed)
    }

    /// The tenants with work, beginning after the one served last.
    fn tenants(&self, tx: &mut Tx<'_>) -> Result<Vec<TenantId>> {
        let mut tenants = destination::owners(tx, self.medium, self.now, self.after, TENANTS)?;
        let missing = TENANTS - u32::try_from(tenants.len()).unwrap_or(TENANTS);
        if let Some(after) = self.after.filter(|_| missing > 0) {
            let first = destination::owners(tx, self.medium, self.now, None, missing)?;
            tenants.extend(first.into_iter().take_while(|tenant| *tenant <= after));
        }
        Ok(tenants)
    }

    /// Claims the next message of each destination, or marks it as idle if there is none.
    fn take(&self, tx: &mut Tx<'_>, owner: TenantId, ready: &[ReadyDestination]) -> Result<Vec<Job>> {
        let next = self.next_messages(tx, ready)?;
        let mut jobs: Vec<Job> = ready
            .iter()
            .zip(next)
            .filter_map(|(destination, next)| {
                let (webhook, deliveries) = next?;
                let (url_hash, medium, lease) = (destination.url_hash.clone(), self.medium, self.lease());
                Some(Job { url_hash, medium, owner, lease, webhook, deliveries })
            })
            .collect();
        let claims: Vec<(DeliveryId, &Lease)> = jobs
            .iter()
            .flat_map(|job| job.deliveries.iter().map(|delivery| (delivery.id, &job.lease)))
            .collect();
        let mut taken = delivery::take(tx, &claims, self.now)?.into_iter();
        for job in &mut jobs {
            job.deliveries.retain(|_| taken.next().unwrap_or(false));
        }
        jobs.retain(|job| !job.deliveries.is_empty());
        let busy: HashSet<&str> = jobs.iter().map(|job| job.url_hash.as_str()).collect();
        let hashes = ready.iter().map(|destination| destination.url_hash.as_str());
        let idle: Vec<&str> = hashes.filter(|hash| !busy.contains(hash)).collect();
        destination::rest(tx, &idle)?;
        let leases: Vec<(&str, &Lease)> =
            jobs.iter().map(|job| (job.url_hash.as_str(), &job.lease)).collect();
        destination::lease(tx, &leases)?;
        Ok(jobs)
    }

    fn lease(&self) -> Lease {
        Lease {
            token: format!("{:032x}", random_u128()),
            until: self.now.plus_millis(millis(self.options.lease)),
            not_before: self.now.plus_millis(millis(self.options.pace(self.medium))),
        }
    }

    /// For each destination the delivery due first, with more of its kind if there are enough for a digest.
    fn next_messages(&self, tx: &mut Tx<'_>, ready: &[ReadyDestination]) -> Result<Vec<Option<Message>>> {
        let hashes: Vec<&str> = ready.iter().map(|destination| destination.url_hash.as_str()).collect();
        let mut senders = hook::at(tx, &hashes)?;
        for senders in &mut senders {
            for off in senders.extract_if(.., |sender| !sender.active || sender.pending) {
                delivery::skip_waiting(tx, off.id, self.now)?;
            }
        }
        let windows: Vec<(HookId, usize)> =
            senders.iter().flatten().map(|sender| (sender.id, self.window(sender))).collect();
        let mut due = delivery::due(tx, &windows, self.now)?.into_iter();
        let mut messages = Vec::with_capacity(ready.len());
        for senders in senders {
            let waiting = senders.into_iter().filter_map(|sender| Some((sender, due.next()?)));
            let first = |(_, due): &Message| due.first().map(|first| (first.due_at, first.id));
            let next = waiting.filter(|message| first(message).is_some()).min_by_key(first);
            messages.push(next.map(|next| self.message(tx, next)).transpose()?);
        }
        Ok(messages)
    }

    /// How far down its queue a message is put together.
    fn window(&self, sender: &Sender) -> usize {
        let digests = sender.target != Target::Events && self.options.digest_above < WINDOW;
        if digests { WINDOW } else { 1 }
    }

    fn message(&self, tx: &mut Tx<'_>, (webhook, due): Message) -> Result<Message> {
        let mut deliveries = self.one_message(due);
        if webhook.target == Target::Events {
            for delivery in &mut deliveries {
                delivery.payload = record_event::body(tx, webhook.tenant, delivery.event)?;
            }
        }
        Ok((webhook, deliveries))
    }

    fn one_message(&self, mut due: Vec<DueDelivery>) -> Vec<DueDelivery> {
        let Some(kind) = due.first().map(|delivery| delivery.kind.clone()) else { return due };
        let same = due.iter().filter(|delivery| delivery.kind == kind).count();
        if same > self.options.digest_above {
            due.retain(|delivery| delivery.kind == kind);
            due.truncate(DIGEST_LIMIT);
        } else {
            due.truncate(1);
        }
        due
    }
}

/// Requeues what a worker abandoned: the try counts, because the message may have arrived.
pub(crate) fn recover(tx: &mut Tx<'_>, token: &str, now: Moment) -> Result<usize> {
    let abandoned = delivery::leased(tx, token)?;
    let tries: Vec<Try> = abandoned.iter().map(|left| interrupted(left.taken_at)).collect();
    let mut results = Vec::with_capacity(abandoned.len());
    for (left, tried) in abandoned.iter().zip(&tries) {
        let last = left.attempt >= SCHEDULE.len() as u64;
        let standing = if last {
            Standing { state: DeliveryState::Dead, next_attempt_at: None }
        } else {
            Standing { state: DeliveryState::Waiting, next_attempt_at: Some(now) }
        };
        results.push(Settlement { tenant: left.tenant, id: left.id, token, tried, standing, now });
    }
    delivery::settle(tx, &results)?;
    Ok(abandoned.len())
}

fn interrupted(at: Moment) -> Try {
    Try { at, latency_ms: 0, class: AttemptClass::Interrupted, reason: "interrupted", status: None }
}

/// Releases destinations in a fixed order, so that two transactions never deadlock.
pub(super) fn give_back(tx: &mut Tx<'_>, mut returned: Vec<Returned>) -> Result<()> {
    returned.sort_by(|one, other| one.url_hash.cmp(&other.url_hash));
    destination::give_back(tx, &returned)?;
    Ok(())
}

fn limit(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

pub(super) fn millis(duration: std::time::Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
