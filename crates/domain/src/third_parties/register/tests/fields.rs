//! The table of fields, line by line.

use crate::{
    arrangement::{
        AnnualCost, Arrangement, Contract, Facts, Party, Place, Provider, ServiceType, Substitutability,
        SupplyStep, SupportedFunction,
    },
    country::Country,
    lei::Lei,
    money::Money,
    register::{
        FLAT_COLUMNS, FlatReader, Template,
        columns::{assessments, maintainer, providers},
        differing_fields,
        field_table::{FIELDS, STAND_INS},
        fields::Field,
        merged,
        sheets::{SheetRow, Sheets},
        taken_over, written_back,
    },
    term::Term,
};

fn term(text: &str) -> Term {
    Term::parse(text).unwrap()
}

fn country(code: &str) -> Country {
    code.parse().unwrap()
}

fn party(name: &str, number: u16) -> Party {
    let lei = Lei::from_prefix(&format!("5299{number:014}")).unwrap();
    Party { name: term(name), lei: Some(lei) }
}

/// An arrangement that says something in every field, and one that says something else in each.
fn arrangements() -> (Arrangement, Arrangement) {
    let (first, second) = (party("Nordlicht Cloud SE", 1), party("Elbe Rechenzentrum GmbH", 2));
    let one = Arrangement {
        contract: Contract {
            reference: term("C-1"),
            provider: Provider {
                name: first.name.clone(),
                lei: first.lei,
                country: country("DE"),
                sector: term("Cloud"),
            },
            service: term("Hosting"),
            service_type: ServiceType::ALL[16],
            technology: term("Kubernetes"),
            region: term("Frankfurt"),
            functions: vec![
                SupportedFunction { name: term("Core banking"), critical: true },
                SupportedFunction { name: term("Intranet"), critical: false },
            ],
            substitutability: Substitutability::Easy,
            annual_cost: AnnualCost::own(Money { amount: 12_550, currency: "EUR".parse().unwrap() }).unwrap(),
            starts_on: "2024-02-01".parse().unwrap(),
            ends_on: Some("2027-01-31".parse().unwrap()),
        },
        facts: Facts {
            exit_plan: Some(true),
            notice_days: Some(90),
            places: vec![
                (Place::Provision, country("IE")),
                (Place::Storage, country("DE")),
                (Place::Storage, country("IE")),
                (Place::Processing, country("IE")),
            ],
            chain: vec![
                SupplyStep { supplier: party("Rhein RZ", 3), recipient: first.clone() },
                SupplyStep { supplier: party("Elbe Strom", 4), recipient: party("Rhein RZ", 3) },
            ],
            ultimate_parent: Some(party("Polar Holding Oyj", 5)),
        },
    };
    let other = Arrangement {
        contract: Contract {
            reference: term("C-2"),
            provider: Provider {
                name: second.name.clone(),
                lei: second.lei,
                country: country("FR"),
                sector: term("Datacentres"),
            },
            service: term("Colocation"),
            service_type: ServiceType::ALL[4],
            technology: term("Racks"),
            region: term("Hamburg"),
            functions: vec![SupportedFunction { name: term("Lending"), critical: true }],
            substitutability: Substitutability::Medium,
            annual_cost: AnnualCost::own(Money { amount: 700, currency: "USD".parse().unwrap() }).unwrap(),
            starts_on: "2025-03-01".parse().unwrap(),
            ends_on: None,
        },
        facts: Facts {
            exit_plan: Some(false),
            notice_days: Some(30),
            places: vec![(Place::Provision, country("DE")), (Place::Processing, country("FR"))],
            chain: vec![SupplyStep { supplier: party("Alster Netz", 6), recipient: second }],
            ultimate_parent: Some(party("Hanse AG", 7)),
        },
    };
    (one, other)
}

/// A register with its entity, and the rows of these arrangements. The parents of groups have no country in an
/// arrangement, so their rows are completed.
fn rows_of(entries: &[Arrangement]) -> Sheets {
    let mut sheets = Sheets::default();
    let mut row = SheetRow::new("1", Template::Maintainer);
    let lei = party("Tidewall Bank AG", 99).lei.unwrap();
    let cells = [lei.as_str(), "Tidewall Bank AG", "DE", "eba_CT:x12", "BaFin", "2026-12-31"];
    for (cell, text) in row.cells.iter_mut().zip(cells) {
        *cell = text.into();
    }
    assert!(!row.at(maintainer::REPORTED_ON).is_empty());
    sheets.push(Template::Maintainer, row);
    for (number, (template, row)) in taken_over(&sheets, entries, &[]).unwrap().rows.into_iter().enumerate() {
        let mut row = SheetRow { name: number.to_string().into(), ..row };
        if template == Template::Providers && row.at(providers::COUNTRY).is_empty() {
            row.put(providers::COUNTRY, "eba_GA:FI");
        }
        // How the service could be taken back is in no arrangement, but no assessment is read without it.
        if template == Template::Assessments {
            row.put(assessments::REINTEGRATION, "eba_ZZ:x798");
        }
        sheets.push(template, row);
    }
    sheets
}

