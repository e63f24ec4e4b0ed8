//! Workbooks of several sheets with only text cells, to be edited in a spreadsheet and read back exactly.
//!
//! Every column is formatted as text, so that a spreadsheet converts nothing to a number or a date. The same cells
//! give the same bytes: the time of creation is fixed.

use std::{fmt, io, path::Path};

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, IgnoreError, Workbook};

use crate::ReportError;

/// The maximum length of a cell in UTF-16 units.
pub const LONGEST: usize = 32_767;
const WIDTH: u32 = 24;

/// A workbook to which sheets are added one after the other.
pub struct Book {
    workbook: Workbook,
}

impl fmt::Debug for Book {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Book").finish_non_exhaustive()
    }
}

impl Book {
    /// A workbook whose rows wait in this folder, in files without names.
    pub fn new(folder: &Path) -> Result<Self, ReportError> {
        let mut workbook = Workbook::new();
        workbook.set_tempdir(folder)?;
        let created = ExcelDateTime::from_ymd(2000, 1, 1)?;
        workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
        Ok(Self { workbook })
    }

    /// Adds a sheet with fixed headings and its rows. A text that does not fit into a cell is refused, because
    /// nothing may be lost.
    pub fn sheet<R>(
        &mut self,
        name: &str,
        heads: &[Vec<String>],
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), ReportError>
    where
        R: IntoIterator<Item: AsRef<str>>,
    {
        let (text, bold) = (Format::new().set_num_format("@"), Format::new().set_num_format("@").set_bold());
        let sheet = self.workbook.add_worksheet_with_constant_memory()?;
        let below = u32::try_from(heads.len()).unwrap_or(u32::MAX);
        sheet.set_name(name)?.set_freeze_panes(below, 0)?;
        let width = heads.iter().map(Vec::len).max().unwrap_or_default();
        for column in (0..).take(width) {
            sheet.set_column_width(column, WIDTH)?.set_column_format(column, &text)?;
        }
        if let Some(last) = u16::try_from(width).ok().and_then(|width| width.checked_sub(1)) {
            let (first, end) = (below, 1_048_575);
            sheet.ignore_error_range(first, 0, end, last, IgnoreError::NumberStoredAsText)?;
        }
        let mut next = 0;
        for head in heads {
            for (column, cell) in (0..).zip(head) {
                sheet.write_string_with_format(next, column, fitting(name, next, cell)?, &bold)?;
            }
            next += 1;
        }
        for row in rows {
            for (column, cell) in (0..).zip(row) {
                let cell = fitting(name, next, cell.as_ref())?;
                if !cell.is_empty() {
                    sheet.write_string_with_format(next, column, cell, &text)?;
                }
            }
            next += 1;
        }
        Ok(())
    }

    /// Writes the workbook.
    pub fn finish<W: io::Write + Send>(mut self, mut writer: W) -> Result<W, ReportError> {
        self.workbook.save_to_writer(&mut writer)?;
        Ok(writer)
    }
}

fn fitting<'c>(sheet: &str, row: u32, cell: &'c str) -> Result<&'c str, ReportError> {
    // The byte length is an upper bound, so most texts are never counted.
    if cell.len() > LONGEST && cell.encode_utf16().count() > LONGEST {
        return Err(ReportError::LongCell { sheet: sheet.to_owned(), row: row + 1, most: LONGEST });
    }
    Ok(cell)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use super::*;

    fn book(cell: &str) -> Result<Vec<u8>, ReportError> {
        let mut book = Book::new(Path::new(env!("CARGO_MANIFEST_DIR")))?;
        let heads = [vec!["c0010".to_owned(), "c0020".to_owned()]];
        book.sheet("B_01.01", &heads, [["x", cell]])?;
        book.sheet("B_01.02", &heads, Vec::<[&str; 2]>::new())?;
        Ok(book.finish(Cursor::new(Vec::new()))?.into_inner())
    }

    fn part(bytes: &[u8], name: &str) -> String {
        let mut text = String::new();
        let mut parts = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        parts.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn every_cell_is_a_text_and_the_bytes_are_the_same_again() {
        let bytes = book("=HYPERLINK(\"x\")").unwrap();
        assert_eq!(bytes, book("=HYPERLINK(\"x\")").unwrap());
        let sheet = part(&bytes, "xl/worksheets/sheet1.xml");
        assert!(!sheet.contains("<f>") && sheet.contains("<t>=HYPERLINK(\"x\")</t>"), "{sheet}");
        assert!(!sheet.contains("<v>"), "{sheet}");
        assert!(part(&bytes, "xl/workbook.xml").contains("name=\"B_01.02\""));
        assert!(part(&bytes, "xl/worksheets/sheet2.xml").contains("<t>c0020</t>"));
    }

    #[test]
    fn a_text_that_does_not_fit_is_refused() {
        assert!(book(&"x".repeat(LONGEST)).is_ok());
        let refused = book(&"x".repeat(LONGEST + 1)).unwrap_err();
        assert!(matches!(refused, ReportError::LongCell { row: 2, .. }), "{refused}");
    }
}
