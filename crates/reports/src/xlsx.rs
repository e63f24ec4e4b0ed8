//! Workbooks with one sheet. A cell is text, a number, a day or a time and never a formula, so nothing that a user typed
//! can run.
//!
//! Rows are written to a temporary file at once, in a folder that the caller names, so a table may be longer than memory.

use std::{fmt, io, path::Path};

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook};

use crate::{
    ReportError,
    csv::{ColumnKind, is_number},
};

/// The maximum length of a cell; a longer text is cut, with a mark.
const LONGEST: usize = 32_767;
/// A spreadsheet keeps fifteen digits of a number. A longer one is an identifier and stays text.
const DIGITS: usize = 15;
const WIDTH: u32 = 22;

/// A column of the sheet.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'h> {
    pub text: &'h str,
    pub kind: ColumnKind,
    /// A hidden column is for programs, such as the one with the ids of records.
    pub is_hidden: bool,
}

/// How days are shown, as number formats of spreadsheets.
#[derive(Debug, Clone, Copy, Default)]
pub enum Days {
    #[default]
    YearFirst,
    DayFirst,
}

impl Days {
    fn formats(self) -> [Format; 2] {
        let (day, moment) = match self {
            Self::YearFirst => ("yyyy-mm-dd", "yyyy-mm-dd hh:mm"),
            Self::DayFirst => ("dd.mm.yyyy", "dd.mm.yyyy hh:mm"),
        };
        [day, moment].map(|code| Format::new().set_num_format(code))
    }
}

/// Writes a header and then row after row.
pub struct Writer {
    workbook: Workbook,
    kinds: Vec<ColumnKind>,
    day: Format,
    moment: Format,
    next: u32,
}

impl fmt::Debug for Writer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Writer").field("rows", &self.next).finish_non_exhaustive()
    }
}

impl Writer {
    /// Starts the table with its header, which is fixed and has filters.
    pub fn new(sheet: &str, columns: &[(&str, ColumnKind)], folder: &Path) -> Result<Self, ReportError> {
        let heading = |&(text, kind): &(_, ColumnKind)| Heading { text, kind, is_hidden: false };
        let headings: Vec<_> = columns.iter().map(heading).collect();
        Self::with_headings(sheet, &headings, Days::default(), folder)
    }

    /// The same for people, with their way to write days.
    pub fn with_headings(
        sheet: &str,
        columns: &[Heading<'_>],
        days: Days,
        folder: &Path,
    ) -> Result<Self, ReportError> {
        let mut workbook = Workbook::new();
        workbook.set_tempdir(folder)?;
        // With the time of its creation, the same rows would give other bytes each time.
        let created = ExcelDateTime::from_ymd(2000, 1, 1)?;
        workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
        let table = workbook.add_worksheet_with_constant_memory()?;
        table.set_name(sheet)?.set_freeze_panes(1, 0)?;
        let bold = Format::new().set_bold();
        let last = column(columns.len())?.saturating_sub(1);
        for (place, heading) in (0..).zip(columns) {
            table.set_column_width(place, WIDTH)?.write_string_with_format(0, place, heading.text, &bold)?;
            if heading.is_hidden {
                table.set_column_hidden(place)?;
            }
        }
        table.autofilter(0, 0, 0, last)?;
        let kinds = columns.iter().map(|heading| heading.kind).collect();
        let [day, moment] = days.formats();
        Ok(Self { workbook, kinds, day, moment, next: 1 })
    }

    /// Writes one row; it must have as many cells as the header.
    pub fn row<I>(&mut self, cells: I) -> Result<(), ReportError>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let table = self.workbook.worksheet_from_index(0)?;
        let mut written = 0;
        for (cell, kind) in cells.into_iter().zip(self.kinds.iter().map(Some).chain(std::iter::repeat(None)))
        {
            let (cell, place) = (cell.as_ref(), column(written)?);
            match kind {
                Some(ColumnKind::Number) if is_exact(cell) => {
                    table.write_number(self.next, place, cell.parse::<f64>().unwrap_or_default())?;
                }
                _ if cell.is_empty() => {}
                Some(ColumnKind::Day | ColumnKind::Moment) => {
                    let format = if kind == Some(&ColumnKind::Day) { &self.day } else { &self.moment };
                    match ExcelDateTime::parse_from_str(cell) {
                        Ok(time) => table.write_datetime_with_format(self.next, place, &time, format)?,
                        // Spreadsheets have no days before 1900.
                        Err(_) => table.write_string(self.next, place, fitting(cell))?,
                    };
                }
                _ => {
                    table.write_string(self.next, place, fitting(cell))?;
                }
            }
            written += 1;
        }
        if written != self.kinds.len() {
            let (row, columns) = (usize::try_from(self.next).unwrap_or(usize::MAX), self.kinds.len());
            return Err(ReportError::TableRow { table: table.name(), row, cells: written, columns });
        }
        self.next += 1;
        Ok(())
    }

