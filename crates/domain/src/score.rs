//! How well a tenant stands with one framework, as one number from 0 to 100.
//!
//! The rule is ours; no regulation gives one. It is stated here in full, and explained with an example in
//! `docs/scores.md`: the share of tests passed, lessened by open findings and by breached concentration limits.
//! Nothing tested is nothing shown: without a passed test the score is zero, whatever else is in order.

use crate::{
    exact::{Hundredths, divide_half_even},
    vocabulary::Severity,
};

/// Open findings of this weight together halve the score.
const HALVING_WEIGHT: u64 = 40;
/// What each breached kind of limit takes off, in per cent.
const BREACH_PCT: u64 = 10;
/// Provider, sector, region and technology.
const LIMITS: u64 = 4;
const FULL: u64 = 100;

/// What a score is made from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing {
    /// Test cases of the framework's programmes that are not cancelled, and those of them that passed.
    pub tests: u64,
    pub passed: u64,
    /// Open findings, each with the weight of its severity.
    pub open_findings: u64,
    pub finding_weight: u64,
    /// How many of the four concentration limits the latest analysis breaches; absent where the framework knows no
    /// such limit.
    pub breached_limits: Option<u64>,
}

/// A score and its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Score {
    pub value: Hundredths,
    /// The share of tests passed.
    pub tests: Hundredths,
    /// What the open findings leave of it, of 100.
    pub findings: Hundredths,
    /// What the breached limits leave of it, of 100.
    pub thresholds: Hundredths,
}

impl Severity {
    /// How much an open finding weighs in a score.
    pub fn score_weight(self) -> u64 {
        match self {
            Self::Critical => 8,
            Self::High => 4,
            Self::Medium => 2,
            Self::Low => 1,
            Self::Info => 0,
        }
    }
}

impl Standing {
    pub fn add_findings(&mut self, severity: Severity, count: u64) {
        self.open_findings += count;
        self.finding_weight += count * severity.score_weight();
    }

    pub fn score(&self) -> Score {
        let breached = self.breached_limits.unwrap_or(0).min(LIMITS);
        let left = FULL - breached * BREACH_PCT;
        let weighed = HALVING_WEIGHT + self.finding_weight;
        let (passed, tests) = (self.passed.min(self.tests), self.tests.max(1));
        // One division at the end: no part is rounded before it is used.
        let numerator = [passed, HALVING_WEIGHT, left, FULL].map(u128::from).iter().product();
        let denominator = [tests, weighed].map(u128::from).iter().product();
        Score {
            value: Hundredths::new(i64::try_from(divide_half_even(numerator, denominator)).unwrap_or(0)),
            tests: Hundredths::percent(passed, tests),
            findings: Hundredths::percent(HALVING_WEIGHT, weighed),
            thresholds: Hundredths::percent(left, FULL),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of `docs/scores.md`.
    #[test]
    fn the_worked_example() {
        let mut standing = Standing { tests: 10, passed: 8, breached_limits: Some(1), ..Standing::default() };
        standing.add_findings(Severity::Critical, 1);
        standing.add_findings(Severity::High, 2);
        standing.add_findings(Severity::Info, 3);
        assert_eq!((standing.open_findings, standing.finding_weight), (6, 16));
        let score = standing.score();
        assert_eq!(score.tests.to_string(), "80");
        assert_eq!(score.findings.to_string(), "71.43");
        assert_eq!(score.thresholds.to_string(), "90");
        assert_eq!(score.value.to_string(), "51.43");
        let document = include_str!("../../../docs/scores.md");
        assert!(document.contains("80 × 40/56 × 90/100 = **51.43**"), "the document shows another example");
    }

    #[test]
    fn everything_in_order_is_a_hundred_and_nothing_tested_is_zero() {
        let full = Standing { tests: 3, passed: 3, breached_limits: Some(0), ..Standing::default() };
        assert_eq!(full.score().value, Hundredths::new(10_000));
        assert_eq!(Standing::default().score().value, Hundredths::new(0));
    }

    #[test]
    fn it_never_leaves_its_range_and_never_rises_with_trouble() {
        let mut last = i64::MAX;
        for weight in [0, 1, 40, 1000, u64::MAX / 1_000_000] {
            let standing = Standing {
                tests: 2,
                passed: 2,
                finding_weight: weight,
                breached_limits: Some(9),
                open_findings: 0,
            };
            let value = standing.score().value.get();
            assert!((0..=10_000).contains(&value) && value < last, "{weight}: {value}");
            last = value;
        }
    }
}
