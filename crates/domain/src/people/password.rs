//! Passwords as typed, and the rules for a new one.
//!
//! Length is better than rules about digits and capitals, which users answer with `Password1!`. Besides short
//! passwords, those that an attacker tries first are refused: repetitions, common passwords and words, keyboard rows,
//! and the names of the user, the institution and the service.

mod guess;

use std::{collections::HashSet, fmt};

use crate::user::Email;
use crate::wording::sentences;

/// A password as typed. Its `Debug` output hides it.
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
        Names =
            "must not be built from your name, your institution's or the service's: add three or four unrelated words",
            "darf nicht aus Ihrem Namen, dem Ihres Instituts oder des Dienstes gebildet sein: Ergänzen Sie drei oder vier \
             Wörter ohne Zusammenhang";
        Common =
            "is too easy to guess, because it is made of common passwords, words or rows of keys: choose three or four \
             unrelated words, or let a password manager make one",
            "ist zu leicht zu erraten, weil es aus gängigen Passwörtern, Wörtern oder Tastenfolgen besteht: Wählen Sie drei \
             oder vier Wörter ohne Zusammenhang, oder lassen Sie es von einem Passwortmanager erzeugen";
    }
}

impl Password {
    pub const MIN: usize = 12;
    pub const MAX: usize = 256;
    /// Fewer different characters are a pattern, not a password.
    const DIFFERENT: usize = 6;
    /// A password worth fewer random characters can be guessed.
    const WORTH: usize = 9;

    /// A password presented at sign-in. It is checked elsewhere.
    #[must_use]
    pub fn presented(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// A new password chosen by a user.
    pub fn chosen(text: &str, owner: &Owner<'_>) -> Result<Self, PasswordError> {
        let email = owner.email;
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
        owner.check(text)?;
        Ok(Self(text.to_owned()))
    }

    /// The password itself, for the hash.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// The owner of the password, with the names an attacker knows.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'o> {
    pub email: &'o Email,
    /// The names of the user and of the institution.
    pub names: &'o [&'o str],
}

/// The name of the service.
const SERVICE: &str = "tidewall";

impl Owner<'_> {
    fn check(&self, text: &str) -> Result<(), PasswordError> {
        let known = self.names.iter().copied().chain([SERVICE, self.email.as_str()]);
        let worth = guess::worth(text, &guess::words(known));
        if worth >= Password::WORTH {
            return Ok(());
        }
        Err(if worth < guess::worth(text, &[]) { PasswordError::Names } else { PasswordError::Common })
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
        let email = "anna.weber@bank.example".parse().unwrap();
        Password::chosen(text, &Owner { email: &email, names: &["Anna Weber", "Küstenbank AG"] })
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
    fn common_and_leaked_passwords_are_refused() {
        for common in [
            "passwordpassword",
            "123456789012",
            "Password123456!",
            "P@ssw0rd2026!",
            "qwertzuiop12",
            "1q2w3e4r5t6y",
            "abcdefabcdef",
            "Sommer2026Sommer",
            "Entschuldigung1",
            "iloveyou123456",
        ] {
            assert_eq!(chosen(common), Err(PasswordError::Common), "{common}");
        }
        for good in [
            "the north wind doth blow",
            "correct horse battery staple",
            "Möwe Kupfer Laterne",
            "xkq9vwTz4mPb",
            "k7#Lp2!vQx9z",
        ] {
            assert!(chosen(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn names_a_guesser_knows_are_refused() {
        for named in
            ["tidewalltidewall", "TideWall2026!!", "kuestenbank", "Küstenbank2026!", "WeberKüstenbankAnna"]
        {
            let expected = if named.chars().count() < Password::MIN {
                PasswordError::TooShort
            } else {
                PasswordError::Names
            };
            assert_eq!(chosen(named), Err(expected), "{named}");
        }
    }

    #[test]
    fn never_prints_itself() {
        assert_eq!(format!("{:?}", Password::presented("secret")), "Password(…)");
    }
}
