//! The same numbers by a slow reference implementation with big rationals and sets, from plain texts.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::{collection::vec, option, prelude::*, sample::select};

use super::plain::{Plain, day, plain, portfolio, question};
use crate::{
    concentration::{
        Analysis, AnalysisInput, Basis, Change, Dimension, Failing, Scope, analyse, blast_radius, simulate,
    },
    currency::Currency,
    money::Rates,
    rounding::Hundredths,
    threshold::{Percent, Thresholds},
    vocabulary::Severity,
};

fn rational(number: impl Into<BigInt>) -> BigRational {
    BigRational::from_integer(number.into())
}

/// Rounded to whole numbers, the middle to the even one.
fn half_even(number: &BigRational) -> i64 {
    let floor = number.floor();
    let twice = (number - &floor) * rational(2);
    let floor_is_odd = (&floor / rational(2)).fract() != rational(0);
    let up = twice > rational(1) || (twice == rational(1) && floor_is_odd);
    let rounded = floor + rational(i64::from(up));
    i64::try_from(rounded.to_integer()).unwrap()
}

/// What 1 unit of the currency is worth in euro.
fn rate(currency: Currency) -> (&'static str, BigRational) {
    match currency.as_str() {
        "USD" => ("0.9217", BigRational::new(9_217.into(), 10_000.into())),
        "JPY" => ("0.0062", BigRational::new(62.into(), 10_000.into())),
        _ => ("1", rational(1)),
    }
}

fn in_cents(row: &Plain) -> i64 {
    let shift = rational(10_i64.pow(2)) / rational(10_i64.pow(row.currency.decimals()));
    half_even(&(rational(row.cost) * rate(row.currency).1 * shift))
}

struct Model<'a> {
    active: Vec<&'a Plain>,
    counted: Vec<&'a Plain>,
    critical: BTreeSet<&'a str>,
    /// Every spelling in use: of direct providers, and of suppliers, which have no LEI here.
    spellings: BTreeSet<(String, Option<String>)>,
    basis: Basis,
}

impl<'a> Model<'a> {
    fn new(rows: &'a [Plain], question: &AnalysisInput<'_>) -> Self {
        let runs = |row: &&Plain| {
            row.starts_on <= question.as_of && row.ends_on.is_none_or(|last| question.as_of <= last)
        };
        let active: Vec<_> = rows.iter().filter(runs).collect();
        let marked = active.iter().flat_map(|row| &row.functions).filter(|(_, critical)| *critical);
        let critical: BTreeSet<_> = marked.map(|(name, _)| name.as_str()).collect();
        let direct = active.iter().map(|row| row.provider.clone());
        let suppliers = active.iter().flat_map(|row| &row.chain).map(|name| (name.clone(), None));
        let spellings = direct.chain(suppliers).collect();
        let mut model = Self { counted: active.clone(), active, critical, spellings, basis: question.basis };
        if question.scope == Scope::Critical {
            model.counted =
                model.active.iter().copied().filter(|row| !model.critical_of(row).is_empty()).collect();
        }
        model
    }

