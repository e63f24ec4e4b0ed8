//! Forged answers of browsers and passkeys, made by an authenticator in software: each is refused with its reason.

use testkit::{Authenticator, IdentityKey, PasskeyClaims};

use super::*;

const ORIGIN: &str = "https://tidewall.example.com";

fn party() -> RelyingParty {
    RelyingParty::at(ORIGIN).unwrap()
}

fn passkey() -> Authenticator {
    Authenticator::new(b"credential", IdentityKey::es256("1"))
}

fn creation(passkey: &Authenticator, said: &PasskeyClaims) -> Creation {
    let made = passkey.create(said);
    Creation { client_data: made.client_data, attestation: made.attestation }
}

fn assertion(passkey: &Authenticator, said: &PasskeyClaims) -> Assertion {
    let made = passkey.assert(said);
    Assertion {
        credential_id: passkey.credential_id.clone(),
        user_handle: Vec::new(),
        client_data: made.client_data,
        authenticator_data: made.authenticator_data,
        signature: made.signature,
    }
}

/// What comes of a creation and of an assertion that are honest but for this.
fn both(lie: impl Fn(&mut PasskeyClaims)) -> (Result<NewPasskey, CeremonyError>, Result<u32, CeremonyError>) {
    let (passkey, challenge) = (passkey(), Token::random());
    let honest = PasskeyClaims::to(ORIGIN, challenge.reveal());
    let known = created(&party(), &challenge, &creation(&passkey, &honest)).unwrap();
    let mut said = honest;
    lie(&mut said);
    let made = created(&party(), &challenge, &creation(&passkey, &said));
    let shown = asserted(&party(), &challenge, &assertion(&passkey, &said), (&known.key_bytes, 0));
    (made, shown)
}

#[test]
fn passkeys_of_every_accepted_kind_are_believed() {
    for key in [IdentityKey::es256("1"), IdentityKey::eddsa("2"), IdentityKey::rs256("3")] {
        let (algorithm, passkey) = (key.algorithm, Authenticator::new(b"credential", key));
        let challenge = Token::random();
        let mut said = PasskeyClaims { counter: 7, ..PasskeyClaims::to(ORIGIN, challenge.reveal()) };
        let made = created(&party(), &challenge, &creation(&passkey, &said)).unwrap();
        assert_eq!((made.credential_id.as_slice(), made.counter), (&b"credential"[..], 7));
        assert_eq!(made.key.algorithm.as_str(), algorithm);
        said.counter = 8;
        let known = (made.key_bytes.as_slice(), made.counter);
        assert_eq!(asserted(&party(), &challenge, &assertion(&passkey, &said), known), Ok(8));
    }
}

#[test]
fn no_lie_is_believed() {
    type Lie = fn(&mut PasskeyClaims);
    let lies: [(Lie, CeremonyError); 10] = [
        (|said| said.origin = "https://evil.example".into(), CeremonyError::Origin),
        (|said| said.origin = "http://tidewall.example.com".into(), CeremonyError::Origin),
        (|said| said.origin = format!("{ORIGIN}:8443"), CeremonyError::Origin),
        (|said| said.host = "example.com".into(), CeremonyError::RelyingParty),
        (|said| said.challenge = Token::random().reveal().into(), CeremonyError::Challenge),
        (|said| said.kind = Some("payment.get"), CeremonyError::Kind),
        (|said| said.cross_origin = true, CeremonyError::Framed),
        (|said| said.flags = 0b001, CeremonyError::NotVerified),
        (|said| said.flags = 0b100, CeremonyError::NotVerified),
        (|said| said.flags |= IS_BACKED_UP, CeremonyError::Malformed),
    ];
    for (number, (lie, error)) in lies.into_iter().enumerate() {
        let (made, shown) = both(lie);
        assert_eq!((made.unwrap_err(), shown.unwrap_err()), (error, error), "{number}");
    }
}

#[test]
fn an_answer_to_one_step_is_none_to_the_other() {
    let (made, _) = both(|said| said.kind = Some("webauthn.get"));
    let (_, shown) = both(|said| said.kind = Some("webauthn.create"));
    assert_eq!((made.unwrap_err(), shown.unwrap_err()), (CeremonyError::Kind, CeremonyError::Kind));
}

