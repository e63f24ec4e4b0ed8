//! One mistake for each rule, and the rule that finds it.

use super::sample::{checked, lei, register};
use crate::{
    register::{
        Template,
        filing::{ProblemFilter, Report, Severity, check},
        release::{Release, RowRuleKind},
        sheets::{SheetRow, Sheets},
    },
    wording::{Language, Sentence as _},
};

/// Changes one cell, by the number of its row and column.
fn with(mut sheets: Sheets, template: Template, row: usize, number: u16, value: &str) -> Sheets {
    let position = template.columns().iter().position(|column| column.number == number).unwrap();
    sheets.rows_mut(template)[row].cells[position] = value.into();
    sheets
}

/// The results of the checks, as `rule template column`.
fn found(sheets: &Sheets) -> Vec<String> {
    let report = checked(sheets);
    for check in report.checks() {
        for language in Language::ALL {
            assert!(!check.message.text(language).is_empty() && !check.remedy.text(language).is_empty());
        }
    }
    let place = |check: &super::super::Check| {
        let template = check.template.map_or("-", Template::id);
        let column = check.column.map(|column| column.to_string()).unwrap_or_default();
        format!("{} {template} {column}", check.rule)
    };
    report.checks().iter().map(place).collect()
}

fn finds(template: Template, row: usize, number: u16, value: &str, rule: &str) {
    let expected = format!("{rule} {template} c{number:04}");
    assert_eq!(found(&with(register(4), template, row, number, value)), [expected], "{value}");
}

#[test]
fn a_right_register_has_no_problem() {
    let sheets = register(4);
    assert_eq!(found(&sheets), [""; 0]);
    assert_eq!(checked(&sheets).readiness(sheets.len()), 100);
}

#[test]
fn an_empty_register_and_one_without_sender_are_refused() {
    assert_eq!(found(&Sheets::default()), ["724 - "]);
    assert_eq!(checked(&Sheets::default()).readiness(0), 0);
    let mut sheets = register(4);
    sheets.replace(Template::Maintainer, Vec::new());
    assert_eq!(found(&sheets), ["714 B_01.01 "]);
}

#[test]
fn values_have_the_type_of_their_column() {
    for bad in ["1.000,00", "1 000", "many", "1.", ".5", "1e3"] {
        finds(Template::Contracts, 1, 50, bad, "305");
    }
    for bad in ["31.12.2026", "2026-02-30", "2026-1-1"] {
        finds(Template::Functions, 0, 70, bad, "330");
    }
    for bad in ["1.5", "two", "+1"] {
        finds(Template::Functions, 0, 80, bad, "331");
    }
    finds(Template::Signatories, 0, 30, "yes", "333");
    for bad in ["DE", "eba_GA:de", "eba_GA:XX", "eba_GA:DE "] {
        finds(Template::Providers, 1, 80, bad, "503");
    }
    finds(Template::Maintainer, 0, 40, "eba_CT:x317", "503");
    finds(Template::Providers, 1, 50, "#empty", "CSV-045");
    for bad in [" Provider", "Provider ", "Pro\nvider"] {
        finds(Template::Providers, 1, 50, bad, "EBA-GUIDE-007");
    }
}

#[test]
fn every_key_cell_is_filled() {
    let mut keys = 0;
    for template in Template::ALL {
        for column in template.columns().iter().filter(|column| column.key) {
            let sheets = with(register(4), template, 0, column.number, "");
            let expected = format!("805 {template} {}", column.code());
            let found = found(&sheets);
            assert!(found.contains(&expected), "{expected}: {found:?}");
            // Another row may refer to the removed key, and a rule of our own may miss it; no other rule reports.
            let others = found.iter().filter(|each| **each != expected);
            for other in others {
                assert!(other.starts_with("807 ") || is_advice(&sheets, other), "{expected}: {other}");
            }
            keys += 1;
        }
    }
    assert_eq!(keys, 35);
}

fn is_advice(sheets: &Sheets, place: &str) -> bool {
    let rule = place.split(' ').next().unwrap();
    checked(sheets).checks().iter().any(|check| check.rule == rule && check.severity == Severity::Advice)
}

