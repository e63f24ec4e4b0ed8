//! A slow reference implementation: fills in every unknown fact with many values, classifies each case by the plain
//! words of Art. 8 and 9, and compares the results.
//!
//! It shares no code with the product: it has neither ranges nor three-valued logic.

use proptest::{option, prelude::*};

use crate::{
    country::Country,
    incident::{Costs, DoraFacts, Facts, Outcome, Regime, Reputation, Times},
    moment::Moment,
};

use super::super::Classification;

fn now() -> Moment {
    "2026-11-14T12:00:00Z".parse().unwrap()
}

/// The possible values of a condition.
#[derive(Debug, Clone, Copy, Default)]
struct Possible {
    yes: bool,
    no: bool,
}

impl Possible {
    fn of(outcomes: impl IntoIterator<Item = bool>) -> Self {
        let mut possible = Self::default();
        for outcome in outcomes {
            if outcome { possible.yes = true } else { possible.no = true }
        }
        assert!(possible.yes || possible.no, "a condition has an outcome");
        possible
    }

    fn values(self) -> Vec<bool> {
        [(self.yes, true), (self.no, false)].into_iter().filter(|(can, _)| *can).map(|(_, v)| v).collect()
    }
}

/// A known fact, or values around every limit that its partner may set.
fn fillings(known: Option<u64>, partner: Option<u64>) -> Vec<u64> {
    if let Some(known) = known {
        return vec![known];
    }
    let mut values = vec![0, 1, 100_000, 100_001, 1 << 40];
    if let Some(partner) = partner {
        for base in [partner, partner / 10, partner * 3 / 10, partner * 10, partner * 10 / 3] {
            values.extend([base.saturating_sub(1), base, base + 1, base + 2]);
        }
    }
    values
}

fn pairs(part: Option<u64>, whole: Option<u64>) -> Vec<(u64, u64)> {
    let parts = fillings(part, whole);
    let wholes = fillings(whole, part);
    parts.iter().flat_map(|part| wholes.iter().map(move |whole| (*part, *whole))).collect()
}

fn flags(known: Option<bool>) -> Vec<bool> {
    known.map_or_else(|| vec![false, true], |known| vec![known])
}

/// Art. 9(1): one of (a) to (f).
fn clients(facts: &DoraFacts) -> Possible {
    let within = |(part, whole): &(u64, u64)| part <= whole;
    let a_or_b = pairs(facts.clients_affected, facts.clients_total)
        .into_iter()
        .filter(within)
        .map(|(affected, all)| affected * 10 > all || affected > 100_000);
    let c = pairs(facts.counterparts_affected, facts.counterparts_total)
        .into_iter()
        .filter(within)
        .map(|(affected, all)| affected * 10 > all * 3);
    let d = pairs(facts.transactions_affected, facts.transactions_daily_average);
    let e = pairs(facts.amount_affected, facts.amount_daily_average);
    let tenth = |(part, average): (u64, u64)| part * 10 > average;
    let parts = [
        Possible::of(a_or_b),
        Possible::of(c),
        Possible::of(d.into_iter().map(tenth)),
        Possible::of(e.into_iter().map(tenth)),
        Possible::of(flags(facts.relevant_client)),
    ];
    Possible { yes: parts.iter().any(|part| part.yes), no: parts.iter().all(|part| part.no) }
}

/// Art. 9(3): longer than 24 hours, or down for more than 2 hours where a critical or important function depends on
/// it.
fn long(facts: &DoraFacts, times: &Times, function: bool) -> Possible {
    let start = times.occurred_at.unwrap_or_else(|| {
        let mut first = times.detected_at;
        if let Some(logged) = times.logged_at
            && logged < first
        {
            first = logged;
        }
        first
    });
    let so_far = (now().millis() - start.millis()).max(0);
    let day = 24 * 60 * 60 * 1000;
    let durations = match (times.resolved_at, facts.duration_estimate_minutes) {
        (Some(resolved), _) => vec![(resolved.millis() - start.millis()).max(0)],
        (None, Some(estimate)) => vec![so_far.max(i64::try_from(estimate).unwrap() * 60_000)],
        (None, None) => vec![so_far, so_far + 1, so_far + day, so_far + day + 1],
    };
    let down = facts.downtime_minutes.map_or_else(|| vec![0, 120, 121, 100_000], |known| vec![known]);
    Possible::of(
        durations
            .iter()
            .flat_map(|duration| down.iter().map(move |down| *duration > day || (*down > 120 && function))),
    )
}

