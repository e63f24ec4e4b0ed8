//! Exact numbers: fractions of integers that are rounded once, when they are printed.
//!
//! No float is used in any result or comparison. The whole service uses one rounding rule: to the nearest, and a
//! number exactly in the middle to the even neighbour, so that rounding has no drift.

use std::fmt;

/// `numerator / denominator`, rounded half to even. A zero denominator gives zero.
pub fn divide_half_even(numerator: u128, denominator: u128) -> u128 {
    let Some(quotient) = numerator.checked_div(denominator) else { return 0 };
    let remainder = numerator % denominator;
    // Comparing with the difference to the next one cannot overflow; doubling the remainder could.
    let round_up = match remainder.cmp(&(denominator - remainder)) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => quotient % 2 == 1,
        std::cmp::Ordering::Greater => true,
    };
    quotient + u128::from(round_up)
}

/// A number with two decimals, stored as whole hundredths. It prints without trailing zeros.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hundredths(i64);

impl Hundredths {
    #[must_use]
    pub const fn new(hundredths: i64) -> Self {
        Self(hundredths)
    }

    /// The rounded value of a fraction; capped if it does not fit.
    #[must_use]
    pub fn of(numerator: u128, denominator: u128) -> Self {
        let hundredths = divide_half_even(numerator.saturating_mul(100), denominator);
        Self(i64::try_from(hundredths).unwrap_or(i64::MAX))
    }

    /// `part` of `whole` in per cent.
    #[must_use]
    pub fn percent(part: u64, whole: u64) -> Self {
        Self::of(u128::from(part) * 100, u128::from(whole))
    }

    pub fn get(self) -> i64 {
        self.0
    }

    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl fmt::Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        match rest {
            0 => write!(f, "{sign}{whole}"),
            _ if rest.is_multiple_of(10) => write!(f, "{sign}{whole}.{}", rest / 10),
            _ => write!(f, "{sign}{whole}.{rest:02}"),
        }
    }
}

impl serde::Serialize for Hundredths {
    /// As a JSON number: whole ones as integers, so that 25 % reads `25`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            return serializer.serialize_i64(self.0 / 100);
        }
        // A 32-bit integer is exact as a float; the quotient is the float nearest to the printed decimal.
        let whole = i32::try_from(self.0).map_err(|_| serde::ser::Error::custom("number out of range"))?;
        serializer.serialize_f64(f64::from(whole) / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_middle_goes_to_the_even_neighbour() {
        assert_eq!([1, 3, 5, 7].map(|odd| divide_half_even(odd, 2)), [0, 2, 2, 4]);
        assert_eq!(divide_half_even(u128::MAX, u128::MAX), 1);
        assert_eq!(divide_half_even(u128::MAX - 1, u128::MAX), 1);
        assert_eq!(divide_half_even(1, 0), 0);
    }

    #[test]
    fn prints_at_most_two_decimals() {
        let printed = [0, 5, 10, 100, 3333, 2500, -1, -1050, 10_000].map(|n| Hundredths::new(n).to_string());
        assert_eq!(printed, ["0", "0.05", "0.1", "1", "33.33", "25", "-0.01", "-10.5", "100"]);
        assert_eq!(Hundredths::percent(1, 32).to_string(), "3.12");
        assert_eq!(Hundredths::percent(3, 32).to_string(), "9.38");
    }

    proptest! {
        #[test]
        fn rounding_is_never_off_by_more_than_a_half(numerator in 0..u128::MAX / 4, denominator in 1..u128::MAX / 4) {
            let quotient = divide_half_even(numerator, denominator);
            let low = quotient.saturating_mul(2).saturating_sub(1).saturating_mul(denominator);
            prop_assert!(low <= numerator.saturating_mul(2) || quotient == 0);
            prop_assert!(numerator / denominator <= quotient && quotient <= numerator / denominator + 1);
        }
    }
}
