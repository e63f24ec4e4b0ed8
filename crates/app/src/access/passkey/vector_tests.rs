//! The published test vectors of Web Authentication Level 3, section 16.

use super::*;

const VECTORS: &str = include_str!("../../../fixtures/webauthn/vectors.txt");

/// One vector: its name and its values.
struct Vector {
    name: &'static str,
    values: Vec<(&'static str, Vec<u8>)>,
}

impl Vector {
    fn all() -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for line in VECTORS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            match line.split_once(" = ") {
                Some((name, hex)) => {
                    let bytes = data_encoding::HEXLOWER.decode(hex.as_bytes()).unwrap();
                    all.last_mut().unwrap().values.push((name, bytes));
                }
                None => all.push(Self { name: line.trim_matches(['[', ']']), values: Vec::new() }),
            }
        }
        all
    }

    fn value(&self, name: &str) -> Vec<u8> {
        self.values.iter().find(|(known, _)| *known == name).unwrap().1.clone()
    }

    fn challenge(&self, name: &str) -> Token {
        Token::parse(&BASE64.encode(self.value(name))).unwrap()
    }

    fn creation(&self) -> Creation {
        Creation {
            client_data: self.value("registration_clientDataJSON"),
            attestation: self.value("registration_attestationObject"),
        }
    }

    fn created(&self, creation: &Creation) -> Result<NewPasskey, CeremonyError> {
        created(&party(), &self.challenge("registration_challenge"), creation)
    }

    /// The key, read as if the passkey had verified its user within the site's own page. No signature covers either.
    fn key_bytes(&self) -> Vec<u8> {
        let mut creation = self.creation();
        let text = String::from_utf8(creation.client_data).unwrap();
        let text = text
            .replace("\"crossOrigin\":true,\"topOrigin\":\"https://example.com\"", "\"crossOrigin\":false");
        creation.client_data = text.replace("\"crossOrigin\":true", "\"crossOrigin\":false").into_bytes();
        let hash = Sha256::digest(b"example.org");
        let at = creation.attestation.windows(HASH).position(|part| part == hash.as_slice()).unwrap() + HASH;
        creation.attestation[at] |= USER_VERIFIED;
        let made = self.created(&creation).unwrap();
        assert_eq!(made.credential_id, self.value("credential_id"), "{}", self.name);
        made.key_bytes
    }

    fn asserted(&self, key: &[u8]) -> Result<u32, CeremonyError> {
        let assertion = Assertion {
            credential_id: self.value("credential_id"),
            user_handle: Vec::new(),
            client_data: self.value("authentication_clientDataJSON"),
            authenticator_data: self.value("authentication_authenticatorData"),
            signature: self.value("authentication_signature"),
        };
        asserted(&party(), &self.challenge("authentication_challenge"), &assertion, (key, 0))
    }

    /// Whether the signature of the authentication holds, whatever else speaks against it.
    fn signature_holds(&self, key: &[u8], altered: bool) -> bool {
        let hash = Sha256::digest(self.value("authentication_clientDataJSON"));
        let mut message = [self.value("authentication_authenticatorData"), hash.to_vec()].concat();
        message[0] ^= u8::from(altered);
        let (key, _) = PasskeyKey::read(key).unwrap();
        key.verify(&message, &self.value("authentication_signature")).is_ok()
    }
}

fn party() -> RelyingParty {
    RelyingParty::at("https://example.org").unwrap()
}

/// What becomes of a vector here: of its registration and of its authentication. Passkeys must verify their user, which
/// half of the vectors leave out, and must not answer within a page of another site.
fn expected(name: &str) -> (Result<(), CeremonyError>, Result<(), CeremonyError>) {
    use CeremonyError::{Framed, NotVerified};
    match name {
        "packed.ES256" => (Ok(()), Ok(())),
        "packed-self.ES256" | "packed.RS256" => (Ok(()), Err(NotVerified)),
        "none.ES256.long-credential-id" => (Err(NotVerified), Ok(())),
        "none.ES256.crossOrigin" | "none.ES256.topOrigin" => (Err(Framed), Err(Framed)),
        "none.ES256" | "packed.EdDSA" | "fido-u2f.ES256" => (Err(NotVerified), Err(NotVerified)),
        other => panic!("{other} has no expectation"),
    }
}

#[test]
fn the_vectors_of_the_standard_are_judged_as_it_says() {
    let vectors = Vector::all();
    assert_eq!(vectors.len(), 9);
    for vector in vectors {
        let key = vector.key_bytes();
        let found = (vector.created(&vector.creation()).map(|_| ()), vector.asserted(&key).map(|_| ()));
        assert_eq!(found, expected(vector.name), "{}", vector.name);
    }
}

#[test]
fn the_signatures_of_the_standard_hold_and_no_altered_one_does() {
    for vector in Vector::all() {
        let key = vector.key_bytes();
        assert!(vector.signature_holds(&key, false), "{}", vector.name);
        assert!(!vector.signature_holds(&key, true), "{}", vector.name);
    }
}