#[test]
fn keys_stand_once() {
    for template in Template::ALL.into_iter().filter(|template| *template != Template::Definitions) {
        // A second maintainer or a second row of definitions is a separate problem.
        let mut sheets = register(4);
        let mut again = sheets.rows(template)[0].clone();
        again.name = "again".into();
        sheets.push(template, again);
        let mut found = found(&sheets);
        found.retain(|each| !each.starts_with("one-row"));
        let column = template.columns().iter().find(|column| column.key).unwrap();
        assert_eq!(found, [format!("806 {template} {}", column.code())]);
    }
}

#[test]
fn every_reference_is_followed() {
    for reference in &Release::current().references {
        let position = *reference.columns.last().unwrap();
        let column = &reference.template.columns()[position];
        let strange = lei(777);
        // The last row, because no other row depends on it.
        let last = register(4).rows(reference.template).len() - 1;
        let sheets = with(register(4), reference.template, last, column.number, &strange);
        let report = checked(&sheets);
        let broken: Vec<_> = report.checks().iter().filter(|check| check.rule == "807").collect();
        let named = format!("reference {}", reference.id);
        assert!(
            broken.iter().any(|check| check.message.to_string().contains(&named)
                && check.column == Some(column.code())
                && check.value.as_deref() == Some(&*strange)),
            "{}: {broken:?}",
            reference.id
        );
        // A column can carry more than one reference, and keys made of it are looked for elsewhere.
        for check in report.checks() {
            assert!(check.rule == "807" || check.severity == Severity::Advice, "{}: {check:?}", reference.id);
        }
    }
}

#[test]
fn empty_references_refer_to_nothing() {
    assert_eq!(found(&with(register(4), Template::Contracts, 1, 30, "")), [""; 0]);
    assert_eq!(found(&with(register(4), Template::Contracts, 1, 30, "C-9")), ["807 B_02.01 c0030"]);
}

#[test]
fn every_rule_of_the_table_finds_its_mistake() {
    for rule in &Release::current().rules {
        let columns = rule.template.columns();
        let number = columns[rule.column].number;
        let (row, value, companions): (_, String, &[&str]) = match &rule.kind {
            RowRuleKind::WithAny(_) => (filled_row(rule.template, rule.column), String::new(), &[]),
            // The framework's order; the provider that is made hard to replace below.
            RowRuleKind::If(..) if rule.template == Template::Contracts => (2, String::new(), &[]),
            RowRuleKind::If(..) => {
                let sheets = with(register(4), rule.template, 0, columns[4].number, "eba_ZZ:x959");
                assert_eq!(found(&sheets), [format!("{} {} c{number:04}", rule.id, rule.template)]);
                continue;
            }
            RowRuleKind::Unless(..) => (0, String::new(), &[]),
            RowRuleKind::NotNegative => (0, "-1".to_owned(), &[]),
            // A value without the form of a LEI is no row of B_01.02 either.
            RowRuleKind::LeiForm if number != 10 => (0, "529900 bank".to_owned(), &["807"]),
            RowRuleKind::LeiForm if rule.template == Template::Entities => {
                let mut sheets = register(4);
                let mut row = sheets.rows(Template::Entities)[1].clone();
                (row.name, row.cells[0]) = ("new".into(), "529900bank".into());
                sheets.push(Template::Entities, row);
                assert_eq!(found(&sheets), [format!("{} B_01.02 c0010", rule.id)]);
                continue;
            }
            RowRuleKind::LeiForm => (0, "529900bank".to_owned(), &["maintainer"]),
            RowRuleKind::Lei(_) | RowRuleKind::Euid(_) => {
                identifier(rule.id, rule.template, number);
                continue;
            }
        };
        let sheets = with(register(4), rule.template, row, number, &value);
        let mut found = found(&sheets);
        found.retain(|each| !companions.iter().any(|companion| each.starts_with(companion)));
        assert_eq!(found, [format!("{} {} c{number:04}", rule.id, rule.template)]);
    }
}

/// A row in which the column is filled, so that emptying it is a mistake.
fn filled_row(template: Template, position: usize) -> usize {
    register(4).rows(template).iter().position(|row| !row.cell(position).is_empty()).unwrap()
}

