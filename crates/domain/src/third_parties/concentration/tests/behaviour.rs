//! The properties of the analysis, one per test.

use std::sync::Arc;

use super::plain::{Plain, day, id, plain, portfolio, question};
use crate::{
    arrangement::{Place, Substitutability},
    concentration::{
        Analysis, AnalysisError, AnalysisInput, Basis, Change, Designated, Dimension, Failing, Level,
        Portfolio, RowFault, Scope, SimulationError, analyse, blast_radius, simulate,
    },
    currency::Currency,
    lei::Lei,
    money::Rates,
    threshold::{Percent, Thresholds},
    violation::Violations,
    vocabulary::Severity,
};

fn euro() -> Rates {
    Rates::none(Currency::EUR)
}

fn analysed(rows: &[Plain]) -> Analysis {
    analyse(&portfolio(rows), &question(&euro())).unwrap()
}

fn fault(row: &Plain) -> RowFault {
    row.push_to(&mut Portfolio::new()).unwrap_err().fault
}

fn provider_names(analysis: &Analysis) -> Vec<&str> {
    analysis.dimensions[0].entries.iter().map(|entry| &*entry.name).collect()
}

#[test]
fn shares_are_ordered_by_value_and_then_by_name() {
    let analysis = analysed(&[plain(1, "Beta", 300), plain(2, "Gamma", 100), plain(3, "Alpha", 100)]);
    assert_eq!(provider_names(&analysis), ["Beta", "Alpha", "Gamma"]);
    let printed: Vec<_> =
        analysis.dimensions[0].entries.iter().map(|entry| entry.share.to_string()).collect();
    assert_eq!(printed, ["60 %", "20 %", "20 %"]);
    assert_eq!(analysis.dimensions[0].hhi.to_string(), "4400");
    assert_eq!((analysis.arrangements, analysis.providers, analysis.total), (3, 3, 500));
    assert_eq!(analysis.currency, Some(Currency::EUR));
    assert_eq!(analysis.next_review_on, day("2027-11-14"));
}

#[test]
fn exactly_at_the_threshold_is_no_breach() {
    let rows: Vec<_> = ["A", "B", "C", "D"].iter().zip(1..).map(|(name, n)| plain(n, name, 25)).collect();
    assert!(analysed(&rows).breaches.iter().all(|breach| breach.dimension != Dimension::Provider));
    let mut more = rows;
    more[0].cost = 26;
    let analysis = analysed(&more);
    let breach = &analysis.breaches[0];
    assert_eq!((breach.dimension, &*breach.name, breach.severity), (Dimension::Provider, "A", Severity::Low));
    assert_eq!(breach.arrangements, [id(1)]);
    assert_eq!(breach.share.excess(breach.threshold).to_string(), "0.74");
}

#[test]
fn switched_off_nothing_breaches() {
    let rates = euro();
    let thresholds = Thresholds { enabled: false, ..Thresholds::default() };
    let rows = [plain(1, "Only", 100)];
    let analysis = analyse(&portfolio(&rows), &AnalysisInput { thresholds, ..question(&rates) }).unwrap();
    assert!(analysis.breaches.is_empty() && analysis.group_breaches.is_empty());
    assert!(analysis.dimensions.iter().all(|dimension| dimension.entries.iter().all(|entry| !entry.breach)));
    assert_eq!(analysis.level, Level::Moderate);
}

#[test]
fn only_what_runs_on_the_day_counts_with_both_ends() {
    let mut row = plain(1, "A", 1);
    (row.starts_on, row.ends_on) = (day("2026-01-01"), Some(day("2026-12-31")));
    let rates = euro();
    let on = |as_of: &str| {
        analyse(
            &portfolio(std::slice::from_ref(&row)),
            &AnalysisInput { as_of: day(as_of), ..question(&rates) },
        )
    };
    assert!(on("2026-01-01").is_ok() && on("2026-12-31").is_ok());
    for outside in ["2025-12-31", "2027-01-01"] {
        assert_eq!(on(outside).unwrap_err(), AnalysisError::NothingActive(day(outside)));
    }
}

