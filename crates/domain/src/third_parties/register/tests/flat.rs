//! The simple table.

use super::sample::place;
use crate::{
    arrangement::{Arrangement, Place, Substitutability},
    register::{FLAT_COLUMNS, FLAT_TEMPLATE, FlatReader, Placed, Problems},
};

fn read(text: &str) -> Result<Vec<Placed<Arrangement>>, Problems> {
    let mut rows = (1..).zip(text.lines().map(|line| line.split(',').collect::<Vec<_>>()));
    let (_, headings) = rows.next().unwrap();
    let mut reader = FlatReader::new(&headings);
    rows.for_each(|(row, fields)| reader.row(row, &fields));
    reader.finish()
}

fn problems(text: &str) -> Vec<String> {
    read(text).unwrap_err().iter().map(place).collect()
}

fn changed(from: &str, to: &str) -> String {
    assert!(FLAT_TEMPLATE.contains(from), "{from}");
    FLAT_TEMPLATE.replacen(from, to, 1)
}

#[test]
fn the_downloadable_template_reads_as_it_is() {
    let headings: Vec<_> = FLAT_TEMPLATE.lines().next().unwrap().split(',').collect();
    assert_eq!(headings, FLAT_COLUMNS.map(|column| column.name));
    let imported = read(FLAT_TEMPLATE).unwrap();
    let Arrangement { contract: draft, facts } = &imported[0].record;
    assert_eq!(imported[0].row, Some(2));
    assert_eq!(draft.annual_cost.money().to_string(), "125000.00 EUR");
    assert_eq!(draft.substitutability, Substitutability::Hard);
    let functions: Vec<_> = draft.functions.iter().map(|f| (f.name.as_str(), f.critical)).collect();
    assert_eq!(functions, [("Payments", true), ("Core banking", true), ("Intranet", false)]);
    assert_eq!((facts.exit_plan, facts.chain.len()), (Some(true), 2));
    assert_eq!(facts.chain[1].recipient.name.as_str(), "Example Datacentres SARL");
    assert_eq!(facts.places.iter().filter(|(place, _)| *place == Place::Storage).count(), 2);
    assert_eq!(facts.ultimate_parent.as_ref().unwrap().name.as_str(), "Example Cloud Inc.");
    assert_eq!(imported[1].record.contract.ends_on.unwrap().to_string(), "2028-06-30");
    assert_eq!((facts.notice_days, imported[1].record.facts.notice_days), (None, Some(90)));
}

#[test]
fn german_headings_values_days_and_amounts_are_understood() {
    let headings = "Vertragsnummer;Dienstleister;Land des Dienstleisters;Branche;Dienst;Art des Dienstes;Technologie;Region;\
                    Kritische Funktionen;Ersetzbarkeit;Ausstiegsplan;Jährliche Kosten;Währung;Beginnt am;Endet am;\
                    Kündigungsfrist";
    let row = "V-1;Nordlicht Cloud SE;DE;Cloud;Hosting;S17;Kubernetes;Frankfurt;Zahlungsverkehr;Schwer;Ja;125.000,50;EUR;\
               01.02.2026;31.01.2027;90";
    let mut reader = FlatReader::new(&headings.split(';').collect::<Vec<_>>());
    reader.row(2, &row.split(';').collect::<Vec<_>>());
    let imported = reader.finish().unwrap();
    let Arrangement { contract, facts } = &imported[0].record;
    assert_eq!(contract.annual_cost.money().to_string(), "125000.50 EUR");
    assert_eq!(contract.substitutability, Substitutability::Hard);
    assert_eq!((facts.exit_plan, facts.notice_days), (Some(true), Some(90)));
    assert_eq!(contract.starts_on.to_string(), "2026-02-01");
    assert_eq!(contract.ends_on.unwrap().to_string(), "2027-01-31");
}

#[test]
fn problems_and_remedies_are_notified_in_german_too() {
    use crate::wording::{Language, Sentence as _};

    let refused = read(&changed("125000.00,EUR", "-5,EUR")).unwrap_err();
    let problem = refused.iter().next().unwrap();
    assert_eq!(
        problem.finding.text(Language::German),
        "„-5“ darf nicht negativ sein: bitte eintragen, was die Bank zahlt, nicht was sie erhält"
    );
    assert_eq!(
        problem.remedy.text(Language::German),
        "bitte die Kosten eines Jahres über null schreiben, etwa 125.000,00"
    );
}

#[test]
fn wrong_cells_are_named_by_their_column() {
    let cases = [
        (",IE,Cloud,", ",Ireland,Cloud,", "provider_country country"),
        ("S17", "S20", "service_type code-list"),
        ("hard,yes", "tough,yes", "substitutability code-list"),
        ("hard,yes", "hard,perhaps", "exit_plan code-list"),
        ("125000.00,EUR", "125.000,EUR", "annual_cost amount"),
        ("125000.00,EUR", "-5,EUR", "annual_cost amount"),
        ("125000.00,EUR", "0,EUR", "annual_cost amount"),
        ("125000.00,EUR", "125000.00,Euro", "currency currency"),
        ("125000.00,EUR", "125000.00,", "currency required"),
        ("125000.00,EUR", ",EUR", "annual_cost required"),
        ("2026-01-01,,", "01.13.2026,,", "starts_on date"),
        ("2026-01-01,,", "2026-01-01,2025-01-01,", "ends_on period"),
        ("2026-01-01,,,IE", "2026-01-01,,three months,IE", "notice_days number"),
        ("2026-01-01,,,IE", "2026-01-01,,1826,IE", "notice_days number"),
        ("DE|IE", "DE|UK", "storage_countries country"),
        ("Payments|Core", "Payments|Payments|Core", "critical_functions text"),
        ("Example Cloud Ireland Ltd,,", "Example Cloud Ireland Ltd,529900,", "provider_lei lei"),
        ("Example Cloud Inc.,,", ",529900D6BF99LW9R2E68,", "parent_name required"),
        ("SARL > Example", "SARL > Example Cloud Ireland Ltd > Example", "subcontractors cycle"),
        ("SARL > Example", "SARL > > Example", "subcontractors text"),
        ("Example Power SA", "Example Power SA [x]", "subcontractors text"),
    ];
    for (from, to, expected) in cases {
        assert_eq!(problems(&changed(from, to)), [format!("arrangements 2 {expected}")], "{to}");
    }
}

#[test]
fn references_stand_once() {
    assert_eq!(problems(&changed("C-2026-002", "C-2026-001")), ["arrangements 3 reference duplicate-key"]);
}

#[test]
fn headings_may_come_in_any_order_but_must_be_known() {
    let text = "Region,reference,provider_name,provider_country,provider_sector,service,service_type,technology,\
                substitutability,annual_cost,currency,starts_on\n\
                Bonn,C-1,A,DE,Cloud,Mail,S19,Mail,easy,1,EUR,2026-01-01";
    assert_eq!(read(text).unwrap()[0].record.contract.region.as_str(), "Bonn");
    let wrong = text.replacen("Region", "Place", 1);
    assert_eq!(
        problems(&wrong),
        ["arrangements  Place unknown-column", "arrangements  region missing-column"]
    );
}

#[test]
fn a_subcontractor_may_carry_its_lei() {
    let text = changed("Example Power SA", "Example Power SA [529900D6BF99LW9R2E68]");
    let step = &read(&text).unwrap()[0].record.facts.chain[1];
    assert_eq!((step.supplier.name.as_str(), step.supplier.lei.is_some()), ("Example Power SA", true));
}
