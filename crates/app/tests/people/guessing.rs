//! A second factor cannot be guessed, and attackers cannot lock its owner out.

use app::{session::Visitor, sign_in::SignInResult};
use testkit::{Mailbox, TestOptions};

use crate::{Bank, on_both_engines, visitor};

on_both_engines! {
    five_wrong_codes_end_the_sign_in,
    ten_wrong_codes_pause_the_account_wherever_they_come_from,
    a_known_browser_is_not_kept_out,
    the_owner_is_warned_and_the_link_ends_the_pause,
}

/// Each attempt comes from another network.
fn from(number: u8) -> Visitor {
    Visitor { address: std::net::Ipv4Addr::new(203, 0, 113, number).into(), ..visitor() }
}

/// Ten wrong codes, each with its own sign-in and address, and slowly enough not to be throttled.
async fn guess_ten_times(bank: &Bank) {
    for number in 0..10 {
        let token = bank.asked_for_code().await;
        let entry = bank.test.app.access.present_code(&token, "000000", &from(number)).await.unwrap();
        assert!(matches!(entry, SignInResult::Refused), "{number}: {entry:?}");
        bank.pass(16 * 60);
    }
}

async fn five_wrong_codes_end_the_sign_in(bank: Bank) {
    let (secret, _) = bank.with_second_factor().await;
    let token = bank.asked_for_code().await;
    for _ in 0..4 {
        assert!(matches!(bank.present(&token, "000000").await, SignInResult::Refused));
    }
    assert!(matches!(bank.present(&token, "000000").await, SignInResult::Ended));
    assert!(!bank.test.app.access.awaits_code(&token).await.unwrap());
    let late = bank.present(&token, &secret.code_at(bank.now())).await;
    assert!(matches!(late, SignInResult::Refused), "the right code comes too late: {late:?}");
    let refused = bank.audited().await.iter().filter(|action| *action == "user.code_refused").count();
    assert_eq!(refused, 5);
}

async fn ten_wrong_codes_pause_the_account_wherever_they_come_from(bank: Bank) {
    let (secret, _) = bank.with_second_factor().await;
    guess_ten_times(&bank).await;
    let token = bank.asked_for_code().await;
    let right = secret.code_at(bank.now());
    let paused = bank.test.app.access.present_code(&token, &right, &from(99)).await.unwrap();
    let SignInResult::Paused { seconds } = paused else { panic!("{paused:?}") };
    assert!(seconds <= 44 * 60, "{seconds}");
    // Other users are not affected.
    bank.add("ben@north.example", domain::user::Role::Viewer).await;
    bank.sign_in("ben@north.example").await;
    bank.pass(44 * 60);
    let token = bank.asked_for_code().await;
    let entry = bank.present(&token, &secret.code_at(bank.now())).await;
    assert!(matches!(entry, SignInResult::Open(_)), "after the hour: {entry:?}");
}

async fn a_known_browser_is_not_kept_out(bank: Bank) {
    let (secret, _) = bank.with_second_factor().await;
    let token = bank.asked_for_code().await;
    let SignInResult::Open(open) = bank.present(&token, &secret.code_at(bank.now())).await else { panic!() };
    let device = bank.test.app.access.know_device(&open, &visitor()).await.unwrap();
    let own = Visitor { device, ..visitor() };
    assert!(own.device.is_some());
    assert!(bank.test.app.access.know_device(&open, &own).await.unwrap().is_none(), "it is known already");
    guess_ten_times(&bank).await;
    let token = bank.asked_for_code().await;
    assert!(matches!(bank.present(&token, &secret.code_at(bank.now())).await, SignInResult::Paused { .. }));
    let entry = bank.test.app.access.present_code(&token, &secret.code_at(bank.now()), &own).await.unwrap();
    assert!(matches!(entry, SignInResult::Open(_)), "{entry:?}");
    // The token of one browser is useless for another account.
    bank.pass(16 * 60);
    let stranger = Visitor { device: Some(app::token::Token::random()), ..visitor() };
    let token = bank.asked_for_code().await;
    let entry =
        bank.test.app.access.present_code(&token, &secret.code_at(bank.now()), &stranger).await.unwrap();
    assert!(matches!(entry, SignInResult::Paused { .. }), "{entry:?}");
}

async fn the_owner_is_warned_and_the_link_ends_the_pause(bank: Bank) {
    let (secret, _) = bank.with_second_factor().await;
    let mut mailbox = Mailbox::start().await;
    let options = TestOptions {
        mail: Some(mailbox.settings.clone()),
        clock: Some(bank.test.clock.clone()),
        ..TestOptions::default()
    };
    let app = bank.test.beside(options).await;
    for number in 0..10 {
        let token = bank.asked_for_code().await;
        app.access.present_code(&token, "000000", &from(number)).await.unwrap();
        bank.pass(16 * 60);
    }
    let mail = mailbox.next_mail().await;
    let text = mail["parts"][0][1].as_str().unwrap();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("a wrong code five times"), "{text}");
    let (_, rest) = text.split_once("/workspace/link/").unwrap();
    let link = app::token::Token::parse(rest.split_whitespace().next().unwrap()).unwrap();
    let user = app.access.use_link(&link, None, "a stitch in time saves nine", &visitor()).await.unwrap();
    let SignInResult::CodeNeeded(token) = app.access.enter(&user, &visitor()).await.unwrap() else {
        panic!("the second factor is still asked for")
    };
    let entry = app.access.present_code(&token, &secret.code_at(bank.now()), &visitor()).await.unwrap();
    assert!(matches!(entry, SignInResult::Open(_)), "the pause is over: {entry:?}");
}