    fn critical_of(&self, row: &'a Plain) -> BTreeSet<&'a str> {
        let names = row.functions.iter().map(|(name, _)| name.as_str());
        names.filter(|name| self.critical.contains(name)).collect()
    }

    fn weight(&self, row: &'a Plain) -> BigRational {
        match self.basis {
            Basis::AnnualCost => rational(in_cents(row)),
            Basis::Arrangements => rational(1),
            Basis::CriticalFunctions => rational(self.critical_of(row).len()),
        }
    }

    fn total(&self) -> BigRational {
        self.counted.iter().map(|row| self.weight(row)).sum()
    }

    /// The LEI prefix that stands for the provider, or its name.
    fn identity(&self, (name, lei): &(String, Option<String>)) -> (Option<String>, String) {
        let bearers: BTreeSet<_> = self
            .spellings
            .iter()
            .filter(|(other, _)| other == name)
            .filter_map(|(_, lei)| lei.clone())
            .collect();
        let only = if bearers.len() == 1 { bearers.first().cloned() } else { None };
        match lei.clone().or(only) {
            Some(lei) => (Some(lei), String::new()),
            None => (None, name.clone()),
        }
    }

    fn key(&self, dimension: Dimension, row: &Plain) -> (Option<String>, String) {
        match dimension {
            Dimension::Provider => self.identity(&row.provider),
            Dimension::Sector => (None, row.sector.clone()),
            Dimension::Region => (None, row.region.clone()),
            Dimension::Technology => (None, row.technology.clone()),
        }
    }

    fn groups(&self, dimension: Dimension) -> BTreeMap<(Option<String>, String), Vec<&'a Plain>> {
        let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for row in &self.counted {
            groups.entry(self.key(dimension, row)).or_default().push(*row);
        }
        groups
    }
}

fn hundredths(number: &BigRational) -> Hundredths {
    Hundredths::new(half_even(&(number * rational(100))))
}

fn severity(share: &BigRational, threshold: Percent, locked_in: bool) -> Severity {
    let used = (share - rational(threshold.get())) / rational(100 - threshold.get());
    let steps = [Severity::Low, Severity::Medium, Severity::High, Severity::Critical, Severity::Critical];
    let limits = [(1, 10), (1, 4), (1, 2)].map(|(n, d)| BigRational::new(n.into(), d.into()));
    let step = limits.iter().filter(|limit| used > **limit).count();
    steps[step + usize::from(locked_in)]
}

fn agree(rows: &[Plain], question: &AnalysisInput<'_>) -> Result<(), TestCaseError> {
    let model = Model::new(rows, question);
    let Ok(analysis) = analyse(&portfolio(rows), question) else {
        prop_assert!(model.counted.is_empty() || model.total() == rational(0));
        return Ok(());
    };
    prop_assert_eq!(rational(analysis.total), model.total());
    prop_assert_eq!(analysis.arrangements as usize, model.counted.len());
    for dimension in Dimension::ALL.iter().copied() {
        agree_on(&analysis, &model, dimension, question)?;
    }
    agree_on_nodes(&analysis, &model)?;
    agree_on_failures(rows, &model, question)
}

fn agree_on(
    analysis: &Analysis,
    model: &Model<'_>,
    dimension: Dimension,
    question: &AnalysisInput<'_>,
) -> Result<(), TestCaseError> {
    let result = analysis.dimensions.iter().find(|result| result.dimension == dimension).unwrap();
    let groups = model.groups(dimension);
    prop_assert_eq!(result.entries.len(), groups.len());

    let exact: BigRational = result
        .entries
        .iter()
        .map(|entry| BigRational::new(entry.share.part.into(), entry.share.whole.into()))
        .sum();
    prop_assert_eq!(exact, rational(1), "shares add up to exactly all");

    let mut hhi = rational(0);
    for (key, rows) in &groups {
        let entry = result
            .entries
            .iter()
            .find(|entry| match (&key.0, entry.lei) {
                (Some(prefix), Some(lei)) => lei.as_str().starts_with(prefix.as_str()),
                (None, None) => *entry.name == *key.1,
                _ => false,
            })
            .unwrap();
        let value: BigRational = rows.iter().map(|row| model.weight(row)).sum();
        let share = &value / model.total() * rational(100);
        let functions: BTreeSet<_> = rows.iter().flat_map(|row| model.critical_of(row)).collect();
        prop_assert_eq!(rational(entry.share.part), value);
        prop_assert_eq!(entry.share.percent(), hundredths(&share));
        prop_assert_eq!(entry.arrangements as usize, rows.len());
        prop_assert_eq!(entry.critical_functions as usize, functions.len());
        let threshold = dimension.threshold(&question.thresholds);
        let breaks = question.thresholds.enabled && share > rational(threshold.get());
        prop_assert_eq!(entry.breach, breaks);
        let breach = analysis
            .breaches
            .iter()
            .find(|b| b.dimension == dimension && b.name == entry.name && b.lei == entry.lei);
        prop_assert_eq!(breach.is_some(), breaks);
        if let Some(breach) = breach {
            let locked_in = rows
                .iter()
                .any(|row| row.substitutability.is_locked_in() && !model.critical_of(row).is_empty());
            prop_assert_eq!(breach.severity, severity(&share, threshold, locked_in));
            prop_assert_eq!(
                breach.share.excess(threshold),
                hundredths(&(&share - rational(threshold.get())))
            );
            let mut ids: Vec<_> = rows.iter().map(|row| super::plain::id(row.number)).collect();
            ids.sort_unstable();
            prop_assert_eq!(&breach.arrangements, &ids);
        }
        hhi += &share * &share;
    }
    prop_assert_eq!(result.hhi.value(), hundredths(&hhi));
    let order: Vec<_> =
        result.entries.iter().map(|e| (std::cmp::Reverse(e.share.part), e.name.clone(), e.lei)).collect();
    prop_assert!(order.is_sorted());
    Ok(())
}

