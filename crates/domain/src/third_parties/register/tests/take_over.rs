use super::*;
use crate::{
    change::Change,
    function::FunctionInput,
    register::{
        ColumnId,
        filing::{ProblemFilter, Report, check, tests::sample::register},
    },
};

/// A register with its entities alone, and the arrangements that were read from the whole of it.
fn emptied() -> (Sheets, Vec<Arrangement>) {
    let whole = register(4);
    let mut sheets = Sheets::default();
    for template in [Template::Maintainer, Template::Entities] {
        sheets.replace(template, whole.rows(template).to_vec());
    }
    (sheets, whole.entries().into_values().collect())
}

fn functions() -> Vec<Function> {
    let set = |text: &str| Change::Set(text.to_owned());
    let function = |number: i64, name: &str, activity: &str, criticality: &str| {
        FunctionInput {
            name: set(name),
            licensed_activity: set(activity),
            criticality: set(criticality),
            assessed_on: set("2026-09-15"),
            rto_minutes: Change::Set(61.0),
            impact_of_discontinuing: set("high"),
            ..FunctionInput::default()
        }
        .create(number)
        .unwrap()
    };
    vec![
        function(7, "Payments", "Payment services", "critical_or_important"),
        function(8, "Intranet", "eba_TA:x276", "other"),
    ]
}

fn cell(row: &SheetRow, template: Template, number: u16) -> &str {
    row.at(ColumnId { template, number })
}

fn added(sheets: &Sheets, taken: &TakenOver) -> Sheets {
    let mut after = sheets.clone();
    for (number, (template, row)) in taken.rows.iter().enumerate() {
        let row = SheetRow { name: format!("new {number}").into(), cells: row.cells.clone() };
        after.push(*template, row);
    }
    after
}

fn checked(sheets: &Sheets) -> Report {
    let mut report = Report::new(ProblemFilter::first(500));
    check(sheets, &mut report);
    report
}

#[test]
fn arrangements_without_rows_get_them_and_nothing_would_be_refused() {
    let (sheets, mut entries) = emptied();
    // The parent of all has no country in an arrangement; its row is in the template already.
    let parents = register(4).rows(Template::Providers).last().unwrap().clone();
    let mut sheets = sheets;
    sheets.push(Template::Providers, parents);
    for entry in &mut entries {
        entry.facts.exit_plan = entry.facts.exit_plan.or(Some(true));
    }
    let taken = taken_over(&sheets, &entries, &functions()).unwrap();
    assert_eq!((taken.taken.len(), taken.left.len()), (entries.len(), 0));
    let after = added(&sheets, &taken);
    let report = checked(&after);
    assert_eq!(report.counts().refused, 0, "{:?}", report.checks());
    let of = |template| after.rows(template).len();
    assert_eq!((of(Template::Contracts), of(Template::ContractLines), of(Template::Functions)), (4, 4, 2));
    let function = &after.rows(Template::Functions)[0];
    let cells: Vec<&str> = [10, 20, 50, 70, 80, 90, 100]
        .iter()
        .map(|number| cell(function, Template::Functions, *number))
        .collect();
    assert_eq!(
        cells,
        ["F7", "eba_TA:x28", "eba_BT:x28", "2026-09-15", "2", "0", "eba_ZZ:x793"],
        "hours are rounded up, and 0 stands for none"
    );
    // What is read from the new rows is what was taken over, as far as the rows can say it.
    for (reference, read) in after.entries() {
        let entry = entries.iter().find(|entry| entry.contract.reference.as_str() == reference).unwrap();
        assert_eq!(read.contract.provider.name, entry.contract.provider.name, "{reference}");
        assert_eq!(read.contract.annual_cost, entry.contract.annual_cost, "{reference}");
        assert_eq!(read.contract.functions, entry.contract.functions, "{reference}");
        assert_eq!(read.contract.ends_on, entry.contract.ends_on, "{reference}");
        assert_eq!(read.facts.notice_days, entry.facts.notice_days, "{reference}");
        assert_eq!(read.facts.places, entry.facts.places, "{reference}");
        assert_eq!(read.facts.chain, entry.facts.chain, "{reference}");
        assert_eq!(read.facts.ultimate_parent, entry.facts.ultimate_parent, "{reference}");
    }
    // A second time there is nothing left to do.
    assert_eq!(taken_over(&after, &entries, &functions()).unwrap(), TakenOver::default());
}

#[test]
fn what_an_arrangement_does_not_say_stays_empty_and_is_named() {
    let (sheets, entries) = emptied();
    let taken = taken_over(&sheets, &entries, &[]).unwrap();
    let after = added(&sheets, &taken);
    let report = checked(&after);
    assert_eq!(report.counts().refused, 0, "{:?}", report.checks());
    let noted: Vec<_> = report.checks().iter().map(|check| check.rule).collect();
    assert!(noted.contains(&"v8877_m"), "the licensed activity is missing: {noted:?}");
    assert!(noted.contains(&"v8854_m"), "the country of the parent is missing: {noted:?}");
    let read = after.entries();
    assert_eq!(read.len(), entries.len());
    for entry in &entries {
        let same = &read[entry.contract.reference.as_str()];
        assert_eq!(same.contract.functions, entry.contract.functions, "an incomplete row hides no function");
    }
    // It has its rows all the same, and gets no second ones.
    assert_eq!(taken_over(&after, &entries, &[]).unwrap(), TakenOver::default());
}

#[test]
fn a_company_without_a_lei_is_taken_from_the_template_or_left_out() {
    let (mut sheets, mut entries) = emptied();
    entries.truncate(1);
    entries[0].contract.provider.lei = None;
    let name = entries[0].contract.provider.name.to_string();
    let taken = taken_over(&sheets, &entries, &functions()).unwrap();
    let reference = entries[0].contract.reference.to_string();
    assert_eq!((taken.rows.len(), taken.left), (0, vec![(reference, name.clone())]));
    let mut row = SheetRow::new("1", Template::Providers);
    for (number, text) in [(10, "DEX1.HRB1"), (20, "eba_qCO:qx2002"), (50, name.as_str())] {
        let columns = Template::Providers.columns();
        row.cells[columns.iter().position(|column| column.number == number).unwrap()] = text.into();
    }
    sheets.push(Template::Providers, row);
    let taken = taken_over(&sheets, &entries, &functions()).unwrap();
    let signing = taken.rows.iter().find(|(template, _)| *template == Template::SigningProviders).unwrap();
    assert_eq!(cell(&signing.1, Template::SigningProviders, 20), "DEX1.HRB1");
    assert_eq!(cell(&signing.1, Template::SigningProviders, 30), "eba_qCO:qx2002");
}

#[test]
fn without_an_entity_that_maintains_the_register_nothing_is_taken_over() {
    let (_, entries) = emptied();
    assert_eq!(taken_over(&Sheets::default(), &entries, &[]), None);
}
