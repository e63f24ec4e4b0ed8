//! The usual policy, storing one, and policies that mean nothing.

use super::*;
use crate::vocabulary::tests::is_sound;

#[test]
fn the_usual_policy_asks_for_a_manager_where_it_matters() {
    is_sound::<ApprovalNeed>();
    is_sound::<ApprovedKind>();
    let policy = ApprovalPolicy::default();
    let need = |action, severity| policy.rule(action, Some(severity)).need;
    let all = |action| policy.rule(action, None).need;
    for action in [ApprovalAction::Accept, ApprovalAction::FalsePositive] {
        assert_eq!(need(action, Severity::Critical), ApprovalNeed::Manager);
        assert_eq!(need(action, Severity::High), ApprovalNeed::Manager);
        assert_eq!(need(action, Severity::Medium), ApprovalNeed::None);
    }
    assert_eq!(need(ApprovalAction::Close, Severity::Critical), ApprovalNeed::SecondPerson);
    assert_eq!(need(ApprovalAction::Close, Severity::High), ApprovalNeed::None);
    for action in [ApprovalAction::NotApplicable, ApprovalAction::Classify, ApprovalAction::Submit] {
        assert_eq!(all(action), ApprovalNeed::Manager, "{action}");
    }
    for action in [ApprovalAction::Send, ApprovalAction::Archive] {
        assert_eq!(all(action), ApprovalNeed::None, "{action}");
    }
    let approve = |kind: ApprovedKind| policy.rule(ApprovalAction::Approve, kind).need;
    assert_eq!(approve(ApprovedKind::Statement), ApprovalNeed::Manager);
    assert_eq!(approve(ApprovedKind::Evidence), ApprovalNeed::SecondPerson);
    let days = Severity::ALL.iter().map(|severity| policy.longest_days(*severity));
    assert_eq!(days.collect::<Vec<_>>(), [90, 180, 365, 365, 365]);
    let retested: Vec<_> = Severity::ALL.iter().filter(|one| policy.closing_needs_retest(**one)).collect();
    assert_eq!(retested, [&Severity::Critical]);
    // A policy that was stored before it could say so.
    let older: StoredPolicy = serde_json::from_str(r#"{ "binds_keys": true }"#).unwrap();
    assert!(older.read().unwrap().closing_needs_retest(Severity::Critical));
    let today: Day = "2026-11-18".parse().unwrap();
    assert_eq!(policy.latest(Severity::Critical, today).to_string(), "2027-02-16");
}

#[test]
fn what_is_stored_is_read_again() {
    let mut policy = ApprovalPolicy { binds_keys: true, ..ApprovalPolicy::default() };
    let people = vec![UserId::from(crate::identifier::Uuid7::from_bits(7))];
    policy
        .rules
        .insert((ApprovalAction::Archive, Extent::All), ApprovalRule { need: ApprovalNeed::Named, people });
    policy.longest.insert(Severity::Low, 30);
    policy.retest = Some(BTreeSet::from([Severity::High]));
    let again = policy.stored().read().unwrap();
    assert_eq!(again.stored(), policy.stored());
    assert!(again.binds_keys && again.longest_days(Severity::Low) == 30);
    assert!(again.closing_needs_retest(Severity::High) && !again.closing_needs_retest(Severity::Critical));
}

#[test]
fn a_policy_that_means_nothing_is_refused() {
    let rule = |action: &str, severity: Option<&str>, needs: &str| StoredRule {
        action: action.to_owned(),
        severity: severity.map(str::to_owned),
        kind: None,
        needs: needs.to_owned(),
        people: Vec::new(),
    };
    let read = |rule| StoredPolicy { rules: vec![rule], ..StoredPolicy::default() }.read();
    assert!(read(rule("accept", Some("high"), "none")).is_ok());
    let evidence = StoredRule { kind: Some("evidence".to_owned()), ..rule("approve", None, "manager") };
    assert!(read(evidence).is_ok());
    for wrong in [
        rule("accept", None, "none"),
        rule("archive", Some("high"), "none"),
        rule("submit", None, "none"),
        rule("approve", None, "manager"),
        StoredRule { kind: Some("evidence".to_owned()), ..rule("approve", None, "none") },
        StoredRule { kind: Some("evidence".to_owned()), ..rule("accept", Some("high"), "manager") },
        rule("accept", Some("huge"), "none"),
        rule("accept", Some("high"), "anyone"),
        rule("accept", Some("high"), "named"),
    ] {
        assert!(read(wrong.clone()).is_err(), "{wrong:?}");
    }
    let days = BTreeMap::from([("high".to_owned(), 0)]);
    assert!(StoredPolicy { longest_acceptance_days: days, ..StoredPolicy::default() }.read().is_err());
}