fn agree_on_nodes(analysis: &Analysis, model: &Model<'_>) -> Result<(), TestCaseError> {
    let mut behind: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for row in model.counted.iter().filter(|row| !model.critical_of(row).is_empty()) {
        let direct = model.identity(&row.provider);
        for supplier in &row.chain {
            let supplier = model.identity(&(supplier.clone(), None));
            if supplier != direct {
                behind.entry(supplier).or_default().insert(direct.clone());
            }
        }
    }
    let expected = behind.values().filter(|direct| direct.len() >= 2).count();
    prop_assert_eq!(analysis.common_nodes.len(), expected);
    Ok(())
}

/// Each provider fails once: exactly the functions of its arrangements fail.
fn agree_on_failures(
    rows: &[Plain],
    model: &Model<'_>,
    question: &AnalysisInput<'_>,
) -> Result<(), TestCaseError> {
    let portfolio = portfolio(rows);
    for (name, _) in model.spellings.iter().filter(|(_, lei)| lei.is_none()) {
        let failing = model.identity(&(name.clone(), None));
        let is_hit = |row: &&&Plain| {
            let suppliers = row.chain.iter().map(|name| model.identity(&(name.clone(), None)));
            suppliers.chain([model.identity(&row.provider)]).any(|identity| identity == failing)
        };
        // The name matches every provider with that name; only unambiguous names are compared here.
        let bearers = model.spellings.iter().filter(|spelling| spelling.0 == *name);
        if bearers.map(|spelling| model.identity(spelling)).collect::<BTreeSet<_>>().len() > 1 {
            continue;
        }
        let hit: Vec<_> = model.counted.iter().filter(is_hit).collect();
        let lost: BTreeSet<_> =
            hit.iter().flat_map(|row| &row.functions).map(|(name, _)| name.clone()).collect();
        let radius = blast_radius(&portfolio, Failing::Provider(name), question).unwrap().unwrap();
        prop_assert_eq!(radius.arrangements as usize, hit.len());
        prop_assert_eq!(radius.functions.iter().map(|f| f.name.to_string()).collect::<BTreeSet<_>>(), lost);
        let value: BigRational = hit.iter().map(|row| model.weight(row)).sum();
        prop_assert_eq!(rational(radius.share.part), value);
    }
    Ok(())
}

