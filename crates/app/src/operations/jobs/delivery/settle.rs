//! The consequences of a try: for the delivery, its webhook and its destination.

use std::collections::HashMap;

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
    delivery::{self, Standing, Try},
    hook,
    webhook::LastTry,
};

use super::{
    claim::{Returned, millis},
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
                let mut settled = Settled::default();
                for sent in &sent {
                    settle_one(tx, &scope, sent, &mut settled)?;
                }
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

fn settle_one(tx: &mut Tx<'_>, scope: &TenantScope, sent: &Sent, settled: &mut Settled) -> Result<()> {
    let Sent { job, tried, started, finished, .. } = sent;
    let health = hook::health(tx, scope, job.webhook.id)?;
    let log = Try {
        at: *started,
        latency_ms: u64::try_from(tried.latency.as_millis()).unwrap_or(u64::MAX),
        class: tried.class,
        reason: tried.reason,
        status: tried.status,
    };
    let mut still_ours = false;
    for delivery in &job.deliveries {
        let mut standing = standing(tried, delivery.attempt + 1, *finished, sent.dice);
        if health.is_none() && standing.state == DeliveryState::Waiting {
            // The webhook was deleted meanwhile.
            standing = Standing { state: DeliveryState::Skipped, next_attempt_at: None };
        }
        let (tenant, token) = (scope.tenant(), &job.lease.token);
        if delivery::settle(tx, tenant, delivery.id, token, &log, standing, *finished)? {
            still_ours = true;
        } else {
            settled.stale += 1;
        }
    }
    let Some(health) = health.filter(|_| still_ours) else { return Ok(()) };
    let (health, switch_off) = health.after(tried.behaviour, *finished);
    let last = LastTry { at: *finished, class: tried.class };
    hook::note_try(tx, scope, job.webhook.id, health, last)?;
    if let Some(reason) = switch_off
        && hook::switch_off(tx, scope, job.webhook.id, *finished)?
    {
        let detail = json!({ "name": job.webhook.name, "reason": reason.as_str() });
        let action = format!("{}.switched_off", job.webhook.id.noun());
        audit::record(tx, Actor::System, *finished, &action, job.webhook.id, &detail)?;
        delivery::skip_waiting(tx, job.webhook.id, *finished)?;
        settled.switched_off.push(SwitchedOff {
            webhook: job.webhook.id,
            name: job.webhook.name.clone(),
            reason,
            at: *finished,
        });
    }
    Ok(())
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