#[test]
fn only_announced_extensions_may_follow() {
    let empty_map = vec![0xa0];
    let (made, shown) = both(|said| said.trailing = empty_map.clone());
    assert_eq!((made.unwrap_err(), shown.unwrap_err()), (CeremonyError::Malformed, CeremonyError::Malformed));
    let (made, shown) = both(|said| {
        said.flags |= HAS_EXTENSIONS;
        said.trailing.clone_from(&empty_map);
    });
    assert!(made.is_ok() && shown.is_ok());
    let (made, shown) = both(|said| said.flags |= HAS_EXTENSIONS);
    assert_eq!((made.unwrap_err(), shown.unwrap_err()), (CeremonyError::Malformed, CeremonyError::Malformed));
}

#[test]
fn a_signature_holds_for_one_key_and_one_answer() {
    let (passkey, challenge) = (passkey(), Token::random());
    let said = PasskeyClaims::to(ORIGIN, challenge.reveal());
    let made = created(&party(), &challenge, &creation(&passkey, &said)).unwrap();
    let good = assertion(&passkey, &said);
    let checked = |assertion: &Assertion, key: &[u8]| asserted(&party(), &challenge, assertion, (key, 0));
    assert_eq!(checked(&good, &made.key_bytes), Ok(0));

    let other = Authenticator::new(b"credential", IdentityKey::es256("other"));
    let other = created(&party(), &challenge, &creation(&other, &said)).unwrap();
    assert_eq!(checked(&good, &other.key_bytes), Err(CeremonyError::Signature));
    let mut altered = good.clone();
    altered.client_data.push(b' ');
    assert_eq!(checked(&altered, &made.key_bytes), Err(CeremonyError::Signature));
    let mut altered = good.clone();
    altered.authenticator_data[36] = 9;
    assert_eq!(checked(&altered, &made.key_bytes), Err(CeremonyError::Signature));
    let unsigned = Assertion { signature: Vec::new(), ..good };
    assert_eq!(checked(&unsigned, &made.key_bytes), Err(CeremonyError::Signature));
}

#[test]
fn the_counter_never_goes_back() {
    let (passkey, challenge) = (passkey(), Token::random());
    let made =
        created(&party(), &challenge, &creation(&passkey, &PasskeyClaims::to(ORIGIN, challenge.reveal())))
            .unwrap();
    let shown = |stored: u32, counter: u32| {
        let said = PasskeyClaims { counter, ..PasskeyClaims::to(ORIGIN, challenge.reveal()) };
        asserted(&party(), &challenge, &assertion(&passkey, &said), (&made.key_bytes, stored))
    };
    assert_eq!([shown(0, 0), shown(0, 1), shown(4, 5)], [Ok(0), Ok(1), Ok(5)]);
    for (stored, counter) in [(5, 5), (5, 4), (5, 0), (u32::MAX, 0)] {
        assert_eq!(shown(stored, counter), Err(CeremonyError::Counter), "{stored} {counter}");
    }
}

#[test]
fn keys_of_unknown_kinds_are_refused() {
    for algorithm in [-35, -36, -37, -65535, -47, 0, -8] {
        let passkey = Authenticator { algorithm: Some(algorithm), ..passkey() };
        let challenge = Token::random();
        let made = created(
            &party(),
            &challenge,
            &creation(&passkey, &PasskeyClaims::to(ORIGIN, challenge.reveal())),
        );
        assert_eq!(made.unwrap_err(), CeremonyError::Algorithm, "{algorithm}");
    }
}

#[test]
fn keys_that_no_key_pair_can_have_are_refused() {
    let keys = [
        (IdentityKey::es256("1"), vec![(-2, vec![1; 32])]),
        (IdentityKey::eddsa("2"), vec![(-2, [&[2][..], &[0; 31]].concat())]),
        (IdentityKey::rs256("3"), vec![(-2, vec![1])]),
        (IdentityKey::rs256("4"), vec![(-1, vec![0xff; 128])]),
        (IdentityKey::rs256("5"), vec![(-1, [vec![0; 128], vec![0xff; 128]].concat())]),
    ];
    for (key, parts) in keys {
        let passkey = Authenticator { parts, ..Authenticator::new(b"credential", key) };
        let challenge = Token::random();
        let said = PasskeyClaims::to(ORIGIN, challenge.reveal());
        let made = created(&party(), &challenge, &creation(&passkey, &said));
        assert_eq!(made.unwrap_err(), CeremonyError::Key, "{}", passkey.key.kid);
    }
}

