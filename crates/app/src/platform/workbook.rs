//! Workbooks as plain tables of texts, for what is exchanged besides the register of information.

use std::io::{Cursor, Read, Seek};

use domain::violation::FileComplaint;
use reports::{ReportError, book::Book};

pub use crate::register::workbook::{PlainRow, PlainSheet};
use crate::{Error, Result, register::workbook};

/// A sheet to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSheet {
    pub name: String,
    pub heads: Vec<Vec<String>>,
    pub rows: Vec<Vec<String>>,
}

/// Every sheet of a workbook, cell by cell. Nothing in it is trusted.
pub fn read(reader: impl Read + Seek) -> Result<Vec<PlainSheet>> {
    let no_workbook = || {
        let problem = "it is no workbook".to_owned();
        Error::invalid("file", FileComplaint::BadWorkbook { problem })
    };
    workbook::plain(reader)?.ok_or_else(no_workbook)
}

/// A workbook of these sheets. The same sheets give the same bytes.
pub fn to_bytes(sheets: &[TextSheet]) -> Result<Vec<u8>> {
    let mut book = Book::new().map_err(Error::internal)?;
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
