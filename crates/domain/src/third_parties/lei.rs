//! The legal entity identifier of ISO 17442: 18 characters and two check digits by ISO 7064 mod 97-10.
//!
//! Only the form is checked. Whether an identifier was ever issued is known to the issuers' register only.

use std::{fmt, str::FromStr};

use crate::wording::sentences;

const LENGTH: usize = 20;
const PREFIX: usize = 18;

/// A legal entity identifier with valid check digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lei([u8; LENGTH]);

sentences! {
    /// Why a text is no LEI.
    #[derive(Copy)]
    NotALei {
        Length(found: usize) =
            "must be a LEI of exactly 20 characters, not {found}",
            "muss ein LEI aus genau 20 Zeichen sein, nicht {found}";
        Character(position: usize) =
            "must be a LEI of digits and capital letters A to Z: character {position} is neither",
            "muss ein LEI aus Ziffern und Großbuchstaben A bis Z sein: Zeichen {position} ist keines von beiden";
        CheckDigits { found: u8, expected: u8 } =
            "has the LEI check digits {found:0>2} where its first 18 characters give {expected:0>2}: correct the typing error",
            "hat die LEI-Prüfziffern {found:0>2}, zu den ersten 18 Zeichen gehören aber {expected:0>2}: bitte den Tippfehler berichtigen";
    }
}

impl Lei {
    pub fn as_str(&self) -> &str {
        // Every byte was checked to be ASCII.
        str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Completes 18 characters with their check digits.
    pub fn from_prefix(prefix: &str) -> Result<Self, NotALei> {
        format!("{prefix}{:02}", expected_digits(characters::<PREFIX>(prefix)?)).parse()
    }
}

impl FromStr for Lei {
    type Err = NotALei;

    fn from_str(text: &str) -> Result<Self, NotALei> {
        let characters = characters::<LENGTH>(text)?;
        if let Some(letter) = characters[PREFIX..].iter().position(|byte| !byte.is_ascii_digit()) {
            return Err(NotALei::Character(PREFIX + letter + 1));
        }
        let mut prefix = [0; PREFIX];
        prefix.copy_from_slice(&characters[..PREFIX]);
        let expected = expected_digits(prefix);
        let found = (characters[PREFIX] - b'0') * 10 + (characters[PREFIX + 1] - b'0');
        // Comparing with the one valid pair also refuses 00, 01 and 99, which can pass the plain remainder test.
        if found == expected { Ok(Self(characters)) } else { Err(NotALei::CheckDigits { found, expected }) }
    }
}

fn characters<const N: usize>(text: &str) -> Result<[u8; N], NotALei> {
    let bytes: [u8; N] = text.as_bytes().try_into().map_err(|_| NotALei::Length(text.chars().count()))?;
    match bytes.iter().position(|byte| !byte.is_ascii_digit() && !byte.is_ascii_uppercase()) {
        Some(index) => Err(NotALei::Character(index + 1)),
        None => Ok(bytes),
    }
}

/// The check digits that make the whole number, letters read as 10 to 35, leave 1 when divided by 97.
fn expected_digits(prefix: [u8; PREFIX]) -> u8 {
    let remainder = prefix.iter().fold(0_u32, |remainder, byte| match byte {
        b'0'..=b'9' => (remainder * 10 + u32::from(byte - b'0')) % 97,
        _ => (remainder * 100 + u32::from(byte - b'A' + 10)) % 97,
    });
    // 98 less a remainder below 97 is at least 2 and at most 98.
    u8::try_from(98 - remainder * 100 % 97).unwrap_or_default()
}

impl fmt::Display for Lei {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Lei {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn accepts_identifiers_that_were_issued() {
        for issued in
            ["529900D6BF99LW9R2E68", "INR2EJN1ERAN0W5ZP974", "549300WCLFVEBTBNRF76", "5493006MHB84DD0ZWV18"]
        {
            assert_eq!(issued.parse::<Lei>().unwrap().to_string(), issued);
        }
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!("529900D6BF99LW9R2E6".parse::<Lei>(), Err(NotALei::Length(19)));
        assert_eq!("529900d6BF99LW9R2E68".parse::<Lei>(), Err(NotALei::Character(7)));
        assert_eq!("529900D6BF99LW9R2EA8".parse::<Lei>(), Err(NotALei::Character(19)));
        assert_eq!("é".repeat(10).parse::<Lei>(), Err(NotALei::Character(1)));
        assert_eq!(
            "529900D6BF99LW9R2E69".parse::<Lei>(),
            Err(NotALei::CheckDigits { found: 69, expected: 68 })
        );
    }

    proptest! {
        /// The method guarantees this for characters of one kind: a letter counts as two digits, so that exchanging
        /// it with a digit can give the same number.
        #[test]
        fn a_wrong_character_and_swapped_neighbours_are_found(
            prefix in "[0-9A-Z]{18}", place in 0..19_usize, digit in "[0-9]", letter in "[A-Z]",
        ) {
            let lei = Lei::from_prefix(&prefix).unwrap();
            let good = lei.to_string();
            prop_assert_eq!(good.parse::<Lei>(), Ok(lei));

            let kind = |index: usize| good.as_bytes()[index].is_ascii_digit();
            let mut changed = good.clone();
            changed.replace_range(place..=place, if kind(place) { &digit } else { &letter });
            prop_assert_eq!(changed.parse::<Lei>().is_ok(), changed == good);

            if kind(place) == kind(place + 1) {
                let mut swapped = good.clone().into_bytes();
                swapped.swap(place, place + 1);
                let swapped = String::from_utf8(swapped).unwrap();
                prop_assert_eq!(swapped.parse::<Lei>().is_ok(), swapped == good);
            }
        }
    }
}
