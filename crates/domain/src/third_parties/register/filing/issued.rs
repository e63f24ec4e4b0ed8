//! Compares LEIs with the GLEIF golden copy loaded by the operator, as advice: a copy may be older than the register.

use std::collections::HashMap;

use super::{
    position,
    report::{Report, RowCell, Severity},
    sentences::{CheckMessage, CheckRemedy},
};
use crate::{
    moment::Day,
    register::{
        Template,
        sheets::{SheetRow, Sheets},
    },
};

/// A renewal within this many days is reported.
const RENEWAL_DAYS: i64 = 60;

/// The golden copy's data on an LEI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedLei {
    pub name: String,
    /// `ACTIVE` or `INACTIVE`.
    pub entity_status: String,
    /// `ISSUED`, `LAPSED` and others; [`IssuedLei::ABSENT`] for one that the file did not contain.
    pub registration_status: String,
    pub country: String,
    pub renews_on: Option<Day>,
    /// The LEI of the ultimate parent, if relationships were loaded.
    pub parent: Option<String>,
    /// The day the copy was loaded.
    pub loaded_on: Day,
}

impl IssuedLei {
    pub const ABSENT: &'static str = "ABSENT";

    /// An LEI in use that the file did not contain.
    pub fn absent(loaded_on: Day) -> Self {
        Self {
            name: String::new(),
            entity_status: String::new(),
            registration_status: Self::ABSENT.to_owned(),
            country: String::new(),
            renews_on: None,
            parent: None,
            loaded_on,
        }
    }

    fn is_valid(&self) -> bool {
        self.registration_status == "ISSUED" && self.entity_status != "INACTIVE"
    }
}

/// The known data, by LEI.
pub type IssuedLeis = HashMap<String, IssuedLei>;

/// The columns with LEIs and names: the template, the column of the code, and those of names.
const PLACES: [(Template, u16, &[u16]); 3] = [
    (Template::Maintainer, 10, &[20]),
    (Template::Entities, 10, &[20]),
    (Template::Providers, 10, &[50, 60]),
];

/// The LEIs in a row.
pub fn codes_of(template: Template, row: &SheetRow) -> impl Iterator<Item = &str> {
    let numbers: &[u16] = match template {
        Template::Providers => &[10, 110],
        Template::Maintainer | Template::Entities => &[10],
        _ => &[],
    };
    numbers.iter().map(move |number| row.cell(position(template, *number))).filter(|code| code.len() == 20)
}

/// Reports differences from the golden copy.
pub fn check_issued(sheets: &Sheets, known: &IssuedLeis, report: &mut Report) {
    if known.is_empty() {
        return;
    }
    for (template, code, names) in PLACES {
        let code = position(template, code);
        for row in sheets.rows(template) {
            let Some(issued) = known.get(row.cell(code)) else { continue };
            state(template, row, code, issued, report);
            name(template, row, names, issued, report);
        }
    }
    parents(sheets, known, report);
}

fn state(template: Template, row: &SheetRow, code: usize, issued: &IssuedLei, report: &mut Report) {
    let place = RowCell::cell(template, row, code);
    if issued.registration_status == IssuedLei::ABSENT {
        let words = || (CheckMessage::LeiAbsent { day: issued.loaded_on }, CheckRemedy::CheckLei);
        return report.add("lei-status", Severity::Advice, place, words);
    }
    if !issued.is_valid() {
        let status = format!("{} {}", issued.entity_status, issued.registration_status);
        let words = || (CheckMessage::LeiStatus { status }, CheckRemedy::RenewLei);
        return report.add("lei-status", Severity::Advice, place, words);
    }
    if let Some(day) = issued.renews_on.filter(|day| *day < issued.loaded_on.plus_days(RENEWAL_DAYS)) {
        let words = || (CheckMessage::LeiRenewal { day }, CheckRemedy::RenewLei);
        report.add("lei-renewal", Severity::Advice, place, words);
    }
}

fn name(template: Template, row: &SheetRow, names: &[u16], issued: &IssuedLei, report: &mut Report) {
    let positions: Vec<usize> = names.iter().map(|number| position(template, *number)).collect();
    let known = folded(&issued.name);
    let written = positions.iter().map(|position| folded(row.cell(*position)));
    let mut written = written.filter(|name| !name.is_empty()).peekable();
    if known.is_empty() || written.peek().is_none() || written.any(|name| name == known) {
        return;
    }
    let place = RowCell::cell(template, row, positions[0]);
    let words = || (CheckMessage::LeiName { name: issued.name.clone() }, CheckRemedy::TakeGolden);
    report.add("lei-name", Severity::Advice, place, words);
}

/// A name without parts that are often spelt differently: case, blanks and punctuation.
fn folded(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn parents(sheets: &Sheets, known: &IssuedLeis, report: &mut Report) {
    let template = Template::Providers;
    let (code, parent) = (position(template, 10), position(template, 110));
    for row in sheets.rows(template) {
        let issued = known.get(row.cell(code)).and_then(|issued| issued.parent.as_deref());
        let Some(issued) = issued.filter(|issued| *issued != row.cell(parent)) else { continue };
        let place = RowCell::cell(template, row, parent);
        let words = || (CheckMessage::LeiParent { parent: issued.to_owned() }, CheckRemedy::TakeGolden);
        report.add("lei-parent", Severity::Advice, place, words);
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{report::ProblemFilter, tests::sample},
        *,
    };

    fn issued(sheets: &Sheets) -> IssuedLeis {
        let row = &sheets.rows(Template::Providers)[0];
        let lei = IssuedLei {
            name: row.cell(position(Template::Providers, 50)).to_uppercase(),
            entity_status: "ACTIVE".to_owned(),
            registration_status: "ISSUED".to_owned(),
            country: "IE".to_owned(),
            renews_on: Some("2027-06-01".parse().unwrap()),
            parent: None,
            loaded_on: "2026-11-16".parse().unwrap(),
        };
        IssuedLeis::from([(row.cell(0).to_owned(), lei)])
    }

    fn found(change: impl Fn(&mut IssuedLei)) -> Vec<&'static str> {
        let sheets = sample::register(2);
        let mut known = issued(&sheets);
        known.values_mut().for_each(change);
        let mut report = Report::new(ProblemFilter::first(100));
        check_issued(&sheets, &known, &mut report);
        report.checks().iter().map(|check| check.rule).collect()
    }

    #[test]
    fn each_difference_is_named_once() {
        assert_eq!(found(|_| {}), [""; 0]);
        assert_eq!(found(|lei| lei.registration_status = "LAPSED".to_owned()), ["lei-status"]);
        assert_eq!(found(|lei| lei.entity_status = "INACTIVE".to_owned()), ["lei-status"]);
        assert_eq!(found(|lei| *lei = IssuedLei::absent(lei.loaded_on)), ["lei-status"]);
        assert_eq!(found(|lei| lei.renews_on = Some("2026-12-01".parse().unwrap())), ["lei-renewal"]);
        assert_eq!(found(|lei| lei.name = "Something Else".to_owned()), ["lei-name"]);
        assert_eq!(found(|lei| lei.parent = Some("X".to_owned())), ["lei-parent"]);
    }
}
