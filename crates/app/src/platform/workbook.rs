//! Workbooks as plain tables of texts, for what is exchanged besides the register of information.

use std::{
    io::{Cursor, Read, Seek},
    path::Path,
};

use domain::import::FileComplaint;
use reports::{ReportError, book::Book};

pub use crate::register::workbook::{PlainRow, PlainSheet};
use crate::{
    Error, Result,
    budget::{Budget, Limits},
    costly::WorkContext,
    register::workbook::{self, Wanted},
};

/// What a workbook of the operator may hold.
const OF_OPERATOR: Limits = Limits { bytes: 64 * 1024 * 1024, cells: 2_000_000, entries: 250_000 };

/// A sheet to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSheet {
    pub name: String,
    pub heads: Vec<Vec<String>>,
    pub rows: Vec<Vec<String>>,
}

/// Every sheet of a workbook of the operator, cell by cell. Nothing in it is trusted.
pub fn read(reader: impl Read + Seek) -> Result<Vec<PlainSheet>> {
    let mut budget = Budget::new(OF_OPERATOR, &WorkContext::of_operator(Path::new("")));
    Ok(workbook::plain(reader, Wanted::All, &mut budget)?.ok_or_else(no_workbook)?.0)
}

/// One sheet, and the names of the others: the sheet of this name or else the first, with at most so many columns.
pub(crate) fn read_one(
    reader: impl Read + Seek,
    name: &'static str,
    columns: usize,
    budget: &mut Budget,
) -> Result<(Option<PlainSheet>, Vec<String>)> {
    let wanted = Wanted::One { name, columns };
    let (mut sheets, others) = workbook::plain(reader, wanted, budget)?.ok_or_else(no_workbook)?;
    Ok((sheets.pop(), others))
}

fn no_workbook() -> Error {
    let problem = "it is no workbook".to_owned();
    Error::invalid("file", FileComplaint::BadWorkbook { problem })
}

/// A workbook of these sheets. The same sheets give the same bytes. Meanwhile it is written to a folder.
pub fn to_bytes(sheets: &[TextSheet], folder: &Path) -> Result<Vec<u8>> {
    let mut book = Book::new(folder).map_err(Error::internal)?;
    for TextSheet { name, heads, rows } in sheets {
        book.sheet(name, heads, rows).map_err(|error| match error {
            ReportError::LongCell { most, .. } => {
                Error::invalid("file", domain::text::TextError::TooLong(most))
            }
            other => Error::internal(other),
        })?;
    }
    Ok(book.finish(Cursor::new(Vec::new())).map_err(Error::internal)?.into_inner())
}
