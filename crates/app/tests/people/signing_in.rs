//! Passwords and sessions.

use app::{sign_in::SignInResult, token::Token};
use domain::{permission::Permission, user::Role};

use crate::{Bank, PASSWORD, on_both_engines};

on_both_engines! {
    opens_a_session_for_the_right_password_only,
    a_session_ends_when_it_is_idle,
    a_session_ends_after_half_a_day_however_busy,
    signing_out_ends_one_session,
    signing_out_elsewhere_ends_all_others,
    a_closed_account_is_out_at_once,
    guesses_are_slowed_down_and_never_locked_out,
}

async fn opens_a_session_for_the_right_password_only(bank: Bank) {
    for (email, password) in [
        ("anna@north.example", "the south wind doth blow"),
        ("nobody@north.example", PASSWORD),
        ("not an address", PASSWORD),
        ("", ""),
    ] {
        assert!(matches!(bank.try_sign_in(email, password).await, SignInResult::Refused), "{email}");
    }
    let token = bank.sign_in(" Anna@North.example").await;
    let session = bank.session(&token).await.unwrap();
    assert_eq!(session.user.id, bank.anna.id);
    assert_eq!(session.tenant_name.as_str(), "Bank north");
    assert!(session.caller.may(Permission::ManageKeys) && session.caller.may_administer());
    assert!(bank.session(&Token::random()).await.is_none());
    assert_eq!(bank.audited().await, ["user.created", "user.signed_in"]);
    let [row] = &bank.test.app.access.sessions(&session).await.unwrap()[..] else { panic!("one session") };
    assert_eq!((row.address.as_str(), row.agent.as_str()), ("198.51.100.7", "Browser of a test"));
}

async fn a_session_ends_when_it_is_idle(bank: Bank) {
    let token = bank.sign_in("anna@north.example").await;
    for _ in 0..3 {
        bank.pass(29 * 60);
        assert!(bank.session(&token).await.is_some(), "use keeps it alive");
    }
    bank.pass(30 * 60);
    assert!(bank.session(&token).await.is_none());
    assert_eq!(bank.test.app.access.prune_sessions().await.unwrap(), 1);
}

async fn a_session_ends_after_half_a_day_however_busy(bank: Bank) {
    let token = bank.sign_in("anna@north.example").await;
    for _ in 0..(12 * 60 / 20 - 1) {
        bank.pass(20 * 60);
        assert!(bank.session(&token).await.is_some());
    }
    bank.pass(20 * 60);
    assert!(bank.session(&token).await.is_none());
}

async fn signing_out_ends_one_session(bank: Bank) {
    let (here, there) = (bank.sign_in("anna@north.example").await, bank.sign_in("anna@north.example").await);
    let session = bank.session(&here).await.unwrap();
    bank.test.app.access.sign_out(&session).await.unwrap();
    assert!(bank.session(&here).await.is_none());
    assert!(bank.session(&there).await.is_some());
    bank.test.app.access.sign_out(&session).await.unwrap();
}

async fn signing_out_elsewhere_ends_all_others(bank: Bank) {
    bank.add("ben@north.example", Role::Viewer).await;
    let ben = bank.sign_in("ben@north.example").await;
    let (here, there) = (bank.sign_in("anna@north.example").await, bank.sign_in("anna@north.example").await);
    let session = bank.session(&here).await.unwrap();
    assert_eq!(bank.test.app.access.sign_out_elsewhere(&session).await.unwrap(), 1);
    assert!(bank.session(&there).await.is_none());
    assert!(bank.session(&here).await.is_some() && bank.session(&ben).await.is_some());
    let bens = bank.session(&ben).await.unwrap();
    let foreign = bank.test.app.access.end_session(&session, bens.id).await;
    assert!(matches!(foreign, Err(app::Error::NotFound)), "{foreign:?}");
}

async fn a_closed_account_is_out_at_once(bank: Bank) {
    let ben = bank.add("ben@north.example", Role::Manager).await;
    let token = bank.sign_in("ben@north.example").await;
    let closed = app::user::UserPatch { active: Some(false), ..Default::default() };
    bank.test.app.people.change_user(&bank.tenant.caller, ben.id, closed).await.unwrap();
    assert!(bank.session(&token).await.is_none());
    assert!(matches!(bank.try_sign_in("ben@north.example", PASSWORD).await, SignInResult::Refused));
    let opened = app::user::UserPatch { active: Some(true), ..Default::default() };
    bank.test.app.people.change_user(&bank.tenant.caller, ben.id, opened).await.unwrap();
    assert!(bank.session(&token).await.is_none(), "closing the account ended its sessions");
    bank.sign_in("ben@north.example").await;
}

async fn guesses_are_slowed_down_and_never_locked_out(bank: Bank) {
    for _ in 0..3 {
        bank.try_sign_in("anna@north.example", "a wrong guess").await;
    }
    let since = std::time::Instant::now();
    bank.sign_in("anna@north.example").await;
    assert!(since.elapsed().as_millis() >= 1000, "the right password waits its turn, and works");
}
