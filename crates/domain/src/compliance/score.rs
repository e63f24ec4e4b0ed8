//! A tenant's score for one framework, from 0 to 100.
//!
//! The rule is our own; no regulation sets one. It is defined here, and explained with an example in
//! `docs/scores.md`: how far the requirements are met and the tests passed, reduced by open findings and by breached
//! concentration limits. Requirements without an assessment and tests without a result count as zero, so that more
//! proof never lowers a score.

use crate::{
    assessment::{Assessment, AssessmentStatus, AssessmentTally},
    rounding::{Hundredths, divide_half_even},
    vocabulary::Severity,
};

/// The weights of assessments and tests, in per cent.
const ASSESSMENTS_PCT: u64 = 60;
const TESTS_PCT: u64 = 40;
/// Open findings of this total weight halve the score.
const HALVING_WEIGHT: u64 = 40;
/// The reduction for each breached kind of limit, in per cent.
const BREACH_PCT: u64 = 10;
/// Provider, sector, region and technology.
const LIMITS: u64 = 4;
const FULL: u64 = 100;

/// The inputs of a score.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing {
    /// Applicable requirements, those of them that were assessed, and their total credit.
    pub applicable: u64,
    pub assessed: u64,
    pub credit: u64,
    /// The applicable requirements that are met, and those that a second person approved.
    pub met: u64,
    pub approved: u64,
    /// Test cases of the framework's programmes that are not cancelled, and those of them that passed.
    pub tests: u64,
    pub passed: u64,
    /// Open findings, each with the weight of its severity.
    pub open_findings: u64,
    pub finding_weight: u64,
    /// How many of the four concentration limits the latest analysis breaches; absent if the framework requires no
    /// such limit.
    pub breached_limits: Option<u64>,
}

/// A score and its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Score {
    pub value: Hundredths,
    /// How far the requirements are met, by assessments and approvals.
    pub assessments: Hundredths,
    /// The share of tests passed.
    pub tests: Hundredths,
    /// The remaining share after open findings, of 100.
    pub findings: Hundredths,
    /// The remaining share after breached limits, of 100.
    pub thresholds: Hundredths,
}

impl Severity {
    /// The weight of an open finding in a score.
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
    pub fn add_assessments(&mut self, tally: &AssessmentTally) {
        self.applicable += tally.applicable;
        self.assessed += tally.assessed();
        self.credit += tally.credit;
        self.met += tally.with_status(AssessmentStatus::Met);
        self.approved += tally.approved;
    }

    pub fn add_findings(&mut self, severity: Severity, count: u64) {
        self.open_findings += count;
        self.finding_weight += count * severity.score_weight();
    }

    pub fn score(&self) -> Score {
        let breached = self.breached_limits.unwrap_or(0).min(LIMITS);
        let left = FULL - breached * BREACH_PCT;
        let weighed = HALVING_WEIGHT + self.finding_weight;
        let (passed, tests) = (self.passed.min(self.tests), self.tests.max(1));
        let most = (self.applicable * Assessment::FULL_CREDIT).max(1);
        let credit = self.credit.min(most);
        // One division at the end: no part is rounded before.
        let product = |factors: &[u64]| factors.iter().copied().map(u128::from).product::<u128>();
        let proof = product(&[ASSESSMENTS_PCT, credit, tests]) + product(&[TESTS_PCT, passed, most]);
        let numerator = proof * product(&[HALVING_WEIGHT, left]);
        let denominator = product(&[most, tests, weighed]);
        Score {
            value: Hundredths::new(i64::try_from(divide_half_even(numerator, denominator)).unwrap_or(0)),
            assessments: Hundredths::percent(credit, most),
            tests: Hundredths::percent(passed, tests),
            findings: Hundredths::percent(HALVING_WEIGHT, weighed),
            thresholds: Hundredths::percent(left, FULL),
        }
    }
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
