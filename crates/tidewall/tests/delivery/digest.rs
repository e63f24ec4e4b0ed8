//! Bursts: more than five of one kind waiting for one webhook become one message.

use domain::{delivery::DeliveryState, event::EventKind};
use testkit::{Engine, Reply, START};

use super::{Bank, MINUTE, outcomes};

#[tokio::test]
async fn five_come_one_by_one_and_six_as_one() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    for _ in 0..5 {
        bank.happens().await;
    }
    bank.deliver_until(START + MINUTE).await;
    assert_eq!(bank.sink.count(), 5);
    bank.sink.forget();
    let mut events = Vec::new();
    for _ in 0..6 {
        events.push(bank.happens().await.to_string());
    }
    bank.deliver_until(START + 2 * MINUTE).await;
    let messages = bank.sink.messages();
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].events(), events, "the digest names every event");
    let log = bank.log(webhook).await;
    assert_eq!(log.len(), 11);
    assert!(log.iter().all(|delivery| delivery.state == DeliveryState::Delivered));
    assert_eq!(bank.app.app.deliveries.read().digests, 1);
}

#[tokio::test]
async fn kinds_are_not_mixed_and_a_long_burst_takes_several() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    bank.webhook("/a").await;
    for number in 0..45 {
        let kind = if number == 0 { EventKind::DeadlineApproaching } else { EventKind::FindingCreated };
        bank.happens_as(kind).await;
    }
    bank.deliver_until(START + MINUTE).await;
    let sizes: Vec<_> = bank.sink.messages().iter().map(|message| message.events().len()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 45);
    assert_eq!(sizes[0], 1, "the deadline came first and alone");
    assert!(sizes.len() <= 4 + 3, "{sizes:?}");
}

#[tokio::test]
async fn a_digest_that_fails_comes_back_as_one() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    bank.sink.next("/a", [Reply::Status(503)]);
    for _ in 0..8 {
        bank.happens().await;
    }
    bank.deliver_until(START + MINUTE).await;
    let messages = bank.sink.messages();
    assert_eq!(messages.iter().map(|message| message.events().len()).collect::<Vec<_>>(), [8, 8]);
    assert_eq!(messages[0].events(), messages[1].events());
    for delivery in bank.log(webhook).await {
        assert_eq!(outcomes(&delivery), ["transient", "delivered"]);
    }
}
