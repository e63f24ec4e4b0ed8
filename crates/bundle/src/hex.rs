//! Lower-case hexadecimal text, the only form of hashes, keys and signatures in a bundle.

use data_encoding::HEXLOWER;

pub(crate) fn encode(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

/// The bytes of a text of exactly this length. Capital letters are refused, so that a value has one form only.
pub(crate) fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}