#[test]
fn an_empty_register_is_its_own_error() {
    assert_eq!(analyse(&Portfolio::new(), &question(&euro())).unwrap_err(), AnalysisError::EmptyRegister);
    let rates = euro();
    let critical = AnalysisInput { scope: Scope::Critical, ..question(&rates) };
    assert_eq!(
        analyse(&portfolio(&[plain(1, "A", 1)]), &critical).unwrap_err(),
        AnalysisError::NothingCritical
    );
    let functions = AnalysisInput { basis: Basis::CriticalFunctions, ..question(&rates) };
    let nothing = analyse(&portfolio(&[plain(1, "A", 1)]), &functions).unwrap_err();
    assert_eq!(nothing, AnalysisError::NothingToMeasure(Basis::CriticalFunctions));
}

#[test]
fn other_currencies_need_rates_and_each_missing_one_is_named() {
    let abroad = |number, code: &str| Plain { currency: code.parse().unwrap(), ..plain(number, "A", 1_000) };
    let rows = [plain(1, "A", 1), abroad(2, "USD"), abroad(3, "JPY"), abroad(4, "USD")];
    let error = analyse(&portfolio(&rows), &question(&euro())).unwrap_err();
    assert_eq!(Violations::from(error.clone()).to_string(), error.to_string());
    let output = "rates must hold the rates to EUR for JPY (arrangement C-3), USD (arrangement C-2)";
    assert_eq!(error.to_string(), output);
    let rates = Rates::parse(Currency::EUR, [("USD", "0.5"), ("JPY", "0.0062")]).unwrap();
    assert_eq!(analyse(&portfolio(&rows), &question(&rates)).unwrap().total, 1 + 500 + 620 + 500);
    let count = AnalysisInput { basis: Basis::Arrangements, ..question(&rates) };
    assert_eq!(analyse(&portfolio(&rows), &count).unwrap().currency, None);
}

#[test]
fn bad_rows_are_refused_with_their_place() {
    assert_eq!(fault(&plain(1, "A", 0)), RowFault::ZeroCost);
    assert_eq!(fault(&plain(1, "A", -5)), RowFault::NegativeCost);
    let mut backwards = plain(1, "A", 1);
    backwards.ends_on = Some(day("2019-12-31"));
    assert_eq!(fault(&backwards), RowFault::BACKWARDS);
    let round = plain(7, "A", 1).through(&["B", "C", "B"]).push_to(&mut Portfolio::new()).unwrap_err();
    let output = "arrangement C-7: its supply chain runs in a circle: B → C → B; remove one of these steps";
    assert_eq!(round.to_string(), output);
}

#[test]
fn totals_beyond_the_arithmetic_are_refused_not_wrapped() {
    let rows: Vec<_> = (0..600).map(|number| plain(number, "A", crate::money::MAX_AMOUNT)).collect();
    assert_eq!(analyse(&portfolio(&rows), &question(&euro())).unwrap_err(), AnalysisError::TotalTooLarge);
}

#[test]
fn one_lei_is_one_provider_and_a_missing_lei_does_not_split_it() {
    let named = |number, name: &str, prefix: Option<&str>| Plain {
        provider: (name.into(), prefix.map(str::to_owned)),
        ..plain(number, name, 1)
    };
    let (one, two) = ("529900AAAAAAAAAAAA", "529900BBBBBBBBBBBB");
    let analysis = analysed(&[
        named(1, "Nordlicht SE", Some(one)),
        named(2, "Nordlicht", Some(one)),
        named(3, "Nordlicht", None),
    ]);
    assert_eq!(provider_names(&analysis), ["Nordlicht"]);
    let twins = analysed(&[
        named(1, "Nordlicht", Some(one)),
        named(2, "Nordlicht", Some(two)),
        named(3, "Nordlicht", None),
    ]);
    let lei = |prefix| Lei::from_prefix(prefix).unwrap();
    let expected =
        ["Nordlicht".to_owned(), format!("Nordlicht ({})", lei(one)), format!("Nordlicht ({})", lei(two))];
    assert_eq!(provider_names(&twins), expected);
}

