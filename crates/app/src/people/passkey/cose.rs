//! The public key of a passkey (RFC 9052, 9053, 8230) and the signatures it checks.
//!
//! The arithmetic is ring's, which TLS needs anyway: the crates that know the whole of `WebAuthn` bring a second
//! cryptography, one of them with an open advisory (RUSTSEC-2023-0071).

use cbor2::{Value, de::Deserializer};
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde::Deserialize as _;

use super::ceremony::CeremonyError;

/// What a passkey sends is nested less deeply than this.
const DEPTH: usize = 8;
const COORDINATE: usize = 32;
/// The lengths of RSA numbers that ring accepts, in bytes.
const RSA_MODULUS: std::ops::RangeInclusive<usize> = 256..=1024;

/// The ways to sign that are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Es256,
    EdDsa,
    Rs256,
}

impl Algorithm {
    /// In the order in which they are offered to a browser.
    pub(crate) const ALL: [Self; 3] = [Self::Es256, Self::EdDsa, Self::Rs256];

    /// The number in the registry of COSE algorithms.
    pub(crate) fn number(self) -> i64 {
        match self {
            Self::Es256 => -7,
            Self::EdDsa => -8,
            Self::Rs256 => -257,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::EdDsa => "EdDSA",
            Self::Rs256 => "RS256",
        }
    }

    /// Type and curve of a key for it.
    fn shape(self) -> (i64, Option<i64>) {
        match self {
            Self::Es256 => (2, Some(1)),
            Self::EdDsa => (1, Some(6)),
            Self::Rs256 => (3, None),
        }
    }
}

/// The first item of these bytes, and how many bytes it has.
pub(super) fn item(bytes: &[u8]) -> Result<(Value, usize), CeremonyError> {
    let mut reader = Deserializer::from_slice_with_recursion_limit(bytes, DEPTH);
    let value = Value::deserialize(&mut reader).map_err(|_| CeremonyError::Malformed)?;
    Ok((value, reader.offset()))
}

/// The entry of a map; `None` where it is missing or written twice.
pub(super) fn entry<'v>(map: &'v Value, key: &Value) -> Option<&'v Value> {
    let Value::Map(pairs) = map else { return None };
    let mut found = pairs.iter().filter(|(name, _)| name == key).map(|(_, value)| value);
    let first = found.next()?;
    if found.next().is_some() { None } else { Some(first) }
}

/// A public key of a kind that is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PublicKey {
    /// The uncompressed point.
    Es256(Vec<u8>),
    EdDsa(Vec<u8>),
    Rs256 {
        n: Vec<u8>,
        e: Vec<u8>,
    },
}

impl PublicKey {
    /// Reads a key that these bytes begin with, and says how many of them it has.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Self, usize), CeremonyError> {
        let (map, length) = item(bytes)?;
        let number = |label: i64| match entry(&map, &Value::from(label)) {
            Some(Value::Integer(number)) => i64::try_from(*number).ok(),
            _ => None,
        };
        let part = |label: i64| match entry(&map, &Value::from(label)) {
            Some(Value::Bytes(bytes)) => Ok(bytes.as_slice()),
            _ => Err(CeremonyError::Malformed),
        };
        let named = number(3).ok_or(CeremonyError::Malformed)?;
        let algorithm = Algorithm::ALL.into_iter().find(|known| known.number() == named);
        let algorithm = algorithm.ok_or(CeremonyError::Algorithm)?;
        let (kind, curve) = algorithm.shape();
        if number(1) != Some(kind) || (curve.is_some() && number(-1) != curve) {
            return Err(CeremonyError::Algorithm);
        }
        let coordinate = |label: i64| {
            part(label).and_then(|bytes| {
                if bytes.len() == COORDINATE { Ok(bytes) } else { Err(CeremonyError::Malformed) }
            })
        };
        let key = match algorithm {
            Algorithm::Es256 => Self::Es256([&[4], coordinate(-2)?, coordinate(-3)?].concat()),
            Algorithm::EdDsa => Self::EdDsa(coordinate(-2)?.to_vec()),
            Algorithm::Rs256 => {
                let (n, e) = (part(-1)?, part(-2)?);
                if !RSA_MODULUS.contains(&n.len()) {
                    return Err(CeremonyError::Algorithm);
                }
                Self::Rs256 { n: n.to_vec(), e: e.to_vec() }
            }
        };
        Ok((key, length))
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        match self {
            Self::Es256(_) => Algorithm::Es256,
            Self::EdDsa(_) => Algorithm::EdDsa,
            Self::Rs256 { .. } => Algorithm::Rs256,
        }
    }

    pub(super) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), CeremonyError> {
        let checked = match self {
            Self::Es256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature)
            }
            Self::EdDsa(key) => UnparsedPublicKey::new(&ED25519, key).verify(message, signature),
            Self::Rs256 { n, e } => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            }
        };
        checked.map_err(|_| CeremonyError::Signature)
    }
}
