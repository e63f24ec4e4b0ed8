//! Cases computed by hand from the articles of Delegated Regulation (EU) 2024/1772.

use crate::{
    country::Country,
    incident::{CostKind, Costs, DoraFacts, Facts, Met, Outcome, Regime, Reputation, Times},
    moment::Moment,
    wording::{Language, Sentence},
};

use super::super::Classification;

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

fn states(codes: &[&str]) -> Vec<Country> {
    codes.iter().map(|code| code.parse().unwrap()).collect()
}

/// Everything known, nothing met: half an hour of disruption of a relevant service.
fn harmless() -> DoraFacts {
    DoraFacts {
        clients_affected: Some(0),
        clients_total: Some(10_000),
        counterparts_affected: Some(0),
        counterparts_total: Some(50),
        transactions_affected: Some(0),
        transactions_daily_average: Some(1_000),
        amount_affected: Some(0),
        amount_daily_average: Some(5_000_000),
        relevant_client: Some(false),
        reputation: Some(Vec::new()),
        downtime_minutes: Some(30),
        member_states: Some(states(&["DE"])),
        data_loss: Some(false),
        malicious_access: Some(false),
        critical_services: Some(true),
        costs: Costs([Some(0); 8]),
        ..DoraFacts::default()
    }
}

/// Detected at eight, resolved half an hour later.
fn short() -> Times {
    Times { resolved_at: Some(at("2026-11-14T08:30:00Z")), ..Times::noticed(at("2026-11-14T08:00:00Z")) }
}

fn classified(dora: DoraFacts, times: &Times) -> Classification {
    let facts = Facts { dora, ..Facts::default() };
    Classification::of(&facts, times, &[Regime::Dora], at("2026-11-14T09:00:00Z"))
}

fn outcome(change: impl FnOnce(&mut DoraFacts)) -> Outcome {
    let mut facts = harmless();
    change(&mut facts);
    classified(facts, &short()).outcome()
}

/// The harmless case with data losses, which are one threshold: an additional one makes two.
fn with_one(change: impl FnOnce(&mut DoraFacts)) -> Outcome {
    outcome(|facts| {
        facts.data_loss = Some(true);
        change(facts);
    })
}

