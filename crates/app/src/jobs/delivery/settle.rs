//! The consequences of a try: for the delivery, its webhook and its destination.

use std::collections::{HashMap, HashSet};

use domain::{
    actor::Actor,
    delivery::{AttemptClass, DeliveryState, HookId, SwitchOff},
    id::TenantId,
    moment::Moment,
};
use outbound::retry::next_wait;
use serde_json::json;
use store::{
    TenantScope, Tx,
    delivery::{self, Settlement, Standing, Try},
    destination::Returned,
    hook,
    webhook::LastTry,
};

use super::{
    claim::millis,
    send::{Sent, Tried},
};
use crate::{App, Result, audit, authz::Caller};

/// A webhook or event hook that the service has just switched off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SwitchedOff {
    pub(crate) webhook: HookId,
    pub(crate) name: String,
    pub(crate) reason: SwitchOff,
    pub(crate) at: Moment,
}

/// The effect of storing some results.
#[derive(Debug, Default)]
pub(super) struct Settled {
    pub(super) switched_off: Vec<SwitchedOff>,
    /// Results under leases that had been lost.
    pub(super) stale: usize,
}

impl App {
    /// Stores the results of one tenant. They move its revision once and add no audit entry per result.
    pub(super) async fn settle(&self, tenant: TenantId, sent: Vec<Sent>) -> Result<Settled> {
        let (app, scope) = (self.clone(), *Caller::system(tenant).scope());
        self.db
            .tenant(&scope)
            .bookkeep(move |tx| {
                let settled = settle_all(tx, &scope, &sent)?;
                for switched_off in &settled.switched_off {
                    app.tell_administrators(tx, &scope, switched_off)?;
                }
                Ok(settled)
            })
            .await
    }
}

/// Results by tenant.
pub(super) fn by_tenant(sent: Vec<Sent>) -> HashMap<TenantId, Vec<Sent>> {
    let mut sorted: HashMap<TenantId, Vec<Sent>> = HashMap::new();
    for sent in sent {
        sorted.entry(sent.job.webhook.tenant).or_default().push(sent);
    }
    sorted
}

/// The destination of a message, to be released with the pause it asked for.
pub(super) fn returned(sent: &Sent) -> Returned {
    let hold = sent.tried.retry_after.map(|wait| sent.finished.plus_millis(millis(wait)));
    Returned { url_hash: sent.job.url_hash.clone(), token: sent.job.lease.token.clone(), hold }
}

fn settle_all(tx: &mut Tx<'_>, scope: &TenantScope, sent: &[Sent]) -> Result<Settled> {
    let mut health = hook::health(tx, scope, sent.iter().map(|sent| sent.job.webhook.id))?;
    let logs: Vec<Try> = sent.iter().map(log).collect();
    let mut results = Vec::new();
    for (place, (sent, log)) in sent.iter().zip(&logs).enumerate() {
        let exists = health.contains_key(&sent.job.webhook.id);
        results.extend(settlements(scope, sent, log, exists).map(|result| (place, result)));
    }
    let (places, results): (Vec<usize>, Vec<Settlement<'_>>) = results.into_iter().unzip();
    let ours = delivery::settle(tx, &results)?;
    let stale = ours.iter().filter(|ours| !**ours).count();
    let ours: HashSet<usize> =
        places.into_iter().zip(ours).filter(|(_, ours)| *ours).map(|(place, _)| place).collect();
    let (mut tries, mut ended) = (Vec::new(), Vec::new());
    for (_, sent) in sent.iter().enumerate().filter(|(place, _)| ours.contains(place)) {
        let Some(known) = health.get_mut(&sent.job.webhook.id) else { continue };
        let (after, switch_off) = known.after(sent.tried.behaviour, sent.finished);
        *known = after;
        tries.push((sent.job.webhook.id, after, LastTry { at: sent.finished, class: sent.tried.class }));
        ended.extend(switch_off.map(|reason| (sent, reason)));
    }
    hook::note_tries(tx, scope, tries)?;
    let mut settled = Settled { switched_off: Vec::new(), stale };
    for (sent, reason) in ended {
        settled.switched_off.extend(switch_off(tx, scope, sent, reason)?);
    }
    Ok(settled)
}

fn log(Sent { tried, started, .. }: &Sent) -> Try {
    Try {
        at: *started,
        latency_ms: u64::try_from(tried.latency.as_millis()).unwrap_or(u64::MAX),
        class: tried.class,
        reason: tried.reason,
        status: tried.status,
    }
}

/// The results of the deliveries in one message.
fn settlements<'s>(
    scope: &TenantScope,
    sent: &'s Sent,
    tried: &'s Try,
    exists: bool,
) -> impl Iterator<Item = Settlement<'s>> {
    let (tenant, token, now) = (scope.tenant(), sent.job.lease.token.as_str(), sent.finished);
    sent.job.deliveries.iter().map(move |delivery| {
        let mut standing = standing(&sent.tried, delivery.attempt + 1, now, sent.dice);
        if !exists && standing.state == DeliveryState::Waiting {
            // The webhook was deleted meanwhile.
            standing = Standing { state: DeliveryState::Skipped, next_attempt_at: None };
        }
        Settlement { tenant, id: delivery.id, token, tried, standing, now }
    })
}

/// Switches a webhook off and skips what waits for it, unless it is off already.
fn switch_off(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    sent: &Sent,
    reason: SwitchOff,
) -> Result<Option<SwitchedOff>> {
    let (webhook, at) = (&sent.job.webhook, sent.finished);
    if !hook::switch_off(tx, scope, webhook.id, at)? {
        return Ok(None);
    }
    let detail = json!({ "name": webhook.name, "reason": reason.as_str() });
    let action = format!("{}.switched_off", webhook.id.noun());
    audit::record(tx, Actor::System, at, &action, webhook.id, &detail)?;
    delivery::skip_waiting(tx, webhook.id, at)?;
    Ok(Some(SwitchedOff { webhook: webhook.id, name: webhook.name.clone(), reason, at }))
}

/// The state of a delivery after its `count`-th try.
fn standing(tried: &Tried, count: u64, finished: Moment, dice: f64) -> Standing {
    let end = |state| Standing { state, next_attempt_at: None };
    match tried.class {
        AttemptClass::Delivered => end(DeliveryState::Delivered),
        AttemptClass::Accepted => end(DeliveryState::Accepted),
        _ if !tried.again => end(DeliveryState::Failed),
        _ => {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            match next_wait(count, tried.retry_after, dice) {
                None => end(DeliveryState::Dead),
                Some(wait) => Standing {
                    state: DeliveryState::Waiting,
                    next_attempt_at: Some(finished.plus_millis(millis(wait))),
                },
            }
        }
    }
}