#[test]
fn a_function_is_critical_when_any_arrangement_says_so() {
    let rows =
        [plain(1, "A", 9).supports(&[("Payments", true)]), plain(2, "B", 1).supports(&[("Payments", false)])];
    let analysis = analysed(&rows);
    let entry = &analysis.dimensions[0].entries[1];
    assert_eq!((&*entry.name, entry.critical_functions), ("B", 1));
    // A tenth of the cost, but all of the critical functions.
    assert_eq!((entry.share.to_string(), entry.critical_share.to_string()), ("10 %".into(), "100 %".into()));
}

#[test]
fn groups_join_what_legal_entities_keep_apart() {
    let mut portfolio =
        portfolio(&[plain(1, "Cloud Ireland", 20), plain(2, "Cloud France", 20), plain(3, "Other", 60)]);
    let parent = portfolio.provider("Cloud Inc.", None);
    for name in ["Cloud Ireland", "Cloud France", "Cloud Inc."] {
        let child = portfolio.provider(name, None);
        portfolio.set_ultimate_parent(child, parent);
    }
    let analysis = analyse(&portfolio, &question(&euro())).unwrap();
    assert_eq!(provider_names(&analysis), ["Other", "Cloud France", "Cloud Ireland"]);
    let groups: Vec<_> =
        analysis.groups.entries.iter().map(|entry| (&*entry.name, entry.share.part)).collect();
    assert_eq!(groups, [("Other", 60), ("Cloud Inc.", 40)]);
    assert_eq!(analysis.group_breaches.len(), 2);

    let (child, other) = (portfolio.provider("Other", None), portfolio.provider("Cloud France", None));
    portfolio.set_ultimate_parent(child, other);
    portfolio.set_ultimate_parent(child, parent);
    let output = analyse(&portfolio, &question(&euro())).unwrap_err().to_string();
    assert_eq!(output, "register names two ultimate parents of Other, Cloud France and Cloud Inc.: keep one");
}

#[test]
fn parents_in_a_circle_are_refused() {
    let mut portfolio = portfolio(&[plain(1, "A", 1)]);
    let (a, b) = (portfolio.provider("A", None), portfolio.provider("B", None));
    portfolio.set_ultimate_parent(a, b);
    portfolio.set_ultimate_parent(b, a);
    assert_eq!(analyse(&portfolio, &question(&euro())).unwrap_err(), AnalysisError::ParentCycle("A".into()));
}

#[test]
fn a_subcontractor_behind_two_providers_is_a_common_node() {
    let critical = |row: Plain, function| row.supports(&[(function, true)]);
    let rows = [
        critical(plain(1, "A", 1), "Payments").through(&["Datacentre"]),
        critical(plain(2, "B", 1), "Trading").through(&["Reseller", "Datacentre"]),
        critical(plain(3, "Datacentre", 1), "Archive"),
        plain(4, "C", 1).supports(&[("Canteen", false)]).through(&["Reseller"]),
    ];
    let analysis = analysed(&rows);
    let nodes: Vec<_> = analysis.common_nodes.iter().map(|node| &*node.name).collect();
    assert_eq!(nodes, ["Datacentre"]);
    let node = &analysis.common_nodes[0];
    assert_eq!(node.behind, ["A", "B"].map(Arc::from));
    assert_eq!((node.arrangements, node.critical_functions, node.also_direct), (2, 2, true));
    assert_eq!(node.critical_share.to_string(), "66.67 %");
}

