//! Mail destinations: the same queue, another medium.

use std::net::Ipv4Addr;

use app::{authz::Caller, quota::Quotas, token::Token, user::UserDraft};
use domain::{delivery::DeliveryState, password::Password, text::Name, user::Role, wording::Language};
use serde_json::json;
use testkit::{ChatSink, Engine, Mailbox, START, TestApp, TestOptions, TestTenant, header};

use super::{Bank, HOUR, exact, new_webhook, options, outcomes};

async fn with_mail(mailbox: &Mailbox) -> Bank {
    let sink = ChatSink::start().await;
    let options = TestOptions { mail: Some(mailbox.settings.clone()), ..options(&sink) };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let bank = Bank::over(app, sink, exact()).await;
    own_domain(&bank).await;
    bank
}

/// Makes the addresses of these tests the bank's own.
async fn own_domain(bank: &Bank) {
    let domains = domain::mail_domain::MailDomains::parse("bank.example").unwrap();
    bank.app.app.messages.set_mail_domains(&bank.tenant.caller, Some(domains)).await.unwrap();
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

    bank.app.app.people.set_language(&bank.tenant.caller, Language::German).await.unwrap();
    bank.clock().advance(2000);
    bank.happens().await;
    bank.deliver().await;
    assert_eq!(header(&mailbox.next_mail().await, "content-language"), "de");
}

/// The text of the mail about the deadline of this record. Messages to one address keep their distance.
async fn deadline(bank: &mut Bank, mailbox: &mut Mailbox, title: &str) -> String {
    loop {
        bank.clock().advance(2000);
        bank.deliver().await;
        let mail = mailbox.next_mail().await;
        let text = mail["parts"][0][1].as_str().unwrap();
        if text.contains("deadline.approaching") && text.contains(title) {
            return text.to_owned();
        }
    }
}

/// What is left counts, not how early the message is sent; who has to act and under which rule book stand with it.
#[tokio::test]
async fn a_mail_of_a_deadline_says_what_is_left_whose_it_is_and_under_which_rule_book() {
    let mut mailbox = Mailbox::start().await;
    let mut bank = with_mail(&mailbox).await;
    let finding = json!({ "title": "Console open", "severity": "high", "owner": "Mia Manager", "due_on": "2026-11-17" });
    bank.client.post("/api/v1/findings", &finding).await.expect(201);
    new_webhook(&bank.client, "email", "mailto:ict@bank.example").await;
    bank.app.app.raise_deadlines().await.unwrap();
    let text = deadline(&mut bank, &mut mailbox, "Console open").await;
    assert!(text.contains("Due in 3 days") && text.contains("Mia Manager"), "{text}");
    assert!(!text.contains("7 days"), "the lead time is not what is left: {text}");

    let report = json!({
        "kind": "severe_incident", "product": { "name": "App" }, "title": "Leak", "severity": "high",
        "aware_at": "2026-11-14T13:00:00Z", "owner": "Mia Manager",
    });
    bank.client.post("/api/v1/cra/reports", &report).await.expect(201);
    bank.clock().advance(12 * HOUR);
    bank.app.app.raise_deadlines().await.unwrap();
    let text = deadline(&mut bank, &mut mailbox, "Leak").await;
    assert!(text.contains("Due in 11 hours") && text.contains("Mia Manager"), "{text}");
    assert!(text.contains("CRA") && text.contains("Early warning"), "{text}");
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
    own_domain(&bank).await;
    let webhook = new_webhook(&bank.client, "email", "mailto:ict@bank.example").await;
    bank.happens().await;
    bank.deliver_until(START + HOUR).await;
    let delivery = bank.log(webhook).await.remove(0);
    assert_eq!(delivery.state, DeliveryState::Waiting);
    assert!(delivery.attempts.iter().all(|attempt| attempt.reason == "mail_server"));
    assert_eq!(bank.shown(webhook).await["failing"], false);
}

/// The path of the link in the next mail, which asks the owner of this address.
async fn asked(mailbox: &mut Mailbox, address: &str) -> Token {
    let mail = mailbox.next_mail().await;
    assert_eq!(mail["recipients"][0], address, "{mail}");
    let text = mail["parts"][0][1].as_str().unwrap();
    let (_, rest) = text.split_once("/mail-address/").unwrap_or_else(|| panic!("no link: {text}"));
    Token::parse(rest.split_whitespace().next().unwrap()).unwrap()
}

