//! A worker that disappears at any step: nothing is lost, and repetitions have the same id.

use std::time::Duration;

use app::jobs::delivery::{Delivery, Dispatcher};
use domain::delivery::DeliveryState;
use store::Db;
use testkit::{Engine, Reply};

use super::{Bank, exact, outcomes};

const LEASE: i64 = 60_000;

async fn killed_between_claim_and_send(engine: Engine) {
    let mut bank = Bank::on(engine).await;
    let webhook = bank.webhook("/a").await;
    let event = bank.happens().await;
    bank.dispatcher.fan_out().await.unwrap();
    assert_eq!(bank.dispatcher.claim().await.unwrap().len(), 1);
    let taken = bank.log(webhook).await.remove(0);
    assert_eq!(taken.state, DeliveryState::Sending);

    // The next process knows nothing of the first.
    bank.dispatcher = Dispatcher::new(bank.app.app.clone(), exact());
    bank.clock().advance(LEASE - 1);
    assert_eq!(bank.deliver().await, 0, "the lease still holds");
    bank.clock().advance(1);
    assert_eq!(bank.deliver().await, 1);
    let messages = bank.sink.messages();
    assert_eq!(messages[0].events(), [event.to_string()]);
    let log = bank.log(webhook).await;
    assert_eq!((log.len(), log[0].id, log[0].state), (1, taken.id, DeliveryState::Delivered));
    assert_eq!(outcomes(&log[0]), ["interrupted", "delivered"]);
    assert_eq!(bank.shown(webhook).await["failing"], false, "not the destination's fault");
    assert_eq!(bank.app.app.deliveries.read().recovered, 1);
}

#[tokio::test]
async fn killed_between_claim_and_send_on_sqlite() {
    killed_between_claim_and_send(Engine::Sqlite).await;
}

#[tokio::test]
async fn killed_between_claim_and_send_on_postgres() {
    killed_between_claim_and_send(Engine::Postgres).await;
}

#[tokio::test]
async fn killed_while_the_destination_thinks() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    bank.sink.next("/a", [Reply::Slow(Duration::from_mins(1))]);
    let event = bank.happens().await;
    // Its round is dropped while it waits for the response, so that nothing of it can be stored.
    let mut doomed = Dispatcher::new(bank.app.app.clone(), exact());
    let round = tokio::spawn(async move { doomed.round().await });
    while bank.sink.count() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    round.abort();
    assert!(round.await.unwrap_err().is_cancelled());
    bank.clock().advance(LEASE);
    assert_eq!(bank.deliver().await, 1);
    let messages = bank.sink.messages();
    let twice = vec![event.to_string()];
    assert_eq!([messages[0].events(), messages[1].events()], [twice.clone(), twice]);
    let log = bank.log(webhook).await;
    assert_eq!((log.len(), log[0].state), (1, DeliveryState::Delivered));
    assert_eq!(outcomes(&log[0]), ["interrupted", "delivered"]);
}

#[tokio::test]
async fn a_worker_thought_dead_cannot_overwrite_what_happened_since() {
    let bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    bank.sink.next("/a", [Reply::Status(500)]);
    bank.happens().await;
    let mut late = Dispatcher::new(bank.app.app.clone(), exact());
    late.fan_out().await.unwrap();
    let jobs = late.claim().await.unwrap();
    // It stalls for longer than its lease; another worker delivers meanwhile.
    bank.clock().advance(LEASE);
    bank.sink.forget();
    let mut other = Dispatcher::new(bank.app.app.clone(), exact());
    assert_eq!(other.round().await.unwrap(), 1);
    let sent = late.send(jobs).await;
    late.write_down(sent).await.unwrap();
    let log = bank.log(webhook).await;
    assert_eq!(outcomes(&log[0]), ["interrupted", "transient"], "only the holder of the lease wrote");
    assert_eq!(bank.app.app.deliveries.read().stale, 1);
}

#[tokio::test]
async fn events_wait_for_a_worker_that_comes_later() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    bank.webhook("/a").await;
    let event = bank.happens().await;
    // The store is opened anew, as after a restart.
    let again = Db::open(&bank.app.scratch.location).await.unwrap();
    assert!(again.platform().read(|r| store::outbox::fresh(r, 10)).await.unwrap().len() == 1);
    bank.deliver().await;
    assert_eq!(bank.sink.messages()[0].events(), [event.to_string()]);
}

#[tokio::test]
async fn an_event_nobody_can_read_is_given_up_after_its_tries_and_holds_up_nothing() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    let (scope, now) = (*bank.tenant.caller.scope(), bank.clock().now());
    let broken = store::event::EventRow {
        id: bank.app.app.ids.next(now),
        kind: domain::event::EventKind::FindingCreated,
        occurred_at: now,
        subject: "fnd_x".into(),
        dedupe_key: None,
        payload: "no json".into(),
    };
    bank.app
        .app
        .db
        .tenant(&scope)
        .bookkeep(move |tx| store::event::insert(tx, &scope, &broken))
        .await
        .unwrap();
    bank.deliver().await;
    let good = bank.happens().await;
    bank.deliver_until(testkit::START + 28 * super::HOUR).await;
    let log = bank.log(webhook).await;
    assert_eq!((log[0].event, log[0].state), (good, DeliveryState::Delivered));
    assert_eq!((log[1].state, log[1].attempts.len()), (DeliveryState::Dead, 8));
    assert_eq!(outcomes(&log[1]), ["our_fault"; 8]);
    assert_eq!(bank.sink.count(), 1);
    assert_eq!(bank.shown(webhook).await["failing"], false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_is_asked_to_stop_writes_down_what_is_under_way() {
    let bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    bank.sink.next("/a", [Reply::Slow(Duration::from_millis(150))]);
    let worker = Delivery::start(bank.app.app.clone(), exact()).unwrap();
    bank.happens().await;
    while bank.sink.count() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    worker.stop().await;
    let log = bank.log(webhook).await;
    assert_eq!((log[0].state, outcomes(&log[0])), (DeliveryState::Delivered, vec!["delivered".to_owned()]));
    bank.happens().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(bank.sink.count(), 1, "it has stopped");
}
