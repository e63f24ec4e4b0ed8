//! The score of a run: success criteria, classification and reports, each as a share of the maximum.

use super::{CriterionResult, DrillRun, ScenarioFacts};

/// The points reached and possible.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    pub reached: u32,
    pub possible: u32,
}

/// The score of a finished run and its parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// 0 to 100.
    pub score: u8,
    /// Two points for a criterion that was met, one for one that was met partly.
    pub criteria: Share,
    /// One point for each criterion that was judged as in the model solution.
    pub classification: Share,
    /// One point for each report whose due time was answered right.
    pub reports: Share,
}

/// The weight of each share. A share without possible points does not count.
const CRITERIA_WEIGHT: u64 = 50;
const CLASSIFICATION_WEIGHT: u64 = 30;
const REPORTS_WEIGHT: u64 = 20;

impl Share {
    fn new(reached: usize, possible: usize) -> Self {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self { reached: number(reached.min(possible)), possible: number(possible) }
    }
}

impl Outcome {
    pub fn of(run: &DrillRun, scenario: &ScenarioFacts) -> Self {
        let points = |result: &Option<CriterionResult>| match result {
            Some(CriterionResult::Met) => 2,
            Some(CriterionResult::Partly) => 1,
            Some(CriterionResult::Not) | None => 0,
        };
        let criteria = run.criteria.iter().take(scenario.criteria).map(points).sum();
        let agreed = scenario.solution.iter().filter(|(criterion, expected)| {
            run.judged(*criterion).is_some_and(|judged| judged.judgement == *expected)
        });
        let right =
            scenario.clocks.iter().filter(|clock| run.report(clock).is_some_and(|r| r.right == Some(true)));
        Self::weighed(
            Share::new(criteria, 2 * scenario.criteria),
            Share::new(agreed.count(), scenario.solution.len()),
            Share::new(right.count(), scenario.clocks.len()),
        )
    }

    fn weighed(criteria: Share, classification: Share, reports: Share) -> Self {
        let shares =
            [(CRITERIA_WEIGHT, criteria), (CLASSIFICATION_WEIGHT, classification), (REPORTS_WEIGHT, reports)];
        let counted = || shares.iter().filter(|(_, share)| share.possible > 0);
        // One common denominator, so that nothing is rounded before the end.
        let denominator: u64 = counted().map(|(_, share)| u64::from(share.possible)).product();
        let part = |(weight, share): &(u64, Share)| {
            weight * u64::from(share.reached) * (denominator / u64::from(share.possible))
        };
        let reached: u64 = counted().map(part).sum();
        let possible = denominator * counted().map(|(weight, _)| weight).sum::<u64>();
        let score = (200 * reached + possible).checked_div(2 * possible).unwrap_or_default();
        Self { score: u8::try_from(score).unwrap_or(100), criteria, classification, reports }
    }
}
