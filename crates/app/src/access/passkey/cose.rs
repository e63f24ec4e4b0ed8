//! The public key of a passkey (RFC 9052, 9053, 8230), and the parts of the CBOR that carries it.
//!
//! The decoder takes one item at a time and builds no tree, so what a sender nests or announces costs nothing. Lengths
//! must be stated in advance, as the canonical form of CTAP2 demands.

use std::collections::BTreeMap;

use minicbor::{Decoder, data::Type};

use super::ceremony::CeremonyError;
use crate::signature::{Algorithm, EcdsaForm, PublicKey};

/// The labels of a key's parts.
const KIND: i64 = 1;
const ALGORITHM: i64 = 3;

impl From<minicbor::decode::Error> for CeremonyError {
    fn from(_: minicbor::decode::Error) -> Self {
        Self::Malformed
    }
}

/// How many bytes the map has that these begin with.
pub(super) fn map_length(bytes: &[u8]) -> Result<usize, CeremonyError> {
    let mut decoder = Decoder::new(bytes);
    if decoder.datatype()? != Type::Map {
        return Err(CeremonyError::Malformed);
    }
    decoder.skip()?;
    Ok(decoder.position())
}

/// The bytes under a name in a map that is all there is; each name stands once.
pub(super) fn bytes_of<'b>(map: &'b [u8], wanted: &str) -> Result<&'b [u8], CeremonyError> {
    let mut decoder = Decoder::new(map);
    let mut found = None;
    for _ in 0..decoder.map()?.ok_or(CeremonyError::Malformed)? {
        if decoder.str()? != wanted {
            decoder.skip()?;
        } else if found.replace(decoder.bytes()?).is_some() {
            return Err(CeremonyError::Malformed);
        }
    }
    if decoder.position() == map.len() {
        found.ok_or(CeremonyError::Malformed)
    } else {
        Err(CeremonyError::Malformed)
    }
}

/// A part of a key.
#[derive(Debug, Clone, Copy)]
enum Part<'b> {
    Number(i64),
    Bytes(&'b [u8]),
    /// Of a kind that no key needs.
    Other,
}

/// The parts of a key by their labels.
struct Parts<'b>(BTreeMap<i64, Part<'b>>);

impl<'b> Parts<'b> {
    /// Reads the map that these bytes begin with, and says how many of them it has.
    fn read(bytes: &'b [u8]) -> Result<(Self, usize), CeremonyError> {
        let mut decoder = Decoder::new(bytes);
        let mut parts = BTreeMap::new();
        for _ in 0..decoder.map()?.ok_or(CeremonyError::Malformed)? {
            if decoder.datatype()? == Type::String {
                decoder.skip()?;
                decoder.skip()?;
                continue;
            }
            let label = decoder.i64()?;
            let part = match decoder.datatype()? {
                Type::Bytes => Part::Bytes(decoder.bytes()?),
                Type::U8 | Type::U16 | Type::U32 | Type::I8 | Type::I16 | Type::I32 | Type::I64 => {
                    Part::Number(decoder.i64()?)
                }
                _ => {
                    decoder.skip()?;
                    Part::Other
                }
            };
            if parts.insert(label, part).is_some() {
                return Err(CeremonyError::Malformed);
            }
        }
        Ok((Self(parts), decoder.position()))
    }

    fn number(&self, label: i64) -> Option<i64> {
        match self.0.get(&label) {
            Some(Part::Number(number)) => Some(*number),
            _ => None,
        }
    }

    fn bytes(&self, label: i64) -> Result<&'b [u8], CeremonyError> {
        match self.0.get(&label) {
            Some(Part::Bytes(bytes)) => Ok(bytes),
            _ => Err(CeremonyError::Malformed),
        }
    }
}

/// A public key of a kind that is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PasskeyKey {
    pub(crate) algorithm: Algorithm,
    key: PublicKey,
}

impl PasskeyKey {
    /// Reads a key that these bytes begin with, and says how many of them it has.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Self, usize), CeremonyError> {
        let (parts, length) = Parts::read(bytes)?;
        let named = parts.number(ALGORITHM).ok_or(CeremonyError::Malformed)?;
        let algorithm = Algorithm::PASSKEYS.into_iter().find(|known| known.number() == named);
        let algorithm = algorithm.ok_or(CeremonyError::Algorithm)?;
        // Type and curve of a key for it.
        let (kind, curve) = match algorithm {
            Algorithm::Es256 => (2, Some(1)),
            Algorithm::EdDsa => (1, Some(6)),
            Algorithm::Rs256 | Algorithm::Ps256 => (3, None),
        };
        if parts.number(KIND) != Some(kind) || (curve.is_some() && parts.number(-1) != curve) {
            return Err(CeremonyError::Algorithm);
        }
        let key = match algorithm {
            Algorithm::Es256 => PublicKey::p256(parts.bytes(-2)?, parts.bytes(-3)?),
            Algorithm::EdDsa => PublicKey::ed25519(parts.bytes(-2)?),
            Algorithm::Rs256 | Algorithm::Ps256 => Some(PublicKey::rsa(parts.bytes(-1)?, parts.bytes(-2)?)),
        };
        Ok((Self { algorithm, key: key.ok_or(CeremonyError::Malformed)? }, length))
    }

    /// Refuses a key that no key pair can have. Asked when a passkey is made: later such a key opens nothing anyway.
    pub(super) fn check(&self) -> Result<(), CeremonyError> {
        if self.key.is_sound() { Ok(()) } else { Err(CeremonyError::Key) }
    }

    pub(super) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), CeremonyError> {
        let holds = self.key.holds((self.algorithm, EcdsaForm::Der), message, signature);
        if holds { Ok(()) } else { Err(CeremonyError::Signature) }
    }
}
