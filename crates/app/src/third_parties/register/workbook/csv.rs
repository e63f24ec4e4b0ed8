//! The first sheet of a workbook as CSV, for the imports that read tables.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, Write as _},
};

use domain::import::FileComplaint;

use super::{
    Listed,
    cells::{self, Cell, Shared, name},
    listed,
    parts::{Parts, damaged},
    related, shared,
};
use crate::{
    Error, Result,
    budget::{Budget, Limits},
    costly::WorkContext,
    upload::{MAX_BYTES, Upload},
};

/// The cells go to disk; what is held are the texts that they share.
const TABLE: Limits = Limits { bytes: 128 * 1024 * 1024, cells: 5_000_000, entries: 1_048_576 };

/// Replaces a workbook by the table of its first sheet, and says whether it was one. A row becomes the line of the
/// same number where no cell before it has a line break, so that a problem of a line can be found in the sheet.
pub(crate) fn as_csv(upload: &mut Upload, context: &WorkContext) -> Result<bool> {
    if !upload.is_zip()? {
        return Ok(false);
    }
    let table = first_sheet(&mut *upload, context)?;
    upload.rewind().map_err(full)?;
    let Some(table) = table else { return Ok(false) };
    upload.replace(table);
    Ok(true)
}

fn first_sheet(reader: impl Read + Seek, context: &WorkContext) -> Result<Option<File>> {
    let Some(mut parts) = Parts::open(reader)? else { return Ok(None) };
    let Listed { sheets, epoch } = listed(&mut parts)?;
    let related = related(&mut parts)?;
    let mut budget = Budget::new(TABLE, context);
    let shared = Shared { has_times: true, ..shared(&mut parts, &related, epoch, &mut budget)? };
    let sheet = sheets.first().ok_or_else(|| damaged("it has no sheet"))?;
    let place = related.iter().find(|part| part.id == sheet.part).map(|part| part.place.as_str());
    let part = parts.part(place.unwrap_or_default())?;
    let part = part.ok_or_else(|| damaged("its first sheet has no content"))?;
    let mut lines = Lines::new(context)?;
    cells::each(part, &shared, &mut budget, |cell| lines.add(cell))?;
    lines.finish().map(Some)
}

/// The table on its way to disk.
struct Lines {
    file: BufWriter<File>,
    row: u32,
    column: u32,
    /// Whether the row has cells.
    filled: bool,
    /// The number of columns of the first row; shorter rows are filled up, because every line of a table has as many.
    width: u32,
    /// A cell far to the right costs as many commas; the table may be no longer than any other file.
    left: u64,
}

impl Lines {
    fn new(context: &WorkContext) -> Result<Self> {
        let file = BufWriter::new(context.file().map_err(full)?);
        Ok(Self { file, row: 1, column: 0, filled: false, width: 0, left: MAX_BYTES })
    }

    fn add(&mut self, cell: Cell) -> Result<()> {
        let Cell { row, column, value } = cell;
        let text =
            value.map_err(|(finding, _)| damaged(&format_args!("{}: {finding}", name(row, column))))?;
        while self.row < row {
            self.end_row()?;
            self.write("\n")?;
            (self.row, self.column) = (self.row + 1, 0);
        }
        while self.column < column {
            self.write(",")?;
            self.column += 1;
        }
        self.filled = true;
        self.write("\"")?;
        self.write(&text.replace('"', "\"\""))?;
        self.write("\"")
    }

    fn end_row(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.filled) {
            return Ok(());
        }
        if self.width == 0 {
            self.width = self.column + 1;
        }
        while self.column + 1 < self.width {
            self.write(",")?;
            self.column += 1;
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<()> {
        let too_large = || Error::invalid("file", FileComplaint::TableTooLarge);
        self.left = self.left.checked_sub(text.len() as u64).ok_or_else(too_large)?;
        self.file.write_all(text.as_bytes()).map_err(full)
    }

    fn finish(mut self) -> Result<File> {
        self.end_row()?;
        let mut file = self.file.into_inner().map_err(|error| full(error.into_error()))?;
        file.rewind().map_err(full)?;
        Ok(file)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape of map_err")]
pub(super) fn full(error: io::Error) -> Error {
    Error::Unavailable(format!("a workbook cannot be kept on disk: {error}"))
}
