//! The deliveries of a webhook or an event hook as its tenant sees and repeats them, and test messages.

use domain::{
    delivery::{AttemptClass, DeliveryState, HookId, Medium},
    event::EventKind,
    id::{DeliveryId, EventHookId, EventId, TenantId, WebhookId},
    moment::Moment,
    page::{Page, PageRequest},
    rate::{Decision, Rules},
    right::{Resource, Right},
    task::TaskType,
    violation::{FieldComplaint, RecordComplaint},
    vocabulary::Word,
    webhook::Channel,
};
use outbound::message::{Change, Content, Notice, Record};
use serde_json::json;
use store::{
    Reader, TenantScope, Tx, delivery, delivery_log as rows,
    destination::{self, Wake},
    event_hook::{self, EventHookRow},
    tenant, webhook,
};
use tokio::time::Instant;

pub use store::{
    delivery::Queue,
    delivery_log::{AttemptRow, DeliveryRow},
};

use crate::{
    Error, Messages, Result, audit,
    authz::Caller,
    event_hook::require_all_kinds,
    jobs::delivery::{Tried, notice::list_url},
    senders::OutgoingMessage,
    tenant::TenantRow,
    user_mail::MailClass,
    webhook::{Webhook, WebhookRow},
};

/// The limit of test messages per webhook: at most one every ten seconds.
const TESTS: Rules = Rules { standard: 6, burst: 6, exceedances: 0, ..Rules::V2 };
/// The number of rows that retention deletes in one transaction.
const PRUNE_BATCH: u32 = 1000;
/// A destination that nothing was sent to for this long is deleted.
const DESTINATION_KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// The result of a test message. It never contains the destination's answer, which could reveal our network to
/// outsiders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestReport {
    pub class: AttemptClass,
    pub reason: &'static str,
    pub status: Option<u16>,
    pub latency_ms: u64,
}

impl Messages {
    pub async fn deliveries(
        &self,
        caller: &Caller,
        hook: impl Into<HookId>,
        state: Option<DeliveryState>,
        request: PageRequest,
    ) -> Result<Page<DeliveryRow>> {
        let (scope, hook) = (*caller.scope(), hook.into());
        self.db
            .tenant(&scope)
            .read(move |r| {
                Hook::get(r, &scope, hook)?;
                Ok(rows::list(r, &scope, hook, state, request)?)
            })
            .await
    }

