//! Several nodes over one PostgreSQL: never two messages to one destination at once, never one delivery twice.

use std::{collections::HashMap, time::Duration};

use app::jobs::delivery::{Delivery, DeliveryOptions};
use domain::event::EventKind;
use testkit::{ChatSink, Engine, Reply, TestApp, TestOptions};

use super::{exact, happens, new_webhook, options};

const DESTINATIONS: usize = 20;
const EVENTS: usize = 40;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_share_the_work_and_never_double_it() {
    let sink = ChatSink::start().await;
    let one = TestApp::with(Engine::Postgres, options(&sink)).await;
    let clock = Some(one.clock.clone());
    let other = one.beside(TestOptions { clock, ..options(&sink) }).await;
    let tenant = one.tenant("north").await;
    let client = one.client(&one.key(&tenant, "write").await);
    for number in 0..DESTINATIONS {
        let path = format!("/{number}");
        sink.always(&path, Reply::Slow(Duration::from_millis(4)));
        new_webhook(&client, "slack", &sink.url(&path)).await;
    }
    let fast = || DeliveryOptions {
        pace: Duration::ZERO,
        digest_above: usize::MAX,
        poll: Duration::from_millis(50),
        chat_in_flight: 24,
        ..exact()
    };
    let workers =
        [Delivery::start(one.app.clone(), fast()).unwrap(), Delivery::start(other.clone(), fast()).unwrap()];
    for _ in 0..EVENTS {
        happens(&one, &tenant, EventKind::FindingCreated).await;
    }
    let deadline = tokio::time::Instant::now() + Duration::from_mins(1);
    while sink.count() < DESTINATIONS * EVENTS {
        assert!(tokio::time::Instant::now() < deadline, "{} of {}", sink.count(), DESTINATIONS * EVENTS);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for worker in workers {
        worker.stop().await;
    }
    let mut seen: HashMap<(String, String), usize> = HashMap::new();
    for message in sink.messages() {
        *seen.entry((message.path.clone(), message.events().remove(0))).or_default() += 1;
    }
    assert_eq!(seen.len(), DESTINATIONS * EVENTS);
    assert!(seen.values().all(|times| *times == 1), "something came twice");
    for number in 0..DESTINATIONS {
        assert_eq!(sink.most_at_once(&format!("/{number}")), 1, "two messages at once");
    }
    let sent = |app: &app::App| app.deliveries.read().tries.iter().map(|(_, count)| count).sum::<u64>();
    assert!(sent(&one.app) > 0 && sent(&other) > 0, "{} and {}", sent(&one.app), sent(&other));
}