#[test]
fn the_blast_radius_names_the_functions_and_the_way() {
    let rows = [
        plain(1, "A", 10).supports(&[("Payments", true)]).through(&["Reseller", "Datacentre"]),
        plain(2, "Datacentre", 30).supports(&[("Archive", false), ("Payments", true)]),
        plain(3, "B", 60).supports(&[("Trading", true)]),
    ];
    let portfolio = portfolio(&rows);
    let rates = euro();
    let radius = |name| blast_radius(&portfolio, Failing::Provider(name), &question(&rates)).unwrap();
    let datacentre = radius("Datacentre").unwrap();
    let lost: Vec<_> = datacentre
        .functions
        .iter()
        .map(|f| (&*f.name, f.critical, f.path.join(" → "), f.arrangements.len()))
        .collect();
    assert_eq!(
        lost,
        [("Payments", true, "Datacentre".to_owned(), 2), ("Archive", false, "Datacentre".to_owned(), 1)]
    );
    assert_eq!((datacentre.arrangements, datacentre.share.to_string()), (2, "40 %".into()));
    assert_eq!(datacentre.critical_functions.to_string(), "50 %");
    let reseller = radius("Reseller").unwrap();
    assert_eq!(reseller.functions[0].path.join(" → "), "A → Reseller");
    assert_eq!(radius("Nobody"), None);
}

#[test]
fn a_failing_group_takes_its_members_along() {
    let rows = [plain(1, "Ireland", 1).supports(&[("Payments", true)]), plain(2, "France", 1)];
    let mut portfolio = portfolio(&rows);
    let parent = portfolio.provider("Group", None);
    for name in ["Ireland", "France"] {
        let child = portfolio.provider(name, None);
        portfolio.set_ultimate_parent(child, parent);
    }
    let radius = blast_radius(&portfolio, Failing::Group("France"), &question(&euro())).unwrap().unwrap();
    assert_eq!(radius.failing, ["France", "Group", "Ireland"].map(Arc::from));
    assert_eq!((radius.arrangements, radius.functions.len()), (2, 1));
}

#[test]
fn places_split_into_eea_third_country_and_unknown() {
    let placed = |number, countries: &[&str]| Plain {
        places: countries.iter().map(|code| (Place::Storage, (*code).to_owned())).collect(),
        ..plain(number, "A", 10).supports(&[("Payments", true)])
    };
    let analysis =
        analysed(&[placed(1, &["US", "DE"]), placed(2, &["NO", "NO"]), placed(3, &[]), placed(4, &["DE"])]);
    let storage = &analysis.places[1];
    let shares = [storage.eea, storage.third_country, storage.unknown].map(|share| share.to_string());
    assert_eq!(shares, ["50 %", "25 %", "25 %"]);
    assert_eq!(storage.third_country_critical.to_string(), "100 %");
    let countries: Vec<_> =
        storage.countries.iter().map(|c| (c.country.to_string(), c.arrangements)).collect();
    assert_eq!(countries, [("DE".to_owned(), 2), ("NO".to_owned(), 1), ("US".to_owned(), 1)]);
    assert_eq!(analysis.places[0].unknown.to_string(), "100 %");
}

#[test]
fn critical_functions_stand_with_their_weakest_arrangement() {
    let row = |number, function, substitutability, exit_plan| Plain {
        substitutability,
        exit_plan,
        ..plain(number, "A", 1).supports(&[(function, true)])
    };
    let analysis = analysed(&[
        row(1, "Payments", Substitutability::Easy, Some(true)),
        row(2, "Payments", Substitutability::Impossible, None),
        row(3, "Trading", Substitutability::Medium, Some(true)),
    ]);
    let functions = analysis.critical_functions;
    assert_eq!(functions.by_substitutability, [0, 1, 0, 1]);
    assert_eq!(functions.locked_in.to_string(), "50 %");
    assert_eq!(functions.with_exit_plan.to_string(), "50 %");
    assert_eq!(functions.exit_plan_unknown.to_string(), "50 %");
    assert_eq!(functions.without_exit_plan.to_string(), "0 %");
}