/// A new row with a wrong identifier that nothing refers to.
fn identifier(rule: &str, template: Template, number: u16) {
    let wrong = format!("{}00", &lei(55)[..18]);
    let mut sheets = register(4);
    if template == Template::Maintainer {
        sheets = with(sheets, template, 0, number, &wrong);
    } else {
        let rows = sheets.rows(template).len() - 1;
        let mut row: SheetRow = sheets.rows(template)[rows].clone();
        (row.name, row.cells[0]) = ("new".into(), lei(56).into());
        sheets.push(template, row);
        let euid = matches!(rule, "VR_72" | "VR_78");
        if euid || number == 30 {
            let kind = if euid { "eba_qCO:qx2002" } else { "eba_qCO:qx2000" };
            sheets = with(sheets, template, rows + 1, number + 10, kind);
            // Identified by an EUID, it is located in the Union.
            sheets = with(sheets, template, rows + 1, 80, "eba_GA:DE");
        }
        let value = if euid { "HRB 395" } else { &wrong };
        sheets = with(sheets, template, rows + 1, number, value);
    }
    let mut found = found(&sheets);
    found.retain(|each| !each.starts_with("maintainer"));
    assert_eq!(found, [format!("{rule} {template} c{number:04}")]);
}

#[test]
fn advice_names_what_the_regulation_asks_for() {
    for number in [100, 110, 120, 140, 180] {
        let found = found(&with(register(4), Template::ContractLines, 0, number, ""));
        assert_eq!(found, [format!("critical-service B_02.02 c{number:04}")]);
    }
    finds(Template::ContractLines, 0, 130, "eba_GA:qx2007", "critical-service");
    finds(Template::ContractLines, 0, 150, "eba_GA:qx2007", "stored-data");
    finds(Template::ContractLines, 0, 170, "", "stored-data");
    finds(Template::ContractLines, 1, 80, "2023-12-31", "period");
    finds(Template::Functions, 0, 70, "9999-12-31", "assessed-on");
    finds(Template::Providers, 1, 100, "", "expense");
    finds(Template::SigningProviders, 0, 30, "", "mandatory");
    finds(Template::SigningProviders, 0, 30, "eba_qCO:qx2004", "code-type");
    finds(Template::IntraGroupLinks, 0, 30, "", "link");
    let mut sheets = register(4);
    sheets.rows_mut(Template::Assessments).remove(0);
    assert_eq!(found(&sheets), ["assessment B_02.02 c0010"]);
    let mut sheets = register(4);
    sheets.push(Template::Definitions, SheetRow::new("2", Template::Definitions));
    assert_eq!(found(&sheets), ["one-row B_99.01 "]);
    // A person identified by a tax number needs no LEI; a company does.
    let tax = |person: &str| {
        let mut sheets = register(4);
        let mut row = sheets.rows(Template::Providers)[0].clone();
        (row.name, row.cells[0]) = ("new".into(), "DE123".into());
        (row.cells[1], row.cells[6]) = ("eba_qCO:qx2004".into(), person.into());
        sheets.push(Template::Providers, row);
        found(&sheets)
    };
    assert_eq!(tax("eba_CT:x213"), [""; 0]);
    assert_eq!(tax("eba_CT:x212"), ["identification B_05.01 c0020"]);
}

#[test]
fn problems_come_in_the_order_of_the_receiving_system() {
    let sheets = with(register(4), Template::Providers, 1, 60, "");
    let sheets = with(sheets, Template::Contracts, 3, 50, "many");
    let sheets = with(sheets, Template::Contracts, 1, 30, "C-9");
    let sheets = with(sheets, Template::Functions, 0, 70, "9999-12-31");
    let rules: Vec<_> = checked(&sheets).checks().iter().map(|check| check.rule).collect();
    assert_eq!(rules, ["305", "807", "v8852_m", "assessed-on"]);
    let wanted = ProblemFilter { severity: Some(Severity::Noted), limit: 10, ..ProblemFilter::default() };
    let mut report = Report::new(wanted);
    check(&sheets, &mut report);
    assert_eq!((report.checks().len(), report.matching(), report.counts().total()), (1, 1, 4));
    assert_eq!(report.counts_of(Template::Contracts).refused, 2);
}

#[test]
fn a_problem_says_what_is_wrong_and_what_to_do() {
    let sheets = with(register(4), Template::ContractLines, 3, 50, "F9");
    let report = checked(&sheets);
    let check = &report.checks()[0];
    let bank = lei(1);
    assert_eq!(
        check.message.to_string(),
        format!("\"{bank} / F9\" is not in B_06.01 c0040, c0010 (reference R7)")
    );
    assert_eq!(
        check.remedy.text(Language::German),
        "Bitte die Zelle berichtigen oder die Zeile in B_06.01 ergänzen"
    );
    assert_eq!((check.row.as_deref(), check.value.as_deref()), (Some("4"), Some("F9")));
}
