//! The worked example of the documentation: the page itself is the test.

use std::fmt::Write as _;

use super::plain::{id, question};
use crate::{
    arrangement::{Place, Substitutability},
    concentration::{Analysis, Breach, DimensionResult, Failing, Portfolio, analyse, blast_radius},
    currency::Currency,
    money::{Money, Rates},
    register::FlatReader,
};

const PAGE: &str = include_str!("../../../../../../docs/concentration.md");

/// The content of the only fenced block of this kind.
fn block(kind: &str) -> &'static str {
    let start = format!("```{kind}\n");
    let (_, rest) = PAGE.split_once(&start).unwrap();
    rest.split_once("```").unwrap().0
}

fn portfolio() -> Portfolio {
    let mut rows = (1..).zip(block("csv").lines().map(|line| line.split(',').collect::<Vec<_>>()));
    let mut reader = FlatReader::new(&rows.next().unwrap().1);
    rows.for_each(|(row, fields)| reader.row(row, &fields));
    let mut portfolio = Portfolio::new();
    for (number, placed) in (1..).zip(reader.finish().unwrap()) {
        portfolio.add(id(number), &placed.record.contract, &placed.record.facts).unwrap();
    }
    portfolio
}

fn dimension(title: &str, result: &DimensionResult, breaches: &[Breach]) -> String {
    let mut text = format!("{title}, threshold {} %, HHI {}\n", result.threshold.get(), result.hhi);
    for entry in &result.entries {
        let cost = Money { amount: i64::try_from(entry.share.part).unwrap(), currency: Currency::EUR };
        let (name, share, count) = (&entry.name, entry.share, entry.arrangements);
        let (critical, critical_share) = (entry.critical_functions, entry.critical_share);
        write!(
            text,
            "  {name}: {cost}, {share}, arrangements {count}, critical functions {critical} ({critical_share})"
        )
        .unwrap();
        let breach =
            breaches.iter().find(|breach| breach.name == entry.name && breach.dimension == result.dimension);
        assert_eq!(breach.is_some(), entry.breach);
        if let Some(breach) = breach {
            write!(text, ", breach {} by {}", breach.severity, breach.share.excess(breach.threshold))
                .unwrap();
        }
        text.push('\n');
    }
    text
}

fn rendered(analysis: &Analysis, portfolio: &Portfolio, rates: &Rates) -> String {
    let total =
        Money { amount: i64::try_from(analysis.total).unwrap(), currency: analysis.currency.unwrap() };
    let mut text = format!(
        "as of {}, {}, {}: {} arrangements, {} providers, {total}\n\n",
        analysis.as_of, analysis.basis, analysis.scope, analysis.arrangements, analysis.providers
    );
    for result in &analysis.dimensions {
        text += &dimension(result.dimension.as_str(), result, &analysis.breaches);
    }
    text += &dimension("groups", &analysis.groups, &analysis.group_breaches);
    writeln!(text, "\nlevel {}, next review on {}", analysis.level, analysis.next_review_on).unwrap();
    let functions = &analysis.critical_functions;
    let by: Vec<_> = Substitutability::ALL
        .iter()
        .map(|each| format!("{each} {}", functions.by_substitutability[*each as usize]))
        .collect();
    let (with, without) = (functions.with_exit_plan, functions.without_exit_plan);
    let (by, unknown) = (by.join(", "), functions.exit_plan_unknown);
    writeln!(text, "critical functions: {by}; exit plan: with {with}, without {without}, unknown {unknown}")
        .unwrap();
    for node in &analysis.common_nodes {
        let behind = node.behind.join(", ");
        writeln!(
            text,
            "common node {}: behind {behind}, critical functions {}",
            node.name, node.critical_functions
        )
        .unwrap();
    }
    let storage = analysis.places.iter().find(|shares| shares.place == Place::Storage).unwrap();
    let (eea, third, unknown) = (storage.eea, storage.third_country, storage.unknown);
    writeln!(text, "storage: EEA {eea}, third country {third}, unknown {unknown}").unwrap();
    let name = "Rhein Rechenzentrum GmbH";
    let radius = blast_radius(portfolio, Failing::Provider(name), &question(rates)).unwrap().unwrap();
    let [lost] = radius.functions.as_slice() else { panic!("one function goes down") };
    let mark = if lost.critical { " (critical)" } else { "" };
    let path = lost.path.join(" → ");
    writeln!(text, "{name} fails: {}{mark} through {path}, {} of the cost", lost.name, radius.share).unwrap();
    text
}

#[test]
fn the_documented_result_is_what_the_engine_gives() {
    let portfolio = portfolio();
    let rates = Rates::parse(Currency::EUR, [("USD", "0.80")]).unwrap();
    let analysis = analyse(&portfolio, &question(&rates)).unwrap();
    let computed = rendered(&analysis, &portfolio, &rates);
    assert!(computed == block("text"), "{computed}");
}
