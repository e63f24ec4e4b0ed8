//! CSV that programs can parse and spreadsheets can open without running it.
//!
//! Rows follow RFC 4180: comma, CRLF, UTF-8, a header, quotes where needed. They go straight to the writer, so a table
//! may be longer than memory.
//!
//! A spreadsheet runs a cell that starts like a formula, even if it came from an untrusted user. Such a cell gets an
//! apostrophe in front, which spreadsheets interpret as "this is text". The spreadsheet decides where a cell starts:
//! with German settings it splits at semicolons, tabs and line breaks regardless of our quotes, so the text after
//! those counts as a start too. [`restore`] removes the apostrophes for an import.

use std::io;

use ::csv::{QuoteStyle, Terminator, WriterBuilder};

use crate::ReportError;

/// The type of a column, which decides whether a leading sign starts a number or a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Text,
    Number,
    /// A day such as `2026-11-14`.
    Day,
    /// A local time such as `2026-11-14T09:30`.
    Moment,
}

/// Writes a header and then row after row.
#[derive(Debug)]
pub struct Writer<W: io::Write> {
    rows: ::csv::Writer<W>,
    kinds: Vec<ColumnKind>,
}

impl<W: io::Write> Writer<W> {
    /// Starts the table by writing its header.
    pub fn new(writer: W, columns: &[(&str, ColumnKind)]) -> Result<Self, ReportError> {
        let mut rows = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .quote_style(QuoteStyle::Necessary)
            .from_writer(writer);
        rows.write_record(columns.iter().map(|(header, _)| neutralise(header)))?;
        Ok(Self { rows, kinds: columns.iter().map(|&(_, kind)| kind).collect() })
    }

    /// Writes one row; it must have as many cells as the header.
    pub fn row<I>(&mut self, cells: I) -> Result<(), ReportError>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut kinds = self.kinds.iter();
        for cell in cells {
            let cell = cell.as_ref();
            match kinds.next() {
                Some(ColumnKind::Number) if is_number(cell) => self.rows.write_field(cell)?,
                _ => self.rows.write_field(neutralise(cell))?,
            }
        }
        // Ends the row and reports one that is too short or too long.
        self.rows.write_record(None::<&[u8]>)?;
        Ok(())
    }

    /// Flushes the buffer and returns the writer.
    pub fn finish(self) -> Result<W, ReportError> {
        self.rows.into_inner().map_err(|error| ReportError::Csv(error.into_error().into()))
    }
}

/// The text with an apostrophe before everything that a spreadsheet would run as a formula.
pub fn neutralise(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 1);
    for line in cell_starts(text) {
        if looks_like_formula(line) {
            safe.push('\'');
        }
        safe.push_str(line);
    }
    safe
}

/// The inverse of [`neutralise`].
pub fn restore(text: &str) -> String {
    cell_starts(text)
        .map(|line| match line.strip_prefix('\'') {
            Some(original) if looks_like_formula(original) => original,
            _ => line,
        })
        .collect()
}

/// The parts of a text that a spreadsheet might read as separate cells.
fn cell_starts(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive([';', '\t', '\n', '\r'])
}

/// Apostrophes count as part of the start, so that adding and removing one are exact inverses.
fn looks_like_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
}

/// A plain decimal number, as a spreadsheet reads it: no `nan`, no `1e5+cmd`, no grouping.
pub(crate) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, fraction].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(columns: &[(&str, ColumnKind)], rows: &[&[&str]]) -> String {
        let mut writer = Writer::new(Vec::new(), columns).unwrap();
        for row in rows {
            writer.row(*row).unwrap();
        }
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    const COLUMNS: &[(&str, ColumnKind)] = &[("name", ColumnKind::Text), ("change", ColumnKind::Number)];

    #[test]
    fn rows_follow_rfc_4180() {
        assert_eq!(
            written(COLUMNS, &[&["Zürich, \"Süd\"", "3"], &["two\nlines", "0.5"], &["", ""]]),
            "name,change\r\n\"Zürich, \"\"Süd\"\"\",3\r\n\"two\nlines\",0.5\r\n,\r\n"
        );
    }

    #[test]
    fn a_formula_becomes_text() {
        for (cell, safe) in [
            ("=1+1", "'=1+1"),
            ("+49 40 123", "'+49 40 123"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t'=1"),
            ("\rx", "'\rx"),
            ("＝1+1", "'＝1+1"),
            ("a;=1", "a;'=1"),
            ("a\n-b", "a\n'-b"),
            ("'=1", "''=1"),
            ("a=1", "a=1"),
            ("it's; fine - really", "it's; fine - really"),
            ("", ""),
        ] {
            assert_eq!(neutralise(cell), safe, "{cell:?}");
        }
    }

    #[test]
    fn numbers_stay_numbers_only_in_their_column() {
        let text = written(
            COLUMNS,
            &[&["-3.5", "-3.5"], &["x", "-3.5+cmd"], &["x", "+7"], &["x", "--7"], &["x", "-"]],
        );
        assert_eq!(text, "name,change\r\n'-3.5,-3.5\r\nx,'-3.5+cmd\r\nx,+7\r\nx,'--7\r\nx,'-\r\n");
    }

    #[test]
    fn a_row_of_the_wrong_length_is_refused() {
        let mut writer = Writer::new(Vec::new(), COLUMNS).unwrap();
        assert!(matches!(writer.row(["one"]), Err(ReportError::Csv(_))));
        let mut writer = Writer::new(Vec::new(), COLUMNS).unwrap();
        assert!(matches!(writer.row(["one", "2", "three"]), Err(ReportError::Csv(_))));
    }

    #[test]
    fn rows_reach_the_writer_before_the_end() {
        struct Counting<'a>(&'a std::cell::Cell<usize>);
        impl io::Write for Counting<'_> {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.set(self.0.get() + bytes.len());
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let received = std::cell::Cell::new(0);
        let mut writer = Writer::new(Counting(&received), COLUMNS).unwrap();
        for _ in 0..10_000 {
            writer.row(["a row of some length", "1"]).unwrap();
        }
        assert!(received.get() > 200_000, "only {} bytes arrived while writing", received.get());
    }

    proptest! {
        #[test]
        fn any_text_survives_the_trip(text in "[='+\\-@;\t\r\na＝, \"]{0,12}|\\PC{0,20}") {
            prop_assert_eq!(restore(&neutralise(&text)), text.clone());
            let csv = written(COLUMNS, &[&[&text, "1"]]);
            let mut reader = ::csv::Reader::from_reader(csv.as_bytes());
            let record = reader.records().next().unwrap().unwrap();
            prop_assert_eq!(restore(&record[0]), text);
        }

        #[test]
        fn no_cell_start_is_left_dangerous(text in "[='+\\-@;\t\r\na＝]{0,12}") {
            for line in neutralise(&text).split([';', '\n']) {
                prop_assert!(!line.starts_with(['=', '+', '-', '@']), "{line:?}");
            }
        }
    }
}
