//! When tries are made: against destinations that misbehave in every way, over twenty-eight hours.

use app::jobs::delivery::DeliveryOptions;
use domain::delivery::DeliveryState;
use testkit::{Engine, Reply, START};

use super::{Bank, HOUR, MINUTE, SECOND, exact, outcomes, times};

/// The whole schedule: 0 s, 5 s, 1 min, 5 min, 30 min, 2 h, 6 h, 12 h, each after the one before.
fn schedule() -> Vec<i64> {
    let waits = [0, 5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
    waits.iter().scan(0, |at, wait| Some(std::mem::replace(at, *at + wait) + wait)).collect()
}

async fn twenty_eight_hours(engine: Engine) {
    let mut bank = Bank::on(engine).await;
    let retry_after = |value: &str| Reply::Headers(429, format!("retry-after: {value}\r\n"));
    let habits = [
        ("/hang", Reply::Hang),
        ("/reset", Reply::Reset),
        ("/broken", Reply::Status(500)),
        ("/unavailable", Reply::Status(503)),
        ("/drip", Reply::Drip),
        ("/endless", Reply::Endless),
    ];
    let finals = [
        ("/redirect", Reply::Redirect(bank.sink.url("/elsewhere")), "refused"),
        ("/malformed", Reply::Status(400), "our_fault"),
        ("/gone", Reply::Status(404), "dead"),
        ("/teapot", Reply::Status(418), "refused"),
    ];
    let asking = [
        ("/seconds", retry_after("120"), 120 * SECOND),
        ("/fraction", retry_after("7.5"), 7500),
        ("/date", retry_after("Sat, 14 Nov 2026 14:01:30 GMT"), 90 * SECOND),
        ("/hurry", retry_after("1"), 5 * SECOND),
    ];
    let mut webhooks = Vec::new();
    for path in habits.iter().map(|habit| habit.0).chain(finals.iter().map(|habit| habit.0)) {
        webhooks.push((path, bank.webhook(path).await));
    }
    for (path, reply) in
        habits.clone().into_iter().chain(finals.clone().map(|(path, reply, _)| (path, reply)))
    {
        bank.sink.always(path, reply);
    }
    for (path, reply, _) in &asking {
        webhooks.push((*path, bank.webhook(path).await));
        bank.sink.next(path, [reply.clone()]);
    }
    webhooks.push(("/good", bank.webhook("/good").await));
    let event = bank.happens().await;
    bank.deliver_until(START + 28 * HOUR).await;

    for (path, webhook) in webhooks {
        let log = bank.log(webhook).await;
        assert_eq!(log.len(), 1, "{path}");
        let delivery = &log[0];
        assert_eq!(delivery.event, event);
        let arrived = bank.sink.messages_at(path).len();
        assert_eq!(arrived, delivery.attempts.len(), "{path}: every try arrived and is on record");
        if habits.iter().any(|habit| habit.0 == path) {
            assert_eq!((times(delivery), delivery.state), (schedule(), DeliveryState::Dead), "{path}");
            assert_eq!(outcomes(delivery), ["transient"; 8], "{path}");
        } else if let Some((_, _, outcome)) = finals.iter().find(|habit| habit.0 == path) {
            assert_eq!((times(delivery), delivery.state), (vec![0], DeliveryState::Failed), "{path}");
            assert_eq!(outcomes(delivery), [*outcome], "{path}");
        } else if let Some((_, _, wait)) = asking.iter().find(|habit| habit.0 == path) {
            assert_eq!(
                (times(delivery), delivery.state),
                (vec![0, *wait], DeliveryState::Delivered),
                "{path}"
            );
            assert_eq!(delivery.attempts[0].next_attempt_at.unwrap().millis() - START, *wait);
        } else {
            assert_eq!((times(delivery), delivery.state), (vec![0], DeliveryState::Delivered));
        }
    }
    assert_eq!(bank.sink.messages_at("/elsewhere").len(), 0, "a redirect is never followed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tries_are_made_exactly_when_they_are_due_on_sqlite() {
    twenty_eight_hours(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tries_are_made_exactly_when_they_are_due_on_postgres() {
    twenty_eight_hours(Engine::Postgres).await;
}

#[tokio::test]
async fn waits_stray_a_fifth_either_way() {
    let mut bank = Bank::with(Engine::Sqlite, DeliveryOptions::default()).await;
    bank.sink.always("/broken", Reply::Status(500));
    let webhook = bank.webhook("/broken").await;
    bank.happens().await;
    bank.deliver_until(START + 28 * HOUR).await;
    let tries = times(&bank.log(webhook).await[0]);
    assert_eq!(tries.len(), 8);
    for (made, planned) in tries.windows(2).zip(schedule().windows(2)) {
        let (wait, plan) = (made[1] - made[0], planned[1] - planned[0]);
        assert!((plan * 8 / 10..=plan * 12 / 10).contains(&wait), "{wait} instead of {plan}");
    }
}

#[tokio::test]
async fn a_delivery_waiting_for_its_next_try_does_not_hold_back_later_ones() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    bank.sink.next("/a", [Reply::Status(500), Reply::Status(500), Reply::Status(500)]);
    let first = bank.happens().await;
    bank.deliver_until(START + 2 * MINUTE).await;
    let second = bank.happens().await;
    bank.deliver().await;
    let log = bank.log(webhook).await;
    assert_eq!((log[0].event, log[0].state), (second, DeliveryState::Delivered));
    assert_eq!((log[1].event, log[1].state), (first, DeliveryState::Waiting));
    bank.deliver_until(START + HOUR).await;
    assert_eq!(bank.log(webhook).await[1].state, DeliveryState::Delivered);
}

#[tokio::test]
async fn one_message_a_second_for_each_url_whoever_sends_there() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    for _ in 0..2 {
        bank.webhook("/shared").await;
    }
    bank.webhook("/other").await;
    for _ in 0..2 {
        bank.happens().await;
    }
    assert_eq!(bank.deliver().await, 2, "one to each URL at once");
    bank.clock().advance(999);
    assert_eq!(bank.deliver().await, 0);
    bank.clock().advance(1);
    assert_eq!(bank.deliver().await, 2);
    bank.deliver_until(START + MINUTE).await;
    assert_eq!(bank.sink.messages_at("/shared").len(), 4);
    assert_eq!(bank.sink.messages_at("/other").len(), 2);
    assert_eq!(bank.sink.most_at_once("/shared"), 1);
}

#[tokio::test]
async fn a_destination_that_asks_for_peace_gets_it() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    bank.webhook("/busy").await;
    bank.sink.next("/busy", [Reply::Headers(429, "retry-after: 60\r\n".into())]);
    bank.happens().await;
    bank.deliver().await;
    bank.clock().advance(10 * SECOND);
    bank.happens().await;
    assert_eq!(bank.deliver().await, 0, "not even with another message");
    bank.deliver_until(START + 2 * MINUTE).await;
    assert_eq!(bank.sink.messages_at("/busy").len(), 3);
}

#[tokio::test]
async fn messages_start_in_the_order_of_their_events() {
    let mut bank = Bank::with(Engine::Sqlite, DeliveryOptions { digest_above: 1000, ..exact() }).await;
    bank.webhook("/a").await;
    let mut events = Vec::new();
    for _ in 0..20 {
        events.push(bank.happens().await.to_string());
        bank.clock().advance(3);
    }
    bank.deliver_until(START + HOUR).await;
    let arrived: Vec<_> = bank.sink.messages().iter().flat_map(testkit::Message::events).collect();
    assert_eq!(arrived, events);
}
