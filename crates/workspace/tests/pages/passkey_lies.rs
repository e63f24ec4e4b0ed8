//! Everything that must not open an account with a passkey, sent through the pages.

use data_encoding::BASE64URL_NOPAD as BASE64;
use domain::user::Role;
use testkit::{Authenticator, IdentityKey, PasskeyClaims};

use crate::{
    browser::Browser,
    passkeys::{
        Held, PASSKEYS, SIGN_IN, SITE, browser, challenge, fields, house, made, pairs, person, set_up,
        sign_in, sign_in_with,
    },
};

#[tokio::test]
async fn no_lie_gets_in() {
    type Lie = fn(&mut PasskeyClaims);
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    let lies: [Lie; 6] = [
        |said| said.origin = "http://localhost:9090".into(),
        |said| said.host = "evil.example".into(),
        |said| said.challenge = "A".repeat(43),
        |said| said.kind = Some("webauthn.create"),
        |said| said.cross_origin = true,
        |said| said.flags = 0b001,
    ];
    for (number, lie) in lies.into_iter().enumerate() {
        let held = set_up(&mut owner, &format!("Device {number}")).await;
        let mut fresh = browser(&house);
        let page = sign_in_with(&mut fresh, &held, lie).await.expect(422);
        page.shows("This passkey was not accepted.");
        assert!(fresh.cookie.is_none(), "{number}");
    }
    // The owner sees that it was tried; what is stored in the background is awaited.
    for _ in 0..1_000 {
        if owner.get("/workspace/profile").await.expect(200).body.contains("the passkey") {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the refused sign-ins are not shown");
}

#[tokio::test]
async fn a_key_that_no_key_pair_can_have_is_not_set_up() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    let lies = [
        ("Off the curve", IdentityKey::es256("1"), (-2, vec![1; 32])),
        ("Of small order", IdentityKey::eddsa("2"), (-2, vec![0; 32])),
        ("Exponent 1", IdentityKey::rs256("3"), (-2, vec![1])),
        ("1024 bits", IdentityKey::rs256("4"), (-1, vec![0xff; 128])),
    ];
    for (name, key, part) in lies {
        let passkey = Authenticator { parts: vec![part], ..Authenticator::new(name.as_bytes(), key) };
        let (page, _) = made(&mut owner, name, &passkey).await;
        page.expect(422).shows("did not work, or took longer than five minutes");
        owner.get("/workspace/profile").await.expect(200).lacks(name);
    }
}

#[tokio::test]
async fn an_answer_works_once_and_only_in_its_browser() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    let held = set_up(&mut owner, "Phone").await;
    let mut fresh = browser(&house);
    let said = PasskeyClaims::to(SITE, &challenge(&mut fresh).await);
    let answer = fields(&held, &held.passkey.assert(&said));
    let mut thief = browser(&house);
    thief.post(SIGN_IN, &pairs(&answer)).await.expect(422);
    let mut replaying = fresh.clone();
    fresh.post(SIGN_IN, &pairs(&answer)).await.expect(303);
    assert!(replaying.question.is_some());
    replaying.post(SIGN_IN, &pairs(&answer)).await.expect(422);
    replaying.get("/workspace").await.expect(303);
}

#[tokio::test]
async fn a_failed_answer_spends_the_question() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    let held = set_up(&mut owner, "Phone").await;
    let mut fresh = browser(&house);
    let said = PasskeyClaims::to(SITE, &challenge(&mut fresh).await);
    let kept = fresh.question.clone();
    let unverified = PasskeyClaims { flags: 1, ..said.clone() };
    fresh.post(SIGN_IN, &pairs(&fields(&held, &held.passkey.assert(&unverified)))).await.expect(422);
    fresh.question = kept;
    fresh.post(SIGN_IN, &pairs(&fields(&held, &held.passkey.assert(&said)))).await.expect(422);
}

#[tokio::test]
async fn a_question_lapses_after_five_minutes() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    let held = set_up(&mut owner, "Phone").await;
    for (seconds, status) in [(4 * 60, 303), (5 * 60, 422)] {
        let mut fresh = browser(&house);
        let said = PasskeyClaims::to(SITE, &challenge(&mut fresh).await);
        house.pass(seconds);
        let answer = fields(&held, &held.passkey.assert(&said));
        fresh.post(SIGN_IN, &pairs(&answer)).await.expect(status);
    }
}