type Case = (&'static str, fn(&mut DoraFacts), Outcome);

#[test]
fn each_threshold_is_met_just_above_its_limit() {
    use Outcome::{Major, NotMajor};
    let cases: &[Case] = &[
        ("9(1)(a): 10 % is not more than 10 %", |f| f.clients_affected = Some(1_000), NotMajor),
        ("9(1)(a): one client more is", |f| f.clients_affected = Some(1_001), Major),
        (
            "9(1)(b): 100 000 is not more",
            |f| (f.clients_affected, f.clients_total) = (Some(100_000), Some(5_000_000)),
            NotMajor,
        ),
        (
            "9(1)(b): 100 001 is, though only 2 %",
            |f| (f.clients_affected, f.clients_total) = (Some(100_001), Some(5_000_000)),
            Major,
        ),
        ("9(1)(c): 15 of 50 is 30 %", |f| f.counterparts_affected = Some(15), NotMajor),
        ("9(1)(c): 16 of 50", |f| f.counterparts_affected = Some(16), Major),
        ("9(1)(d): 100 of 1 000 a day", |f| f.transactions_affected = Some(100), NotMajor),
        ("9(1)(d): 101 of 1 000 a day", |f| f.transactions_affected = Some(101), Major),
        ("9(1)(e): a tenth of the daily amount", |f| f.amount_affected = Some(500_000), NotMajor),
        ("9(1)(e): a cent more", |f| f.amount_affected = Some(500_001), Major),
        ("9(1)(f): a relevant client", |f| f.relevant_client = Some(true), Major),
        ("9(2) with 2(1)(a)", |f| f.reputation = Some(vec![Reputation::Media]), Major),
        ("9(2) with 2(1)(d)", |f| f.reputation = Some(vec![Reputation::LossOfClients]), Major),
        ("9(3)(b): two hours", |f| f.downtime_minutes = Some(120), NotMajor),
        ("9(3)(b): two hours and a minute", |f| f.downtime_minutes = Some(121), Major),
        (
            "9(3)(b): not where no critical or important function hangs on it",
            |f| (f.downtime_minutes, f.critical_function) = (Some(500), Some(false)),
            NotMajor,
        ),
        ("9(4): two Member States", |f| f.member_states = Some(states(&["DE", "AT"])), Major),
        ("9(6): exactly EUR 100 000", |f| f.costs.set(CostKind::Staff, Some(10_000_000)), NotMajor),
        ("9(6): a cent more", |f| f.costs.set(CostKind::Staff, Some(10_000_001)), Major),
        (
            "9(6): kinds are added up",
            |f| {
                f.costs.set(CostKind::Staff, Some(6_000_000));
                f.costs.set(CostKind::Redress, Some(6_000_000));
            },
            Major,
        ),
        (
            "7(1): recoveries are not deducted",
            |f| {
                f.costs.set(CostKind::Expropriated, Some(10_000_001));
                f.recoveries = Some(10_000_001);
            },
            Major,
        ),
    ];
    for (name, change, expected) in cases {
        assert_eq!(with_one(*change), *expected, "{name}");
    }
}

#[test]
fn the_duration_counts_from_the_occurrence_or_the_first_trace() {
    let resolved = |text| Some(at(text));
    let detected = Times::noticed(at("2026-11-13T08:00:00Z"));
    let cases = [
        ("exactly 24 hours", Times { resolved_at: resolved("2026-11-14T08:00:00Z"), ..detected }, false),
        ("a millisecond more", Times { resolved_at: resolved("2026-11-14T08:00:00.001Z"), ..detected }, true),
        (
            "known occurrence an hour before detection",
            Times {
                occurred_at: resolved("2026-11-13T07:00:00Z"),
                resolved_at: resolved("2026-11-14T07:30:00Z"),
                ..detected
            },
            true,
        ),
        (
            "unknown occurrence, an earlier trace in the logs",
            Times {
                logged_at: resolved("2026-11-13T06:00:00Z"),
                resolved_at: resolved("2026-11-14T07:30:00Z"),
                ..detected
            },
            true,
        ),
        (
            "a later trace changes nothing",
            Times {
                logged_at: resolved("2026-11-13T09:00:00Z"),
                resolved_at: resolved("2026-11-14T08:30:00Z"),
                ..detected
            },
            true,
        ),
        ("not resolved, 25 hours so far", detected, true),
    ];
    for (name, times, met) in cases {
        let facts = DoraFacts { data_loss: Some(true), ..harmless() };
        let expected = if met { Outcome::Major } else { Outcome::NotMajor };
        assert_eq!(classified(facts, &times).outcome(), expected, "{name}");
    }
    let running = Times::noticed(at("2026-11-14T08:00:00Z"));
    let facts = DoraFacts { data_loss: Some(true), ..harmless() };
    let open = classified(facts.clone(), &running);
    assert_eq!(open.outcome(), Outcome::Undetermined, "one hour so far may become a day");
    let estimated = DoraFacts { duration_estimate_minutes: Some(300), ..facts };
    assert_eq!(classified(estimated, &running).outcome(), Outcome::NotMajor);
}

#[test]
fn critical_services_are_always_needed_and_points_of_one_paragraph_count_once() {
    assert_eq!(outcome(|_| ()), Outcome::NotMajor);
    let two_of_one = outcome(|f| {
        f.clients_affected = Some(5_000);
        f.relevant_client = Some(true);
        f.transactions_affected = Some(900);
    });
    assert_eq!(two_of_one, Outcome::NotMajor, "9(1)(a), (d) and (f) are one threshold");
    let not_critical = outcome(|f| {
        f.critical_services = Some(false);
        f.data_loss = Some(true);
        f.relevant_client = Some(true);
        f.member_states = Some(states(&["DE", "FR", "IT"]));
    });
    assert_eq!(not_critical, Outcome::NotMajor, "three thresholds without a critical service");
    let access = outcome(|f| {
        f.critical_services = Some(false);
        f.malicious_access = Some(true);
    });
    assert_eq!(access, Outcome::Major, "a malicious access is both: 6(c) and 9(5)(b)");
    let harmless_access = outcome(|f| {
        f.malicious_access = Some(true);
        f.access_may_lose_data = Some(false);
    });
    assert_eq!(harmless_access, Outcome::NotMajor, "9(5)(b) asks that the access may lead to data losses");
    let both = outcome(|f| {
        f.malicious_access = Some(true);
        f.data_loss = Some(true);
    });
    assert_eq!(both, Outcome::Major, "an access that did lose data weighs no less");
}

#[test]
fn what_is_unknown_matters_only_where_it_can_tip_the_result() {
    assert_eq!(with_one(|f| f.clients_affected = None), Outcome::Undetermined);
    assert_eq!(with_one(|f| (f.clients_affected, f.clients_total) = (None, Some(0))), Outcome::NotMajor);
    assert_eq!(with_one(|f| f.clients_total = None), Outcome::NotMajor, "zero is no share of anything");
    assert_eq!(outcome(|f| f.clients_affected = None), Outcome::NotMajor, "one more makes one");
    let partly = with_one(|f| {
        f.costs = Costs::default();
        f.costs.set(CostKind::Advisory, Some(10_000_001));
    });
    assert_eq!(partly, Outcome::Major, "one kind alone is enough");
    assert_eq!(with_one(|f| f.costs.set(CostKind::Staff, None)), Outcome::Undetermined);
    let nothing = classified(DoraFacts::default(), &Times::noticed(at("2026-11-14T08:00:00Z")));
    assert_eq!(nothing.outcome(), Outcome::Undetermined);
    assert_eq!(
        classified(
            DoraFacts {
                critical_services: Some(false),
                malicious_access: Some(false),
                ..DoraFacts::default()
            },
            &short()
        )
        .outcome(),
        Outcome::NotMajor
    );
}

#[test]
fn a_reason_says_what_was_found_what_is_asked_and_what_would_decide() {
    let facts = DoraFacts { clients_affected: Some(1_001), counterparts_total: None, ..harmless() };
    let assessment = classified(facts, &short()).dora.unwrap();
    let reason = |article: &str| assessment.reasons.iter().find(|r| r.article == article).unwrap();
    let clients = reason("2024/1772 Art. 9(1)(a)");
    assert_eq!(
        (clients.value.to_string(), clients.threshold.to_string(), clients.met),
        ("1001 of 10000".into(), "more than 10 %".into(), Met::Yes)
    );
    assert_eq!(clients.value.text(Language::German), "1.001 von 10.000");
    assert_eq!(clients.open(), None);
    let downtime = reason("2024/1772 Art. 9(3)(b)");
    assert_eq!(
        downtime.value.to_string(),
        "0 h 30 min; yes, concluded from: critical_services; state it to say otherwise"
    );
    let costs = reason("2024/1772 Art. 9(6)");
    assert_eq!(
        (costs.value.to_string(), costs.threshold.text(Language::German)),
        ("0.00 EUR".into(), "mehr als 100.000,00 EUR".into())
    );
    let open = classified(DoraFacts { reputation: None, ..harmless() }, &short()).dora.unwrap();
    let reputation = open.reasons.iter().find(|r| r.article.contains("9(2)")).unwrap();
    assert_eq!(
        reputation.open().unwrap().text(Language::German),
        "noch offen; entscheidend: Auswirkungen auf den Ruf"
    );
    assert_eq!(
        assessment.verdict.to_string(),
        "not major: fewer than two thresholds are met (1) and there was no malicious access that may lead to data losses (2024/1772 Art. 8(1))"
    );
}

#[test]
fn other_currencies_need_a_rate() {
    let mut facts = Facts {
        dora: DoraFacts { data_loss: Some(true), ..harmless() },
        currency: "SEK".parse().unwrap(),
        ..Facts::default()
    };
    facts.dora.costs.set(CostKind::Staff, Some(150_000_000));
    let outcome = |facts: &Facts| {
        Classification::of(facts, &short(), &[Regime::Dora], at("2026-11-14T09:00:00Z")).outcome()
    };
    assert_eq!(outcome(&facts), Outcome::Undetermined);
    facts.euro_rate = Some("0.09".parse().unwrap());
    assert_eq!(outcome(&facts), Outcome::Major, "SEK 1.5 million are EUR 135 000");
    facts.euro_rate = Some("0.06".parse().unwrap());
    assert_eq!(outcome(&facts), Outcome::NotMajor);
}
