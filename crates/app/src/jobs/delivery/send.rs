//! Sends one message, outside any transaction. Every failure becomes an outcome, including a panic.

use std::{panic::AssertUnwindSafe, time::Duration};

use domain::{
    delivery::{AttemptClass, Behaviour},
    moment::Moment,
    webhook::Channel,
};
use futures_util::FutureExt as _;
use outbound::{
    message::{Content, Digest, Notice},
    outcome::{Outcome, Verdict},
    signed_event::SignedEvent,
};
use store::hook::Target;
use tokio::time::Instant;

use super::{
    claim::Job,
    notice::{Occurrence, list_url, notice},
};
use crate::{App, senders::OutgoingMessage, user_mail::MailClass};

/// The result of one try, without any text from the destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    pub class: AttemptClass,
    pub reason: &'static str,
    pub status: Option<u16>,
    pub latency: Duration,
    /// Whether to retry, and how long the destination asked to wait before it.
    pub(crate) again: bool,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) behaviour: Behaviour,
}

/// A message that was tried.
#[derive(Debug, Clone)]
pub struct Sent {
    pub(super) job: Job,
    pub(super) tried: Tried,
    pub(super) started: Moment,
    pub(super) finished: Moment,
    /// One random number for all deliveries of a digest, so that they are retried together.
    pub(super) dice: f64,
}

/// Why a message could not be composed. Never the webhook's fault.
#[derive(Debug, thiserror::Error)]
enum Unsendable {
    #[error("{0}")]
    Event(#[from] super::notice::UnreadableEvent),
    #[error("the event is gone")]
    NoEvent,
    #[error("{0}")]
    Url(#[from] crate::Error),
}

impl App {
    pub(super) async fn send(&self, job: Job, dice: fn() -> f64) -> Sent {
        let (started, watch) = (self.clock.now(), Instant::now());
        let is_mail = job.webhook.target == Target::Channel(Channel::Email);
        let wait = if is_mail { self.mail_wait(job.webhook.tenant, MailClass::Ordinary) } else { None };
        if let Some(wait) = wait {
            let tried = Tried::postponed("mail_quota", wait);
            return Sent { job, tried, started, finished: started, dice: dice() };
        }
        let tried = match AssertUnwindSafe(self.try_once(&job)).catch_unwind().await {
            Ok(Ok(outcome)) => {
                note(&job, &outcome);
                Tried::from_outcome(&outcome, watch.elapsed())
            }
            Ok(Err(unsendable)) => {
                tracing::error!(webhook = %job.webhook.id, error = %unsendable, "a message could not be made");
                Tried::our_fault("not_readable", watch.elapsed())
            }
            // The panic itself is already in the log.
            Err(_) => Tried::our_fault("panicked", watch.elapsed()),
        };
        Sent { job, tried, started, finished: self.clock.now(), dice: dice() }
    }

    async fn try_once(&self, job: &Job) -> Result<Outcome, Unsendable> {
        match job.webhook.target {
            Target::Channel(channel) => self.send_message(job, channel).await,
            Target::Events => self.send_event(job).await,
        }
    }

    /// Sends an event to an event hook, signed with every secret that is valid now.
    async fn send_event(&self, job: &Job) -> Result<Outcome, Unsendable> {
        let delivery = job.deliveries.first().ok_or(Unsendable::NoEvent)?;
        let body = delivery.payload.clone().ok_or(Unsendable::NoEvent)?.into_bytes();
        let now = self.clock.now();
        let (to, secrets) =
            self.messages.hook_secrets(job.webhook.tenant, job.webhook.id, &job.webhook.sealed_url, now)?;
        let event = SignedEvent::new(&delivery.event.to_string(), body, &secrets, now);
        Ok(self.senders.http.send_event(&to, event, now).await)
    }

    async fn send_message(&self, job: &Job, channel: Channel) -> Result<Outcome, Unsendable> {
        let public_url = &self.senders.public_url;
        let tenant = (job.webhook.tenant_name.as_str(), &job.webhook.time_zone);
        let notices: Vec<Notice> = job
            .deliveries
            .iter()
            .map(|delivery| {
                let payload = delivery.payload.as_deref().ok_or(Unsendable::NoEvent)?;
                let kind = delivery.kind.parse().map_err(|_| Unsendable::NoEvent)?;
                let (id, occurred_at) = (delivery.event, delivery.occurred_at);
                let event = Occurrence { id, kind, occurred_at, payload };
                Ok(notice(event, tenant, public_url)?)
            })
            .collect::<Result<_, Unsendable>>()?;
        let to = self.messages.destination(job.webhook.tenant, job.webhook.id, &job.webhook.sealed_url)?;
        let (Some(first), Some(delivery)) = (notices.first(), job.deliveries.first()) else {
            return Err(Unsendable::NoEvent);
        };
        let url = list_url(first.kind, public_url);
        let digest = Digest { kind: first.kind, tenant: &first.tenant, notices: &notices, url: &url };
        let outgoing = OutgoingMessage {
            id: &delivery.id.to_string(),
            channel,
            to: &to,
            content: if notices.len() > 1 { Content::Digest(digest) } else { Content::Event(first) },
            language: job.webhook.language,
        };
        Ok(self.senders.send(outgoing, self.clock.now()).await)
    }
}

impl Tried {
    pub(crate) fn from_outcome(outcome: &Outcome, latency: Duration) -> Self {
        let (class, behaviour) = match outcome.verdict {
            Verdict::Delivered => (AttemptClass::Delivered, Behaviour::Took),
            Verdict::Accepted => (AttemptClass::Accepted, Behaviour::Took),
            Verdict::Transient => (AttemptClass::Transient, Behaviour::Failed),
            Verdict::OurFault => (AttemptClass::OurFault, Behaviour::Unknown),
            Verdict::Refused => (AttemptClass::Refused, Behaviour::Failed),
            Verdict::Dead => (AttemptClass::Dead, Behaviour::Gone),
        };
        let to_blame = outcome.verdict.is_success() || outcome.blames_destination();
        Self {
            class,
            reason: outcome.reason.as_str(),
            status: outcome.status,
            latency,
            again: !outcome.verdict.is_final(),
            retry_after: outcome.retry_after,
            behaviour: if to_blame { behaviour } else { Behaviour::Unknown },
        }
    }

    /// Not sent now, for a reason that does not count against the destination.
    fn postponed(reason: &'static str, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..Self::our_fault(reason, Duration::ZERO) }
    }

    /// Counts as a try, so that a message that cannot be composed is not retried for ever; a fixed version may
    /// succeed.
    fn our_fault(reason: &'static str, latency: Duration) -> Self {
        Self {
            class: AttemptClass::OurFault,
            reason,
            status: None,
            latency,
            again: true,
            retry_after: None,
            behaviour: Behaviour::Unknown,
        }
    }
}

/// A destination's answer may contain its secret URL, so only our own text is logged.
fn note(job: &Job, outcome: &Outcome) {
    let (webhook, verdict, reason) = (job.webhook.id, outcome.verdict.as_str(), outcome.reason.as_str());
    let (status, deliveries) = (outcome.status, job.deliveries.len());
    if outcome.verdict == Verdict::OurFault {
        tracing::error!(%webhook, verdict, reason, status, deliveries, "a destination cannot read our message");
    } else {
        tracing::debug!(%webhook, verdict, reason, status, deliveries, "sent");
    }
}
