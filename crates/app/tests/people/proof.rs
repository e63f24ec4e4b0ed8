//! A stolen session is not enough to take over the account: critical actions need the password again.

use app::{
    Error,
    api_key::{KeyRequest, NewKey},
    proof::Proof,
    session::Session,
    user::UserPatch,
};
use domain::{password::Password, permission::Permissions, text::Name, user::Role};

use crate::{Bank, PASSWORD, draft, on_both_engines, visitor};

on_both_engines! {
    what_matters_needs_a_proof_of_the_last_minutes,
    a_proof_needs_the_code_where_there_is_a_second_factor,
    wrong_codes_end_the_session,
    nobody_gets_a_link_for_oneself,
}

/// All actions that could take over the account, or other accounts and keys.
async fn try_everything(bank: &Bank, session: &Session) -> Vec<(&'static str, Result<(), Error>)> {
    let (app, caller) = (&bank.test.app, &session.caller);
    let other = bank.anna.id;
    let request = || KeyRequest::new(Name::parse("key").unwrap(), Permissions::READ_ONLY);
    let reveal = |new: &NewKey| new.record.id.to_string();
    let key =
        app.people.create_key(&bank.tenant.caller, request(), None, Box::new(reveal)).await.unwrap().body;
    let number = app.clock.now().millis();
    let (one, two) = (format!("x{number}@north.example"), format!("y{number}@north.example"));
    let password = Password::presented(PASSWORD);
    let renamed = UserPatch { name: Some(Name::parse(&one).unwrap()), ..UserPatch::default() };
    vec![
        ("make a key", app.people.create_key(caller, request(), None, Box::new(reveal)).await.map(|_| ())),
        ("revoke a key", app.people.revoke_key(caller, key.parse().unwrap()).await),
        ("invite", app.access.invite_user(caller, draft(&one, Role::Viewer)).await.map(|_| ())),
        ("create", app.people.create_user(caller, draft(&two, Role::Viewer), password).await.map(|_| ())),
        ("change a person", app.people.change_user(caller, other, renamed).await.map(|_| ())),
        ("issue a link", app.access.reset_user(caller, other, false).await.map(|_| ())),
        ("start a second factor", app.access.start_second_factor(session).await.map(|_| ())),
        ("confirm a second factor", app.access.confirm_second_factor(session, "1").await.map(|_| ())),
        ("new recovery codes", app.access.renew_recovery_codes(session).await.map(|_| ())),
        ("remove a second factor", app.access.remove_second_factor(session).await),
        ("set the life of keys", app.people.set_key_days(caller, Some(30)).await),
        ("sign out elsewhere", app.access.sign_out_elsewhere(session).await.map(|_| ())),
    ]
}

async fn what_matters_needs_a_proof_of_the_last_minutes(bank: Bank) {
    bank.add("cleo@north.example", Role::Administrator).await;
    let token = bank.sign_in("cleo@north.example").await;
    let fresh = bank.session(&token).await.unwrap();
    for (what, tried) in try_everything(&bank, &fresh).await {
        assert!(!matches!(tried, Err(Error::ProofNeeded)), "{what}: just signed in");
    }
    bank.pass(5 * 60);
    let stale = bank.session(&token).await.unwrap();
    for (what, tried) in try_everything(&bank, &stale).await {
        assert!(matches!(tried, Err(Error::ProofNeeded)), "{what}: {tried:?}");
    }
    let wrong = bank.test.app.access.prove(&stale, Password::presented("wrong"), "", &visitor()).await;
    assert!(matches!(wrong, Err(Error::Invalid(_))), "{wrong:?}");
    let proof =
        bank.test.app.access.prove(&stale, Password::presented(PASSWORD), "", &visitor()).await.unwrap();
    let Proof::Given(proved) = proof else { panic!("{proof:?}") };
    // It is stored with the session, not with the request, and a copy of the cookie before gains nothing by it.
    assert!(bank.session(&token).await.is_none());
    let proved = bank.session(&proved.token).await.unwrap();
    for (what, tried) in try_everything(&bank, &proved).await {
        assert!(!matches!(tried, Err(Error::ProofNeeded)), "{what}: {tried:?}");
    }
}

async fn a_proof_needs_the_code_where_there_is_a_second_factor(bank: Bank) {
    let (secret, _) = bank.with_second_factor().await;
    let token = bank.asked_for_code().await;
    let app::sign_in::SignInResult::Open(open) = bank.present(&token, &secret.code_at(bank.now())).await
    else {
        panic!()
    };
    bank.pass(5 * 60);
    let session = bank.session(&open).await.unwrap();
    let right = || Password::presented(PASSWORD);
    let without = bank.test.app.access.prove(&session, right(), "", &visitor()).await;
    assert!(matches!(without, Err(Error::Invalid(_))), "{without:?}");
    let code = secret.code_at(bank.now());
    let with = bank.test.app.access.prove(&session, right(), &code, &visitor()).await.unwrap();
    assert!(matches!(with, Proof::Given(_)));
    let again = bank.test.app.access.prove(&session, right(), &code, &visitor()).await;
    assert!(matches!(again, Err(Error::Invalid(_))), "a code works once: {again:?}");
}

async fn wrong_codes_end_the_session(bank: Bank) {
    let (secret, _) = bank.with_second_factor().await;
    let token = bank.asked_for_code().await;
    let app::sign_in::SignInResult::Open(open) = bank.present(&token, &secret.code_at(bank.now())).await
    else {
        panic!()
    };
    let session = bank.session(&open).await.unwrap();
    for number in 1..=5 {
        let tried =
            bank.test.app.access.prove(&session, Password::presented(PASSWORD), "000000", &visitor()).await;
        assert_eq!(matches!(tried, Ok(Proof::Ended)), number == 5, "{number}: {tried:?}");
    }
    assert!(bank.session(&open).await.is_none());
}

async fn nobody_gets_a_link_for_oneself(bank: Bank) {
    let anna = bank.signed_in("anna@north.example").await;
    let own = bank.test.app.access.reset_user(&anna.caller, bank.anna.id, true).await;
    assert!(matches!(own, Err(Error::Invalid(_))), "{own:?}");
}
