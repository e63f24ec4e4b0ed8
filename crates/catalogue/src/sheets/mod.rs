//! The catalogue as tables and back: a sheet for each kind of record, a row for each record, a column for each field.
//!
//! What comes back is the same files again, checked like any catalogue; mistakes are reported by sheet and row. Comments
//! and the order of fields are lost, because a table has neither.

mod column;
mod read;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use toml::{Table, Value};

use self::column::{Cells, flatten, natural};
use crate::{
    Catalogue,
    fault::{Fault, Faults},
    source::{self, SourceFile},
};

pub use self::read::FilledRow;

/// What a cell of a workbook can hold, in units of UTF-16.
pub const LONGEST_CELL: usize = 32_767;
/// The sheet with what a file says besides its records.
const FILES: &str = "files";
/// Blocks there is one of in a file; all others are lists.
const SINGLE: [&str; 3] = ["framework", "matrix", "crosswalk"];
/// The columns that stand first.
const FILE: &str = "file";
const FIRST: [&str; 4] = ["id", "title.en", "title.de", "number"];

/// A table on its way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    pub name: String,
    pub heads: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// A table on its way in: the first row has the heads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilledSheet {
    pub name: String,
    pub rows: Vec<FilledRow>,
}

/// A catalogue that was read from tables.
#[derive(Debug)]
pub struct Returned {
    files: Vec<SourceFile>,
    /// For each file, where each row's block begins, by line.
    places: Vec<Vec<(usize, String, u32)>>,
}

/// The tables of a catalogue; none is the one the library was built with.
pub fn export(folder: Option<&Path>) -> Result<Vec<Sheet>, Faults> {
    let files = folder.map_or_else(source::embedded, source::from_dir)?;
    let mut kinds: BTreeMap<String, Vec<Cells>> = BTreeMap::new();
    for file in &files {
        let table: Table = file
            .text
            .parse()
            .map_err(|error: toml::de::Error| Faults::one(&*file.path, 1, error.message()))?;
        for (kind, cells) in rows_of(&file.path, table)? {
            kinds.entry(kind).or_default().push(cells);
        }
    }
    let mut sheets: Vec<Sheet> = kinds.into_iter().map(|(name, rows)| sheet(name, &rows)).collect();
    sheets.sort_by_key(|sheet| sheet.name != FILES);
    Ok(sheets)
}

/// The rows of one file, each under the name of its sheet.
fn rows_of(path: &str, table: Table) -> Result<Vec<(String, Cells)>, Faults> {
    let refuse = |message: String| Faults::one(path, 1, message);
    let named = || Cells::from([(FILE.to_owned(), path.to_owned())]);
    let (mut rows, mut besides) = (Vec::new(), Table::new());
    for (name, value) in table {
        let blocks = match value {
            Value::Table(block) => vec![block],
            Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_table) => {
                items.into_iter().filter_map(table_of).collect()
            }
            other => {
                besides.insert(name, other);
                continue;
            }
        };
        for block in blocks {
            let mut cells = named();
            flatten(&block, &mut cells).map_err(refuse)?;
            rows.push((name.clone(), cells));
        }
    }
    let mut cells = named();
    flatten(&besides, &mut cells).map_err(refuse)?;
    rows.push((FILES.to_owned(), cells));
    Ok(rows)
}

fn table_of(value: Value) -> Option<Table> {
    match value {
        Value::Table(table) => Some(table),
        _ => None,
    }
}

fn sheet(name: String, rows: &[Cells]) -> Sheet {
    let heads: BTreeSet<&String> = rows.iter().flat_map(BTreeMap::keys).collect();
    let mut heads: Vec<&String> = heads.into_iter().collect();
    let rank = |head: &str| match head {
        FILE => 0,
        head => 1 + FIRST.iter().position(|first| *first == head).unwrap_or(FIRST.len()),
    };
    heads.sort_by_cached_key(|head| (rank(head.as_str()), natural(head)));
    let cells = |row: &Cells| heads.iter().map(|head| row.get(*head).cloned().unwrap_or_default()).collect();
    let rows = rows.iter().map(cells).collect();
    Sheet { name, heads: heads.into_iter().cloned().collect(), rows }
}