#[tokio::test]
async fn a_copied_passkey_is_noticed_by_its_counter() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    let held = set_up(&mut owner, "Stick").await;
    for (counter, status) in [(3, 303), (4, 303), (4, 422), (2, 422), (5, 303)] {
        let page = sign_in_with(&mut browser(&house), &held, |said| said.counter = counter).await;
        assert_eq!(page.status.as_u16(), status, "{counter}");
    }
}

#[tokio::test]
async fn the_account_and_the_passkey_belong_together() {
    let house = house().await;
    let (_, mut anna) = person(&house, "anna@north.example", Role::Viewer).await;
    let south = house.test.tenant("south").await;
    house.add(&south, "ben@south.example", Role::Administrator).await;
    let mut ben = browser(&house).signed_in("ben@south.example", crate::PASSWORD).await;
    let (annas, bens) = (set_up(&mut anna, "Phone").await, set_up(&mut ben, "Laptop").await);
    // A passkey that is presented for an account of another institution opens neither.
    let crossed = Held { passkey: annas.passkey, user_handle: bens.user_handle.clone() };
    sign_in(&mut browser(&house), &crossed).await.expect(422);
    // The name of one passkey with the key of another opens nothing either.
    let forged = Authenticator { credential_id: b"Laptop".to_vec(), ..crossed.passkey };
    let forged = Held { passkey: forged, user_handle: bens.user_handle.clone() };
    sign_in(&mut browser(&house), &forged).await.expect(422);
    let unknown = Authenticator::new(b"unknown", IdentityKey::eddsa("1"));
    let unknown = Held { passkey: unknown, user_handle: bens.user_handle.clone() };
    sign_in(&mut browser(&house), &unknown).await.expect(422);
    // A passkey of one account cannot be added to another, and is not removed by its owner's neighbour.
    let taken = Authenticator::new(b"Laptop", IdentityKey::es256("9"));
    let (page, _) = made(&mut anna, "Mine now", &taken).await;
    page.expect(422).shows("is set up already");
    let page = ben.get("/workspace/profile").await;
    let remove = format!("{PASSKEYS}/psk_{}/remove", page.between("/passkeys/psk_", "/"));
    anna.submit("/workspace/profile", &remove, &[]).await.expect(404);
    let mut fresh = browser(&house);
    sign_in(&mut fresh, &bens).await.expect(303);
    fresh.get("/workspace").await.expect(200).shows("Bank south");
}

#[tokio::test]
async fn a_new_passkey_answers_the_question_of_this_session() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    let passkey = Authenticator::new(b"Phone", IdentityKey::es256("1"));
    let token = owner.get("/workspace/profile").await.hidden();
    let add = async |browser: &mut Browser, said: &PasskeyClaims| {
        let answer = passkey.create(said);
        let mut fields = token.clone();
        fields.retain(|(name, _)| name == "form_token");
        fields.push(("passkey_name".into(), "Phone".into()));
        fields.push(("passkey_creation".into(), BASE64.encode(&answer.client_data)));
        fields.push(("passkey_attestation".into(), BASE64.encode(&answer.attestation)));
        browser.post(PASSKEYS, &pairs(&fields)).await
    };
    // The question of a sign-in is no question for a new passkey, and without one there is nothing to answer.
    let said = PasskeyClaims::to(SITE, &challenge(&mut owner).await);
    add(&mut owner, &said).await.expect(422).shows("did not work");
    add(&mut owner, &said).await.expect(422).shows("did not work");
    owner.get("/workspace/profile").await.shows("You have no passkey yet.");
}

#[tokio::test]
async fn misshapen_and_huge_answers_are_refused() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    let held = set_up(&mut owner, "Phone").await;
    for odd in ["", "=", "é\0", &"A".repeat(200_000)] {
        for number in 0..5 {
            let mut fresh = browser(&house);
            let said = PasskeyClaims::to(SITE, &challenge(&mut fresh).await);
            let mut fields = fields(&held, &held.passkey.assert(&said));
            odd.clone_into(&mut fields[number].1);
            let page = fresh.post(SIGN_IN, &pairs(&fields)).await.expect(422);
            page.shows("This passkey was not accepted.");
            // Failures in a row would slow the next tries down.
            if number % 2 == 1 {
                sign_in(&mut browser(&house), &held).await.expect(303);
            }
        }
    }
}
