//! The GDPR and the CRA from the same facts, and several regimes at once.

use crate::incident::{CraFacts, DoraFacts, Facts, GdprFacts, Met, Outcome, PersonalRisk, Regime, Times};

use super::super::Classification;

fn classified(facts: &Facts, regimes: &[Regime]) -> Classification {
    let at = "2026-11-14T08:00:00Z".parse().unwrap();
    Classification::of(facts, &Times::noticed(at), regimes, at)
}

#[test]
fn a_breach_is_notified_unless_a_risk_is_unlikely_and_communicated_to_persons_at_high_risk() {
    use PersonalRisk::{High, Likely, Unlikely};
    let cases = [
        (Some(false), None, None, Met::No, Met::No),
        (None, None, None, Met::Unknown, Met::Unknown),
        (Some(true), None, None, Met::Unknown, Met::Unknown),
        (Some(true), Some(Unlikely), None, Met::No, Met::No),
        (Some(true), Some(Likely), None, Met::Yes, Met::No),
        (Some(true), Some(High), None, Met::Yes, Met::Yes),
        (Some(true), Some(High), Some(true), Met::Yes, Met::No),
        (None, Some(Unlikely), None, Met::No, Met::No),
    ];
    for (personal_data, personal_risk, persons_protected, notification, communication) in cases {
        let gdpr = GdprFacts { personal_data, personal_risk, persons_protected };
        let found = classified(&Facts { gdpr, ..Facts::default() }, &[Regime::Gdpr]).gdpr.unwrap();
        assert_eq!((found.notification, found.communication), (notification, communication), "{gdpr:?}");
    }
}

#[test]
fn a_product_event_is_an_exploited_vulnerability_or_a_severe_incident() {
    let facts = |cra| Facts { cra, ..Facts::default() };
    let none = CraFacts {
        exploited_vulnerability: Some(false),
        product_security: Some(false),
        product_malicious_code: Some(false),
        ..CraFacts::default()
    };
    assert_eq!(classified(&facts(none), &[Regime::Cra]).outcome(), Outcome::NotMajor);
    for hit in [
        CraFacts { exploited_vulnerability: Some(true), ..none },
        CraFacts { product_security: Some(true), ..none },
        CraFacts { product_malicious_code: Some(true), ..none },
    ] {
        assert_eq!(classified(&facts(hit), &[Regime::Cra]).outcome(), Outcome::Significant, "{hit:?}");
    }
    assert_eq!(classified(&facts(CraFacts::default()), &[Regime::Cra]).outcome(), Outcome::Undetermined);
}

#[test]
fn one_event_has_one_word_for_several_regimes() {
    let mut facts = Facts {
        dora: DoraFacts { malicious_access: Some(true), ..DoraFacts::default() },
        gdpr: GdprFacts {
            personal_data: Some(true),
            personal_risk: Some(PersonalRisk::Likely),
            persons_protected: None,
        },
        ..Facts::default()
    };
    let both = [Regime::Dora, Regime::Gdpr];
    assert_eq!(classified(&facts, &both).outcome(), Outcome::Major);
    facts.dora =
        DoraFacts { malicious_access: Some(false), critical_services: Some(false), ..DoraFacts::default() };
    assert_eq!(classified(&facts, &both).outcome(), Outcome::Significant);
    assert_eq!(classified(&facts, &[Regime::Dora]).outcome(), Outcome::NotMajor);
    let regimes: Vec<Regime> =
        classified(&facts, &both).reasons().into_iter().map(|(regime, _)| regime).collect();
    assert!(regimes.contains(&Regime::Dora) && regimes.contains(&Regime::Gdpr));
}