/// The files that tables stand for. Every mistake in the form of the tables is reported at once.
pub fn import(sheets: &[FilledSheet]) -> Result<Returned, Faults> {
    let (files, faults) = read::files(sheets);
    Faults::refuse(faults)?;
    let mut returned = Returned { files: Vec::new(), places: Vec::new() };
    for (path, file) in files {
        let (text, places) = file.to_toml();
        returned.files.push(SourceFile::new(Cow::Owned(path), Cow::Owned(text)));
        returned.places.push(places);
    }
    Ok(returned)
}

impl Returned {
    /// Path and text of every file.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|file| (&*file.path, &*file.text))
    }

    /// The catalogue, or everything that is wrong with it by sheet and row.
    pub fn check(&self) -> Result<Catalogue, Faults> {
        Catalogue::from_files(&self.files).map_err(|faults| {
            let placed: Vec<Fault> = faults.as_slice().iter().map(|fault| self.placed(fault)).collect();
            Faults::refuse(placed).err().unwrap_or(faults)
        })
    }

    fn placed(&self, fault: &Fault) -> Fault {
        let file = self.files.iter().position(|file| file.path == fault.file.as_str());
        let places = file.and_then(|file| self.places.get(file)).map(Vec::as_slice).unwrap_or_default();
        match places.iter().rev().find(|(line, ..)| *line <= fault.line) {
            Some((_, sheet, row)) => {
                Fault { file: format!("sheet {sheet}"), line: *row as usize, message: fault.message.clone() }
            }
            None => fault.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a spreadsheet would hand back.
    fn filled(sheets: &[Sheet]) -> Vec<FilledSheet> {
        let row = |(number, cells): (usize, &Vec<String>)| FilledRow {
            number: u32::try_from(number + 1).unwrap(),
            cells: cells.clone(),
        };
        sheets
            .iter()
            .map(|sheet| FilledSheet {
                name: sheet.name.clone(),
                rows: std::iter::once(&sheet.heads).chain(&sheet.rows).enumerate().map(row).collect(),
            })
            .collect()
    }

    #[test]
    fn the_whole_catalogue_comes_back_as_it_was() {
        let sheets = export(None).unwrap();
        let returned = import(&filled(&sheets)).unwrap();
        let there: BTreeMap<&str, &str> = returned.files().collect();
        let embedded = source::embedded().unwrap();
        assert_eq!(there.len(), embedded.len());
        for file in &embedded {
            let before: Table = file.text.parse().unwrap();
            let after: Table = there[&*file.path].parse().unwrap();
            assert_eq!(before, after, "{}", file.path);
        }
        let catalogue = returned.check().unwrap();
        assert_eq!(catalogue.requirements.len(), Catalogue::embedded().unwrap().requirements.len());
        for sheet in &sheets {
            let fits = |cell: &String| cell.encode_utf16().count() <= LONGEST_CELL;
            assert!(sheet.rows.iter().flatten().all(fits), "{}", sheet.name);
            assert!(sheet.heads.len() < 16_384 && sheet.name.len() <= 31, "{}", sheet.name);
        }
    }

    #[test]
    fn mistakes_are_named_by_sheet_and_row() {
        let mut sheets = filled(&export(None).unwrap());
        let measures = sheets.iter_mut().find(|sheet| sheet.name == "measure").unwrap();
        let owner = measures.rows[0].cells.iter().position(|head| head == "owner").unwrap();
        measures.rows[4].cells[owner] = "the-cat".to_owned();
        let faults = import(&sheets).unwrap().check().unwrap_err().to_string();
        assert!(faults.starts_with("sheet measure:5: owner"), "{faults}");
        let risks = sheets.iter_mut().find(|sheet| sheet.name == "risk").unwrap();
        risks.rows[0].cells.push("x[".to_owned());
        risks.rows[2].cells[0] = "../outside.toml".to_owned();
        let faults = import(&sheets).unwrap_err().to_string();
        assert!(faults.contains("sheet risk:1: x["), "{faults}");
        assert!(faults.contains("sheet risk:3: file must be"), "{faults}");
    }
}
