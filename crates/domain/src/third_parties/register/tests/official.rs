//! The official tables: what is parsed, and what is refused where.

use super::sample::{lei, place, sample};
use crate::{
    register::{
        Notice, Package, Template,
        codes::{Assessed, ContractKind, EntityKind, Reliance},
    },
    wording::Language,
};

#[test]
fn a_right_package_is_read_whole() {
    let register = sample().read().unwrap();
    let sizes =
        (register.entities.len(), register.contracts.len(), register.lines.len(), register.providers.len());
    assert_eq!(sizes, (2, 4, 4, 5));
    assert_eq!(register.contracts[0].record.kind, ContractKind::Overarching);
    assert_eq!(register.entities[1].record.kind, EntityKind::OtherFinancial);
    let line = &register.lines[3];
    assert_eq!((line.row, line.record.reliance), (Some(5), Some(Reliance::Material)));
    assert_eq!(line.record.ends_on.unwrap().to_string(), "2026-04-30");
    assert_eq!(register.lines[0].record.ends_on, None);
    assert_eq!(register.contracts[3].record.annual_cost.to_string(), "90000.00 USD");
}

#[test]
fn both_numberings_of_the_functions_read_the_same() {
    let model = sample().read().unwrap();
    let journal = sample()
        .with(
            Template::Functions,
            "c0010,c0020,c0030,c0040,c0050,c0060,c0070,c0080,c0090,c0100",
            "B_06.01.0010,B_06.01.0020,B_06.01.0030,B_06.01.0040,B_06.01.0060,B_06.01.0070,B_06.01.0080,B_06.01.0090,B_06.01.0100,B_06.01.0110",
        )
        .read()
        .unwrap();
    assert_eq!(model, journal);
    assert_eq!(journal.functions[0].record.criticality, Assessed::Yes);
    let wrong = sample()
        .with(
            Template::Functions,
            "c0050,c0060,c0070,c0080,c0090,c0100",
            "c0060,c0070,c0080,c0090,c0100,c0110",
        )
        .with(Template::Functions, "eba_BT:x28", "eba_BT:x30");
    assert_eq!(wrong.only_problem(), "B_06.01 2 B_06.01.0060 code-list");
}

#[test]
fn a_missing_table_is_named() {
    let mut incomplete = sample();
    incomplete.0.retain(|(template, _)| *template != Template::SupplyChain);
    assert_eq!(incomplete.only_problem(), "B_05.02  - missing-template");
}

#[test]
fn single_tables_replace_theirs_and_must_fit_the_rest() {
    let kept = sample().read().unwrap();
    let mut functions = sample().with(Template::Functions, "Payments", "Instant payments");
    functions.0.retain(|(template, _)| *template == Template::Functions);
    let changed = functions.read_into(Package::onto(kept.clone())).unwrap();
    assert_eq!(changed.functions[0].record.name.as_str(), "Instant payments");
    assert_eq!(changed.lines, kept.lines);
    let renamed =
        functions.with(Template::Functions, "F3,", "F4,").read_into(Package::onto(kept)).unwrap_err();
    assert_eq!(renamed.iter().map(place).collect::<Vec<_>>(), ["B_02.02 4 c0050 broken-reference"]);
}

#[test]
fn headings_must_be_the_templates() {
    let missing =
        sample().with(Template::Contracts, "c0010,c0020,c0030,c0040,c0050", "c0010,c0020,c0030,c0040,c0060");
    assert_eq!(missing.problems(), ["B_02.01  c0060 unknown-column", "B_02.01  c0050 missing-column"]);
    let twice = sample().with(Template::Contracts, "c0030,c0040", "c0040,c0040");
    assert_eq!(twice.problems(), ["B_02.01  c0040 unknown-column", "B_02.01  c0030 missing-column"]);
}