#[test]
fn a_part_that_is_written_twice_is_refused() {
    let challenge = Token::random();
    let honest = creation(&passkey(), &PasskeyClaims::to(ORIGIN, challenge.reveal()));
    let refused = |attestation: Vec<u8>| {
        let creation = Creation { attestation, ..honest.clone() };
        assert_eq!(created(&party(), &challenge, &creation).unwrap_err(), CeremonyError::Malformed);
    };
    // The map of three names with the last of them again.
    let at = honest.attestation.windows(9).position(|part| part == b"\x68authData").unwrap();
    let mut twice = [&honest.attestation[..], &honest.attestation[at..]].concat();
    twice[0] = 0xa4;
    refused(twice);
    // A map whose length is not stated.
    let mut open = [&honest.attestation[..], &[0xff][..]].concat();
    open[0] = 0xbf;
    refused(open);
    // A map that announces more than memory can hold.
    refused([&[0xbb][..], &[0xff; 8], &honest.attestation[1..]].concat());
}

#[test]
fn what_is_too_long_or_cut_short_is_refused() {
    let challenge = Token::random();
    let said = PasskeyClaims::to(ORIGIN, challenge.reveal());
    let passkey = passkey();
    let (made, shown) = (creation(&passkey, &said), assertion(&passkey, &said));
    let known = created(&party(), &challenge, &made).unwrap().key_bytes;
    let create = |creation: &Creation| created(&party(), &challenge, creation).unwrap_err();
    let assert = |assertion: &Assertion| asserted(&party(), &challenge, assertion, (&known, 0)).unwrap_err();

    let long = |most: usize| vec![b' '; most + 1];
    let too_long = [
        create(&Creation { client_data: long(MOST_CLIENT_DATA), ..made.clone() }),
        create(&Creation { attestation: long(MOST_ATTESTATION), ..made.clone() }),
        assert(&Assertion { client_data: long(MOST_CLIENT_DATA), ..shown.clone() }),
        assert(&Assertion { authenticator_data: long(MOST_AUTHENTICATOR_DATA), ..shown.clone() }),
        assert(&Assertion { signature: long(MOST_SIGNATURE), ..shown.clone() }),
    ];
    assert_eq!(too_long, [CeremonyError::TooLong; 5]);
    let wide = Authenticator::new(&[7; MOST_CREDENTIAL_ID + 1], IdentityKey::eddsa("1"));
    assert_eq!(create(&creation(&wide, &said)), CeremonyError::TooLong);

    for end in 0..made.attestation.len() {
        let attestation = made.attestation[..end].to_vec();
        assert_eq!(create(&Creation { attestation, ..made.clone() }), CeremonyError::Malformed, "{end}");
    }
    for end in 0..shown.authenticator_data.len() {
        let authenticator_data = shown.authenticator_data[..end].to_vec();
        let cut = assert(&Assertion { authenticator_data, ..shown.clone() });
        assert_eq!(cut, CeremonyError::Malformed, "{end}");
    }
    for client_data in ["", "{}", "[]", "null", "\"webauthn.get\""] {
        let cut = assert(&Assertion { client_data: client_data.into(), ..shown.clone() });
        assert_eq!(cut, CeremonyError::Malformed, "{client_data}");
    }
}

#[test]
fn deeply_nested_parts_are_refused() {
    let challenge = Token::random();
    let said = PasskeyClaims::to(ORIGIN, challenge.reveal());
    let made = creation(&passkey(), &said);
    let nested = Creation { attestation: vec![0x81; MOST_ATTESTATION], ..made };
    assert_eq!(created(&party(), &challenge, &nested).unwrap_err(), CeremonyError::Malformed);
}

#[test]
fn a_site_needs_a_name_and_https() {
    let at = |address: &str| {
        RelyingParty::at(address).map(|party| (party.id().to_owned(), party.origin().to_owned()))
    };
    let is = |id: &str, origin: &str| Some((id.to_owned(), origin.to_owned()));
    assert_eq!(at(ORIGIN), is("tidewall.example.com", ORIGIN));
    assert_eq!(at("https://Tidewall.example.com:443/"), is("tidewall.example.com", ORIGIN));
    assert_eq!(at("http://localhost:8080"), is("localhost", "http://localhost:8080"));
    for unusable in
        ["", "http://127.0.0.1:8080", "https://192.0.2.7", "https://[::1]", "http://tidewall.example.com"]
    {
        assert_eq!(at(unusable), None, "{unusable}");
    }
}