    /// Makes one delivery due now, with a new series of tries.
    pub async fn retry_delivery(
        &self,
        caller: &Caller,
        webhook: WebhookId,
        id: DeliveryId,
    ) -> Result<DeliveryRow> {
        caller.require_right(Resource::Webhooks, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        let this = self.clone();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let hook = Hook::get(tx, &scope, webhook.into())?;
                let before = rows::get(tx, &scope, webhook, id)?.ok_or(Error::NotFound)?;
                hook.require_ready(&this, scope.tenant())?;
                hook.wake(tx, &scope, now)?;
                if !rows::retry(tx, &scope, webhook, id, now)? {
                    return Err(not_again(before.state));
                }
                let detail = json!({ "webhook": webhook, "event": before.event });
                audit::record(tx, actor, now, "delivery.retried", id, &detail)?;
                rows::get(tx, &scope, webhook, id)?.ok_or(Error::NotFound)
            })
            .await
    }

    /// Sends one delivery to an event hook again, whatever became of it: its receiver may have lost it.
    pub async fn resend_delivery(
        &self,
        caller: &Caller,
        hook: EventHookId,
        id: DeliveryId,
    ) -> Result<DeliveryRow> {
        caller.require_right(Resource::Webhooks, Right::Write)?;
        require_all_kinds(caller)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        let this = self.clone();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let found = Hook::get(tx, &scope, hook.into())?;
                let before = rows::get(tx, &scope, hook, id)?.ok_or(Error::NotFound)?;
                found.require_ready(&this, scope.tenant())?;
                found.wake(tx, &scope, now)?;
                if !rows::resend(tx, &scope, hook, id, now)? {
                    return Err(not_again(before.state));
                }
                let detail = json!({ "event_hook": hook, "event": before.event });
                audit::record(tx, actor, now, "delivery.retried", id, &detail)?;
                rows::get(tx, &scope, hook, id)?.ok_or(Error::NotFound)
            })
            .await
    }

    /// Sends everything the webhook missed since a moment again, and returns the number of deliveries.
    pub async fn replay_deliveries(
        &self,
        caller: &Caller,
        hook: impl Into<HookId>,
        since: Option<Moment>,
    ) -> Result<u64> {
        caller.require_right(Resource::Webhooks, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        let (this, id) = (self.clone(), hook.into());
        if matches!(id, HookId::Event(_)) {
            require_all_kinds(caller)?;
        }
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let hook = Hook::get(tx, &scope, id)?;
                let since = since.ok_or_else(|| Error::invalid("since", FieldComplaint::Required))?;
                if since > now {
                    return Err(Error::invalid("since", FieldComplaint::NotInTheFuture));
                }
                hook.require_ready(&this, scope.tenant())?;
                hook.wake(tx, &scope, now)?;
                let replayed = rows::replay(tx, &scope, id, since, now)?;
                let detail = json!({ "since": since, "deliveries": replayed });
                audit::record(tx, actor, now, &format!("{}.replayed", id.noun()), id, &detail)?;
                Ok(replayed)
            })
            .await
    }

    /// Sends one message, marked as a test, even if the webhook is switched off. It is not retried and does not
    /// affect the webhook's health.
    pub async fn test_webhook(&self, caller: &Caller, id: WebhookId) -> Result<TestReport> {
        caller.require_right(Resource::Webhooks, Right::Write)?;
        let scope = *caller.scope();
        let (row, tenant) = self
            .db
            .tenant(&scope)
            .read(move |r: &mut Reader<'_>| {
                let row = webhook::get(r, &scope, id)?.ok_or(Error::NotFound)?;
                Ok::<_, Error>((row, tenant::by_id(r, scope.tenant())?.ok_or(Error::NotFound)?))
            })
            .await?;
        let now = self.clock.now();
        let to = self.destination(scope.tenant(), id, &row.sealed_url)?;
        Webhook::require_confirmed(&row, &to)?;
        if let Decision::Rejected { limit, retry_after } = self.tests.admit(&TESTS, id, now) {
            return Err(Error::Limited { limit, window_seconds: TESTS.window_seconds(), retry_after });
        }
        self.admit_test_mail(scope.tenant(), row.channel)?;
        let event: EventId = self.ids.next(now);
        let notice = sample(event, &row, &tenant, &self.senders.public_url, now);
        let outgoing = OutgoingMessage {
            id: &event.to_string(),
            channel: row.channel,
            to: &to,
            content: Content::Event(&notice),
            language: tenant.language,
        };
        let watch = Instant::now();
        let tried = Tried::from_outcome(&self.senders.send(outgoing, now).await, watch.elapsed());
        let report = TestReport {
            class: tried.class,
            reason: tried.reason,
            status: tried.status,
            latency_ms: u64::try_from(tried.latency.as_millis()).unwrap_or(u64::MAX),
        };
        self.note_test(caller, id, &report).await?;
        Ok(report)
    }

    /// A test by mail counts like every other mail, but is refused and does not wait.
    fn admit_test_mail(&self, tenant: TenantId, channel: Channel) -> Result<()> {
        let rules = self.quotas.mail_rules().filter(|_| channel == Channel::Email);
        let wait = rules.and_then(|_| self.mail_wait(tenant, MailClass::Ordinary));
        match (rules, wait) {
            (Some(rules), Some(wait)) => Err(Error::Limited {
                limit: rules.standard,
                window_seconds: rules.window_seconds(),
                retry_after: wait.as_secs(),
            }),
            _ => Ok(()),
        }
    }

    async fn note_test(&self, caller: &Caller, id: WebhookId, report: &TestReport) -> Result<()> {
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        let detail = json!({ "outcome": report.class, "status": report.status });
        self.db
            .tenant(&scope)
            .write(move |tx| audit::record(tx, actor, now, "webhook.tested", id, &detail))
            .await
    }

    /// Length and age of the queue. Too expensive for ordinary requests: for the operator only.
    pub async fn delivery_queue(&self) -> Result<Queue> {
        self.db.platform().read(delivery::queue).await.map_err(Error::from)
    }

    /// Deletes deliveries last changed more than `kept_ms` ago, and unused destinations. A job calls it.
    pub async fn prune_deliveries(&self, kept_ms: i64) -> Result<u64> {
        let now = self.clock.now();
        let (before, unused) = (now.plus_millis(-kept_ms), now.plus_millis(-DESTINATION_KEPT_MS));
        let platform = self.db.platform();
        platform.bookkeep(move |tx| destination::prune(tx, unused)).await?;
        self.tests.sweep(&TESTS, now);
        let mut pruned = 0;
        loop {
            let some = platform.bookkeep(move |tx| delivery::prune(tx, before, PRUNE_BATCH)).await?;
            pruned += some;
            if some < u64::from(PRUNE_BATCH) {
                return Ok(pruned);
            }
        }
    }
}

