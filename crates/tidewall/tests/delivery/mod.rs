//! Delivery end to end: from an event in the outbox to a real destination that behaves well or badly, with a manual
//! clock.

mod cluster;
mod crash;
mod digest;
mod event_hooks;
mod fairness;
mod mail;
mod many;
mod schedule;
mod secrets;
mod switch_off;

use std::time::Duration;

use app::{
    clock::Clock,
    delivery::DeliveryRow,
    jobs::delivery::{DeliveryOptions, Dispatcher},
};
use domain::{
    audit::Entry,
    event::EventKind,
    id::{EventId, WebhookId},
    moment::Moment,
    page::PageRequest,
};
use outbound::connector::Timeouts;
use serde_json::{Value, json};
use store::event::{self, EventRow};
use testkit::{ChatSink, Client, Engine, START, TestApp, TestOptions, TestTenant};

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Exactly the schedule, and short timeouts for destinations that do not respond.
fn exact() -> DeliveryOptions {
    DeliveryOptions { dice: || 0.5, ..DeliveryOptions::default() }
}

fn options(sink: &ChatSink) -> TestOptions {
    let timeouts = Timeouts { connect: Duration::from_secs(2), total: Duration::from_millis(300) };
    TestOptions { dev_destinations: vec![sink.origin.clone()], timeouts, ..TestOptions::default() }
}

/// A tenant with a destination, and a dispatcher.
struct Bank {
    app: TestApp,
    sink: ChatSink,
    tenant: TestTenant,
    client: Client,
    dispatcher: Dispatcher,
}

impl Bank {
    async fn on(engine: Engine) -> Self {
        Self::with(engine, exact()).await
    }

    async fn with(engine: Engine, delivery: DeliveryOptions) -> Self {
        let sink = ChatSink::start().await;
        let options = options(&sink);
        Self::over(TestApp::with(engine, options).await, sink, delivery).await
    }

    async fn over(app: TestApp, sink: ChatSink, delivery: DeliveryOptions) -> Self {
        let tenant = app.tenant("north").await;
        let client = app.client(&app.key(&tenant, "read,write").await);
        let dispatcher = Dispatcher::new(app.app.clone(), delivery);
        Self { app, sink, tenant, client, dispatcher }
    }

    fn clock(&self) -> &Clock {
        &self.app.clock
    }

    /// A chat webhook at this path of the sink, for everything that happens.
    async fn webhook(&self, path: &str) -> WebhookId {
        new_webhook(&self.client, "slack", &self.sink.url(path)).await
    }

    async fn happens(&self) -> EventId {
        self.happens_as(EventKind::FindingCreated).await
    }

    async fn happens_as(&self, kind: EventKind) -> EventId {
        happens(&self.app, &self.tenant, kind).await
    }

    /// Delivers all that is due at this moment, and returns the number of messages.
    async fn deliver(&mut self) -> usize {
        let mut sent = 0;
        loop {
            match self.dispatcher.round().await.unwrap() {
                0 => return sent,
                more => sent += more,
            }
        }
    }

    /// Delivers until nothing is left or the time is over, moving the clock from one due moment to the next.
    async fn deliver_until(&mut self, end: i64) {
        let end = Moment::from_millis(end);
        loop {
            self.deliver().await;
            let next = self.dispatcher.next_due().await.unwrap().filter(|next| *next <= end);
            let until = next.unwrap_or(end);
            self.clock().advance(until.millis() - self.clock().now().millis());
            if next.is_none() {
                return;
            }
        }
    }

    async fn log(&self, webhook: WebhookId) -> Vec<DeliveryRow> {
        let page = PageRequest::new(Some(500), None).unwrap();
        self.app.app.messages.deliveries(&self.tenant.caller, webhook, None, page).await.unwrap().items
    }

    async fn shown(&self, webhook: WebhookId) -> Value {
        self.client.get(&format!("/api/v1/webhooks/{webhook}")).await.expect(200).data()
    }
}

async fn new_webhook(client: &Client, channel: &str, url: &str) -> WebhookId {
    let events: Vec<_> = EventKind::WORDS.to_vec();
    let body = json!({ "name": "Lage", "channel": channel, "url": url, "events": events });
    client.post("/api/v1/webhooks", &body).await.expect(201).data()["id"].as_str().unwrap().parse().unwrap()
}

/// Writes an event, as a change of a finding does.
async fn happens(app: &TestApp, tenant: &TestTenant, kind: EventKind) -> EventId {
    let (scope, now) = (*tenant.caller.scope(), app.clock.now());
    let id: EventId = app.app.ids.next(now);
    let finding = json!({ "id": "fnd_x", "reference": "F-2026-0001", "title": "Backups are not tested",
                          "severity": "high", "status": "open" });
    let row = EventRow {
        id,
        kind,
        occurred_at: now,
        subject: "fnd_x".into(),
        dedupe_key: None,
        payload: json!({ "finding": finding }).to_string(),
    };
    app.app
        .db
        .tenant(&scope)
        .write(move |tx| {
            event::insert(tx, &scope, &row)?;
            tx.audit(&Entry {
                at: now,
                actor: "test".into(),
                action: "finding.created".into(),
                subject: "fnd_x".into(),
                detail: "{}".into(),
            })
        })
        .await
        .unwrap();
    id
}

/// The time of each try, in milliseconds since the start.
fn times(delivery: &DeliveryRow) -> Vec<i64> {
    delivery.attempts.iter().map(|attempt| attempt.at.millis() - START).collect()
}

/// The result of each try.
fn outcomes(delivery: &DeliveryRow) -> Vec<String> {
    delivery.attempts.iter().map(|attempt| attempt.class.to_string()).collect()
}