#[tokio::test]
async fn nothing_but_the_question_goes_to_an_outside_address_until_its_owner_agrees() {
    let mut mailbox = Mailbox::start().await;
    let mut bank = with_mail(&mailbox).await;
    let webhook = new_webhook(&bank.client, "email", "mailto:Press@outside.example").await;
    let shown = bank.shown(webhook).await;
    assert_eq!((&shown["active"], &shown["confirmed"]), (&true.into(), &false.into()));
    let token = asked(&mut mailbox, "press@outside.example").await;
    bank.happens().await;
    assert_eq!(bank.deliver().await, 0);
    assert_eq!(bank.log(webhook).await[0].state, DeliveryState::Skipped);
    let test = bank.client.post(&format!("/api/v1/webhooks/{webhook}/test"), &serde_json::json!({})).await;
    let refused = test.expect(422).json();
    assert!(refused["details"]["url"][0].as_str().unwrap().contains("has to confirm"), "{refused}");

    assert!(bank.app.app.messages.confirm_address(&token).await.unwrap());
    assert_eq!(bank.shown(webhook).await["confirmed"], true);
    bank.happens().await;
    bank.deliver().await;
    let mail = mailbox.next_mail().await;
    assert!(mail.to_string().contains("F-2026-0001"), "{mail}");
    // The consent holds for the address, and another address is asked again.
    let second = new_webhook(&bank.client, "email", "mailto:press@outside.example").await;
    assert_eq!(bank.shown(second).await["confirmed"], true);
    let other = serde_json::json!({ "url": "mailto:other@outside.example" });
    let changed = bank.client.patch(&format!("/api/v1/webhooks/{second}"), &other).await.expect(200).data();
    assert_eq!(changed["confirmed"], false);
    asked(&mut mailbox, "other@outside.example").await;
}

#[tokio::test]
async fn the_owner_of_an_address_is_asked_once_an_hour_however_many_webhooks_name_it() {
    let mut mailbox = Mailbox::start().await;
    let bank = with_mail(&mailbox).await;
    for _ in 0..10 {
        new_webhook(&bank.client, "email", "mailto:press@outside.example").await;
    }
    new_webhook(&bank.client, "email", "mailto:last@outside.example").await;
    let mut asked = vec![mailbox.next_mail().await, mailbox.next_mail().await];
    asked.sort_by_key(|mail| mail["recipients"][0].to_string());
    assert_eq!(asked[0]["recipients"][0], "last@outside.example", "{asked:?}");
    assert_eq!(asked[1]["recipients"][0], "press@outside.example", "{asked:?}");
}

async fn invite(app: &TestApp, tenant: &TestTenant, number: usize) {
    let draft = UserDraft {
        email: format!("u{number}@bank.example").parse().unwrap(),
        name: Name::parse("Uma").unwrap(),
        role: Role::Viewer,
    };
    app.app.access.invite_user(&Caller::system(tenant.caller.tenant()), draft).await.unwrap();
}

#[tokio::test]
async fn all_mail_of_an_institution_counts_against_one_quota() {
    let mut mailbox = Mailbox::start().await;
    let sink = ChatSink::start().await;
    let quotas = Quotas { mails_per_hour: Some(3), ..Quotas::default() };
    let options = TestOptions { mail: Some(mailbox.settings.clone()), quotas, ..options(&sink) };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let mut bank = Bank::over(app, sink, exact()).await;
    own_domain(&bank).await;
    new_webhook(&bank.client, "email", "mailto:ict@bank.example").await;
    invite(&bank.app, &bank.tenant, 1).await;
    assert_eq!(mailbox.next_mail().await["recipients"][0], "u1@bank.example");
    bank.happens().await;
    bank.deliver().await;
    assert_eq!(mailbox.next_mail().await["recipients"][0], "ict@bank.example");
    invite(&bank.app, &bank.tenant, 2).await;
    assert_eq!(mailbox.next_mail().await["recipients"][0], "u2@bank.example");
    // The fourth and fifth of the hour wait, whatever they are; those of another institution
    // do not.
    invite(&bank.app, &bank.tenant, 3).await;
    bank.clock().advance(2000);
    bank.happens().await;
    bank.deliver().await;
    // Nor does mail to the owner of an account about its safety.
    let draft = UserDraft {
        email: "anna@bank.example".parse().unwrap(),
        name: Name::parse("Anna").unwrap(),
        role: Role::Viewer,
    };
    let password = Password::presented("the north wind doth blow");
    bank.app.app.people.create_user(&bank.tenant.caller, draft, password).await.unwrap();
    bank.app.app.messages.forgotten_password("anna@bank.example", Ipv4Addr::LOCALHOST.into()).await.unwrap();
    assert_eq!(mailbox.next_mail().await["recipients"][0], "anna@bank.example");
    let south = bank.app.tenant("south").await;
    invite(&bank.app, &south, 9).await;
    assert_eq!(mailbox.next_mail().await["recipients"][0], "u9@bank.example", "the others wait");
    bank.clock().advance(HOUR);
    bank.app.app.messages.send_user_mail().await.unwrap();
    assert_eq!(next_besides(&mut mailbox, "u9@bank.example").await, "u3@bank.example");
    bank.deliver().await;
    assert_eq!(next_besides(&mut mailbox, "u9@bank.example").await, "ict@bank.example");
}

/// The recipient of the next mail. One that arrived just before the clock moved may come again, because its result was
/// not stored yet.
async fn next_besides(mailbox: &mut Mailbox, again: &str) -> String {
    loop {
        let recipient = mailbox.next_mail().await["recipients"][0].as_str().unwrap().to_owned();
        if recipient != again {
            return recipient;
        }
    }
}
