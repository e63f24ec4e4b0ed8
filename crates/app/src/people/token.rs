//! Secrets that are presented in full and stored only as a digest: the value of a session cookie, and the end of a
//! one-time link.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use sha2::{Digest as _, Sha256};

use crate::ids::fill_random;

const RANDOM: usize = 32;
/// 32 bytes in base64 without padding.
const LENGTH: usize = 43;

/// An unguessable text. Its `Debug` output hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    #[must_use]
    pub fn random() -> Self {
        let mut bytes = [0; RANDOM];
        fill_random(&mut bytes);
        Self(BASE64.encode(bytes))
    }

    /// Parses a presented token; `None` if it has the wrong form.
    pub fn parse(text: &str) -> Option<Self> {
        let shaped = text.len() == LENGTH
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        shaped.then(|| Self(text.to_owned()))
    }

    /// The token itself, for the response that issues it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The digest for the store.
    pub fn digest(&self) -> String {
        store::sql::hex(&Sha256::digest(self.0.as_bytes()).into())
    }

    /// Another secret derived from this one, which cannot be computed back.
    pub fn derive(&self, purpose: &str) -> String {
        let mut hasher = Sha256::new();
        hasher.update(purpose.as_bytes());
        hasher.update([0]);
        hasher.update(self.0.as_bytes());
        BASE64.encode(hasher.finalize())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_it_made_and_nothing_else() {
        let token = Token::random();
        assert_eq!(Token::parse(token.reveal()), Some(token.clone()));
        assert_ne!(token, Token::random());
        for bad in ["", "short", &"=".repeat(LENGTH), &"é".repeat(LENGTH), &format!("{}x", token.reveal())] {
            assert_eq!(Token::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn neither_digest_nor_debug_holds_the_token() {
        let token = Token::random();
        for shown in [token.digest(), format!("{token:?}"), token.derive("form")] {
            assert!(!shown.contains(token.reveal()));
        }
        assert_ne!(token.derive("form"), token.derive("other"));
    }
}
