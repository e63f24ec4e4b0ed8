//! The references of findings and incidents: `F-2026-0042`, `I-2026-0007`, counted per tenant and year without gaps.
//!
//! The store assigns the next number under concurrency; here is only the format.

use std::{fmt, str::FromStr};

use crate::wording::sentence;

/// Declares a kind of reference: its type, its letter, and the error of a text that is none.
macro_rules! references {
    ($($(#[$doc:meta])* $name:ident = $letter:literal, $error:ident ($en:literal, $de:literal);)*) => {$(
        $(#[$doc])*
        ///
        /// Sorts by year, then by number, also past 9999.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name {
            year: u16,
            number: u32,
        }

        sentence! {
            /// The text is no such reference.
            $error = $en, $de;
        }

        impl $name {
            pub fn new(year: i32, number: i64) -> Result<Self, $error> {
                let year = u16::try_from(year).ok().filter(|year| i32::from(*year) <= MAX_YEAR);
                let number = u32::try_from(number).ok().filter(|number| *number > 0);
                year.zip(number).map(|(year, number)| Self { year, number }).ok_or($error)
            }

            pub fn year(self) -> i32 {
                i32::from(self.year)
            }

            pub fn number(self) -> i64 {
                i64::from(self.number)
            }
        }

        impl fmt::Display for $name {
            /// At least four digits, so that a year's references align; larger numbers are longer.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "-{:04}-{:04}"), self.year, self.number)
            }
        }

        impl FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                let (year, number) = text
                    .strip_prefix(concat!($letter, "-"))
                    .and_then(|rest| rest.split_once('-'))
                    .ok_or($error)?;
                let reference =
                    Self::new(year.parse().map_err(|_| $error)?, number.parse().map_err(|_| $error)?)?;
                // One number has one spelling.
                if reference.to_string() == text { Ok(reference) } else { Err($error) }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

const MAX_YEAR: i32 = 9999;

references! {
    /// The number of a finding.
    FindingReference = "F", NotAReference (
        "must be a finding's reference like F-2026-0042",
        "muss das Kennzeichen einer Feststellung sein, etwa F-2026-0042"
    );
    /// The number of an incident.
    IncidentReference = "I", NotAnIncidentReference (
        "must be an incident's reference like I-2026-0007",
        "muss das Kennzeichen eines Vorfalls sein, etwa I-2026-0007"
    );
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn is_padded_to_four_digits_and_grows() {
        let text = |number| FindingReference::new(2026, number).unwrap().to_string();
        assert_eq!(text(42), "F-2026-0042");
        assert_eq!(text(9999), "F-2026-9999");
        assert_eq!(text(10_000), "F-2026-10000");
    }

    #[test]
    fn has_exactly_one_spelling() {
        for bad in [
            "",
            "F-2026",
            "F-2026-",
            "F-2026-42",
            "F-2026-00042",
            "F-2026-0000",
            "F-26-0042",
            "f-2026-0042",
            "F-2026-0042 ",
            "F-2026--042",
            "F-+026-0042",
            "F-2026-99999999999",
        ] {
            assert_eq!(bad.parse::<FindingReference>(), Err(NotAReference), "{bad}");
        }
        assert!(FindingReference::new(10_000, 1).is_err() && FindingReference::new(2026, 0).is_err());
    }

    #[test]
    fn kinds_are_distinguished_by_their_letter() {
        let incident = IncidentReference::new(2026, 7).unwrap();
        assert_eq!(incident.to_string(), "I-2026-0007");
        assert_eq!("I-2026-0007".parse(), Ok(incident));
        assert_eq!("F-2026-0007".parse::<IncidentReference>(), Err(NotAnIncidentReference));
        assert_eq!("I-2026-0007".parse::<FindingReference>(), Err(NotAReference));
    }

    proptest! {
        #[test]
        fn survives_text(year in 0_i32..=9999, number in 1_u32..) {
            let reference = FindingReference::new(year, i64::from(number)).unwrap();
            prop_assert_eq!(reference.to_string().parse(), Ok(reference));
        }

        #[test]
        fn never_panics(text in "F-[0-9+-]{0,12}") {
            let _ = text.parse::<FindingReference>();
        }
    }
}