    /// Writes the workbook.
    pub fn finish<W: io::Write + Send>(mut self, mut writer: W) -> Result<W, ReportError> {
        self.workbook.save_to_writer(&mut writer)?;
        Ok(writer)
    }
}

fn column(place: usize) -> Result<u16, ReportError> {
    u16::try_from(place).map_err(|_| ReportError::Xlsx(rust_xlsxwriter::XlsxError::RowColumnLimitError))
}

fn is_exact(cell: &str) -> bool {
    is_number(cell) && cell.bytes().filter(u8::is_ascii_digit).count() <= DIGITS
}

fn fitting(cell: &str) -> String {
    // A spreadsheet counts UTF-16 units.
    if cell.encode_utf16().count() <= LONGEST {
        return cell.to_owned();
    }
    let mut kept = String::new();
    let mut length = 1;
    for character in cell.chars() {
        length += character.len_utf16();
        if length > LONGEST {
            break;
        }
        kept.push(character);
    }
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use super::*;

    const fn heading(text: &str, kind: ColumnKind) -> Heading<'_> {
        Heading { text, kind, is_hidden: false }
    }

    const COLUMNS: &[Heading<'_>] = &[heading("name", ColumnKind::Text), heading("cost", ColumnKind::Number)];

    fn new_writer(columns: &[Heading<'_>]) -> Writer {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        Writer::with_headings("risks", columns, Days::DayFirst, folder).unwrap()
    }

    /// The text of the one sheet.
    fn written(rows: &[[&str; 2]]) -> String {
        sheet_of(COLUMNS, rows)
    }

    fn sheet_of(columns: &[Heading<'_>], rows: &[[&str; 2]]) -> String {
        let mut writer = new_writer(columns);
        for row in rows {
            writer.row(row).unwrap();
        }
        let bytes = writer.finish(Cursor::new(Vec::new())).unwrap().into_inner();
        let mut parts = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut sheet = String::new();
        parts.by_name("xl/worksheets/sheet1.xml").unwrap().read_to_string(&mut sheet).unwrap();
        sheet
    }

    #[test]
    fn texts_stay_texts_and_numbers_are_numbers() {
        let sheet = written(&[["=HYPERLINK(\"x\")", "12.5"], ["<b>", "1234567890123456"], ["", "-"]]);
        assert!(!sheet.contains("<f>"), "no formula: {sheet}");
        assert!(sheet.contains("<t>=HYPERLINK(\"x\")</t>"), "{sheet}");
        assert!(sheet.contains("<c r=\"B2\"><v>12.5</v></c>"), "{sheet}");
        assert!(sheet.contains("<t>1234567890123456</t>"), "too many digits for a number: {sheet}");
        assert!(sheet.contains("<t>&lt;b&gt;</t>") && sheet.contains("<t>-</t>"), "{sheet}");
    }

    #[test]
    fn days_are_real_days_and_ids_are_hidden() {
        let hidden = Heading { is_hidden: true, ..heading("id", ColumnKind::Text) };
        let sheet = sheet_of(
            &[heading("due", ColumnKind::Day), hidden],
            &[["2026-11-14", "fnd_1"], ["=1", "fnd_2"], ["1700-01-01", "fnd_3"]],
        );
        assert!(sheet.contains("<v>46340</v>"), "{sheet}");
        assert!(sheet.contains("<t>=1</t>") && sheet.contains("<t>1700-01-01</t>"), "{sheet}");
        assert!(sheet.contains("hidden=\"1\""), "{sheet}");
        let sheet = sheet_of(
            &[heading("at", ColumnKind::Moment), heading("id", ColumnKind::Text)],
            &[["2026-11-14T12:00", ""]],
        );
        assert!(sheet.contains("<v>46340.5</v>"), "{sheet}");
    }

    #[test]
    fn a_long_text_is_cut_with_a_mark() {
        let long = "ü".repeat(40_000);
        let sheet = written(&[[&long, "1"]]);
        let kept = sheet.chars().filter(|character| *character == 'ü').count();
        assert_eq!(kept, LONGEST - 1);
        assert!(sheet.contains("ü…</t>"));
    }

    #[test]
    fn a_row_of_the_wrong_length_is_refused() {
        for row in [&["one"][..], &["one", "2", "three"]] {
            let mut writer = new_writer(COLUMNS);
            assert!(matches!(writer.row(row), Err(ReportError::TableRow { .. })), "{row:?}");
        }
    }
}
