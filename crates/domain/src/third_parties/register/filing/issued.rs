//! Compares LEIs with the GLEIF golden copy loaded by the operator, as advice: a copy may be older than the register.

use std::collections::HashMap;

use super::{
    report::{Report, RowCell, Severity},
    sentences::{CheckMessage, CheckRemedy},
};
use crate::{
    moment::Day,
    register::{
        Template,
        columns::{ColumnId, entities, maintainer, providers},
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

/// The columns with LEIs, each with those of the names.
const PLACES: [(ColumnId, &[ColumnId]); 3] = [
    (maintainer::LEI, &[maintainer::NAME]),
    (entities::LEI, &[entities::NAME]),
    (providers::CODE, &[providers::NAME, providers::LATIN_NAME]),
];

/// The LEIs in a row.
pub fn codes_of(template: Template, row: &SheetRow) -> impl Iterator<Item = &str> {
    let columns: &[ColumnId] = match template {
        Template::Providers => &[providers::CODE, providers::PARENT],
        Template::Maintainer => &[maintainer::LEI],
        Template::Entities => &[entities::LEI],
        _ => &[],
    };
    columns.iter().map(|column| row.at(*column)).filter(|code| code.len() == 20)
}

/// Reports differences from the golden copy.
pub fn check_issued(sheets: &Sheets, known: &IssuedLeis, report: &mut Report) {
    if known.is_empty() {
        return;
    }
    for (code, names) in PLACES {
        for row in sheets.rows(code.template) {
            let Some(issued) = known.get(row.at(code)) else { continue };
            state(RowCell::of(code, row), issued, report);
            name(row, names, issued, report);
        }
    }
    parents(sheets, known, report);
}

fn state(place: RowCell<'_>, issued: &IssuedLei, report: &mut Report) {
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

fn name(row: &SheetRow, names: &[ColumnId], issued: &IssuedLei, report: &mut Report) {
    let known = folded(&issued.name);
    let written = names.iter().map(|column| folded(row.at(*column)));
    let mut written = written.filter(|name| !name.is_empty()).peekable();
    if known.is_empty() || written.peek().is_none() || written.any(|name| name == known) {
        return;
    }
    let place = RowCell::of(names[0], row);
    let words = || (CheckMessage::LeiName { name: issued.name.clone() }, CheckRemedy::TakeGolden);
    report.add("lei-name", Severity::Advice, place, words);
}

/// A name without parts that are often spelt differently: case, blanks and punctuation.
fn folded(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn parents(sheets: &Sheets, known: &IssuedLeis, report: &mut Report) {
    for row in sheets.rows(Template::Providers) {
        let issued = known.get(row.at(providers::CODE)).and_then(|issued| issued.parent.as_deref());
        let Some(issued) = issued.filter(|issued| *issued != row.at(providers::PARENT)) else { continue };
        let place = RowCell::of(providers::PARENT, row);
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
            name: row.at(providers::NAME).to_uppercase(),
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
