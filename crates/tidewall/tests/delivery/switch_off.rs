//! Destinations that are gone or keep failing: the webhook is switched off, its administrators are notified, and
//! missed events are kept.

use domain::delivery::DeliveryState;
use serde_json::json;
use testkit::{ChatSink, Engine, Mailbox, Reply, START, TestApp, TestOptions, header};

use super::{Bank, DAY, HOUR, MINUTE, exact, options};

async fn audited(bank: &Bank) -> Vec<String> {
    let chain = bank.tenant.caller.tenant().to_string();
    let entries = bank.app.app.operations.audit_after(&chain, 0).await.unwrap();
    entries.into_iter().map(|row| row.entry.action).collect()
}

async fn gone_twice(engine: Engine) {
    let mut bank = Bank::on(engine).await;
    let webhook = bank.webhook("/a").await;
    bank.sink.always("/a", Reply::Status(404));
    bank.happens().await;
    bank.deliver().await;
    assert_eq!(bank.shown(webhook).await["active"], true);
    assert_eq!(bank.shown(webhook).await["failing"], true);
    bank.clock().advance(9 * MINUTE);
    bank.happens().await;
    bank.deliver().await;
    assert_eq!(bank.shown(webhook).await["active"], true, "nine minutes are not ten");
    bank.clock().advance(MINUTE);
    bank.happens().await;
    bank.deliver().await;
    let shown = bank.shown(webhook).await;
    assert_eq!((&shown["active"], &shown["failing"]), (&json!(false), &json!(true)));
    assert_eq!(shown["last_delivery"]["outcome"], "dead");
    assert_eq!(audited(&bank).await.iter().filter(|action| *action == "webhook.switched_off").count(), 1);
    assert_eq!(bank.app.app.deliveries.read().switched_off, 1);

    // What happens meanwhile is recorded and not sent.
    let before = bank.sink.count();
    for _ in 0..3 {
        bank.happens().await;
    }
    bank.deliver_until(START + 2 * HOUR).await;
    assert_eq!(bank.sink.count(), before);
    let missed = bank.log(webhook).await.into_iter().filter(|d| d.state == DeliveryState::Skipped).count();
    assert_eq!(missed, 3);

    // Repaired, switched on and replayed: everything arrives, including what failed before.
    bank.sink.always("/a", Reply::Ok);
    let replay = json!({ "since": "2026-11-14T14:00:00Z" });
    let path = format!("/api/v1/webhooks/{webhook}");
    let refused = bank.client.post(&format!("{path}/deliveries/replay"), &replay).await.expect(422);
    assert!(refused.error().contains("active"), "{refused}");
    bank.client.patch(&path, &json!({ "active": true })).await.expect(200);
    assert_eq!(bank.shown(webhook).await["failing"], false);
    let replayed = bank.client.post(&format!("{path}/deliveries/replay"), &replay).await.expect(200);
    assert_eq!(replayed.data()["deliveries"], 6);
    bank.deliver_until(START + 3 * HOUR).await;
    assert!(bank.log(webhook).await.iter().all(|delivery| delivery.state == DeliveryState::Delivered));
}

#[tokio::test]
async fn gone_twice_ten_minutes_apart_on_sqlite() {
    gone_twice(Engine::Sqlite).await;
}

#[tokio::test]
async fn gone_twice_ten_minutes_apart_on_postgres() {
    gone_twice(Engine::Postgres).await;
}

#[tokio::test]
async fn five_days_of_nothing_but_failure() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    bank.sink.always("/a", Reply::Status(500));
    for day in 0..5 {
        bank.happens().await;
        bank.deliver_until(START + (day + 1) * DAY).await;
        assert_eq!(bank.shown(webhook).await["active"], true, "day {day}");
    }
    bank.happens().await;
    bank.deliver().await;
    assert_eq!(bank.shown(webhook).await["active"], false);
    let waiting = bank.log(webhook).await.into_iter().filter(|d| d.state == DeliveryState::Waiting).count();
    assert_eq!(waiting, 0, "nothing waits for a webhook that is off");
}

