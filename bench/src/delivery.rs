//! Delivery measured from outside: from the request that creates a finding to the arrival of its messages.
//!
//! The pace of one message a second for each destination is lifted, and digests are off, so that every delivery is
//! a message of its own. The receiver shares the two cores.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use app::{
    App,
    authz::Caller,
    jobs::delivery::{Delivery, DeliveryOptions, Dispatcher},
};
use domain::{
    event::EventKind,
    permission::Permissions,
    text::Name,
    webhook::{Channel, Events, WebhookDraft},
};
use futures_util::future::join_all;
use serde_json::json;
use store::event::{self, EventRow};
use testkit::Engine;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::{
    filling,
    fixture::{Fixture, Spec, new_key},
    load::{self, Side},
    report::{Report, Target, median},
};

const TENANTS: usize = 5;
const DESTINATIONS: usize = 5_000;
/// Findings of each tenant in one round; each goes to all destinations of its tenant.
const FINDINGS: usize = 4;
const ROUNDS: usize = 3;

fn unpaced() -> DeliveryOptions {
    DeliveryOptions { pace: Duration::ZERO, digest_above: usize::MAX, ..DeliveryOptions::default() }
}

pub(crate) async fn measure(report: &mut Report) {
    let receiver = Receiver::start().await;
    let (fixture, tenants) = subscribed(Engine::Sqlite, &receiver).await;
    from_post_to_arrival(report, Engine::Sqlite, &fixture, &tenants, &receiver).await;
    share_of_the_event(report, &fixture, &tenants[0]).await;
    claims_in_a_long_queue(report, &fixture.app, &tenants).await;
    if std::env::var_os("TIDEWALL_TEST_POSTGRES").is_some() {
        let (fixture, tenants) = subscribed(Engine::Postgres, &receiver).await;
        from_post_to_arrival(report, Engine::Postgres, &fixture, &tenants, &receiver).await;
    }
}

/// From the first request that creates a finding to the arrival of the last message about one.
async fn from_post_to_arrival(
    report: &mut Report,
    engine: Engine,
    fixture: &Fixture,
    tenants: &[Caller],
    receiver: &Receiver,
) {
    let least = match engine {
        Engine::Sqlite => 8000.0,
        Engine::Postgres => 5000.0,
    };
    let mut requests = Vec::new();
    for tenant in tenants {
        requests.push(load::new_finding(&new_key(&fixture.app, tenant, Permissions::all()).await));
    }
    let address = load::serve(fixture.service()).await;
    let clients = Side { connections: TENANTS, times: FINDINGS, ..Side::new(address, requests) };
    let worker = Delivery::start(fixture.app.clone(), unpaced()).unwrap();
    let each = FINDINGS * DESTINATIONS;
    let mut rates = Vec::new();
    for _ in 0..ROUNDS {
        let expected = receiver.count() + each;
        let started = Instant::now();
        clients.drive().await;
        while receiver.count() < expected {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        rates.push(each as f64 / started.elapsed().as_secs_f64());
        assert_eq!(receiver.count(), expected, "something came twice");
    }
    // Stopping stores the last results.
    worker.stop().await;
    assert_eq!(fixture.app.messages.delivery_queue().await.unwrap().waiting, 0);
    let note =
        format!("{DESTINATIONS} destinations of {TENANTS} tenants, {} findings a round", FINDINGS * TENANTS);
    let what = format!("deliveries from POST to arrival, {engine:?}");
    report.add(&what, median(rates), "/s", Target::AtLeast(least), note);
}

/// The cost of storing the event within a request: its statement beside a whole audited change.
async fn share_of_the_event(report: &mut Report, fixture: &Fixture, tenant: &Caller) {
    const MANY: usize = 500;
    let (mut events, mut changes) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let started = Instant::now();
        // Of a tenant without destinations, so that nothing waits afterwards.
        write_events(&fixture.app, &fixture.caller, MANY).await;
        events.push(started.elapsed().as_secs_f64() / MANY as f64);
        let started = Instant::now();
        for _ in 0..50 {
            new_webhook(&fixture.app, tenant, "https://hooks.slack.com/services/T/B/x").await;
        }
        changes.push(started.elapsed().as_secs_f64() / 50.0);
    }
    let (event, change) = (median(events), median(changes));
    let note = format!("{:.0} µs beside {:.0} µs for a durable, audited change", event * 1e6, change * 1e6);
    report.add("an event's share of its request", event / change * 100.0, "%", Target::AtMost(5.0), note);
}