fn named(name: &str) -> &'static Field {
    FIELDS.iter().find(|field| field.name == name).unwrap()
}

#[test]
fn every_field_is_read_from_the_rows_that_were_written_from_it() {
    let (one, other) = arrangements();
    let read = rows_of(&[one.clone(), other.clone()]).entries();
    assert_eq!(read.len(), 2);
    for entry in [&one, &other] {
        let read = &read[entry.contract.reference.as_str()];
        for field in &FIELDS {
            assert!((field.is_same)(read, entry), "{}: {read:#?}", field.name);
        }
        assert_eq!(differing_fields(read, entry), [""; 0]);
    }
}

#[test]
fn every_field_is_taken_alone_and_named_alone() {
    let (one, other) = arrangements();
    for field in &FIELDS {
        assert!(!(field.is_same)(&one, &other), "{}: the two arrangements must differ", field.name);
        let mut changed = one.clone();
        (field.take)(&other, &mut changed);
        assert_eq!(differing_fields(&changed, &one), [field.name]);
        assert_eq!(merged(&one, Some(&one), &changed), changed, "{}", field.name);
        assert_eq!(merged(&other, Some(&one), &one), other, "{}: rows that stay change nothing", field.name);
        (field.take)(&one, &mut changed);
        assert_eq!(changed, one, "{}", field.name);
    }
    let first = merged(&one, None, &other);
    for field in &FIELDS {
        assert!((field.is_same)(&first, &other), "{}: rows that are first read win", field.name);
    }
    let own = |entry: &Arrangement| (entry.contract.provider.sector.clone(), entry.contract.region.clone());
    assert_eq!(own(&first), own(&one), "what no template has is kept");
}

#[test]
fn silent_rows_take_nothing_away_when_they_are_first_read() {
    let (one, _) = arrangements();
    let mut silent = one.clone();
    silent.facts = Facts::default();
    silent.contract.functions = Vec::new();
    silent.contract.substitutability = Substitutability::Medium;
    assert_eq!(merged(&one, None, &silent), one);
    let emptied = merged(&one, Some(&one), &silent);
    assert_eq!(emptied, silent, "cells that were emptied empty the fields");
    // Of these, the rows leave three to the arrangement for good.
    assert_eq!(differing_fields(&silent, &one), ["functions", "places", "supply_chain", "ultimate_parent"]);
}

#[test]
fn every_cell_of_a_row_is_written_once_and_those_that_follow_a_change_are_read_from_it() {
    let cells: Vec<_> = FIELDS.iter().flat_map(|field| field.cells).chain(&STAND_INS).collect();
    for (place, cell) in cells.iter().enumerate() {
        assert!(cells[..place].iter().all(|before| before.column != cell.column), "{:?}", cell.column);
    }
    let (one, other) = arrangements();
    let sheets = rows_of(std::slice::from_ref(&one));
    let before = &sheets.entries()["C-1"];
    let follows = [
        "provider.name",
        "provider.country",
        "substitutability",
        "annual_cost",
        "starts_on",
        "ends_on",
        "exit_plan",
        "notice_days",
    ];
    for field in &FIELDS {
        let mut after = before.clone();
        (field.take)(&other, &mut after);
        let written = written_back(&sheets, before, &after);
        assert_eq!(written.is_some(), follows.contains(&field.name), "{}", field.name);
        let Some(written) = written else { continue };
        assert!((field.is_same)(&written.entries()["C-1"], &after), "{}", field.name);
    }
    let mut after = before.clone();
    after.contract.functions[1].critical = true;
    let written = written_back(&sheets, before, &after).unwrap();
    assert!((named("functions").is_same)(&written.entries()["C-1"], &after));
}

#[test]
fn every_column_of_the_simple_table_is_read_as_it_is_written() {
    let (one, other) = arrangements();
    let mut reader = FlatReader::new(&FLAT_COLUMNS.map(|column| column.name));
    for (line, entry) in (2..).zip([&one, &other]) {
        let cells = FLAT_COLUMNS.map(|column| (column.write)(entry));
        reader.row(line, &cells.each_ref().map(String::as_str));
    }
    let read = reader.finish().unwrap();
    assert_eq!(read.iter().map(|placed| &placed.record).collect::<Vec<_>>(), [&one, &other]);
    for column in FLAT_COLUMNS {
        assert_ne!((column.write)(&read[0].record), (column.write)(&read[1].record), "{}", column.name);
    }
}