#[test]
fn every_wrong_cell_of_a_row_is_named_at_once() {
    let wrong = sample().with(
        Template::ContractLines,
        "C-2,<BANK>,<CARDS>,LEI,F1,S05,2025-05-01,2026-04-30,,30,30,DE,CH,no",
        ",<BANK>,<CARDS>,DUNS,F1,S20,2025-02-30,31.12.2026,,-30,x,Germany,CHE,maybe",
    );
    let expected = "c0010 empty-key|c0040 code-type|c0060 code-list|c0070 date|c0080 date|c0100 number|c0110 number|\
                    c0120 country|c0130 country|c0140 code-list";
    let mut problems = wrong.problems();
    problems.sort();
    assert_eq!(problems, expected.split('|').map(|end| format!("B_02.02 5 {end}")).collect::<Vec<_>>());
}

#[test]
fn a_wrong_check_digit_is_found_wherever_a_lei_stands() {
    let good = lei("CLOUD").to_string();
    let bad = format!("{}00", &good[..18]);
    let wrong = sample().with(Template::Providers, &good, &bad);
    assert_eq!(wrong.only_problem(), "B_05.01 2 c0010 lei");
    let output = wrong.read().unwrap_err().to_string();
    assert!(output.contains(&format!("\"{bad}\" has the LEI check digits 00")), "{output}");
}

#[test]
fn keys_stand_once() {
    let row = "C-2,eba_CO:x1,,eba_CU:EUR,1";
    assert_eq!(sample().with_row(Template::Contracts, row).only_problem(), "B_02.01 6 c0010 duplicate-key");
    let again = "F1,eba_TA:x222,Payments again,<BANK>,no,,2026-09-15,2,1,low";
    assert_eq!(sample().with_row(Template::Functions, again).only_problem(), "B_06.01 5 c0010 duplicate-key");
    let second = "<LEASING>,Tidewall Leasing GmbH,DE,other_financial,BaFin,2026-12-31";
    assert_eq!(
        sample().with_row(Template::Maintainer, second).only_problem(),
        "B_01.01 3 c0010 duplicate-key"
    );
}

#[test]
fn references_resolve() {
    let cases = [
        (Template::Maintainer, "<BANK>", "<CLOUD>", "B_01.01 2 c0010"),
        (Template::ContractLines, "C-2,", "C-9,", "B_02.02 5 c0010"),
        (Template::ContractLines, "C-1-B,<LEASING>", "C-1-B,<CARDS>", "B_02.02 4 c0020"),
        (Template::ContractLines, "F2,", "F9,", "B_02.02 3 c0050"),
        (Template::Providers, "350000,<CLOUDINC>", "350000,<BANK>", "B_05.01 2 c0110"),
        (Template::SupplyChain, "C-2,S05", "C-7,S05", "B_05.02 5 c0010"),
        (Template::Assessments, "C-2,<CARDS>", "C-2,<LEASING>", "B_07.01 3 c0020"),
    ];
    for (template, from, to, expected) in cases {
        assert_eq!(sample().with(template, from, to).only_problem(), format!("{expected} broken-reference"));
    }
    // A parent has a row of its own, and a function is the entity's own.
    let outside = sample().with(Template::Entities, "subsidiary,<BANK>", "subsidiary,<CLOUDINC>");
    assert_eq!(outside.only_problem(), "B_01.02 3 c0060 broken-reference");
    let foreign = sample().with(Template::ContractLines, "C-1-B,<LEASING>", "C-1-B,<BANK>");
    assert_eq!(foreign.only_problem(), "B_02.02 4 c0050 broken-reference");
    let output = foreign.read().unwrap_err().to_string();
    assert!(output.contains("has no function F3, only other entities do"), "{output}");
    let other_type = sample().with(Template::Assessments, "C-2,<CARDS>,LEI", "C-2,<CARDS>,EUID");
    assert_eq!(other_type.only_problem(), "B_07.01 3 c0030 code-type".replace("c0030", "c0020"));
}

