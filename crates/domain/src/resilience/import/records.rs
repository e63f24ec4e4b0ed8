//! The records of a CSV file, one at a time, each with its line in the file and within bounds.
//!
//! A file of only separators is one record of millions of fields, and an open quotation mark makes one record of the
//! rest of the file: both would exhaust the memory before any error could be reported.

use std::io::{self, Read};

use ::csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};

use crate::wording::sentences;

/// The longest record, in bytes.
pub const MAX_RECORD: u64 = 1 << 20;
/// The most fields of one record; the widest table that is read has some twenty.
pub const MAX_FIELDS: usize = 256;

sentences! {
    /// A problem with a record; `line` is where it begins.
    #[derive(Copy)]
    RecordProblem {
        TooLong { line: u64 } =
            "line {line} belongs to a record of more than {MAX_RECORD} bytes",
            "Zeile {line} gehört zu einem Datensatz von mehr als {MAX_RECORD} Bytes";
        TooManyFields { line: u64 } =
            "line {line} has more than {MAX_FIELDS} fields",
            "Zeile {line} hat mehr als {MAX_FIELDS} Felder";
        NotText { line: u64 } = "line {line} is not UTF-8 text", "Zeile {line} ist kein UTF-8-Text";
    }
}

/// Why the next record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Record(#[from] RecordProblem),
    #[error("the file cannot be read: {0}")]
    Read(#[source] io::Error),
}

/// Reads one record after the other. Lines may end in any way.
#[derive(Debug)]
pub struct Records<R> {
    reader: Reader<Lines<R>>,
}

impl<R: Read> Records<R> {
    #[must_use]
    pub fn new(inner: R, delimiter: u8) -> Self {
        let lines = Lines { inner, left: 0, after_return: false, ended: false };
        let reader =
            ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(lines);
        Self { reader }
    }

    /// The next record and the line it begins on; `None` at the end of the file.
    pub fn next_into(&mut self, record: &mut StringRecord) -> Result<Option<u64>, RecordError> {
        self.reader.get_mut().left = MAX_RECORD;
        let line = self.reader.position().line();
        let read = self.reader.read_record(record).map_err(|error| match error.into_kind() {
            ErrorKind::Io(error) if is_over_budget(&error) => RecordProblem::TooLong { line }.into(),
            ErrorKind::Io(error) => RecordError::Read(error),
            ErrorKind::Utf8 { .. } => RecordProblem::NotText { line }.into(),
            other => RecordError::Read(io::Error::other(format!("{other:?}"))),
        })?;
        if !read {
            return Ok(None);
        }
        if record.len() > MAX_FIELDS {
            return Err(RecordProblem::TooManyFields { line }.into());
        }
        // The reader is after the record and has skipped blank lines before it; line ends inside cells belong to the
        // record.
        let inside: u64 = record.iter().map(|cell| cell.matches('\n').count() as u64).sum();
        Ok(Some(self.reader.position().line().saturating_sub(1 + inside)))
    }
}

/// Normalises every line end to `\n`, also the last, so that lines can be counted; and limits the bytes of a record
/// until the limit is reset.
#[derive(Debug)]
struct Lines<R> {
    inner: R,
    left: u64,
    after_return: bool,
    ended: bool,
}

#[derive(Debug, thiserror::Error)]
#[error("a record that is too long")]
struct OverBudget;

fn is_over_budget(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<OverBudget>)
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other(OverBudget));
        }
        loop {
            let count = self.inner.read(buffer)?;
            if count == 0 && !self.ended && !buffer.is_empty() {
                self.ended = true;
                buffer[0] = b'\n';
                return Ok(1);
            }
            self.left = self.left.saturating_sub(count as u64);
            let kept = self.unify(&mut buffer[..count]);
            if kept > 0 || count == 0 {
                return Ok(kept);
            }
        }
    }
}

impl<R> Lines<R> {
    fn unify(&mut self, bytes: &mut [u8]) -> usize {
        let mut kept = 0;
        for index in 0..bytes.len() {
            let byte = bytes[index];
            let second_half = byte == b'\n' && self.after_return;
            self.after_return = byte == b'\r';
            if !second_half {
                bytes[kept] = if byte == b'\r' { b'\n' } else { byte };
                kept += 1;
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(u64, String)> {
        let (mut records, mut record) = (Records::new(text.as_bytes(), b','), StringRecord::new());
        let mut found = Vec::new();
        while let Some(line) = records.next_into(&mut record).unwrap() {
            found.push((line, record[0].to_owned()));
        }
        found
    }

    #[test]
    fn a_record_is_on_the_line_of_the_file_however_lines_end() {
        let text = "head,x\none,1\n\n\n\"two\nand more\",2\nthree,3";
        let expected =
            [(1, "head"), (2, "one"), (5, "two\nand more"), (7, "three")].map(|(n, s)| (n, s.to_owned()));
        for end in ["\n", "\r\n", "\r"] {
            assert_eq!(lines(&text.replace('\n', end)), expected, "{end:?}");
        }
    }

    #[test]
    fn a_record_keeps_its_bounds() {
        let error = |text: &[u8]| {
            let (mut records, mut record) = (Records::new(text, b','), StringRecord::new());
            loop {
                match records.next_into(&mut record) {
                    Ok(Some(_)) => {}
                    Ok(None) => return None,
                    Err(RecordError::Record(problem)) => return Some(problem),
                    Err(RecordError::Read(error)) => panic!("{error}"),
                }
            }
        };
        let commas = vec![b','; 3 << 20];
        assert_eq!(error(&commas), Some(RecordProblem::TooLong { line: 1 }));
        let open = [b"a,b\n\"".as_slice(), &vec![b'x'; 2 << 20]].concat();
        assert_eq!(error(&open), Some(RecordProblem::TooLong { line: 2 }));
        assert_eq!(error(&[b','; MAX_FIELDS - 1]), None);
        assert_eq!(error(&[b','; MAX_FIELDS]), Some(RecordProblem::TooManyFields { line: 1 }));
        assert_eq!(error(b"a\n\xff\n"), Some(RecordProblem::NotText { line: 2 }));
    }
}