/// Art. 9(6) with Art. 7: the eight kinds together are more than EUR 100 000.
fn costly(costs: &Costs) -> Possible {
    let known: u64 = costs.0.iter().flatten().sum();
    let complete = costs.0.iter().all(Option::is_some);
    let rest: &[u64] = if complete { &[0] } else { &[0, 1, 10_000_000, 10_000_001] };
    Possible::of(rest.iter().map(|rest| known + rest > 10_000_000))
}

/// Art. 8(1) over all possible values of the open facts.
fn outcome(facts: &DoraFacts, times: &Times) -> Outcome {
    let mut answers = Vec::new();
    let reputation = match &facts.reputation {
        None => Possible { yes: true, no: true },
        Some(effects) => Possible::of([!effects.is_empty()]),
    };
    let spread = match &facts.member_states {
        None => Possible { yes: true, no: true },
        Some(states) => Possible::of([states.len() >= 2]),
    };
    let (clients, loss, costly) =
        (clients(facts), Possible::of(flags(facts.data_loss)), costly(&facts.costs));
    for access in flags(facts.malicious_access) {
        for services in flags(facts.critical_services) {
            let functions = match (facts.critical_function, facts.critical_services) {
                // If not stated, it follows from critical services.
                (Some(stated), _) | (None, Some(stated)) => vec![stated],
                (None, None) => vec![false, services],
            };
            for function in functions {
                let groups = [clients, reputation, long(facts, times, function), spread, loss, costly];
                let critical = services || function || access;
                let by_access = access && facts.access_may_lose_data != Some(false);
                combine(&groups, &mut |met| answers.push(critical && (by_access || met >= 2)));
            }
        }
    }
    match (answers.contains(&true), answers.contains(&false)) {
        (true, false) => Outcome::Major,
        (false, true) => Outcome::NotMajor,
        _ => Outcome::Undetermined,
    }
}

/// All combinations of the groups, as the number that is met.
fn combine(groups: &[Possible], seen: &mut dyn FnMut(usize)) {
    fn step(groups: &[Possible], met: usize, seen: &mut dyn FnMut(usize)) {
        match groups.split_first() {
            None => seen(met),
            Some((first, rest)) => {
                for value in first.values() {
                    step(rest, met + usize::from(value), seen);
                }
            }
        }
    }
    step(groups, 0, seen);
}

fn count() -> impl Strategy<Value = Option<u64>> {
    let near = prop_oneof![
        Just(0_u64),
        Just(1),
        Just(10),
        Just(11),
        Just(100),
        Just(99_999),
        Just(100_000),
        Just(100_001),
        Just(1_000_000),
        0_u64..2_000,
        0_u64..2_000_000,
    ];
    option::of(near)
}

/// A part and its whole, the part never the larger.
fn part() -> impl Strategy<Value = (Option<u64>, Option<u64>)> {
    let tenths = (0_u64..2_000).prop_flat_map(|whole| {
        let near = [whole / 10, whole / 10 + 1, whole * 3 / 10, whole * 3 / 10 + 1];
        (prop::sample::select(near.to_vec()).prop_map(move |part| part.min(whole)), Just(whole))
            .prop_map(|(part, whole)| (Some(part), Some(whole)))
    });
    let any = (count(), count()).prop_map(|(a, b)| match (a, b) {
        (Some(a), Some(b)) => (Some(a.min(b)), Some(a.max(b))),
        pair => pair,
    });
    prop_oneof![tenths, any]
}

fn share_of_average() -> impl Strategy<Value = (Option<u64>, Option<u64>)> {
    prop_oneof![part(), (count(), count())]
}

fn costs() -> impl Strategy<Value = Costs> {
    let kind = prop_oneof![
        2 => Just(Some(0)),
        1 => Just(None),
        1 => Just(Some(1)),
        1 => Just(Some(10_000_000)),
        1 => Just(Some(10_000_001)),
        1 => (0_u64..12_000_000).prop_map(Some),
    ];
    let complete = prop::array::uniform8(0_u64..2_000_000).prop_map(|kinds| kinds.map(Some));
    prop_oneof![prop::array::uniform8(kind), complete].prop_map(Costs)
}

fn reputation() -> impl Strategy<Value = Option<Vec<Reputation>>> {
    option::of(prop::sample::subsequence(Reputation::ALL.to_vec(), 0..=4))
}

