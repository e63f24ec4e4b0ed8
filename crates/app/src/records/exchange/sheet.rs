//! Reads a table into memory, within bounds: its headings, and its lines with their numbers.

use std::io::{Read as _, Seek as _};

use csv::StringRecord;
use data_encoding::HEXLOWER;
use domain::{
    exchange::{ExchangeComplaint, MOST_LINES},
    import::{
        EncodingError, FileComplaint, ImportError,
        encoding::{self, Decoder, Encoding},
        headings::separator,
        records::{MAX_FIELDS, MAX_RECORD, RecordError, RecordProblem, Records},
    },
};
use sha2::{Digest as _, Sha256};

use crate::{
    Error, Result,
    costly::WorkContext,
    register::as_csv,
    upload::{self, Upload},
};

/// The largest file, and the longest text of its table.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
const MAX_TEXT: u64 = 32 * 1024 * 1024;

/// A table that was read.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) headings: Vec<String>,
    pub(super) lines: Vec<Line>,
    pub(super) is_workbook: bool,
    pub(super) digest: String,
}

/// A line with its number in the file.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) number: u64,
    cells: StringRecord,
}

impl Line {
    /// A cell without outer spaces; a line that is too short has empty cells.
    pub(super) fn cell(&self, place: usize) -> &str {
        self.cells.get(place).unwrap_or_default().trim()
    }

    pub(super) fn width(&self) -> usize {
        self.cells.len()
    }
}

impl Sheet {
    pub(super) fn read(upload: Upload, context: &WorkContext) -> Result<Self> {
        let mut upload = upload.checked_at_most(MAX_BYTES)?;
        let digest = digest(&mut upload)?;
        let is_workbook = as_csv(&mut upload, context)?;
        if !is_workbook && upload.is_zip()? {
            return Err(Error::invalid("file", FileComplaint::Packed));
        }
        upload.rewind().map_err(|error| upload::unreadable(&error))?;
        let encoding = if is_workbook {
            Encoding::Utf8
        } else {
            encoding::detect(&mut upload).map_err(|error| upload::unreadable(&error))?
        };
        upload.rewind().map_err(|error| upload::unreadable(&error))?;
        let text = upload::text(Decoder::new(upload, encoding), MAX_TEXT)?;
        let delimiter = if is_workbook { b',' } else { separator(text.lines().next().unwrap_or_default()) };
        let mut records = Records::new(text.as_bytes(), delimiter);
        let mut record = StringRecord::new();
        next(&mut records, &mut record)?;
        let headings = record.iter().map(|heading| heading.trim().to_owned()).collect();
        let mut lines = Vec::new();
        while let Some(number) = next(&mut records, &mut record)? {
            context.check()?;
            if record.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            if lines.len() == MOST_LINES {
                return Err(Error::invalid("file", ExchangeComplaint::TooManyLines { most: MOST_LINES }));
            }
            lines.push(Line { number, cells: record.clone() });
        }
        Ok(Self { headings, lines, is_workbook, digest })
    }

    /// The first cell of a column that is not empty.
    pub(super) fn example(&self, place: usize) -> String {
        let cells = self.lines.iter().map(|line| line.cell(place));
        let found = cells.take(100).find(|cell| !cell.is_empty()).unwrap_or_default();
        found.chars().take(60).collect()
    }
}

fn digest(upload: &mut Upload) -> Result<String> {
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 64 * 1024]);
    loop {
        let read = upload.read(&mut buffer).map_err(|error| upload::unreadable(&error))?;
        if read == 0 {
            upload.rewind().map_err(|error| upload::unreadable(&error))?;
            return Ok(HEXLOWER.encode(&hash.finalize()));
        }
        hash.update(&buffer[..read]);
    }
}

fn next(records: &mut Records<&[u8]>, record: &mut StringRecord) -> Result<Option<u64>> {
    records.next_into(record).map_err(|error| {
        let error = match error {
            RecordError::Record(RecordProblem::TooLong { line }) => {
                ImportError::LongRecord { line, limit: MAX_RECORD }
            }
            RecordError::Record(RecordProblem::TooManyFields { line }) => {
                ImportError::WideRecord { line, limit: MAX_FIELDS }
            }
            RecordError::Record(RecordProblem::NotText { .. }) => EncodingError::Unclear.into(),
            RecordError::Read(error) => return upload::unreadable(&error),
        };
        Error::invalid("file", FileComplaint::NotImported { error })
    })
}
