//! The number people use for a finding: `F-2026-0042`, counted per tenant and year without gaps.
//!
//! Handing out the next number under concurrency is the store's work; here is only what a number looks like.

use std::{fmt, str::FromStr};

use crate::violation::sentence;

/// Sorts by year, then by number, also past 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FindingReference {
    year: u16,
    number: u32,
}

sentence! {
    /// The text is no reference of a finding.
    NotAReference =
        "must be a finding's reference like F-2026-0042",
        "muss das Kennzeichen einer Feststellung sein, etwa F-2026-0042";
}

impl FindingReference {
    const MAX_YEAR: i32 = 9999;

    pub fn new(year: i32, number: i64) -> Result<Self, NotAReference> {
        let year = u16::try_from(year).ok().filter(|year| i32::from(*year) <= Self::MAX_YEAR);
        let number = u32::try_from(number).ok().filter(|number| *number > 0);
        year.zip(number).map(|(year, number)| Self { year, number }).ok_or(NotAReference)
    }

    pub fn year(self) -> i32 {
        i32::from(self.year)
    }

    pub fn number(self) -> i64 {
        i64::from(self.number)
    }
}

impl fmt::Display for FindingReference {
    /// At least four digits, so that a year's references line up; larger numbers grow.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "F-{:04}-{:04}", self.year, self.number)
    }
}

impl FromStr for FindingReference {
    type Err = NotAReference;

    fn from_str(text: &str) -> Result<Self, NotAReference> {
        let (year, number) =
            text.strip_prefix("F-").and_then(|rest| rest.split_once('-')).ok_or(NotAReference)?;
        let reference =
            Self::new(year.parse().map_err(|_| NotAReference)?, number.parse().map_err(|_| NotAReference)?)?;
        // One number has one spelling.
        if reference.to_string() == text { Ok(reference) } else { Err(NotAReference) }
    }
}

impl serde::Serialize for FindingReference {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
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
