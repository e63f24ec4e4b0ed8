//! Codes of an authenticator app, and recovery codes.

use app::{Error, proof::Proof, second_factor::TotpSecret, sign_in::SignInResult, token::Token};
use domain::{moment::Moment, password::Password};

use crate::{Bank, PASSWORD, on_both_engines, visitor};

on_both_engines! {
    a_code_is_asked_for_once_it_is_on,
    a_code_works_once,
    a_recovery_code_works_once_and_instead,
    switching_off_needs_the_password,
    a_wrong_code_switches_nothing_on,
    the_wait_for_a_code_ends,
}

impl Bank {
    pub(crate) fn now(&self) -> Moment {
        self.test.clock.now()
    }

    /// Anna switches her second factor on; returns its secret and her recovery codes.
    pub(crate) async fn with_second_factor(&self) -> (TotpSecret, Vec<String>) {
        let session = self.signed_in("anna@north.example").await;
        let secret = self.test.app.access.start_second_factor(&session).await.unwrap();
        assert_eq!(self.test.app.access.pending_second_factor(&session).await.unwrap(), Some(secret.clone()));
        let code = secret.code_at(self.now());
        let codes = self.test.app.access.confirm_second_factor(&session, &code).await.unwrap();
        assert_eq!(codes.len(), 10);
        self.pass(60);
        (secret, codes)
    }

    pub(crate) async fn asked_for_code(&self) -> Token {
        match self.try_sign_in("anna@north.example", PASSWORD).await {
            SignInResult::CodeNeeded(token) => token,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn present(&self, token: &Token, code: &str) -> SignInResult {
        self.test.app.access.present_code(token, code, &visitor()).await.unwrap()
    }
}

async fn a_code_is_asked_for_once_it_is_on(bank: Bank) {
    let (secret, _) = bank.with_second_factor().await;
    let token = bank.asked_for_code().await;
    assert!(bank.session(&token).await.is_none(), "the password alone opens nothing");
    assert!(bank.test.app.access.awaits_code(&token).await.unwrap());
    assert!(matches!(bank.present(&token, "000000").await, SignInResult::Refused));
    let SignInResult::Open(open) = bank.present(&token, &secret.code_at(bank.now())).await else { panic!() };
    assert!(bank.session(&open).await.is_some());
    assert!(!bank.test.app.access.awaits_code(&token).await.unwrap(), "the waiting session is gone");
    assert!(bank.session(&token).await.is_none());
}

async fn a_code_works_once(bank: Bank) {
    let (secret, _) = bank.with_second_factor().await;
    let code = secret.code_at(bank.now());
    let (first, second) = (bank.asked_for_code().await, bank.asked_for_code().await);
    assert!(matches!(bank.present(&first, &code).await, SignInResult::Open(_)));
    assert!(matches!(bank.present(&second, &code).await, SignInResult::Refused));
    bank.pass(30);
    assert!(matches!(bank.present(&second, &secret.code_at(bank.now())).await, SignInResult::Open(_)));
}

async fn a_recovery_code_works_once_and_instead(bank: Bank) {
    let (_, codes) = bank.with_second_factor().await;
    let token = bank.asked_for_code().await;
    let SignInResult::Open(open) = bank.present(&token, &codes[3].to_uppercase()).await else { panic!() };
    let session = bank.session(&open).await.unwrap();
    assert_eq!(bank.test.app.access.recovery_codes_left(&session).await.unwrap(), 9);
    let token = bank.asked_for_code().await;
    assert!(matches!(bank.present(&token, &codes[3]).await, SignInResult::Refused));
    let renewed = bank.test.app.access.renew_recovery_codes(&session).await.unwrap();
    let token = bank.asked_for_code().await;
    assert!(matches!(bank.present(&token, &codes[4]).await, SignInResult::Refused), "old ones are void");
    assert!(matches!(bank.present(&token, &renewed[0]).await, SignInResult::Open(_)));
}

async fn switching_off_needs_the_password(bank: Bank) {
    let (_, codes) = bank.with_second_factor().await;
    let token = bank.asked_for_code().await;
    let SignInResult::Open(open) = bank.present(&token, &codes[0]).await else { panic!() };
    bank.pass(5 * 60);
    let session = bank.session(&open).await.unwrap();
    let early = bank.test.app.access.remove_second_factor(&session).await;
    assert!(matches!(early, Err(Error::ProofNeeded)), "{early:?}");
    let wrong =
        bank.test.app.access.prove(&session, Password::presented("wrong"), &codes[1], &visitor()).await;
    assert!(matches!(wrong, Err(Error::Invalid(_))), "{wrong:?}");
    let right = Password::presented(PASSWORD);
    let proof = bank.test.app.access.prove(&session, right, &codes[1], &visitor()).await.unwrap();
    let Proof::Given(proved) = proof else { panic!("{proof:?}") };
    bank.test.app.access.remove_second_factor(&proved.session).await.unwrap();
    bank.sign_in("anna@north.example").await;
    assert!(bank.audited().await.ends_with(&["user.second_factor_off".into(), "user.signed_in".into()]));
}

async fn a_wrong_code_switches_nothing_on(bank: Bank) {
    let session = bank.signed_in("anna@north.example").await;
    let early = bank.test.app.access.confirm_second_factor(&session, "123456").await;
    assert!(matches!(early, Err(Error::Invalid(_))), "{early:?}");
    bank.test.app.access.start_second_factor(&session).await.unwrap();
    let wrong = bank.test.app.access.confirm_second_factor(&session, "12345").await;
    assert!(matches!(wrong, Err(Error::Invalid(_))), "{wrong:?}");
    bank.sign_in("anna@north.example").await;
}

async fn the_wait_for_a_code_ends(bank: Bank) {
    let (secret, _) = bank.with_second_factor().await;
    let token = bank.asked_for_code().await;
    bank.pass(10 * 60);
    assert!(matches!(bank.present(&token, &secret.code_at(bank.now())).await, SignInResult::Refused));
}
