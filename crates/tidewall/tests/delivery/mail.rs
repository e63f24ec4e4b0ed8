//! Mail destinations: the same queue, another medium.

use domain::{delivery::DeliveryState, wording::Language};
use testkit::{ChatSink, Engine, Mailbox, START, TestApp, TestOptions, header};

use super::{Bank, HOUR, exact, new_webhook, options, outcomes};

async fn with_mail(mailbox: &Mailbox) -> Bank {
    let sink = ChatSink::start().await;
    let options = TestOptions { mail: Some(mailbox.settings.clone()), ..options(&sink) };
    let app = TestApp::with(Engine::Sqlite, options).await;
    Bank::over(app, sink, exact()).await
}

#[tokio::test]
async fn a_mail_says_what_happened_in_the_tenants_language() {
    let mut mailbox = Mailbox::start().await;
    let mut bank = with_mail(&mailbox).await;
    let webhook = new_webhook(&bank.client, "email", "mailto:ict@bank.example").await;
    let event = bank.happens().await;
    bank.deliver().await;
    let mail = mailbox.next_mail().await;
    assert_eq!(mail["recipients"][0], "ict@bank.example");
    let text = mail["parts"][0][1].as_str().unwrap();
    assert!(text.contains("F-2026-0001") && text.contains(&event.to_string()), "{text}");
    assert!(text.contains("https://tidewall.bank.example/workspace/findings/fnd_x"), "{text}");
    let delivery = bank.log(webhook).await.remove(0);
    assert_eq!(delivery.state, DeliveryState::Delivered);
    assert!(header(&mail, "message-id").contains(&delivery.id.to_string()));

    bank.app.app.set_language(&bank.tenant.caller, Language::German).await.unwrap();
    bank.clock().advance(2000);
    bank.happens().await;
    bank.deliver().await;
    assert_eq!(header(&mailbox.next_mail().await, "content-language"), "de");
}

#[tokio::test]
async fn a_mailbox_that_is_gone_ends_the_delivery_and_a_greylisting_server_does_not() {
    let mailbox = Mailbox::start().await;
    let mut bank = with_mail(&mailbox).await;
    let gone = new_webhook(&bank.client, "email", "mailto:gone@bank.example").await;
    let greylisted = new_webhook(&bank.client, "email", "mailto:greylisted@bank.example").await;
    bank.happens().await;
    bank.deliver().await;
    assert_eq!(bank.log(gone).await[0].state, DeliveryState::Failed);
    assert_eq!(outcomes(&bank.log(gone).await[0]), ["dead"]);
    assert_eq!(bank.log(greylisted).await[0].state, DeliveryState::Waiting);
}

#[tokio::test]
async fn without_a_mail_server_mails_wait_and_nobody_is_blamed() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = new_webhook(&bank.client, "email", "mailto:ict@bank.example").await;
    bank.happens().await;
    bank.deliver_until(START + HOUR).await;
    let delivery = bank.log(webhook).await.remove(0);
    assert_eq!(delivery.state, DeliveryState::Waiting);
    assert!(delivery.attempts.iter().all(|attempt| attempt.reason == "mail_server"));
    assert_eq!(bank.shown(webhook).await["failing"], false);
}
