//! Many events to destinations that fail in every way, with occasional kills: nothing is lost.

use std::collections::{HashMap, HashSet};

use app::{
    delivery::DeliveryRow,
    jobs::delivery::{DeliveryOptions, Dispatcher},
};
use domain::{
    delivery::{AttemptClass, DeliveryState},
    id::WebhookId,
    moment::Moment,
    page::PageRequest,
};
use outbound::retry::SCHEDULE;
use serde_json::json;
use testkit::{Engine, Message, Reply, START};

use super::{Bank, DAY, SECOND, exact, outcomes};
use crate::faults::figure;

/// Every n-th message of each destination gets a bad response.
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

/// What the destinations confirmed: how often each of them received each event. The messages themselves are not kept,
/// so that a hundred thousand events need little memory.
#[derive(Default)]
struct Tally {
    confirmed: HashMap<String, HashMap<String, usize>>,
}

impl Tally {
    fn add(&mut self, messages: &[Message]) {
        for message in messages.iter().filter(|message| message.reply == Reply::Ok) {
            let output = self.confirmed.entry(message.path.clone()).or_default();
            for event in message.events() {
                *output.entry(event).or_default() += 1;
            }
        }
    }
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
    let (mut happened, mut under_way) = (HashSet::new(), HashSet::new());
    let (mut kills, mut tally) = (0, Tally::default());
    for number in 0..events {
        happened.insert(bank.happens().await.to_string());
        if number % 25 != 0 {
            continue;
        }
        bank.clock().advance(2 * SECOND);
        if number % 500 == 0 && number > 0 {
            tally.add(&bank.sink.take());
            let held = bank.dispatcher_is_killed().await;
            kills += 1;
            under_way.extend(held.iter().flat_map(Message::events));
            tally.add(&held);
        } else {
            bank.dispatcher.round().await.unwrap();
        }
        if number % 10_000 == 0 && number > 0 {
            figure(format_args!("{number} of {events} events have happened"));
        }
    }
    bank.deliver_until(START + 4 * DAY).await;
    // With so many, some fail eight times in a row. They are in the log, and are sent again on request.
    let mut given_up = 0;
    for (_, webhook) in &webhooks {
        given_up += bank.replay_what_was_given_up(*webhook).await;
    }
    bank.deliver_until(START + 6 * DAY).await;
    tally.add(&bank.sink.take());

    assert!(kills >= 3);
    assert_eq!(bank.app.app.messages.delivery_queue().await.unwrap().waiting, 0);
    for (path, webhook) in webhooks {
        let confirmed = &tally.confirmed[path];
        let missing = happened.iter().filter(|event| !confirmed.contains_key(*event)).count();
        assert_eq!(missing, 0, "{path} lost events");
        // On a busy machine a response may arrive after the sender's timeout, which the log then shows.
        let unanswered = bank.unanswered(webhook).await;
        let mut twice = confirmed.iter().filter(|(_, times)| **times > 1);
        assert!(
            twice.all(|(event, _)| under_way.contains(event) || unanswered.contains(event)),
            "{path}: a duplicate without a kill"
        );
        assert!(bank.log(webhook).await.iter().all(|delivery| delivery.state == DeliveryState::Delivered));
    }
    figure(format_args!(
        "{events} events to six destinations, {kills} kills: none lost, {given_up} only after eight tries and a replay, \
         duplicates only after a kill"
    ));
}

impl Bank {
    /// Its dispatcher disappears with its claims, after sending and before storing the results; another takes over
    /// when the leases have expired. Returns the messages in flight.
    async fn dispatcher_is_killed(&mut self) -> Vec<Message> {
        self.dispatcher.fan_out().await.unwrap();
        let jobs = self.dispatcher.claim().await.unwrap();
        let sent = self.dispatcher.send(jobs).await.len();
        assert!(sent > 0);
        self.dispatcher = Dispatcher::new(self.app.app.clone(), exact());
        self.clock().advance(300 * SECOND);
        self.sink.take()
    }

    /// The events of this webhook that were sent once or more without an answer in time.
    async fn unanswered(&self, webhook: WebhookId) -> HashSet<String> {
        let mut events = HashSet::new();
        for offset in (0..).step_by(500) {
            let page = PageRequest::new(Some(500), Some(offset)).unwrap();
            let page =
                self.app.app.messages.deliveries(&self.tenant.caller, webhook, None, page).await.unwrap();
            if page.items.is_empty() {
                break;
            }
            let is_unanswered = |delivery: &&DeliveryRow| {
                let mut attempts = delivery.attempts.iter();
                attempts.any(|one| one.class == AttemptClass::Transient && one.status.is_none())
            };
            events.extend(page.items.iter().filter(is_unanswered).map(|delivery| delivery.event.to_string()));
        }
        events
    }

    /// Sends every delivery of this webhook again whose tries are exhausted. Returns their number.
    async fn replay_what_was_given_up(&self, webhook: WebhookId) -> usize {
        let page = PageRequest::new(Some(500), None).unwrap();
        let dead = self
            .app
            .app
            .messages
            .deliveries(&self.tenant.caller, webhook, Some(DeliveryState::Dead), page)
            .await;
        let dead = dead.unwrap().items;
        for delivery in &dead {
            assert_eq!(delivery.attempts.len(), SCHEDULE.len(), "given up early: {:?}", outcomes(delivery));
        }
        let since = json!({ "since": Moment::from_millis(START) });
        let replay = format!("/api/v1/webhooks/{webhook}/deliveries/replay");
        let answer = self.client.post(&replay, &since).await.expect(200).data();
        assert_eq!(answer["deliveries"], json!(dead.len()), "nothing else is missing");
        dead.len()
    }
}
