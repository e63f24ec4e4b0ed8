//! Mail to users: it is in the store before the response, and any running process sends it.

use std::{fs, time::Duration};

use app::{App, link_mail::Forgotten, token::Token};
use domain::{password::Password, user::Role};
use outbound::mail::MailSettings;
use store::sql::Location;
use testkit::{Engine, Intruder, Mailbox, START, TestOptions};

use crate::{Bank, PASSWORD, draft, on_both_engines, visitor};

on_both_engines! {
    an_invitation_outlives_the_process_that_made_it,
    a_letter_goes_with_its_link,
    a_forgotten_password_is_looked_up_later,
    several_nodes_send_a_letter_once,
    asking_again_and_again_makes_one_link_and_voids_none,
    every_change_of_the_account_is_mailed_to_its_owner,
}

/// There is no server.
fn nowhere() -> MailSettings {
    MailSettings {
        url: "smtp://127.0.0.1:1".into(),
        from: "Tidewall <tidewall@bank.example>".into(),
        allow_plain: true,
        timeout: Duration::from_secs(10),
    }
}

/// A process over the bank's store that sends its mail there.
async fn node(bank: &Bank, mail: MailSettings) -> App {
    let clock = Some(bank.test.clock.clone());
    bank.test.beside(TestOptions { mail: Some(mail), clock, ..TestOptions::default() }).await
}

/// The number of mails that match the condition.
fn letters(bank: &Bank, holds: &str) -> u64 {
    let location = &bank.test.scratch.location;
    let mut intruder = Intruder::at(location);
    if matches!(location, Location::Server { .. }) {
        intruder.run("SELECT set_config('tidewall.tenant', '*', false)");
    }
    intruder.count(&format!("UPDATE letters SET tries = tries WHERE {holds}"))
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..400 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("never: {what}");
}

/// Waits until the one mail that matches was tried and put back: before that its sender may still change when it is due.
pub(super) async fn tried_in_vain(bank: &Bank, holds: &str) {
    let soon = bank.test.clock.now().millis() + 10_000;
    let put_back = format!("{holds} AND tries = 1 AND due_at <= {soon}");
    until("it was tried and put back", || letters(bank, &put_back) == 1).await;
}

/// Invites a user while no mail can be sent, and waits until sending has failed.
async fn invited_in_vain(bank: &Bank, app: &App, email: &str) -> Token {
    let anna = bank.signed_in("anna@north.example").await;
    let (_, token) = app.access.invite_user(&anna.caller, draft(email, Role::Viewer)).await.unwrap();
    tried_in_vain(bank, "link IS NOT NULL").await;
    token
}

async fn an_invitation_outlives_the_process_that_made_it(bank: Bank) {
    let before = node(&bank, nowhere()).await;
    let token = invited_in_vain(&bank, &before, "ben@north.example").await;
    drop(before);

    assert_eq!(letters(&bank, &format!("sealed LIKE '%{}%'", token.reveal())), 0);
    for file in fs::read_dir(bank.test.scratch.dir.path()).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap_or_default();
        let clear = bytes.windows(token.reveal().len()).any(|window| window == token.reveal().as_bytes());
        assert!(!clear, "the link lies in the store in clear");
    }

    let mut mailbox = Mailbox::start().await;
    let after = node(&bank, mailbox.settings.clone()).await;
    assert_eq!(after.messages.send_user_mail().await.unwrap(), 0, "not before its time");
    bank.pass(60);
    assert_eq!(after.messages.send_user_mail().await.unwrap(), 1);
    let mail = mailbox.next_mail().await.to_string();
    assert!(mail.contains("ben@north.example") && mail.contains("Your invitation to Tidewall"), "{mail}");
    let address = format!("https://tidewall.bank.example/workspace/link/{}", token.reveal());
    assert!(mail.contains(&address), "{mail}");
    assert!(after.access.link(&token).await.unwrap().is_some());
    assert_eq!((after.messages.send_user_mail().await.unwrap(), letters(&bank, "1 = 1")), (0, 0), "once");
}