fn not_again(state: DeliveryState) -> Error {
    Error::invalid("state", RecordComplaint::NotMissed { state: Word::of(state) })
}

/// What deliveries are sent through.
#[derive(Debug)]
enum Hook {
    Webhook(WebhookRow),
    Event(EventHookRow),
}

impl Hook {
    fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: HookId) -> Result<Self> {
        let found = match id {
            HookId::Webhook(id) => webhook::get(reader, scope, id)?.map(Self::Webhook),
            HookId::Event(id) => event_hook::get(reader, scope, id)?.map(Self::Event),
        };
        found.ok_or(Error::NotFound)
    }

    /// Refuses to send again through one that is switched off or waits for the owner of its address.
    fn require_ready(&self, messages: &Messages, tenant: TenantId) -> Result<()> {
        let off = || Error::invalid("active", RecordComplaint::WebhookOff);
        match self {
            Self::Webhook(row) if !row.active => Err(off()),
            Self::Event(row) if !row.active => Err(off()),
            Self::Webhook(row) if row.pending => {
                Webhook::require_confirmed(row, &messages.destination(tenant, row.id, &row.sealed_url)?)
            }
            _ => Ok(()),
        }
    }

    /// Locks the destination first, because the worker also locks it before any of its deliveries.
    fn wake(&self, tx: &mut Tx<'_>, scope: &TenantScope, now: Moment) -> Result<()> {
        let (url_hash, medium) = match self {
            Self::Webhook(row) => (row.url_hash.clone(), row.channel.into()),
            Self::Event(row) => (Some(row.url_hash.clone()), Medium::Hook),
        };
        if let Some(url_hash) = url_hash {
            destination::wake(tx, &[Wake { url_hash, medium, owner: scope.tenant(), at: now }])?;
        }
        tx.hint();
        Ok(())
    }
}

/// A test message without a record.
fn sample(event: EventId, webhook: &WebhookRow, tenant: &TenantRow, public_url: &str, now: Moment) -> Notice {
    let kind = webhook.events.iter().next().unwrap_or(EventKind::FindingCreated);
    let title = match webhook.channel {
        Channel::Email => "Test of this mail destination",
        Channel::Slack | Channel::Teams => "Test of this channel",
    };
    Notice {
        event,
        kind,
        occurred_at: now,
        tenant: tenant.name.to_string(),
        time_zone: tenant.time_zone.clone(),
        record: Record {
            called: TaskType::Finding.label(),
            reference: Some("F-0000-0000".into()),
            title: title.into(),
            url: list_url(kind, public_url),
        },
        severity: Some("info".into()),
        change: Some(Change { from: None, to: "open".into() }),
        owner: None,
        rule_book: None,
        deadline: None,
        test: true,
    }
}
