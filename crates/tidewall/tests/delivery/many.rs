//! Many events to destinations that fail in every way, and a kill now and then: nothing is lost.

use std::collections::{HashMap, HashSet};

use app::jobs::delivery::{DeliveryOptions, Dispatcher};
use domain::delivery::DeliveryState;
use testkit::{Engine, Reply, START};

use super::{Bank, DAY, SECOND, exact};

/// Every n-th message of each destination is answered badly.
fn habits() -> Vec<(&'static str, Vec<Reply>)> {
    let retry_after = Reply::Headers(429, "retry-after: 3\r\n".into());
    vec![
        ("/good", vec![]),
        ("/broken", vec![Reply::Status(500), Reply::Ok]),
        ("/busy", vec![retry_after, Reply::Ok, Reply::Ok]),
        ("/reset", vec![Reply::Ok, Reply::Reset]),
        ("/hang", vec![Reply::Hang, Reply::Ok, Reply::Ok, Reply::Ok, Reply::Ok, Reply::Ok]),
        ("/endless", vec![Reply::Endless, Reply::Ok, Reply::Ok, Reply::Ok, Reply::Ok]),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_and_only_a_kill_makes_duplicates() {
    let full = std::env::var("TIDEWALL_TEST_SIZE").is_ok_and(|size| size == "full");
    let events = if full { 100_000 } else { 2_000 };
    let mut bank = Bank::with(Engine::Sqlite, DeliveryOptions { chat_in_flight: 16, ..exact() }).await;
    let mut webhooks = Vec::new();
    for (path, replies) in habits() {
        webhooks.push((path, bank.webhook(path).await));
        for _ in 0..events / 20 {
            bank.sink.next(path, replies.clone());
        }
    }
    let mut happened = HashSet::new();
    let (mut kills, mut under_way) = (0, HashSet::new());
    for number in 0..events {
        happened.insert(bank.happens().await.to_string());
        if number % 25 != 0 {
            continue;
        }
        bank.clock().advance(2 * SECOND);
        if number % 500 == 0 && number > 0 {
            // Claimed by a process that disappears with what it holds.
            bank.dispatcher.fan_out().await.unwrap();
            let before = bank.sink.messages().len();
            let jobs = bank.dispatcher.claim().await.unwrap();
            kills += 1;
            let sent = bank.dispatcher.send(jobs).await.len();
            under_way.extend(bank.sink.messages()[before..].iter().flat_map(testkit::Message::events));
            assert!(sent > 0);
            bank.dispatcher = Dispatcher::new(bank.app.app.clone(), exact());
            // Its destinations are free again when its leases have run out.
            bank.clock().advance(300 * SECOND);
        } else {
            bank.dispatcher.round().await.unwrap();
        }
    }
    bank.deliver_until(START + 4 * DAY).await;

    assert!(kills >= 3);
    for (path, webhook) in webhooks {
        let waiting = bank.app.app.delivery_queue().await.unwrap().waiting;
        assert_eq!(waiting, 0, "{path}");
        let mut confirmed: HashMap<String, usize> = HashMap::new();
        for message in bank.sink.messages_at(path).iter().filter(|message| message.reply == Reply::Ok) {
            for event in message.events() {
                *confirmed.entry(event).or_default() += 1;
            }
        }
        let missing = happened.iter().filter(|event| !confirmed.contains_key(*event)).count();
        assert_eq!(missing, 0, "{path} lost events");
        let twice: Vec<_> =
            confirmed.iter().filter(|(_, times)| **times > 1).map(|(event, _)| event).collect();
        assert!(twice.iter().all(|event| under_way.contains(*event)), "{path}: a duplicate without a kill");
        assert!(bank.log(webhook).await.iter().all(|delivery| delivery.state == DeliveryState::Delivered));
    }
    println!("{events} events to six destinations, {kills} kills: none lost, duplicates only after a kill");
}
