//! Requirements as a sheet: one row each, the columns named in the first row, in English or German.

use domain::{
    change::Change,
    own_framework::{OwnFrameworkComplaint, OwnRequirement, OwnRequirementInput},
};

use super::import::{Incoming, Line};
use crate::{
    Error, Result,
    workbook::{PlainRow, PlainSheet, TextSheet},
};

/// The columns, with their German names.
pub const COLUMNS: [(&str, &str); 8] = [
    ("id", "kennung"),
    ("chapter", "kapitel"),
    ("number", "nummer"),
    ("title", "titel"),
    ("text", "text"),
    ("applicability", "anwendbarkeit"),
    ("measures", "maßnahmen"),
    ("based_on", "grundlage"),
];

/// What the sheet is called in what is written.
pub(super) const SHEET: &str = "requirements";

pub(super) fn read(sheet: Option<&PlainSheet>, others: Vec<String>) -> Result<Incoming> {
    let mut rows = sheet.map(|sheet| sheet.rows.as_slice()).unwrap_or_default().iter();
    let Some(head) = rows.next() else { return Err(Error::invalid("file", OwnFrameworkComplaint::NoSheet)) };
    let columns = columns(head)?;
    Ok(Incoming { lines: rows.map(|row| line(&columns, row)).collect(), ignored: others })
}

/// The column of each heading, by its place in the sheet.
fn columns(head: &PlainRow) -> Result<Vec<(u32, usize)>> {
    let mut columns: Vec<(u32, usize)> = Vec::new();
    for (place, cell) in &head.cells {
        let name = cell.as_deref().unwrap_or_default().trim().to_lowercase();
        let known = COLUMNS.iter().position(|(english, german)| name == *english || name == *german);
        let Some(column) = known else {
            return Err(Error::invalid("file", OwnFrameworkComplaint::UnknownColumn { name }));
        };
        if columns.iter().any(|(_, there)| *there == column) {
            return Err(Error::invalid("file", OwnFrameworkComplaint::ColumnTwice { name }));
        }
        columns.push((*place, column));
    }
    let has = |name: &str| columns.iter().any(|(_, column)| COLUMNS[*column].0 == name);
    if has("title") && has("text") {
        return Ok(columns);
    }
    Err(Error::invalid("file", OwnFrameworkComplaint::NoSheet))
}

fn line(columns: &[(u32, usize)], row: &PlainRow) -> Line {
    let mut cells: [Option<String>; COLUMNS.len()] = Default::default();
    let mut troubles = Vec::new();
    for (place, value) in &row.cells {
        let Some((_, column)) = columns.iter().find(|(at, _)| at == place) else { continue };
        match value {
            Ok(text) => cells[*column] = Some(text.trim().to_owned()),
            Err(finding) => troubles.push((COLUMNS[*column].0.to_owned(), finding.clone().into())),
        }
    }
    let [id, chapter, number, title, text, applicability, measures, based_on] = cells;
    let ids = |cell: Option<String>| {
        let text = cell.unwrap_or_default();
        let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
        Change::Set(words.filter(|word| !word.is_empty()).map(str::to_owned).collect())
    };
    let input = OwnRequirementInput {
        id: id.into(),
        chapter: chapter.into(),
        number: number.into(),
        // What is missing is required, and an empty cell is as good as none.
        title: title.map_or(Change::Keep, Change::Set),
        text: text.map_or(Change::Keep, Change::Set),
        applicability: applicability.into(),
        measures: ids(measures),
        based_on: ids(based_on),
    };
    Line { number: u64::from(row.number), input, troubles }
}

/// The same requirements as a sheet that can be read again.
pub(super) fn sheet_of(requirements: &[OwnRequirement]) -> TextSheet {
    let heads = vec![COLUMNS.iter().map(|(name, _)| (*name).to_owned()).collect()];
    let row = |kept: &OwnRequirement| {
        vec![
            kept.id.clone(),
            kept.chapter.clone(),
            kept.number.clone(),
            kept.title.clone(),
            kept.text.clone(),
            kept.applicability.clone().unwrap_or_default(),
            kept.measures.join("\n"),
            kept.based_on.join("\n"),
        ]
    };
    TextSheet { name: SHEET.to_owned(), heads, rows: requirements.iter().map(row).collect() }
}
