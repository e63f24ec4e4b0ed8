//! Keys that the identity provider of the tests signs with.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD as BASE64},
};
use ring::{
    hmac,
    rand::SystemRandom,
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256,
        RSA_PSS_SHA256, RsaKeyPair, RsaPublicKeyComponents,
    },
};
use serde_json::{Value, json};

const RSA_KEY: &str = include_str!("../data/identity_test_key.txt");

enum Pair {
    Rsa(Box<RsaKeyPair>),
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
}

/// One key, with its name and what it is for.
pub struct IdentityKey {
    pub kid: String,
    pub algorithm: &'static str,
    pair: Pair,
}

impl std::fmt::Debug for IdentityKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "IdentityKey({}, {})", self.kid, self.algorithm)
    }
}

impl IdentityKey {
    /// A new key on an elliptic curve.
    #[must_use]
    pub fn es256(kid: &str) -> Self {
        let random = SystemRandom::new();
        let rules = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let made = EcdsaKeyPair::generate_pkcs8(rules, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(rules, made.as_ref(), &random).unwrap();
        Self { kid: kid.to_owned(), algorithm: "ES256", pair: Pair::Ec(pair) }
    }

    #[must_use]
    pub fn eddsa(kid: &str) -> Self {
        let made = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let pair = Ed25519KeyPair::from_pkcs8(made.as_ref()).unwrap();
        Self { kid: kid.to_owned(), algorithm: "EdDSA", pair: Pair::Ed(pair) }
    }

    #[must_use]
    pub fn rs256(kid: &str) -> Self {
        Self { kid: kid.to_owned(), algorithm: "RS256", pair: rsa() }
    }

    #[must_use]
    pub fn ps256(kid: &str) -> Self {
        Self { kid: kid.to_owned(), algorithm: "PS256", pair: rsa() }
    }

    /// The public half as a provider publishes it.
    pub fn published(&self) -> Value {
        let mut key = match &self.pair {
            Pair::Rsa(pair) => {
                let parts = RsaPublicKeyComponents::<Vec<u8>>::from(pair.public());
                json!({ "kty": "RSA", "n": BASE64.encode(parts.n), "e": BASE64.encode(parts.e) })
            }
            Pair::Ec(pair) => {
                let point = pair.public_key().as_ref();
                let (x, y) = (BASE64.encode(&point[1..33]), BASE64.encode(&point[33..]));
                json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y })
            }
            Pair::Ed(pair) => {
                json!({ "kty": "OKP", "crv": "Ed25519", "x": BASE64.encode(pair.public_key().as_ref()) })
            }
        };
        key["kid"] = json!(self.kid);
        key["alg"] = json!(self.algorithm);
        key["use"] = json!("sig");
        key
    }

    /// Header and claims as they are signed.
    pub(crate) fn message(header: &Value, claims: &Value) -> String {
        format!("{}.{}", BASE64.encode(header.to_string()), BASE64.encode(claims.to_string()))
    }

    pub(crate) fn token(&self, header: &Value, claims: &Value) -> String {
        let message = Self::message(header, claims);
        format!("{message}.{}", BASE64.encode(self.signature(message.as_bytes())))
    }

    /// Signed with the published key as if it were a secret.
    pub(crate) fn shared_secret_token(&self, header: &Value, claims: &Value) -> String {
        let message = Self::message(header, claims);
        let secret = hmac::Key::new(hmac::HMAC_SHA256, self.published().to_string().as_bytes());
        format!("{message}.{}", BASE64.encode(hmac::sign(&secret, message.as_bytes())))
    }

    pub(crate) fn signature(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.pair {
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                let rules: &dyn ring::signature::RsaEncoding =
                    if self.algorithm == "PS256" { &RSA_PSS_SHA256 } else { &RSA_PKCS1_SHA256 };
                pair.sign(rules, &random, message, &mut signature).unwrap();
                signature
            }
            Pair::Ec(pair) => pair.sign(&random, message).unwrap().as_ref().to_vec(),
            Pair::Ed(pair) => pair.sign(message).as_ref().to_vec(),
        }
    }
}

fn rsa() -> Pair {
    let text: String = RSA_KEY.lines().filter(|line| !line.starts_with('#')).collect();
    Pair::Rsa(Box::new(RsaKeyPair::from_pkcs8(&STANDARD.decode(text).unwrap()).unwrap()))
}
