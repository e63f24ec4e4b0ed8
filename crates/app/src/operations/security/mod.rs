//! The stream of security events: who attempted what, from where, with which result.
//!
//! Every event goes to the log under the target `security` and, if the operator configures a receiver, into a spool
//! on disk from which it is forwarded. Refusals are limited by source, so that a flood fills neither; suppressed
//! events are counted and the count is written. Changes of what protects an institution, such as keys and settings, are
//! events; changes of its records are in the audit log instead.

mod bound;
mod event;
pub mod forward;
pub mod spool;

use std::{
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use domain::{
    actor::Actor,
    id::{ApiKeyId, Uuid7},
    moment::Moment,
};

pub use self::event::{AuditHead, Outcome, SecurityEvent, What};
use self::{bound::Bound, event::Line, spool::Spool};
use crate::{Core, authz::Caller, log_limit};

/// The state for writing security events.
#[derive(Debug, Default)]
pub struct Security {
    bound: Bound,
    spool: OnceLock<Arc<Spool>>,
}

impl Security {
    /// From now on events are also spooled for forwarding. Only the first call has an effect.
    pub fn spool_to(&self, spool: Arc<Spool>) {
        let _ = self.spool.set(spool);
    }

    fn write(&self, line: &Line) {
        let event = &line.event;
        let [tenant, user] = [event.tenant.map(|id| id.to_string()), event.user.map(|id| id.to_string())];
        let address = event.address.map(|address| address.to_string());
        let head = event.head.as_ref();
        // A sentence for the person who reads the log; the fields are for programs.
        let by = event.account.as_deref().map(|account| format!(" by {account}")).unwrap_or_default();
        let from = address.as_deref().map(|address| format!(" from {address}")).unwrap_or_default();
        let what = event.what.as_str().replace('_', " ");
        // Allowed events are as telling as refused ones, so both have the level that is on by default.
        tracing::info!(
            target: "security",
            id = %line.id,
            event = event.what.as_str(),
            outcome = event.outcome.as_str(),
            tenant,
            user,
            account = event.account,
            key = event.key,
            by_key = event.by_key,
            address,
            request = event.request,
            reason = event.reason,
            chain = head.map(|head| head.chain.as_str()),
            seq = head.map(|head| head.seq),
            hash = head.map(|head| head.hash.as_str()),
            count = line.count,
            "{what} {}{by}{from}",
            event.outcome.as_str(),
        );
        if let Some(spool) = self.spool.get() {
            spool.keep(line.json());
        }
    }
}

/// The origin of the current request.
#[derive(Debug, Clone)]
pub struct Origin {
    pub address: IpAddr,
    /// The id of the request.
    pub request: String,
}

tokio::task_local! {
    static ORIGIN: Origin;
}

/// Runs the work of a request with its origin attached to the events it causes.
pub async fn within<F: Future>(origin: Origin, work: F) -> F::Output {
    ORIGIN.scope(origin, work).await
}

fn placed(event: SecurityEvent) -> SecurityEvent {
    let origin = ORIGIN.try_with(Origin::clone).ok();
    let (address, request) = origin.map(|origin| (origin.address, origin.request)).unzip();
    SecurityEvent {
        address: event.address.or(address),
        request: event.request.clone().or(request).filter(|id| !id.is_empty()),
        ..event
    }
}

impl Core {
    /// Writes a security event, unless its source has caused too many of its kind.
    pub fn note(&self, event: SecurityEvent) {
        let (event, now) = (placed(event), self.clock.now());
        self.note_repeated(now);
        if self.security.bound.admits(&event, now) {
            self.security.write(&Line { id: self.event_id(now), at: now, event, count: None });
        }
    }

    /// Records what a caller changed.
    pub(crate) fn note_by(&self, caller: &Caller, what: What, reason: &'static str) {
        let event = SecurityEvent::allowed(what).of_tenant(caller.tenant()).because(reason);
        self.note(match caller.actor() {
            Actor::User(user) => event.of(caller.tenant(), user),
            Actor::Key(key) => event.with_key(key.to_string()),
            Actor::Operator | Actor::System => event,
        });
    }

    /// Records what a caller did to an API key.
    pub(crate) fn note_key(&self, caller: &Caller, key: ApiKeyId, reason: &'static str) {
        let event = SecurityEvent::allowed(What::ApiKey).of_tenant(caller.tenant()).because(reason);
        let event = event.with_key(key.to_string());
        self.note(match caller.actor() {
            Actor::User(user) => event.of(caller.tenant(), user),
            Actor::Key(by) => event.by_key(by.to_string()),
            Actor::Operator | Actor::System => event,
        });
    }

    /// Writes how many events and log lines were suppressed, once their time is over. A background task calls it.
    pub fn note_repeated(&self, now: Moment) {
        log_limit::settle();
        self.db.settle_slow();
        for (event, count) in self.security.bound.settle(now) {
            self.security.write(&Line { id: self.event_id(now), at: now, event, count: Some(count) });
        }
    }

    fn event_id(&self, now: Moment) -> String {
        self.ids.next::<Uuid7>(now).to_id("sec")
    }

    /// A keyed digest of a typed address that may belong to no account. It is keyed, because a password may have been
    /// typed into the wrong field.
    pub(crate) fn account_digest(&self, typed: &str) -> String {
        let digest = self.vault.fingerprint(&format!("account {}", typed.trim().to_lowercase()));
        digest.chars().take(16).collect()
    }
}