/// Claiming messages from a queue of a hundred thousand beside claiming them from a short one.
async fn claims_in_a_long_queue(report: &mut Report, app: &App, tenants: &[Caller]) {
    write_events(app, &tenants[0], 1).await;
    let short = claim_time(app).await;
    for tenant in tenants {
        // Each event goes to the destinations of its tenant.
        write_events(app, tenant, 100_000 / DESTINATIONS).await;
    }
    Dispatcher::new(app.clone(), unpaced()).fan_out().await.unwrap();
    let waiting = app.messages.delivery_queue().await.unwrap().waiting;
    let long = claim_time(app).await;
    let note = format!("{long:.0} µs a message with {waiting} waiting, {short:.0} µs with few");
    report.add("claiming from a long queue", long / short, "×", Target::AtMost(3.0), note);
}

/// Microseconds to claim one message, in batches of a hundred or so.
async fn claim_time(app: &App) -> f64 {
    let mut dispatcher = Dispatcher::new(app.clone(), unpaced());
    dispatcher.fan_out().await.unwrap();
    let started = Instant::now();
    let claimed = dispatcher.claim().await.unwrap().len();
    started.elapsed().as_secs_f64() * 1e6 / claimed.max(1) as f64
}

/// A store whose tenants share the destinations, made side by side so that they share commits.
async fn subscribed(engine: Engine, receiver: &Receiver) -> (Fixture, Vec<Caller>) {
    let fixture =
        Fixture::with(Spec { engine, dev_destinations: vec![receiver.origin.clone()], ..Spec::default() })
            .await;
    let tenants = filling::tenants(&fixture, TENANTS).await;
    join_all(tenants.iter().enumerate().map(async |(number, tenant)| {
        for webhook in 0..DESTINATIONS / TENANTS {
            new_webhook(&fixture.app, tenant, &format!("{}/{number}/{webhook}", receiver.origin)).await;
        }
    }))
    .await;
    (fixture, tenants)
}

async fn new_webhook(app: &App, caller: &Caller, url: &str) {
    let draft = WebhookDraft {
        name: Name::parse("ICT risk").unwrap(),
        channel: Channel::Slack,
        destination: app.messages.check_destination(Channel::Slack, url).unwrap(),
        events: Events::new(vec![EventKind::FindingCreated]).unwrap(),
    };
    app.messages.create_webhook(caller, draft, None, |_| String::new()).await.unwrap();
}

/// Events as findings raise them, in one transaction.
async fn write_events(app: &App, caller: &Caller, count: usize) {
    let (scope, now) = (*caller.scope(), app.clock.now());
    let finding = json!({
        "id": "fnd_01k9x14js0e00000000000000a", "reference": "F-2026-0042", "severity": "high", "status": "open",
        "title": "Restores of the core banking database are not tested", "due_on": "2026-12-31",
    });
    let payload = json!({ "finding": finding }).to_string();
    let rows: Vec<EventRow> = (0..count)
        .map(|_| EventRow {
            id: app.ids.next(now),
            kind: EventKind::FindingCreated,
            occurred_at: now,
            subject: "fnd_01k9x14js0e00000000000000a".into(),
            dedupe_key: None,
            payload: payload.clone(),
        })
        .collect();
    app.db
        .tenant(&scope)
        .bookkeep(move |tx| rows.iter().try_for_each(|row| event::insert(tx, &scope, row)))
        .await
        .unwrap();
}

/// A destination that confirms at once.
struct Receiver {
    origin: String,
    count: Arc<AtomicUsize>,
}

impl Receiver {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let count = Arc::new(AtomicUsize::new(0));
        let counting = Arc::clone(&count);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(confirm(stream, Arc::clone(&counting)));
            }
        });
        Self { origin, count }
    }

    fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }
}

async fn confirm(mut stream: TcpStream, count: Arc<AtomicUsize>) {
    stream.set_nodelay(true).unwrap();
    let mut buffer = Vec::with_capacity(16 * 1024);
    loop {
        let total = buffer
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .map(|end| end + 4 + length(&buffer[..end]));
        match total.filter(|total| buffer.len() >= *total) {
            Some(total) => {
                buffer.drain(..total);
                count.fetch_add(1, Ordering::AcqRel);
                if stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await.is_err() {
                    return;
                }
            }
            None => {
                if stream.read_buf(&mut buffer).await.unwrap_or(0) == 0 {
                    return;
                }
            }
        }
    }
}

fn length(head: &[u8]) -> usize {
    let head = std::str::from_utf8(head).unwrap();
    let line = head
        .lines()
        .find(|line| line.get(..15).is_some_and(|name| name.eq_ignore_ascii_case("content-length:")));
    line.and_then(|line| line[15..].trim().parse().ok()).unwrap_or(0)
}
