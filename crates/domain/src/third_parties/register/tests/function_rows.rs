use proptest::prelude::*;

use super::*;
use crate::{change::Change, function::FunctionInput};

const LEI: &str = "529900TIDEWALLBANK74";

fn function(name: &str) -> Function {
    FunctionInput { name: Change::Set(name.to_owned()), ..FunctionInput::default() }.create(3).unwrap()
}

fn at(row: &SheetRow, number: u16) -> &str {
    said(row, ColumnId { template: ROWS, number })
}

fn put(row: &mut SheetRow, number: u16, text: &str) {
    row.put(ColumnId { template: ROWS, number }, text);
}

fn row(cells: &[(u16, &str)]) -> SheetRow {
    let mut row = SheetRow::new("1", ROWS);
    for (number, text) in cells {
        put(&mut row, *number, text);
    }
    row
}

#[test]
fn what_a_function_does_not_know_is_not_invented() {
    let row = new_function_row(&function("Payments"), LEI);
    let cells: Vec<&str> = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map(|number| at(&row, number)).into();
    let not_assessed = ["F3", "", "Payments", LEI, "eba_BT:x21", "", NO_DAY, "0", "0", "eba_ZZ:x799"];
    assert_eq!(cells, not_assessed);
    let mut rated = row;
    let critical = Function { criticality: FunctionCriticality::CriticalOrImportant, ..function("Payments") };
    write_function(&mut rated, "Payments", &critical);
    assert_eq!((at(&rated, 50), at(&rated, 70)), ("eba_BT:x28", ""), "the day is asked for");
}

#[test]
fn minutes_stay_while_the_hours_say_the_same() {
    let mut said = row(&[(80, "4"), (90, "1")]);
    let kept = Function { rto_minutes: Some(230), rpo_minutes: Some(15), ..function("Payments") };
    let read = |row: &SheetRow| read_function(row, kept.name.clone(), 3, Some(&kept), false);
    assert_eq!((read(&said).rto_minutes, read(&said).rpo_minutes), (Some(230), Some(15)));
    put(&mut said, 80, "5");
    put(&mut said, 90, "0");
    assert_eq!((read(&said).rto_minutes, read(&said).rpo_minutes), (Some(300), None));
}

#[test]
fn rows_that_share_a_name_are_functions_of_their_own() {
    let mut sheets = Sheets::default();
    for (id, name, entity) in
        [("F1", "Payments", LEI), ("F2", "Payments", "529900TIDEWALLLEAS25"), ("F3", "", LEI)]
    {
        sheets.push(ROWS, row(&[(10, id), (30, name), (40, entity)]));
    }
    let names: Vec<_> =
        sheets.function_names().into_iter().map(|name| name.map(|name| name.to_string())).collect();
    let of = |id: &str, entity: &str| Some(format!("Payments ({id} of {entity})"));
    assert_eq!(names, [of("F1", LEI), of("F2", "529900TIDEWALLLEAS25"), None]);
}

#[test]
fn a_first_row_that_says_nothing_takes_nothing_away() {
    let silent = row(&[(10, "F9"), (50, "eba_BT:x21"), (70, NO_DAY), (80, "0"), (90, "2")]);
    let kept = Function {
        criticality: FunctionCriticality::Other,
        rto_minutes: Some(240),
        rpo_minutes: Some(15),
        ..function("Payments")
    };
    let first = read_function(&silent, kept.name.clone(), 3, Some(&kept), true);
    assert_eq!((first.criticality, first.rto_minutes), (FunctionCriticality::Other, Some(240)));
    assert_eq!((first.rpo_minutes, first.reference()), (Some(120), "F9".to_owned()), "what it says holds");
    let later = read_function(&silent, kept.name.clone(), 3, Some(&kept), false);
    assert_eq!((later.criticality, later.rto_minutes), (FunctionCriticality::NotAssessed, None));
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let words =
        ["", "0", "3", "abc", "eba_BT:x28", "eba_BT:x29", "eba_ZZ:x793", "2026-01-31", NO_DAY, "eba_TA:x28"];
    prop::collection::vec(prop::sample::select(words.map(str::to_owned).to_vec()), 10)
}

proptest! {
    #[test]
    fn a_function_written_to_any_row_is_read_from_it(
        cells in texts(),
        critical in prop::sample::select(FunctionCriticality::ALL),
        impact in prop::sample::select(DiscontinuingImpact::ALL),
        rto in prop::option::of(0_u32..10_000),
        day in prop::option::of(0_i64..1000),
        activity in prop::option::of(prop::sample::select(vec!["Payment services", "Our own words", "eba_TA:x163"])),
        reasons in prop::option::of("[a-z]{1,20}"),
    ) {
        let mut row = SheetRow::new("1", ROWS);
        for (cell, text) in row.cells.iter_mut().zip(cells) {
            *cell = text.into();
        }
        let function = Function {
            criticality: critical,
            impact_of_discontinuing: impact,
            rto_minutes: rto,
            assessed_on: day.map(|days| "2025-01-01".parse::<Day>().unwrap().plus_days(days)),
            licensed_activity: activity.map(|words| Name::parse(words).unwrap()),
            reasons: reasons.map(|words| Prose::parse(&words).unwrap()),
            ..function("Payments")
        };
        write_function(&mut row, "", &function);
        let read = read_function(&row, function.name.clone(), 3, Some(&function), false);
        prop_assert_eq!(&read, &function);
        prop_assert_eq!(at(&row, 10), function.reference());
        prop_assert_eq!(at(&row, 30), "Payments");
        let once = row.clone();
        write_function(&mut row, "Payments", &function);
        prop_assert_eq!(row, once);
    }
}