#[test]
fn two_ultimate_parents_for_one_provider_are_named() {
    let row = "<CLOUD>,<LEI>,,,Example Cloud Ireland Ltd,,legal,IE,,,<POWER>,<LEI>";
    let wrong = sample().with_row(Template::Providers, row);
    assert_eq!(wrong.only_problem(), "B_05.01 7 c0110 two-parents");
    let middle = sample().with(Template::Providers, "eba_GA:US,,,<CLOUDINC>", "eba_GA:US,,,<POWER>");
    assert_eq!(middle.only_problem(), "B_05.01 2 c0110 not-ultimate");
}

#[test]
fn companies_are_identified_officially() {
    let vat = sample()
        .with(Template::Providers, "<CARDS>,LEI", "<CARDS>,DE_VAT")
        .with(Template::ContractLines, "<CARDS>,LEI", "<CARDS>,VAT")
        .with(Template::SupplyChain, "<CARDS>,LEI", "<CARDS>,eba_qCO:qx2004")
        .with(Template::Assessments, "<CARDS>,LEI", "<CARDS>,FR_VAT");
    assert_eq!(vat.only_problem(), "B_05.01 4 c0020 code-type");
}

#[test]
fn an_arrangement_does_not_end_before_it_starts() {
    let wrong = sample().with(Template::ContractLines, "2025-05-01,2026-04-30", "2025-05-01,2025-04-30");
    assert_eq!(wrong.only_problem(), "B_02.02 5 c0080 period");
}

#[test]
fn costs_are_not_negative_and_standalone_ones_not_zero() {
    let negative = sample().with(Template::Contracts, "50000.01", "-1");
    assert_eq!(negative.only_problem(), "B_02.01 4 c0050 amount");
    let zero = sample().with(Template::Contracts, "USD,90000", "USD,0");
    assert_eq!(zero.only_problem(), "B_02.01 5 c0050 amount");
    let unreadable = sample().with(Template::Contracts, "USD,90000", "XXX,9.000.00");
    assert_eq!(unreadable.only_problem(), "B_02.01 5 c0040 currency");
}

#[test]
fn subsequent_arrangements_have_a_framework() {
    let none = sample().with(Template::Contracts, "eba_CO:x3,C-1,eba_CU:EUR,0", "eba_CO:x3,,eba_CU:EUR,0");
    assert_eq!(none.only_problem(), "B_02.01 3 c0030 overarching");
    let other = sample().with(Template::Contracts, "C-1-A,eba_CO:x3,C-1,", "C-1-A,eba_CO:x3,C-2,");
    assert_eq!(other.only_problem(), "B_02.01 3 c0030 overarching");
    let mixed = sample().with(Template::Contracts, "C-1,eba_CU:EUR,0", "C-1,eba_CU:USD,0");
    assert_eq!(mixed.only_problem(), "B_02.01 3 c0040 currency");
    // A framework with a line of its own keeps its expense, so the currencies are never added.
    let line = "C-1,<BANK>,<CLOUD>,<LEI>,F1,eba_TA:S17,2024-01-01,9999-12-31,,,,,IE,no,,,,";
    assert!(mixed.with_row(Template::ContractLines, line).read().is_ok());
}

#[test]
fn hard_to_substitute_needs_a_reason() {
    let wrong = sample().with(Template::Assessments, "eba_ZZ:x960,eba_ZZ:x964", "eba_ZZ:x959,");
    assert_eq!(wrong.only_problem(), "B_07.01 2 c0060 reason");
}