fn states() -> impl Strategy<Value = Option<Vec<Country>>> {
    let states: Vec<Country> = ["DE", "AT", "FR"].map(|code| code.parse().unwrap()).to_vec();
    option::of(prop::sample::subsequence(states, 0..=3))
}

prop_compose! {
    fn numbers()(
        clients in part(),
        counterparts in part(),
        transactions in share_of_average(),
        amount in share_of_average(),
        downtime in prop_oneof![option::of(118_u64..124), count()],
        estimate in option::of(prop_oneof![1435_u64..1445, 0_u64..5000]),
        costs in costs(),
    ) -> DoraFacts {
        DoraFacts {
            clients_affected: clients.0,
            clients_total: clients.1,
            counterparts_affected: counterparts.0,
            counterparts_total: counterparts.1,
            transactions_affected: transactions.0,
            transactions_daily_average: transactions.1,
            amount_affected: amount.0,
            amount_daily_average: amount.1,
            downtime_minutes: downtime,
            duration_estimate_minutes: estimate,
            costs,
            ..DoraFacts::default()
        }
    }
}

prop_compose! {
    fn dora()(
        numbers in numbers(),
        relevant_client in option::of(any::<bool>()),
        reputation in reputation(),
        member_states in states(),
        flags in prop::array::uniform5(option::of(any::<bool>())),
    ) -> DoraFacts {
        let [data_loss, malicious_access, access_may_lose_data, critical_services, function] = flags;
        // A critical function makes the services critical; the opposite is refused on input.
        let critical_function = if critical_services == Some(false) { None } else { function };
        DoraFacts {
            relevant_client, reputation, member_states, data_loss, malicious_access, access_may_lose_data,
            critical_services, critical_function, ..numbers
        }
    }
}

prop_compose! {
    fn times()(
        before in prop_oneof![Just(24_i64 * 3_600_000), 0_i64..40 * 3_600_000],
        occurred in option::of(0_i64..3_600_000),
        logged in option::of(-3_600_000_i64..3_600_000),
        lasted in option::of(prop_oneof![
            Just(24_i64 * 3_600_000), Just(24 * 3_600_000 + 1), Just(24 * 3_600_000 - 1), 0_i64..40 * 3_600_000,
        ]),
    ) -> Times {
        let detected = now().plus_millis(-before);
        let times = Times {
            occurred_at: occurred.map(|earlier| detected.plus_millis(-earlier)),
            logged_at: logged.map(|later| detected.plus_millis(later)),
            ..Times::noticed(detected)
        };
        let start = times.occurred_at.unwrap_or(detected);
        Times { resolved_at: lasted.map(|lasted| start.plus_millis(lasted)), ..times }
    }
}

/// The same facts with one of them unknown.
fn forgetting(facts: &DoraFacts, which: usize) -> DoraFacts {
    let mut less = facts.clone();
    match which {
        0 => less.clients_affected = None,
        1 => less.clients_total = None,
        2 => less.counterparts_affected = None,
        3 => less.transactions_daily_average = None,
        4 => less.amount_affected = None,
        5 => less.relevant_client = None,
        6 => less.reputation = None,
        7 => less.member_states = None,
        8 => less.data_loss = None,
        9 => less.malicious_access = None,
        10 => less.downtime_minutes = None,
        11 => less.costs.0[3] = None,
        _ => (less.critical_services, less.critical_function) = (None, None),
    }
    less
}

fn engine(dora: &DoraFacts, times: &Times) -> Classification {
    let facts = Facts { dora: dora.clone(), ..Facts::default() };
    Classification::of(&facts, times, &[Regime::Dora], now())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn the_engine_agrees_with_trying_everything(facts in dora(), times in times()) {
        let classified = engine(&facts, &times);
        prop_assert_eq!(classified.outcome(), outcome(&facts, &times));
        let assessment = classified.dora.unwrap();
        let open = assessment.outcome == Outcome::Undetermined;
        prop_assert_eq!(open, !assessment.needs().is_empty(), "what would decide is named while it is open");
        for reason in &assessment.reasons {
            prop_assert_eq!(reason.met.is_unknown(), !reason.needs.is_empty(), "{:?}", reason);
        }
    }
}

proptest! {
    #[test]
    fn learning_a_fact_never_overturns_a_decision(facts in dora(), times in times(), which in 0_usize..13) {
        let before = engine(&forgetting(&facts, which), &times).outcome();
        let after = engine(&facts, &times).outcome();
        prop_assert!(before == Outcome::Undetermined || before == after, "{before} became {after}");
    }
}