async fn a_letter_goes_with_its_link(bank: Bank) {
    let app = node(&bank, nowhere()).await;
    let token = invited_in_vain(&bank, &app, "ben@north.example").await;
    app.access.use_link(&token, None, "a stitch in time saves nine", &visitor()).await.unwrap();
    assert_eq!(letters(&bank, "1 = 1"), 0, "a link that was used needs no mail");

    invited_in_vain(&bank, &app, "cleo@north.example").await;
    bank.pass(7 * 24 * 3600);
    let mailbox = Mailbox::start().await;
    let late = node(&bank, mailbox.settings.clone()).await;
    assert_eq!(late.messages.send_user_mail().await.unwrap(), 0, "a link that has ended is not sent");
    assert_eq!((late.messages.prune_user_mail().await.unwrap(), letters(&bank, "1 = 1")), (1, 0));

    // The command line prints its links; it sends none.
    app.access.invite_user(&bank.tenant.caller, draft("dora@north.example", Role::Viewer)).await.unwrap();
    assert_eq!(letters(&bank, "1 = 1"), 0);
}

async fn a_forgotten_password_is_looked_up_later(bank: Bank) {
    let before = node(&bank, nowhere()).await;
    let ask = async |email: &str| before.messages.forgotten_password(email, visitor().address).await.unwrap();
    assert_eq!(ask("nobody@north.example").await, Forgotten::Noted);
    assert_eq!(ask("not an address").await, Forgotten::Noted);
    until("the unknown address was looked up", || letters(&bank, "1 = 1") == 0).await;
    assert_eq!(ask(" Anna@north.example ").await, Forgotten::Noted);
    tried_in_vain(&bank, "link IS NOT NULL").await;
    until("the asking is done with", || letters(&bank, "1 = 1") == 1).await;
    drop(before);
    bank.pass(15 * 60);
    let mut mailbox = Mailbox::start().await;
    node(&bank, mailbox.settings.clone()).await.messages.send_user_mail().await.unwrap();
    let mail = mailbox.next_mail().await.to_string();
    assert!(mail.contains("anna@north.example") && mail.contains("A new password for Tidewall"), "{mail}");
    assert_eq!(letters(&bank, "1 = 1"), 0);
    assert!(bank.audited().await.contains(&"user.link_issued".to_owned()));
}

/// Any visitor can ask in the name of an account: its owner must still be able to use the first link.
async fn asking_again_and_again_makes_one_link_and_voids_none(bank: Bank) {
    let app = node(&bank, nowhere()).await;
    let (_, by_administrator) =
        app.access.reset_user(&bank.tenant.caller, bank.anna.id, false).await.unwrap();
    let issued = async || {
        let audited = bank.audited().await;
        audited.iter().filter(|action| *action == "user.link_issued").count()
    };
    let before = issued().await;
    for last in 1..=3u8 {
        let address = std::net::Ipv4Addr::new(203, 0, 113, last).into();
        let asked = app.messages.forgotten_password("anna@north.example", address).await.unwrap();
        assert_eq!(asked, Forgotten::Noted);
        until("the asking was looked at", || letters(&bank, "tenant_id IS NULL") == 0).await;
    }
    assert_eq!(issued().await, before + 1, "one link, one entry in the audit log");
    assert_eq!(letters(&bank, "link IS NOT NULL"), 1, "one mail");
    assert!(
        app.access.link(&by_administrator).await.unwrap().is_some(),
        "the administrator's link still works"
    );
    bank.pass(15 * 60);
    let address = std::net::Ipv4Addr::new(203, 0, 113, 9).into();
    app.messages.forgotten_password("anna@north.example", address).await.unwrap();
    until("the asking was looked at", || letters(&bank, "tenant_id IS NULL") == 0).await;
    assert_eq!(issued().await, before + 2, "later there is another");
    assert_eq!(letters(&bank, "link IS NOT NULL"), 2, "the first one still stands");
}

