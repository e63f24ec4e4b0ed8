//! Series of incidents under Art. 8(2).

use crate::{
    incident::{CostKind, Costs, DoraFacts, Facts, Nis2Facts, Outcome, ProviderType, Times},
    moment::Moment,
};

use super::*;

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

/// One hour down, 60 clients of 1,000, EUR 40 000: none of it enough alone.
fn small() -> DoraFacts {
    let mut costs = Costs([Some(0); 8]);
    costs.set(CostKind::Staff, Some(4_000_000));
    DoraFacts {
        clients_affected: Some(60),
        clients_total: Some(1_000),
        counterparts_affected: Some(0),
        counterparts_total: Some(10),
        transactions_affected: Some(0),
        transactions_daily_average: Some(10),
        amount_affected: Some(0),
        amount_daily_average: Some(10),
        relevant_client: Some(false),
        reputation: Some(Vec::new()),
        downtime_minutes: Some(60),
        member_states: Some(vec!["DE".parse().unwrap()]),
        data_loss: Some(false),
        malicious_access: Some(false),
        critical_services: Some(true),
        costs,
        ..DoraFacts::default()
    }
}

fn occurrence(day: &str, cause: &str, dora: DoraFacts) -> Occurrence {
    let start = at(&format!("{day}T08:00:00Z"));
    let times = Times { resolved_at: Some(start.plus_seconds(3600)), ..Times::noticed(start) };
    let measures = Measures::of(&Facts { dora, ..Facts::default() }, &times, start.plus_seconds(7200));
    Occurrence { at: start, root_cause: cause.into(), measures }
}

#[test]
fn three_small_ones_within_six_months_are_one_major_incident() {
    let list = [
        occurrence("2026-03-01", "Expired certificate", small()),
        occurrence("2026-01-10", " expired certificate ", small()),
        occurrence("2026-06-20", "Expired certificate", small()),
        occurrence("2026-03-02", "Disk full", small()),
    ];
    for one in &list {
        assert_eq!(assess(&one.measures).outcome, Outcome::NotMajor);
    }
    let found = series(&list);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].members, [1, 0, 2]);
    // 3 h down and EUR 120 000.
    assert_eq!(found[0].together.outcome, Outcome::Major);
}

#[test]
fn six_months_are_counted_by_the_calendar_and_the_last_day_counts() {
    let pair = |second: &str| {
        let list = [occurrence("2026-01-31", "x", small()), occurrence(second, "x", small())];
        series(&list).len()
    };
    assert_eq!(pair("2026-07-31"), 1);
    assert_eq!(pair("2026-08-01"), 0);
}

#[test]
fn people_may_be_the_same_so_their_sum_is_only_a_bound() {
    let few =
        DoraFacts { downtime_minutes: Some(0), costs: Costs([Some(0); 8]), data_loss: Some(true), ..small() };
    let list = [occurrence("2026-01-10", "x", few.clone()), occurrence("2026-02-10", "x", few)];
    let found = series(&list);
    // 60 to 120 of 1,000: more than 10 % only if they are different people.
    assert_eq!(found[0].together.outcome, Outcome::Undetermined);
}

#[test]
fn downtime_of_services_without_a_critical_function_adds_nothing() {
    let idle = DoraFacts { critical_function: Some(false), downtime_minutes: Some(600), ..small() };
    let list = [occurrence("2026-01-10", "x", idle), occurrence("2026-02-10", "x", small())];
    // Two times EUR 40 000 and 60 minutes that count.
    assert_eq!(series(&list)[0].together.criterion(crate::incident::Criterion::Duration), Met::No);
}

#[test]
fn what_is_major_alone_or_has_no_cause_is_in_no_series() {
    let major = DoraFacts { malicious_access: Some(true), ..small() };
    let list = [
        occurrence("2026-01-10", "x", major),
        occurrence("2026-02-10", "x", small()),
        occurrence("2026-02-11", " ", small()),
        occurrence("2026-02-12", "", small()),
    ];
    assert!(series(&list).is_empty());
}

#[test]
fn losses_of_a_provider_add_up() {
    let facts = |loss| Facts {
        nis2: Nis2Facts {
            provider_type: Some(ProviderType::Cloud),
            direct_loss: loss,
            annual_turnover: Some(u64::MAX / 2),
            ..Nis2Facts::default()
        },
        ..Facts::default()
    };
    let (a, b, open) = (facts(Some(30_000_000)), facts(Some(20_000_001)), facts(None));
    assert_eq!(losses_together(&[&a, &b]).unwrap().met, Met::Yes);
    assert_eq!(losses_together(&[&a, &a]).unwrap().met, Met::Yes);
    assert_eq!(losses_together(&[&b, &b]).unwrap().met, Met::No);
    assert_eq!(losses_together(&[&b, &open]).unwrap().met, Met::Unknown);
    assert_eq!(losses_together(&[]), None);
}

#[test]
fn small_institutions_need_not_compare() {
    let of = |regime, size| profile::Facts { size, regime, ..profile::Facts::default() };
    for (institution, expected) in [
        (of(None, None), true),
        (of(Some(DoraRegime::Full), Some(profile::Size::Large)), true),
        (of(Some(DoraRegime::Full), Some(profile::Size::Micro)), false),
        (of(Some(DoraRegime::Simplified), Some(profile::Size::Medium)), false),
    ] {
        assert_eq!(has_duty(&institution), expected, "{institution:?}");
    }
}
