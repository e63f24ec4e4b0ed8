//! The format of an API key: `tw_` + public id + `_` + secret + checksum.
//!
//! The checksum lets a mistyped key be refused without touching the store, and lets secret scanners
//! recognise a leaked one. Only the SHA-256 of the whole key is ever stored.

use std::fmt;

use sha2::{Digest as _, Sha256};

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PUBLIC: usize = 8;
const SECRET: usize = 32;
const CHECKSUM: usize = 6;
const LENGTH: usize = 3 + PUBLIC + 1 + SECRET + CHECKSUM;

/// How much randomness [`ApiKey::from_random`] takes: one byte for each character.
pub const RANDOM_BYTES: usize = PUBLIC + SECRET;

/// SHA-256 of a whole key.
pub type KeyDigest = [u8; 32];

/// A complete key, secret included. It prints only its public part.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Makes a key from random bytes; bytes that would favour some characters are refused by returning `None`.
    pub fn from_random(random: &[u8; RANDOM_BYTES]) -> Option<Self> {
        let mut key = String::with_capacity(LENGTH);
        key.push_str("tw_");
        for (index, byte) in random.iter().enumerate() {
            if index == PUBLIC {
                key.push('_');
            }
            // 248 is the largest multiple of 62 a byte holds: above it the remainder would be biased.
            if *byte >= 248 {
                return None;
            }
            key.push(char::from(BASE62[usize::from(byte % 62)]));
        }
        let checksum = checksum(&key);
        key.push_str(&checksum);
        Some(Self(key))
    }

    /// Parses a presented key; `None` if its form or its checksum is wrong.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != LENGTH || !text.starts_with("tw_") || text.as_bytes()[3 + PUBLIC] != b'_' {
            return None;
        }
        let (body, presented) = text.split_at_checked(LENGTH - CHECKSUM)?;
        let alphabet_ok = body[3..].bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        (alphabet_ok && checksum(body) == presented).then(|| Self(text.to_owned()))
    }

    /// The part that may be shown and logged: `tw_` and the public id.
    pub fn prefix(&self) -> &str {
        &self.0[..3 + PUBLIC]
    }

    pub fn digest(&self) -> KeyDigest {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// The digest of a text as a key, without checking its form.
    pub fn digest_of(text: &str) -> Option<KeyDigest> {
        (text.len() == LENGTH).then(|| Sha256::digest(text.as_bytes()).into())
    }

    /// The whole key, for the one response that shows it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({}…)", self.prefix())
    }
}

/// CRC-32 in six base62 characters, most significant first.
fn checksum(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes());
    let mut digits = [b'0'; CHECKSUM];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ApiKey {
        ApiKey::from_random(&std::array::from_fn(|index| u8::try_from(index * 6).unwrap())).unwrap()
    }

    #[test]
    fn has_the_documented_shape() {
        let key = sample();
        assert_eq!(key.reveal().len(), 50);
        assert_eq!(key.prefix().len(), 11);
        assert_eq!(ApiKey::parse(key.reveal()), Some(key.clone()));
        assert_eq!(format!("{key:?}"), format!("ApiKey({}…)", key.prefix()));
    }

    #[test]
    fn one_changed_character_is_no_key() {
        let key = sample().reveal().to_owned();
        for index in 0..key.len() {
            let mut bytes = key.clone().into_bytes();
            bytes[index] = if bytes[index] == b'a' { b'b' } else { b'a' };
            assert_eq!(ApiKey::parse(std::str::from_utf8(&bytes).unwrap()), None, "position {index}");
        }
        assert_eq!(ApiKey::parse(""), None);
        assert_eq!(ApiKey::parse(&"ü".repeat(25)), None);
    }

    #[test]
    fn biased_bytes_are_refused() {
        assert!(ApiKey::from_random(&[248; RANDOM_BYTES]).is_none());
        assert!(ApiKey::from_random(&[247; RANDOM_BYTES]).is_some());
    }
}