#[test]
fn designated_providers_are_found_by_name_lei_group_and_chain() {
    let mut portfolio = portfolio(&[
        plain(1, "BLOOMBERG LP", 10).supports(&[("Trading", true)]),
        plain(2, "Reseller", 20).supports(&[("Payments", true)]).through(&["SAP SE"]),
        plain(3, "Cloud France", 30).supports(&[("Archive", true)]),
        plain(4, "Other", 40).supports(&[("Letters", true)]),
    ]);
    let (child, parent) = (portfolio.provider("Cloud France", None), portfolio.provider("Cloud Inc.", None));
    portfolio.set_ultimate_parent(child, parent);
    let designated = ["Bloomberg L.P.", "SAP SE", "Cloud, Inc."].map(|name| Designated { name, lei: None });
    let rates = euro();
    let exposure = analyse(&portfolio, &AnalysisInput { designated: &designated, ..question(&rates) })
        .unwrap()
        .designated;
    assert_eq!(exposure.share.to_string(), "40 %");
    assert_eq!(exposure.critical_direct.to_string(), "50 %");
    assert_eq!(exposure.critical_with_chain.to_string(), "75 %");
    assert_eq!(exposure.providers, ["BLOOMBERG LP", "Cloud France", "SAP SE"].map(Arc::from));
}

#[test]
fn a_simulation_shows_before_after_and_difference_and_changes_nothing() {
    let rows = [plain(1, "A", 60), plain(2, "B", 40)];
    let mut portfolio = portfolio(&rows);
    let rates = euro();
    let question = AnalysisInput {
        thresholds: Thresholds { provider: Percent::try_from(50).unwrap(), ..Thresholds::default() },
        ..question(&rates)
    };
    let untouched = analyse(&portfolio, &question).unwrap();
    let cheaper = Plain { number: 1, ..plain(1, "A", 20) };
    let third = plain(3, "C", 40);
    let simulation = cheaper.as_row(&mut portfolio, |portfolio, cheaper| {
        third.as_row(portfolio, |portfolio, third| {
            simulate(portfolio, &[Change::Change(*cheaper), Change::Add(*third)], &question).unwrap()
        })
    });
    assert_eq!(simulation.before.as_ref(), Some(&untouched));
    assert_eq!(simulation.after.as_ref().unwrap().total, 100);
    let difference = &simulation.difference;
    assert_eq!((difference.arrangements, difference.providers, difference.total), (1, 1, 0));
    let changes: Vec<_> =
        difference.dimensions[0].entries.iter().map(|e| (&*e.name, e.difference.to_string())).collect();
    assert_eq!(changes, [("A", "-40".to_owned()), ("C", "40".to_owned())]);
    assert_eq!(difference.dimensions[0].hhi.to_string(), "-1600");
    assert_eq!(difference.gone_breaches, [(Dimension::Provider, Arc::from("A"))]);
    assert!(difference.new_breaches.is_empty());
    assert_eq!(analyse(&portfolio, &question).unwrap(), untouched);
}

#[test]
fn a_simulation_can_end_everything_but_not_the_unknown() {
    let portfolio = portfolio(&[plain(1, "A", 60)]);
    let rates = euro();
    let ended = simulate(&portfolio, &[Change::End(id(1))], &question(&rates)).unwrap();
    assert!(ended.before.is_some() && ended.after.is_none());
    assert_eq!(ended.difference.total, -60);
    let unknown = simulate(&portfolio, &[Change::End(id(9))], &question(&rates)).unwrap_err();
    assert_eq!(unknown, SimulationError::UnknownArrangement(id(9)));
    let twice =
        simulate(&portfolio, &[Change::End(id(1)), Change::End(id(1))], &question(&rates)).unwrap_err();
    assert_eq!(twice, SimulationError::ChangedTwice(id(1)));
}
