//! Shares and the Herfindahl-Hirschman index as exact fractions.

use std::fmt;

use crate::{
    rounding::{Hundredths, divide_half_even},
    threshold::Percent,
};

/// `part` of `whole`, never rounded internally.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    pub part: u64,
    pub whole: u64,
}

impl Share {
    #[must_use]
    pub fn new(part: u64, whole: u64) -> Self {
        Self { part, whole }
    }

    /// In per cent with two decimals, half to even. Each share is rounded on its own: printed shares are not adjusted
    /// to add up to 100, so a printed share never depends on the others.
    pub fn percent(self) -> Hundredths {
        Hundredths::percent(self.part, self.whole)
    }

    /// Strictly above the threshold, before any rounding.
    pub fn exceeds(self, threshold: Percent) -> bool {
        self.above(threshold) > 0
    }

    /// How far above the threshold, in per cent with two decimals; zero when not above.
    pub fn excess(self, threshold: Percent) -> Hundredths {
        Hundredths::of(self.above(threshold), u128::from(self.whole))
    }

    /// The excess as `above / whole` per cent.
    pub(super) fn above(self, threshold: Percent) -> u128 {
        (u128::from(self.part) * 100).saturating_sub(u128::from(self.whole) * u128::from(threshold.get()))
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.percent())
    }
}

/// The Herfindahl-Hirschman index: the sum of the squared shares, on the scale from 0 (spread infinitely) to 10,000
/// (everything with one).
///
/// Stored as `squares / total²`. Totals stay below 2⁶², so neither that nor ten times it exceeds 128 bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hhi {
    squares: u128,
    total: u64,
}

/// The largest total that can be analysed: about 46 thousand billion of a currency with two decimals.
pub(super) const MAX_TOTAL: u64 = 1 << 62;

impl Hhi {
    pub(super) fn of(values: impl Iterator<Item = u64>, total: u64) -> Self {
        let squares = values.map(|value| u128::from(value) * u128::from(value)).sum();
        Self { squares, total }
    }

    /// On the scale 0 to 10,000 with two decimals, half to even.
    pub fn value(self) -> Hundredths {
        let divisor = u128::from(self.total) * u128::from(self.total);
        if divisor == 0 {
            return Hundredths::default();
        }
        // Long division, digit by digit: 10,000 times the squares might not fit, ten times a remainder does.
        let (mut quotient, mut remainder) = (self.squares / divisor, self.squares % divisor);
        for _ in 0..6 {
            remainder *= 10;
            quotient = quotient * 10 + remainder / divisor;
            remainder %= divisor;
        }
        let rounded = round_half_even(quotient, remainder, divisor);
        Hundredths::new(i64::try_from(rounded).unwrap_or(i64::MAX))
    }

    /// Strictly above `numerator / denominator` of the scale: `(1, 5)` means more than 2,000.
    pub(super) fn exceeds(self, numerator: u8, denominator: u8) -> bool {
        let whole = u128::from(self.total) * u128::from(self.total);
        self.squares * u128::from(denominator.min(10)) > whole * u128::from(numerator.min(10))
    }
}

fn round_half_even(quotient: u128, remainder: u128, divisor: u128) -> u128 {
    // The remainder is a fraction below one; an odd quotient raises it so that the middle rounds up.
    let odd = quotient % 2;
    quotient - odd + divide_half_even(odd * divisor + remainder, divisor)
}

impl fmt::Display for Hhi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_broken_only_above_it() {
        let quarter = Percent::try_from(25).unwrap();
        assert!(!Share::new(25, 100).exceeds(quarter));
        assert!(Share::new(250_000_001, 1_000_000_000).exceeds(quarter));
        assert_eq!(Share::new(250_000_001, 1_000_000_000).percent().to_string(), "25");
        assert_eq!(Share::new(1, 3).excess(quarter).to_string(), "8.33");
        assert_eq!(Share::new(1, 5).excess(quarter).to_string(), "0");
        let top = MAX_TOTAL;
        assert!(!Share::new(top / 4, top).exceeds(quarter) && Share::new(top / 4 + 1, top).exceeds(quarter));
    }

    #[test]
    fn the_index_runs_from_nothing_to_ten_thousand() {
        let hhi = |values: &[u64]| Hhi::of(values.iter().copied(), values.iter().sum()).to_string();
        assert_eq!(hhi(&[]), "0");
        assert_eq!(hhi(&[7]), "10000");
        assert_eq!(hhi(&[MAX_TOTAL]), "10000");
        assert_eq!(hhi(&[1, 1, 1]), "3333.33");
        assert_eq!(hhi(&[50, 30, 20]), "3800");
        assert_eq!(hhi(&[MAX_TOTAL / 2, MAX_TOTAL / 2]), "5000");
    }

    #[test]
    fn the_index_is_compared_exactly() {
        let fifths = Hhi::of([1, 1, 1, 1, 1].into_iter(), 5);
        assert!(!fifths.exceeds(1, 5));
        assert!(
            Hhi::of([1_000_001, 1_000_000, 1_000_000, 1_000_000, 1_000_000].into_iter(), 5_000_001)
                .exceeds(1, 5)
        );
    }
}
