use proptest::prelude::*;

use super::*;
use crate::{
    arrangement::{AnnualCost, Provider, Substitutability},
    country::Country,
    currency::Currency,
    moment::Day,
    register::filing::tests::sample::register,
    term::Term,
};

/// The editable fields of an arrangement.
#[derive(Debug, Clone)]
struct Edited {
    name: Option<String>,
    country: Option<&'static str>,
    substitutability: Option<Substitutability>,
    exit_plan: Option<bool>,
    /// Whether the notice period changes, and to how many days; none empties the cells.
    notice_days: (bool, Option<u32>),
    cost: Option<i64>,
    starts_on: Option<i64>,
    /// Whether the end changes, and to which day; none is an open end.
    ends_on: (bool, Option<i64>),
    turns_critical: bool,
}

fn edited() -> impl Strategy<Value = Edited> {
    let some = |days| prop::option::of(days);
    (
        prop::option::of("[A-Z][a-z]{1,8} (Ltd|GmbH|, \"Co\")"),
        prop::option::of(prop::sample::select(vec!["DE", "IE", "US", "FR"])),
        prop::option::of(prop::sample::select(Substitutability::ALL.to_vec())),
        prop::option::of(any::<bool>()),
        (any::<bool>(), prop::option::of(0_u32..=1825)),
        prop::option::of(0_i64..10_000_000_000),
        some(0_i64..700),
        (any::<bool>(), prop::option::of(800_i64..3000)),
        any::<bool>(),
    )
        .prop_map(
            |(
                name,
                country,
                substitutability,
                exit_plan,
                notice_days,
                cost,
                starts_on,
                ends_on,
                turns_critical,
            )| {
                Edited {
                    name,
                    country,
                    substitutability,
                    exit_plan,
                    notice_days,
                    cost,
                    starts_on,
                    ends_on,
                    turns_critical,
                }
            },
        )
}

impl Edited {
    fn of(&self, before: &Arrangement) -> Arrangement {
        let first: Day = "2024-01-01".parse().unwrap();
        let mut after = before.clone();
        let content = &mut after.contract;
        if let Some(name) = &self.name {
            content.provider.name = Term::parse(name).unwrap();
        }
        if let Some(country) = self.country {
            content.provider.country = country.parse::<Country>().unwrap();
        }
        content.substitutability = self.substitutability.unwrap_or(content.substitutability);
        after.facts.exit_plan = self.exit_plan.or(after.facts.exit_plan);
        if let (true, days) = self.notice_days {
            after.facts.notice_days = days;
        }
        if let Some(amount) = self.cost {
            let currency: Currency = "EUR".parse().unwrap();
            content.annual_cost = AnnualCost::stored(Money { amount, currency }).unwrap();
        }
        content.starts_on = self.starts_on.map_or(content.starts_on, |days| first.plus_days(days));
        if let (true, ends_on) = self.ends_on {
            content.ends_on = ends_on.map(|days| first.plus_days(days));
        }
        if self.turns_critical {
            for function in &mut content.functions {
                function.critical = !function.critical;
            }
        }
        after
    }
}

/// A change as far as the cells can represent it. Without an assessment they contain no substitutability, and a
/// provider becomes hard to replace only with a reason, which arrangements do not have.
fn sayable(mut after: Arrangement, before: &Arrangement) -> Arrangement {
    let assessed = before.facts.exit_plan.is_some();
    let locks_in =
        after.contract.substitutability.is_locked_in() && !before.contract.substitutability.is_locked_in();
    if !assessed || locks_in {
        after.contract.substitutability = before.contract.substitutability;
    }
    if !assessed {
        after.facts.exit_plan = before.facts.exit_plan;
    }
    // The chain uses the same name for the provider.
    let Provider { name, lei, .. } = after.contract.provider.clone();
    for step in &mut after.facts.chain {
        for party in [&mut step.supplier, &mut step.recipient] {
            if party.lei.is_some() && party.lei == lei {
                party.name = name.clone();
            }
        }
    }
    // Without a place, the service is assumed to be at the provider's location.
    if after.facts.places.is_empty() {
        after.contract.region = Term::parse(after.contract.provider.country.as_str()).unwrap();
    }
    after
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_changed_in_an_arrangement_is_read_from_the_cells(number in 0_usize..6, edited in edited()) {
        let sheets = register(6);
        let entries = sheets.entries();
        let (reference, before) = entries.iter().nth(number).unwrap();
        let after = edited.of(before);
        let written = written_back(&sheets, before, &after).unwrap_or_else(|| sheets.clone());
        let read = &written.entries()[reference];
        prop_assert_eq!(read, &sayable(after, before));
        // After undoing the change, the register is the same as before.
        let back = written_back(&written, read, before).unwrap_or(written);
        prop_assert_eq!(back.entries(), entries);
    }

    #[test]
    fn only_what_shares_a_row_follows(number in 0_usize..6, edited in edited()) {
        let sheets = register(6);
        let entries = sheets.entries();
        let (reference, before) = entries.iter().nth(number).unwrap();
        // Contracts share functions; everything else belongs to one contract here.
        let after = Edited { turns_critical: false, ..edited }.of(before);
        let written = written_back(&sheets, before, &after).unwrap_or_else(|| sheets.clone());
        for (other, entry) in written.entries() {
            prop_assert!(other == *reference || entry == entries[&other], "{}", other);
        }
    }
}

#[test]
fn what_the_cells_cannot_say_is_left_to_the_checks() {
    let sheets = register(3);
    let entries = sheets.entries();
    let before = entries.values().next().unwrap();
    let mut after = before.clone();
    after.contract.reference = Term::parse("another").unwrap();
    after.contract.service = Term::parse("a better name").unwrap();
    assert_eq!(written_back(&sheets, before, &after), None);
    let mut unknown = before.clone();
    unknown.contract.reference = Term::parse("not in the register").unwrap();
    assert_eq!(written_back(&sheets, &unknown, before), None);
}