async fn every_change_of_the_account_is_mailed_to_its_owner(bank: Bank) {
    let mut mailbox = Mailbox::start().await;
    let app = node(&bank, mailbox.settings.clone()).await;
    let anna = bank.signed_in("anna@north.example").await;
    let elsewhere = bank.sign_in("anna@north.example").await;
    let secret = app.access.start_second_factor(&anna).await.unwrap();
    app.access.confirm_second_factor(&anna, &secret.code_at(bank.test.clock.now())).await.unwrap();
    let mut mails = vec![mailbox.next_mail().await.to_string()];
    assert!(bank.session(&elsewhere).await.is_none(), "other browsers are signed out");
    app.access.renew_recovery_codes(&anna).await.unwrap();
    mails.push(mailbox.next_mail().await.to_string());
    app.access.remove_second_factor(&anna).await.unwrap();
    mails.push(mailbox.next_mail().await.to_string());
    let current = (Password::presented(PASSWORD), "");
    app.access.change_password(&anna, current, "a stitch in time saves nine", &visitor()).await.unwrap();
    mails.push(mailbox.next_mail().await.to_string());
    let subjects = [
        "Your second factor was set up",
        "Your recovery codes were replaced",
        "Your second factor was switched off",
        "Your password for Tidewall was changed",
    ];
    for (mail, subject) in mails.iter().zip(subjects) {
        assert!(mail.contains(subject) && mail.contains("anna@north.example"), "{subject}: {mail}");
    }
}

async fn several_nodes_send_a_letter_once(bank: Bank) {
    let before = node(&bank, nowhere()).await;
    invited_in_vain(&bank, &before, "ben@north.example").await;
    bank.pass(60);
    let mut mailbox = Mailbox::start().await;
    let (one, other) =
        (node(&bank, mailbox.settings.clone()).await, node(&bank, mailbox.settings.clone()).await);
    let (one, other) = tokio::join!(one.messages.send_user_mail(), other.messages.send_user_mail());
    assert_eq!(one.unwrap() + other.unwrap(), 1);
    mailbox.next_mail().await;
}

/// On one thread nothing else runs between the response and the check. Each case has a bank of its own, because a
/// process that still sends an earlier mail also takes the next one.
#[tokio::test]
async fn what_was_asked_for_is_kept_when_the_answer_is_given() {
    for email in ["anna@north.example", "nobody@north.example"] {
        let bank = Bank::new(Engine::Sqlite).await;
        let app = node(&bank, nowhere()).await;
        app.messages.forgotten_password(email, visitor().address).await.unwrap();
        assert_eq!(letters(&bank, &format!("tenant_id IS NULL AND due_at = {START}")), 1, "{email}");
    }
    let bank = Bank::new(Engine::Sqlite).await;
    let app = node(&bank, nowhere()).await;
    let anna = bank.signed_in("anna@north.example").await;
    app.access.invite_user(&anna.caller, draft("ben@north.example", Role::Viewer)).await.unwrap();
    assert_eq!(letters(&bank, &format!("link IS NOT NULL AND tries = 0 AND due_at = {START}")), 1);
}

#[tokio::test]
async fn an_administrator_tries_whether_mail_arrives() {
    let bank = Bank::new(Engine::Sqlite).await;
    let anna = bank.signed_in("anna@north.example").await;
    let refused = bank.test.app.messages.send_test_mail(&anna).await.unwrap_err();
    assert!(refused.to_string().contains("smtp.url"), "{refused}");
    let mut mailbox = Mailbox::start().await;
    let app = node(&bank, mailbox.settings.clone()).await;
    bank.add("vera@north.example", Role::Viewer).await;
    let vera = bank.signed_in("vera@north.example").await;
    assert!(matches!(app.messages.send_test_mail(&vera).await, Err(app::Error::NotAdministrator)));
    app.messages.send_test_mail(&anna).await.unwrap();
    let mail = mailbox.next_mail().await.to_string();
    assert!(mail.contains("anna@north.example") && mail.contains("A test mail from Tidewall"), "{mail}");
    assert_eq!(bank.audited().await.last().unwrap(), "mail.tested");
}
