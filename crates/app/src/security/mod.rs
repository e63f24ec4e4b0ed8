//! One stream of security events: who tried what, from where, and what came of it.
//!
//! Every event goes to the log under the target `security`, and, where the operator names a receiver, into a spool on
//! disk from which it is forwarded. Refusals are bounded by source, so that a flood fills neither; what is held back is
//! counted and the count is written. What was done to records is the business of the audit log.

mod bound;
mod event;
pub mod forward;
pub mod spool;

use std::{
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use domain::{id::Uuid7, moment::Moment};

pub use self::event::{Outcome, SecurityEvent, What};
use self::{bound::Bound, event::Line, spool::Spool};
use crate::App;

/// What this process keeps to write security events.
#[derive(Debug, Default)]
pub struct Security {
    bound: Bound,
    spool: OnceLock<Arc<Spool>>,
}

impl Security {
    /// From now on events are also kept for forwarding. Only the first call counts.
    pub fn spool_to(&self, spool: Arc<Spool>) {
        let _ = self.spool.set(spool);
    }

    fn write(&self, line: &Line) {
        let event = &line.event;
        let [tenant, user] = [event.tenant.map(|id| id.to_string()), event.user.map(|id| id.to_string())];
        let address = event.address.map(|address| address.to_string());
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
            address,
            request = event.request,
            reason = event.reason,
            count = line.count,
            "security event"
        );
        if let Some(spool) = self.spool.get() {
            spool.keep(line.json());
        }
    }
}

/// Where the request comes from that is being answered.
#[derive(Debug, Clone)]
pub struct Origin {
    pub address: IpAddr,
    /// The id of the request.
    pub request: String,
}

tokio::task_local! {
    static ORIGIN: Origin;
}

/// Does the work of a request; the events it causes say where it came from.
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

impl App {
    /// Writes a security event, unless its source has caused too many of its kind.
    pub fn note(&self, event: SecurityEvent) {
        let (event, now) = (placed(event), self.clock.now());
        self.note_repeated(now);
        if self.security.bound.admits(&event, now) {
            self.security.write(&Line { id: self.event_id(now), at: now, event, count: None });
        }
    }

    /// Writes how many events were held back, once the minute they belong to is over. A watch calls it.
    pub fn note_repeated(&self, now: Moment) {
        for (event, count) in self.security.bound.settle(now) {
            self.security.write(&Line { id: self.event_id(now), at: now, event, count: Some(count) });
        }
    }

    fn event_id(&self, now: Moment) -> String {
        self.ids.next::<Uuid7>(now).to_id("sec")
    }

    /// Stands for a typed address that may be no account's. It is keyed, because what is typed into the wrong field may
    /// be a password.
    pub(crate) fn account_digest(&self, typed: &str) -> String {
        let digest = self.vault.fingerprint(&format!("account {}", typed.trim().to_lowercase()));
        digest.chars().take(16).collect()
    }
}
