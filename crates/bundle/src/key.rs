//! The key of an installation: Ed25519 (RFC 8032).

use std::{fmt, str::FromStr};

use data_encoding::BASE64;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use sha2::{Digest as _, Sha256};

use crate::hex;

/// What is signed of a document, before its digest. It keeps such a signature apart from those of bundles.
const DOCUMENT: &[u8] = b"tidewall document 1\n";
/// The beginning of an Ed25519 key in DER (RFC 8410).
const DER: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// Why a key was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("a public key is 64 lower-case hexadecimal digits")]
    Text,
    #[error("the seed of the signing key is not usable")]
    Seed,
}

/// Signs bundles. Made of a secret seed of 32 bytes.
pub struct SigningKey {
    pair: Ed25519KeyPair,
    public: PublicKey,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SigningKey").field("public", &self.public).finish_non_exhaustive()
    }
}

impl SigningKey {
    pub fn from_seed(seed: &[u8]) -> Result<Self, KeyError> {
        let pair = Ed25519KeyPair::from_seed_unchecked(seed).map_err(|_| KeyError::Seed)?;
        let public = pair.public_key().as_ref().try_into().map_err(|_| KeyError::Seed)?;
        Ok(Self { pair, public: PublicKey(public) })
    }

    pub fn public(&self) -> PublicKey {
        self.public
    }

    /// Signs the SHA-256 of a document; the signature in hexadecimal.
    pub fn sign_document(&self, digest: &[u8; 32]) -> String {
        self.sign(&[DOCUMENT, digest].concat())
    }

    pub(crate) fn sign(&self, message: &[u8]) -> String {
        hex::encode(self.pair.sign(message).as_ref())
    }
}

/// The published half of the key of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

impl PublicKey {
    /// What people compare by phone or on paper: the SHA-256 of the key.
    pub fn fingerprint(&self) -> String {
        hex::encode(&Sha256::digest(self.0))
    }

    /// The key as other programs read it.
    pub fn pem(&self) -> String {
        let der = BASE64.encode(&[&DER[..], &self.0].concat());
        format!("-----BEGIN PUBLIC KEY-----\n{der}\n-----END PUBLIC KEY-----\n")
    }

    pub(crate) fn has_signed(&self, message: &[u8], signature: &str) -> bool {
        hex::decode::<64>(signature).is_some_and(|signature| {
            UnparsedPublicKey::new(&ED25519, self.0).verify(message, &signature).is_ok()
        })
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(&self.0))
    }
}

impl FromStr for PublicKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        hex::decode(text).map(Self).ok_or(KeyError::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first test vector of RFC 8032, section 7.1.
    #[test]
    fn a_signature_is_that_of_the_standard() {
        let seed: [u8; 32] =
            hex::decode("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60").unwrap();
        let key = SigningKey::from_seed(&seed).unwrap();
        let public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
        assert_eq!(key.public().to_string(), public);
        let signature = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
        assert_eq!(key.sign(b""), signature);
        assert!(key.public().has_signed(b"", signature));
        assert!(!key.public().has_signed(b"x", signature));
        assert!(!key.public().has_signed(b"", &signature.to_uppercase()), "a value has one form only");
    }

    #[test]
    fn the_seed_is_not_printed() {
        let shown = format!("{:?}", SigningKey::from_seed(&[7; 32]).unwrap());
        assert!(!shown.contains("pair") && shown.contains("public"), "{shown}");
    }
}
