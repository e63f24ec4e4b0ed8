//! Claims messages from the queue under a lease, fairly between tenants.
//!
//! A claim takes a destination, not a delivery. So no more than one message to a URL is in flight, on whatever node,
//! and a destination with a hundred thousand waiting deliveries takes one place like any other.

use std::collections::HashMap;

use domain::{
    delivery::{AttemptClass, DeliveryState, Medium},
    id::TenantId,
    moment::Moment,
};
use outbound::{message::DIGEST_LIMIT, retry::SCHEDULE};
use store::{
    Tx,
    delivery::{self, DueDelivery, Standing, Try},
    destination::{self, Lease, ReadyDestination},
    hook::{self, Sender, Target},
};

use super::DeliveryOptions;
use crate::{Result, ids::random_u128, record_event};

/// Tenants considered at once. If there are more, they take turns.
const TENANTS: u32 = 64;
/// How far down the queue of a webhook is searched for more of the same kind.
const WINDOW: usize = 2 * DIGEST_LIMIT;

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

/// A destination whose message was sent, to be released.
#[derive(Debug, Clone)]
pub(super) struct Returned {
    pub(super) url_hash: String,
    pub(super) token: String,
    /// Until when the destination asked for a pause.
    pub(super) hold: Option<Moment>,
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
        let with_work = tenants.iter().chain(self.in_flight.keys()).collect::<std::collections::HashSet<_>>();
        let share = (self.capacity / (with_work.len() + 1)).max(1);
        for tenant in tenants {
            let held = self.in_flight.get(&tenant).copied().unwrap_or(0);
            let most = share.saturating_sub(held).min(room);
            if most == 0 {
                continue;
            }
            let ready = destination::ready(tx, self.medium, tenant, self.now, limit(most))?;
            for destination in ready {
                let job = self.take(tx, tenant, &destination, &mut claimed.recovered)?;
                room -= usize::from(job.is_some());
                claimed.jobs.extend(job);
            }
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

    /// Claims the destination's next message, or marks it as idle if there is none.
    fn take(
        &self,
        tx: &mut Tx<'_>,
        owner: TenantId,
        ready: &ReadyDestination,
        recovered: &mut usize,
    ) -> Result<Option<Job>> {
        if let Some(token) = &ready.expired_lease {
            *recovered += recover(tx, token, self.now)?;
        }
        let lease = Lease {
            token: format!("{:032x}", random_u128()),
            until: self.now.plus_millis(millis(self.options.lease)),
            not_before: self.now.plus_millis(millis(self.options.pace(self.medium))),
        };
        let Some((webhook, deliveries)) = self.next_message(tx, &ready.url_hash)? else {
            destination::rest(tx, &ready.url_hash)?;
            return Ok(None);
        };
        let mut taken = Vec::with_capacity(deliveries.len());
        for delivery in deliveries {
            if delivery::take(tx, delivery.id, &lease, self.now)? {
                taken.push(delivery);
            }
        }
        if taken.is_empty() {
            destination::rest(tx, &ready.url_hash)?;
            return Ok(None);
        }
        destination::lease(tx, &ready.url_hash, &lease)?;
        let url_hash = ready.url_hash.clone();
        Ok(Some(Job { url_hash, medium: self.medium, owner, lease, webhook, deliveries: taken }))
    }

    /// The delivery due first at a destination, with more of its kind if there are enough for a digest.
    fn next_message(&self, tx: &mut Tx<'_>, url_hash: &str) -> Result<Option<(Sender, Vec<DueDelivery>)>> {
        let mut next: Option<(Sender, Vec<DueDelivery>)> = None;
        for webhook in hook::at(tx, url_hash)? {
            if !webhook.active || webhook.pending {
                delivery::skip_waiting(tx, webhook.id, self.now)?;
                continue;
            }
            let digests = webhook.target != Target::Events && self.options.digest_above < WINDOW;
            let window = if digests { WINDOW } else { 1 };
            let due = delivery::due(tx, webhook.id, self.now, window)?;
            let earlier = |first: &DueDelivery| {
                let other = next.as_ref().and_then(|(_, due)| due.first());
                other.is_none_or(|other| (first.due_at, first.id) < (other.due_at, other.id))
            };
            if due.first().is_some_and(earlier) {
                next = Some((webhook, due));
            }
        }
        let Some((webhook, due)) = next else { return Ok(None) };
        let mut message = self.one_message(due);
        if webhook.target == Target::Events {
            for delivery in &mut message {
                delivery.payload = record_event::body(tx, webhook.tenant, delivery.event)?;
            }
        }
        Ok(Some((webhook, message)))
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
    for left in &abandoned {
        let tried = Try {
            at: left.taken_at,
            latency_ms: 0,
            class: AttemptClass::Interrupted,
            reason: "interrupted",
            status: None,
        };
        let last = left.attempt >= SCHEDULE.len() as u64;
        let standing = if last {
            Standing { state: DeliveryState::Dead, next_attempt_at: None }
        } else {
            Standing { state: DeliveryState::Waiting, next_attempt_at: Some(now) }
        };
        delivery::settle(tx, left.tenant, left.id, token, &tried, standing, now)?;
    }
    Ok(abandoned.len())
}

/// Releases destinations in a fixed order, so that two transactions never deadlock.
pub(super) fn give_back(tx: &mut Tx<'_>, mut returned: Vec<Returned>) -> Result<()> {
    returned.sort_by(|one, other| one.url_hash.cmp(&other.url_hash));
    for Returned { url_hash, token, hold } in &returned {
        destination::give_back(tx, url_hash, token, *hold)?;
    }
    Ok(())
}

fn limit(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

pub(super) fn millis(duration: std::time::Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
