//! A person's password on its way in, and the rule a new one must keep.
//!
//! Length beats rules about digits and capitals, which people answer with `Password1!`. What is refused besides
//! short ones is what a guesser tries first: repetition, and the person's own address.

use std::{collections::HashSet, fmt};

use crate::user::Email;
use crate::violation::sentences;

/// A password as typed. It never prints itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

const MIN: usize = Password::MIN;
const MAX: usize = Password::MAX;

sentences! {
    /// Why a password was refused.
    #[derive(Copy)]
    PasswordError {
        TooShort =
            "must be at least {MIN} characters long: a few unrelated words are easy to remember",
            "muss mindestens {MIN} Zeichen lang sein: Einige Wörter ohne Zusammenhang sind leicht zu merken";
        TooLong = "must be at most {MAX} characters long", "darf höchstens {MAX} Zeichen lang sein";
        Repetitive = "must use more different characters", "muss mehr verschiedene Zeichen enthalten";
        Address =
            "must not be built from your email address",
            "darf nicht aus Ihrer E-Mail-Adresse gebildet sein";
    }
}

impl Password {
    pub const MIN: usize = 12;
    pub const MAX: usize = 256;
    /// Fewer different characters than this are a pattern, not a password.
    const DIFFERENT: usize = 6;

    /// A password somebody presents. Whether it is the right one is found out elsewhere.
    #[must_use]
    pub fn presented(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// A password somebody chooses.
    pub fn chosen(text: &str, email: &Email) -> Result<Self, PasswordError> {
        match text.chars().count() {
            ..Self::MIN => return Err(PasswordError::TooShort),
            Self::MIN..=Self::MAX => {}
            _ => return Err(PasswordError::TooLong),
        }
        if text.chars().collect::<HashSet<_>>().len() < Self::DIFFERENT {
            return Err(PasswordError::Repetitive);
        }
        let lower = text.to_lowercase();
        let rest = lower.replace(email.as_str(), "").replace(email.local_part(), "");
        if rest.chars().count() < Self::MIN / 2 {
            return Err(PasswordError::Address);
        }
        Ok(Self(text.to_owned()))
    }

    /// The password itself, for the hash.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(text: &str) -> Result<Password, PasswordError> {
        Password::chosen(text, &"anna.weber@bank.example".parse().unwrap())
    }

    #[test]
    fn length_counts_in_characters() {
        assert!(chosen("grüne Möwe x").is_ok());
        assert_eq!(chosen("grüne Möwe "), Err(PasswordError::TooShort));
        assert_eq!(chosen(&"abcdefgh".repeat(33)), Err(PasswordError::TooLong));
    }

    #[test]
    fn what_a_guesser_tries_first_is_refused() {
        assert_eq!(chosen("aaaabbbbcccc"), Err(PasswordError::Repetitive));
        assert_eq!(chosen("Anna.Weber@Bank.Example"), Err(PasswordError::Address));
        assert_eq!(chosen("anna.weber2026"), Err(PasswordError::Address));
        assert!(chosen("anna.weber likes the north wind").is_ok());
    }

    #[test]
    fn never_prints_itself() {
        assert_eq!(format!("{:?}", Password::presented("secret")), "Password(…)");
    }
}