prop_compose! {
    fn any_row(number: u64)(
        name in select(vec!["Alpha", "Beta", "Gamma", "Delta"]),
        prefix in option::weighted(0.5, select(vec!["529900AAAAAAAAAAAA", "529900BBBBBBBBBBBB"])),
        (sector, region, technology) in (0..3_u8, 0..3_u8, 0..4_u8),
        functions in vec((0..6_u8, prop::bool::weighted(0.3)), 0..4),
        substitutability in select(crate::arrangement::Substitutability::ALL),
        cost in prop_oneof![1..100_i64, 1..1_000_000_000_000_i64],
        currency in select(vec!["EUR", "EUR", "USD", "JPY"]),
        (starts, length) in (0..40_i64, option::of(0..40_i64)),
        chain in prop::sample::subsequence(vec!["Sub 1", "Sub 2", "Sub 3", "Gamma"], 0..3),
    ) -> Plain {
        let starts_on = day("2026-11-01").plus_days(starts - 20);
        let functions: BTreeMap<_, _> = functions.into_iter().collect();
        let chain = chain.into_iter().filter(|supplier| *supplier != name).map(str::to_owned).collect();
        Plain {
            provider: (name.into(), prefix.map(str::to_owned)),
            sector: format!("Sector {sector}"),
            region: format!("Region {region}"),
            technology: format!("Technology {technology}"),
            functions: functions.into_iter().map(|(n, critical)| (format!("Function {n}"), critical)).collect(),
            substitutability,
            currency: currency.parse().unwrap(),
            starts_on,
            ends_on: length.map(|length| starts_on.plus_days(length)),
            chain,
            ..plain(number, name, cost)
        }
    }
}

fn any_rows() -> impl Strategy<Value = Vec<Plain>> {
    (1..16_u64).prop_flat_map(|count| (1..=count).map(any_row).collect::<Vec<_>>())
}

fn any_thresholds() -> impl Strategy<Value = Thresholds> {
    let percent = || (1..=100_i64).prop_map(|value| Percent::try_from(value).unwrap());
    (percent(), percent(), percent(), percent(), prop::bool::weighted(0.9)).prop_map(
        |(provider, sector, regional, technology, enabled)| Thresholds {
            provider,
            sector,
            regional,
            technology,
            enabled,
            ..Thresholds::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_engine_agrees_with_the_model(
        rows in any_rows(),
        thresholds in any_thresholds(),
        basis in select(Basis::ALL),
        scope in select(Scope::ALL),
    ) {
        let rates = ["USD", "JPY"].map(|code| (code, rate(code.parse().unwrap()).0));
        let rates = Rates::parse(Currency::EUR, rates).unwrap();
        agree(&rows, &AnalysisInput { basis, scope, thresholds, ..question(&rates) })?;
    }

    #[test]
    fn ending_arrangements_leaves_what_the_others_give(rows in any_rows(), ended in vec(any::<bool>(), 16)) {
        let rates = ["USD", "JPY"].map(|code| (code, rate(code.parse().unwrap()).0));
        let rates = Rates::parse(Currency::EUR, rates).unwrap();
        let (gone, left): (Vec<_>, Vec<_>) = rows.iter().cloned().zip(ended).partition(|(_, ended)| *ended);
        let changes: Vec<_> = gone.iter().map(|(row, _)| Change::End(super::plain::id(row.number))).collect();
        let left: Vec<_> = left.into_iter().map(|(row, _)| row).collect();
        if let Ok(simulation) = simulate(&portfolio(&rows), &changes, &question(&rates)) {
            prop_assert_eq!(simulation.before, analyse(&portfolio(&rows), &question(&rates)).ok());
            prop_assert_eq!(simulation.after, analyse(&portfolio(&left), &question(&rates)).ok());
        }
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter(rows in any_rows().prop_shuffle(), scope in select(Scope::ALL)) {
        let rates = ["USD", "JPY"].map(|code| (code, rate(code.parse().unwrap()).0));
        let rates = Rates::parse(Currency::EUR, rates).unwrap();
        let question = AnalysisInput { scope, ..question(&rates) };
        let mut ordered = rows.clone();
        ordered.sort_by_key(|row| row.number);
        prop_assert_eq!(analyse(&portfolio(&rows), &question), analyse(&portfolio(&ordered), &question));
    }
}
