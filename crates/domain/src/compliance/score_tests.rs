use proptest::prelude::*;

use super::*;
use crate::{
    assessment::{AssessmentStatus, Signed},
    moment::Moment,
};

/// The example of `docs/scores.md`.
#[test]
fn the_worked_example() {
    let mut standing = Standing { tests: 10, passed: 8, breached_limits: Some(1), ..Standing::default() };
    let mut tally = AssessmentTally::default();
    for (count, status, approved) in [
        (100, AssessmentStatus::Met, true),
        (50, AssessmentStatus::Met, false),
        (30, AssessmentStatus::PartlyMet, false),
        (20, AssessmentStatus::NotMet, true),
        (50, AssessmentStatus::NotAssessed, false),
    ] {
        let signed = Signed { at: Moment::from_millis(0), by: "usr_2".to_owned() };
        let assessment = Assessment { status, approved: approved.then_some(signed), ..Assessment::UNTOUCHED };
        for _ in 0..count {
            tally.add(&assessment, true, false);
        }
    }
    standing.add_assessments(&tally);
    standing.add_findings(Severity::Critical, 1);
    standing.add_findings(Severity::High, 2);
    standing.add_findings(Severity::Info, 3);
    assert_eq!((standing.applicable, standing.assessed, standing.credit), (250, 200, 15_200));
    assert_eq!((standing.open_findings, standing.finding_weight), (6, 16));
    let score = standing.score();
    let shown =
        [score.assessments, score.tests, score.findings, score.thresholds].map(|part| part.to_string());
    assert_eq!(shown, ["60.8", "80", "71.43", "90"]);
    assert_eq!(score.value.to_string(), "44.02");
    let document = include_str!("../../../../docs/scores.md");
    let example = "(0.6 × 60.8 + 0.4 × 80) × 40/56 × 90/100 = **44.02**";
    assert!(document.contains(example), "the document shows another example");
}

#[test]
fn everything_in_order_is_a_hundred_and_nothing_shown_is_zero() {
    let full = Standing {
        applicable: 7,
        assessed: 7,
        credit: 700,
        tests: 3,
        passed: 3,
        breached_limits: Some(0),
        ..Standing::default()
    };
    assert_eq!(full.score().value, Hundredths::new(10_000));
    assert_eq!(Standing::default().score().value, Hundredths::new(0));
}

fn standing() -> impl Strategy<Value = Standing> {
    let count = 0_u64..2_000;
    let parts =
        (count.clone(), 0_u64..=100, count.clone(), 0_u64..=100, 0_u64..500, prop::option::of(0_u64..6));
    parts.prop_map(|(applicable, met, tests, passed, finding_weight, breached_limits)| Standing {
        applicable,
        assessed: applicable,
        met: applicable * met / 100,
        approved: 0,
        credit: applicable * met,
        tests,
        passed: tests * passed / 100,
        open_findings: finding_weight,
        finding_weight,
        breached_limits,
    })
}

/// One more proof, or one deficiency less.
#[derive(Debug, Clone, Copy)]
enum Proof {
    /// A requirement counts more: it is assessed as met, or approved.
    Requirement(u64),
    PassedTest,
    /// A test that was planned or failed passes.
    TestPasses,
    FindingClosed(u64),
    LimitKept,
}

fn proof() -> impl Strategy<Value = Proof> {
    prop_oneof![
        (1_u64..=100).prop_map(Proof::Requirement),
        Just(Proof::PassedTest),
        Just(Proof::TestPasses),
        (1_u64..=8).prop_map(Proof::FindingClosed),
        Just(Proof::LimitKept),
    ]
}

fn with(mut standing: Standing, proof: Proof) -> Standing {
    match proof {
        Proof::Requirement(credit) => {
            let most = standing.applicable * Assessment::FULL_CREDIT;
            standing.credit = (standing.credit + credit).min(most);
        }
        Proof::PassedTest => {
            standing.tests += 1;
            standing.passed += 1;
        }
        Proof::TestPasses => standing.passed = (standing.passed + 1).min(standing.tests),
        Proof::FindingClosed(weight) => {
            standing.finding_weight = standing.finding_weight.saturating_sub(weight);
        }
        Proof::LimitKept => {
            standing.breached_limits = standing.breached_limits.map(|breached| breached.saturating_sub(1));
        }
    }
    standing
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn more_proof_never_lowers_a_score(before in standing(), proofs in prop::collection::vec(proof(), 1..20)) {
        let mut standing = before;
        let mut last = before.score().value;
        prop_assert!((0..=10_000).contains(&last.get()));
        for proof in proofs {
            standing = with(standing, proof);
            let value = standing.score().value;
            prop_assert!(value >= last, "{proof:?} lowers {last} to {value}: {standing:?}");
            prop_assert!(value.get() <= 10_000);
            last = value;
        }
    }
}