#[test]
fn ranks_count_from_the_direct_provider() {
    let zero = sample().with(Template::SupplyChain, "<POWER>,<LEI>,3", "<POWER>,<LEI>,0");
    assert_eq!(zero.only_problem(), "B_05.02 4 c0050 rank");
    let skipped = sample().with(Template::SupplyChain, "<POWER>,<LEI>,3", "<POWER>,<LEI>,4");
    assert_eq!(skipped.only_problem(), "B_05.02 4 c0050 rank");
    let no_recipient = sample().with(Template::SupplyChain, "3,<SUPPLY>,<LEI>", "3,,");
    assert_eq!(no_recipient.only_problem(), "B_05.02 4 c0060 rank");
    let direct = sample().with(Template::SupplyChain, "<CARDS>,LEI,1,,", "<CARDS>,LEI,1,<POWER>,<LEI>");
    assert_eq!(direct.only_problem(), "B_05.02 5 c0060 rank");
    let loose = sample().with(Template::SupplyChain, "3,<SUPPLY>", "3,<CARDS>");
    assert_eq!(loose.only_problem(), "B_05.02 4 c0060 broken-reference");
}

#[test]
fn a_circle_in_the_supply_chain_is_named_with_its_path() {
    let row = "C-1-A,eba_TA:S17,<SUPPLY>,<LEI>,4,<POWER>,<LEI>";
    let wrong = sample().with_row(Template::SupplyChain, row);
    assert_eq!(wrong.only_problem(), "B_05.02 6 c0060 cycle");
    let output = wrong.read().unwrap_err().to_string();
    let path = "Example Datacentres SARL → Example Power SA → Example Datacentres SARL";
    assert!(output.contains(path), "{output}");
}

#[test]
fn rows_of_another_width_are_refused_and_blank_ones_skipped() {
    let wrong = sample().with(Template::Contracts, "C-2,eba_CO:x1,,", "C-2,eba_CO:x1,");
    assert_eq!(wrong.only_problem(), "B_02.01 5 - field-count");
    assert!(sample().with_row(Template::Contracts, ",,,,").read().is_ok());
}

#[test]
fn a_table_that_comes_twice_is_refused() {
    let mut twice = sample();
    twice.0.push(twice.0[2].clone());
    assert_eq!(twice.only_problem(), "B_02.01  - duplicate-template");
}

#[test]
fn only_financial_entities_maintain_a_register() {
    for kind in ["eba_CT:x317", "eba_CT:x318", "non_financial"] {
        let wrong = sample().with(Template::Maintainer, "eba_CT:x12", kind);
        assert_eq!(wrong.only_problem(), "B_01.01 2 c0040 code-list", "{kind}");
        assert!(sample().with(Template::Entities, "other_financial", kind).read().is_ok(), "{kind}");
    }
}

#[test]
fn reinsurance_is_a_licensed_activity() {
    for code in ["eba_TA:qx277", "eba_TA:qx278"] {
        assert!(sample().with(Template::Functions, "eba_TA:x164", code).read().is_ok(), "{code}");
    }
}

#[test]
fn what_is_accepted_and_worth_knowing_is_noted() {
    let sample = sample().with(Template::Contracts, "C-2,eba_CO:x1,,iso4217:USD", "C-2,eba_CO:x1,,MRU");
    let notices = Notice::of_register(&sample.read().unwrap());
    let english: Vec<_> = notices.iter().map(|notice| notice.text(Language::English)).collect();
    assert_eq!(
        english,
        [
            "B_05.01 c0060 is empty in 5 rows, first in line 2: the supervisor notes this as v8852_m",
            "MRU is not in the official list of currencies: in the official register it is reported as eba_CU:x46",
        ]
    );
    assert_eq!(
        notices[0].text(Language::German),
        "B_05.01 c0060 ist in 5 Zeilen leer, zuerst in Zeile 2: Die Aufsicht vermerkt das als v8852_m"
    );
    let other = sample.with(Template::Contracts, ",,MRU,", ",,eba_CU:x46,");
    assert_eq!(other.only_problem(), "B_02.01 5 c0040 currency");
}

#[test]
fn too_many_headings_are_not_named_one_by_one() {
    let mut wide = sample();
    let headings = vec!["c0010"; 5 + 33].join(",");
    wide.0[2].1 = format!("{headings}\n");
    assert_eq!(wide.only_problem(), "B_02.01  - unknown-column");
}
