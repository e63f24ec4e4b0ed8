//! Signatures by key pairs, as identity providers (JWS, RFC 7518 and 8037) and passkeys (COSE, RFC 9053) make them.
//!
//! The arithmetic of every check of a signature is ring's, which TLS needs anyway: the crates that know the whole of JWS
//! or of `WebAuthn` bring a second cryptography, and the one they take for RSA has an open advisory (RUSTSEC-2023-0071).
//! Only signatures by key pairs are known here, so neither `none` nor a secret that both sides share can be presented.

mod edwards;

use ring::{
    agreement::{self, ECDH_P256, EphemeralPrivateKey},
    rand::SystemRandom,
    signature::{
        ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
        RSA_PSS_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
    },
};

/// The length of a coordinate on either curve.
const COORDINATE: usize = 32;
/// The bits of a modulus that ring accepts.
const MODULUS_BITS: std::ops::RangeInclusive<usize> = 2048..=8192;
/// The most bits of a public exponent that ring accepts.
const MOST_EXPONENT_BITS: usize = 33;

/// The ways to sign that are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Es256,
    EdDsa,
    Rs256,
    Ps256,
}

impl Algorithm {
    pub(crate) const ALL: [Self; 4] = [Self::Es256, Self::EdDsa, Self::Rs256, Self::Ps256];
    /// Those of passkeys, in the order in which they are offered to a browser.
    pub(crate) const PASSKEYS: [Self; 3] = [Self::Es256, Self::EdDsa, Self::Rs256];

    /// The name in the registry of JWS algorithms.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::EdDsa => "EdDSA",
            Self::Rs256 => "RS256",
            Self::Ps256 => "PS256",
        }
    }

    pub(crate) fn named(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == text)
    }

    /// The number in the registry of COSE algorithms.
    pub(crate) fn number(self) -> i64 {
        match self {
            Self::Es256 => -7,
            Self::EdDsa => -8,
            Self::Rs256 => -257,
            Self::Ps256 => -37,
        }
    }
}

/// How the two numbers of an ECDSA signature are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EcdsaForm {
    /// Both with 32 bytes, one after the other, as in a JWS.
    Fixed,
    /// A DER sequence, as passkeys send it.
    Der,
}

/// A public key, of the right length for its kind. Whether it can have a private key is only known to
/// [`PublicKey::is_sound`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PublicKey {
    /// The uncompressed point.
    P256(Vec<u8>),
    Ed25519([u8; COORDINATE]),
    /// Both numbers without leading zeros.
    Rsa {
        n: Vec<u8>,
        e: Vec<u8>,
    },
}

impl PublicKey {
    pub(crate) fn p256(x: &[u8], y: &[u8]) -> Option<Self> {
        let right = x.len() == COORDINATE && y.len() == COORDINATE;
        right.then(|| Self::P256([&[4], x, y].concat()))
    }

    pub(crate) fn ed25519(point: &[u8]) -> Option<Self> {
        point.try_into().ok().map(Self::Ed25519)
    }

    /// Leading zeros, which some write, do not count.
    pub(crate) fn rsa(n: &[u8], e: &[u8]) -> Self {
        let number = |bytes: &[u8]| bytes.iter().copied().skip_while(|byte| *byte == 0).collect();
        Self::Rsa { n: number(n), e: number(e) }
    }

    /// Whether the key is one that a key pair can have: a point on its curve that does not sign everything, or an RSA
    /// key of 2048 to 8192 bits with an odd exponent above 1.
    pub(crate) fn is_sound(&self) -> bool {
        match self {
            Self::P256(point) => is_on_p256(point),
            Self::Ed25519(point) => edwards::is_sound(point),
            Self::Rsa { n, e } => {
                let odd = |number: &[u8]| number.last().is_some_and(|last| last % 2 == 1);
                let exponent = bits(e);
                MODULUS_BITS.contains(&bits(n))
                    && odd(n)
                    && odd(e)
                    && (2..=MOST_EXPONENT_BITS).contains(&exponent)
            }
        }
    }

    /// Whether the signature is one of this message by this key.
    pub(crate) fn holds(
        &self,
        (algorithm, form): (Algorithm, EcdsaForm),
        message: &[u8],
        signature: &[u8],
    ) -> bool {
        let checked = match (self, algorithm) {
            (Self::P256(point), Algorithm::Es256) => {
                let rules = match form {
                    EcdsaForm::Fixed => &ECDSA_P256_SHA256_FIXED,
                    EcdsaForm::Der => &ECDSA_P256_SHA256_ASN1,
                };
                UnparsedPublicKey::new(rules, point).verify(message, signature)
            }
            (Self::Ed25519(point), Algorithm::EdDsa) => {
                UnparsedPublicKey::new(&ED25519, point).verify(message, signature)
            }
            (Self::Rsa { n, e }, Algorithm::Rs256) => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            }
            (Self::Rsa { n, e }, Algorithm::Ps256) => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PSS_2048_8192_SHA256, message, signature)
            }
            _ => return false,
        };
        checked.is_ok()
    }
}

/// ring has no question of its own for this, but agrees on a secret only with a point on the curve.
fn is_on_p256(point: &[u8]) -> bool {
    let Ok(ours) = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()) else { return false };
    let theirs = agreement::UnparsedPublicKey::new(&ECDH_P256, point);
    agreement::agree_ephemeral(ours, &theirs, |_| ()).is_ok()
}

/// The length of a number without leading zero bytes.
fn bits(number: &[u8]) -> usize {
    number.first().map_or(0, |first| number.len() * 8 - first.leading_zeros() as usize)
}

#[cfg(test)]
#[path = "signature_tests.rs"]
mod tests;