#[tokio::test]
async fn one_success_is_enough_to_stay_on() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    bank.sink.next("/a", [Reply::Status(404), Reply::Ok, Reply::Status(404)]);
    for _ in 0..3 {
        bank.happens().await;
        bank.deliver().await;
        bank.clock().advance(HOUR);
    }
    let shown = bank.shown(webhook).await;
    assert_eq!((&shown["active"], &shown["failing"]), (&json!(true), &json!(true)));
}

#[tokio::test]
async fn our_own_mistakes_are_never_blamed_on_the_webhook() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    bank.sink.always("/a", Reply::Status(400));
    for _ in 0..7 {
        bank.happens().await;
        bank.deliver().await;
        bank.clock().advance(DAY);
    }
    let shown = bank.shown(webhook).await;
    assert_eq!((&shown["active"], &shown["failing"]), (&json!(true), &json!(false)));
    assert_eq!(shown["last_delivery"]["outcome"], "our_fault");
}

#[tokio::test]
async fn a_webhook_its_tenant_switched_off_misses_nothing_it_asked_for() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    bank.sink.always("/a", Reply::Status(500));
    bank.happens().await;
    bank.deliver().await;
    bank.client.patch(&format!("/api/v1/webhooks/{webhook}"), &json!({ "active": false })).await.expect(200);
    bank.happens().await;
    bank.deliver_until(START + 28 * HOUR).await;
    let log = bank.log(webhook).await;
    assert_eq!(log.len(), 1, "what came later was not asked for");
    assert_eq!((log[0].state, log[0].attempts.len()), (DeliveryState::Skipped, 1));
}

#[tokio::test]
async fn a_new_url_takes_what_waits_along() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/old").await;
    bank.sink.always("/old", Reply::Status(500));
    let event = bank.happens().await;
    bank.deliver().await;
    let url = bank.sink.url("/new");
    bank.client.patch(&format!("/api/v1/webhooks/{webhook}"), &json!({ "url": url })).await.expect(200);
    assert_eq!(bank.shown(webhook).await["failing"], false, "the new destination has done nothing yet");
    bank.deliver_until(START + MINUTE).await;
    assert_eq!(bank.sink.messages_at("/old").len(), 1);
    assert_eq!(bank.sink.messages_at("/new")[0].events(), [event.to_string()]);
}

#[tokio::test]
async fn a_deleted_webhook_leaves_nothing_behind_that_would_be_sent() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook("/a").await;
    bank.sink.always("/a", Reply::Status(500));
    bank.happens().await;
    bank.deliver().await;
    bank.client.delete(&format!("/api/v1/webhooks/{webhook}")).await.expect(204);
    bank.deliver_until(START + 28 * HOUR).await;
    assert_eq!(bank.sink.count(), 1);
    assert_eq!(bank.app.app.messages.delivery_queue().await.unwrap().waiting, 0);
}

#[tokio::test]
async fn administrators_are_notified_by_mail() {
    let (sink, mut mailbox) = (ChatSink::start().await, Mailbox::start().await);
    let options = TestOptions { mail: Some(mailbox.settings.clone()), ..options(&sink) };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let mut bank = Bank::over(app, sink, exact()).await;
    for (email, role) in [("ada@bank.example", "administrator"), ("max@bank.example", "manager")] {
        let draft = app::user::UserDraft {
            email: email.parse().unwrap(),
            name: domain::text::Name::parse("Somebody").unwrap(),
            role: role.parse().unwrap(),
        };
        let owner = domain::password::Owner { email: &draft.email, names: &[] };
        let password = app::user::chosen_password("password", "correct horse battery staple", &owner);
        bank.app.app.people.create_user(&bank.tenant.caller, draft, password.unwrap()).await.unwrap();
    }
    let webhook = bank.webhook("/a").await;
    bank.sink.always("/a", Reply::Status(410));
    for _ in 0..2 {
        bank.happens().await;
        bank.deliver().await;
        bank.clock().advance(10 * MINUTE);
    }
    let mail = mailbox.next_mail().await;
    assert_eq!(mail["recipients"], json!(["ada@bank.example"]));
    assert!(header(&mail, "subject").contains("Lage"), "{mail}");
    let text = mail["parts"][0][1].as_str().unwrap();
    assert!(text.contains(&format!("/workspace/webhooks/{webhook}")), "{text}");
}
