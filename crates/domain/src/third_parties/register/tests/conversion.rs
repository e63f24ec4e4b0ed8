//! The official register as flat arrangements.

use super::sample::{lei, sample};
use crate::{
    arrangement::{Arrangement, ArrangementId, Place, Substitutability},
    concentration::{AnalysisInput, Basis, Portfolio, Scope, analyse},
    currency::Currency,
    identifier::Uuid7,
    money::Rates,
    register::{Conversion, Register, Template},
    threshold::Thresholds,
};

fn converted(register: &Register) -> Vec<Arrangement> {
    Conversion::of(register).arrangements().collect()
}

fn named(list: &[Arrangement]) -> Vec<(String, String)> {
    list.iter()
        .map(|each| (each.contract.reference.to_string(), each.contract.annual_cost.money().to_string()))
        .collect()
}

#[test]
fn the_expense_of_an_unused_framework_is_handed_on() {
    let converted = converted(&sample().read().unwrap());
    let expected = [("C-1-A", "150000.00 EUR"), ("C-1-B", "200000.01 EUR"), ("C-2", "90000.00 USD")];
    assert_eq!(named(&converted), expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    assert_eq!(Conversion::of(&sample().read().unwrap()).unused().count(), 0);
}

#[test]
fn an_arrangement_carries_what_the_register_knows() {
    let converted = converted(&sample().read().unwrap());
    let Arrangement { contract: draft, facts } = &converted[0];
    assert_eq!(draft.provider.name.as_str(), "Example Cloud Ireland Ltd");
    assert_eq!(draft.provider.lei, Some(lei("CLOUD")));
    assert_eq!((draft.provider.sector.as_str(), draft.region.as_str()), ("Cloud", "IE"));
    assert_eq!(draft.technology.as_str(), "Cloud services: IaaS");
    assert_eq!(draft.substitutability, Substitutability::Hard);
    assert_eq!((draft.starts_on.to_string(), draft.ends_on), ("2023-01-01".into(), None));
    let functions: Vec<_> = draft.functions.iter().map(|f| (f.name.as_str(), f.critical)).collect();
    assert_eq!(functions, [("Intranet", false), ("Payments", true)]);
    assert_eq!((facts.exit_plan, facts.notice_days), (Some(true), Some(90)));
    assert_eq!(facts.ultimate_parent.as_ref().unwrap().name.as_str(), "Example Cloud Inc.");
    let chain: Vec<_> =
        facts.chain.iter().map(|step| (step.recipient.name.as_str(), step.supplier.name.as_str())).collect();
    let expected = [
        ("Example Cloud Ireland Ltd", "Example Datacentres SARL"),
        ("Example Datacentres SARL", "Example Power SA"),
    ];
    assert_eq!(chain, expected);
    let places: Vec<_> = facts.places.iter().map(|(place, country)| (*place, country.to_string())).collect();
    let expected = [
        (Place::Provision, "IE"),
        (Place::Storage, "DE"),
        (Place::Storage, "IE"),
        (Place::Processing, "IE"),
        (Place::Processing, "US"),
    ];
    assert_eq!(places, expected.map(|(place, country)| (place, country.to_owned())));

    let unassessed = &converted[1];
    assert_eq!(
        (unassessed.contract.substitutability, unassessed.facts.exit_plan),
        (Substitutability::Medium, None)
    );
    assert_eq!(
        unassessed.contract.region.as_str(),
        "IE",
        "the provider's own country when nothing else is known"
    );
}

#[test]
fn the_longest_notice_period_of_the_lines_counts() {
    for (first, second, expected) in [
        ("30", "120", Some(120)),
        ("", "60", Some(60)),
        ("", "", None),
        // More than five years is a mistake: no day follows from it.
        ("30", "99999999", Some(30)),
    ] {
        let register = sample().with(Template::ContractLines, ",,90,180,", &format!(",,{first},180,")).with(
            Template::ContractLines,
            ",,90,180,",
            &format!(",,{second},180,"),
        );
        let converted = converted(&register.read().unwrap());
        assert_eq!(converted[0].facts.notice_days, expected, "{first:?} {second:?}");
    }
}

#[test]
fn several_services_of_one_contract_divide_its_cost_and_are_distinguished() {
    let register = sample()
        .with_row(
            Template::ContractLines,
            "C-2,<BANK>,<CARDS>,LEI,F1,S06,2025-05-01,2026-04-30,,,,,CH,no,,,,",
        )
        .with_row(
            Template::ContractLines,
            "C-2,<BANK>,<CARDS>,LEI,F1,S06,2025-05-01,2026-04-30,,,,,DE,no,,,,",
        )
        .with(Template::Contracts, "USD,90000", "USD,0.05")
        .read()
        .unwrap();
    let converted = converted(&register);
    let expected =
        [("C-2 / S05 / CH", "0.02 USD"), ("C-2 / S06 / CH", "0.02 USD"), ("C-2 / S06 / DE", "0.01 USD")];
    assert_eq!(named(&converted)[2..], expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
}

#[test]
fn a_service_that_stores_nothing_has_no_place_of_storage() {
    let register = sample().with(Template::ContractLines, "CH,no,,", "CH,no,US,").read().unwrap();
    let places = &converted(&register)[2].facts.places;
    assert_eq!(places.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [Place::Provision]);
}

#[test]
fn a_contract_nobody_uses_is_said_to_be_unused() {
    let register = sample().with_row(Template::Contracts, "C-3,standalone,,EUR,1").read().unwrap();
    let unused: Vec<_> = Conversion::of(&register).unused().map(ToString::to_string).collect();
    assert_eq!(unused, ["C-3"]);
}

#[test]
fn functions_of_one_name_stay_apart() {
    let register = sample().with(Template::Functions, "Leasing", "Payments").read().unwrap();
    let converted = converted(&register);
    let name = |index: usize| converted[index].contract.functions.last().unwrap().name.to_string();
    assert_eq!(name(0), format!("Payments (F1 of {})", lei("BANK")));
    assert_eq!(name(1), format!("Payments (F3 of {})", lei("LEASING")));
}

#[test]
fn what_was_converted_can_be_analysed() {
    let converted = converted(&sample().read().unwrap());
    let mut portfolio = Portfolio::new();
    for (number, imported) in (1..).zip(converted) {
        let id = ArrangementId::from(Uuid7::from_parts(number, 0));
        portfolio.add(id, &imported.contract, &imported.facts).unwrap();
    }
    let rates = Rates::parse(Currency::EUR, [("USD", "0.92")]).unwrap();
    let question = AnalysisInput {
        basis: Basis::AnnualCost,
        scope: Scope::All,
        as_of: "2026-01-01".parse().unwrap(),
        thresholds: Thresholds::default(),
        rates: &rates,
        designated: &[],
    };
    let analysis = analyse(&portfolio, &question).unwrap();
    assert_eq!(analysis.total, 15_000_000 + 20_000_001 + 8_280_000);
    assert_eq!(&*analysis.groups.entries[0].name, "Example Cloud Inc.");
    assert_eq!(analysis.places[2].third_country.part, 15_000_000);
}
