//! Findings out of a CSV file that people keep by hand.
//!
//! Commas, semicolons or tabs; any encoding [`super::encoding`] knows; one header line with the columns below
//! in any order. Every line is judged by the rules a finding has everywhere, and each complaint says its line.
//! Cells are text and stay text: one that begins with `=` is kept as it is, never read as a formula.

use std::{
    collections::HashMap,
    io::{Read, Seek},
    ops::ControlFlow,
};

use ::csv::StringRecord;

use super::{
    Candidate, Fingerprint, ImportError, Imported, MAX_RESULTS, Origin, Source,
    encoding::{self, Decoder, Encoding, EncodingError},
    records::{MAX_FIELDS, MAX_RECORD, RecordError, Records},
};
use crate::{
    change::{Change, Context},
    finding::{FindingInput, Links},
    moment::Day,
    text::clipped,
    violation::Violations,
};

/// A column a file may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub required: bool,
    pub help: &'static str,
}

const fn column(name: &'static str, required: bool, help: &'static str) -> Column {
    Column { name, required, help }
}

/// The columns, in the order of the template.
pub const COLUMNS: [Column; 12] = [
    column(
        "external_id",
        false,
        "Your own number of the finding; with it, a changed title stays the same finding",
    ),
    column("title", true, "One line of at most 255 characters"),
    column("severity", true, "critical, high, medium, low or info"),
    column("description", false, "At most 10,000 characters"),
    column("owner", false, "Who puts it right"),
    column("affected_asset", false, "What is affected"),
    column("cve", false, "Such as CVE-2026-12345"),
    column("cvss", false, "0.0 to 10.0"),
    column("remediation", false, "What to do"),
    column("measures", false, "Ids of catalogue measures, separated by spaces"),
    column(
        "detected_at",
        false,
        "A day like 2026-11-14 or a time like 2026-11-14T09:30:00Z; empty means now",
    ),
    column("due_on", false, "A day like 2026-12-31"),
];

/// A file to start from: the header and one line to write over.
pub const TEMPLATE: &str = "\
external_id,title,severity,description,owner,affected_asset,cve,cvss,remediation,measures,detected_at,due_on\r\n\
PT-2026-001,Admin console reachable from the internet,high,Found by the yearly penetration test,\
Head of IT operations,console.example.com,,8.1,Restrict access to the management network,,2026-11-14,2026-12-31\r\n";

const CELL_HINT: &str = "is a separator or a quotation mark missing?";

/// What is wrong with one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    pub line: u64,
    pub violations: Violations,
}

/// One line: a finding, or what is wrong with it.
pub type Line = Result<Candidate, LineError>;

/// Hands on every line of a CSV file. Without `told`, the encoding is found out.
pub fn findings(
    file: &mut (impl Read + Seek),
    told: Option<Encoding>,
    context: &Context<'_>,
    sink: &mut dyn FnMut(Line) -> ControlFlow<()>,
) -> Result<Imported, ImportError> {
    up_to(MAX_RESULTS, file, told, context, sink)
}

fn up_to(
    limit: u64,
    file: &mut (impl Read + Seek),
    told: Option<Encoding>,
    context: &Context<'_>,
    sink: &mut dyn FnMut(Line) -> ControlFlow<()>,
) -> Result<Imported, ImportError> {
    let encoding = told.map_or_else(|| detected(file), Ok)?;
    let (delimiter, header) = header(file, encoding)?;
    let mut reader = reader(file, encoding, delimiter)?;
    let mut reading = Reading { header, context, lines: HashMap::new(), imported: Imported::default() };
    reading.imported.scopes.push(SCOPE.to_owned());
    let mut record = StringRecord::new();
    let mut is_header = true;
    while let Some(line) = next(&mut reader, &mut record)? {
        if std::mem::take(&mut is_header) || record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if reading.imported.candidates + reading.imported.skipped == limit {
            return Err(ImportError::TooMany(limit));
        }
        if sink(reading.line(&record, line)).is_break() {
            break;
        }
    }
    Ok(reading.imported)
}

fn detected(file: &mut (impl Read + Seek)) -> Result<Encoding, ImportError> {
    file.rewind().map_err(ImportError::Read)?;
    encoding::detect(file).map_err(ImportError::from_io)
}

/// A CSV file speaks for all that was ever imported from CSV.
const SCOPE: &str = "csv";

type Rows<'a, R> = Records<Decoder<&'a mut R>>;

fn reader<R: Read + Seek>(
    file: &mut R,
    encoding: Encoding,
    delimiter: u8,
) -> Result<Rows<'_, R>, ImportError> {
    file.rewind().map_err(ImportError::Read)?;
    Ok(Records::new(Decoder::new(file, encoding), delimiter))
}

/// The next record and its line, when there is one.
fn next<R: Read>(records: &mut Records<R>, record: &mut StringRecord) -> Result<Option<u64>, ImportError> {
    records.next_into(record).map_err(|error| match error {
        RecordError::TooLong { line } => ImportError::LongRecord { line, limit: MAX_RECORD },
        RecordError::TooManyFields { line } => ImportError::WideRecord { line, limit: MAX_FIELDS },
        RecordError::NotText { .. } => EncodingError::Unclear.into(),
        RecordError::Read(error) => ImportError::from_io(error),
    })
}

/// Which cell holds which column.
#[derive(Debug)]
struct Header {
    cells: usize,
    places: HashMap<&'static str, usize>,
}

/// The separator and the header: the separator under which the first line has the most known names.
fn header(file: &mut (impl Read + Seek), encoding: Encoding) -> Result<(u8, Header), ImportError> {
    let mut best: Option<(usize, u8, StringRecord)> = None;
    for delimiter in *b",;\t" {
        let mut record = StringRecord::new();
        next(&mut reader(file, encoding, delimiter)?, &mut record)?;
        let known = record.iter().filter(|name| known(name).is_some()).count();
        if best.as_ref().is_none_or(|(most, ..)| known > *most) {
            best = Some((known, delimiter, record));
        }
    }
    let (_, delimiter, record) = best.ok_or_else(|| ImportError::Header("the file is empty".to_owned()))?;
    Header::new(&record).map(|header| (delimiter, header)).map_err(ImportError::Header)
}

fn known(name: &str) -> Option<&'static str> {
    let name = name.trim().to_ascii_lowercase().replace([' ', '-'], "_");
    COLUMNS.iter().map(|column| column.name).find(|column| **column == name)
}

impl Header {
    fn new(record: &StringRecord) -> Result<Self, String> {
        let names = || COLUMNS.map(|column| column.name).join(", ");
        let mut places = HashMap::new();
        for (place, cell) in record.iter().enumerate() {
            let Some(name) = known(cell) else {
                let cell = clipped(cell, 40);
                return Err(format!(
                    "{cell:?} is not a column; rename or remove it. The columns are {}",
                    names()
                ));
            };
            if places.insert(name, place).is_some() {
                return Err(format!("the column {name} is there twice"));
            }
        }
        for column in COLUMNS.iter().filter(|column| column.required) {
            if !places.contains_key(column.name) {
                return Err(format!("the column {} is missing. The columns are {}", column.name, names()));
            }
        }
        Ok(Self { cells: record.len(), places })
    }

    /// The cell of a column, without outer spaces; `None` when it is blank.
    fn cell<'a>(&self, record: &'a StringRecord, column: &str) -> Option<&'a str> {
        let place = self.places.get(column)?;
        record.get(*place).map(str::trim).filter(|cell| !cell.is_empty())
    }
}

struct Reading<'a, 'b> {
    header: Header,
    context: &'a Context<'b>,
    /// The line each fingerprint was first met on.
    lines: HashMap<Fingerprint, u64>,
    imported: Imported,
}

impl Reading<'_, '_> {
    fn line(&mut self, record: &StringRecord, line: u64) -> Line {
        let judged = self.candidate(record, line);
        match &judged {
            Ok(_) => self.imported.candidates += 1,
            Err(_) => self.imported.skipped += 1,
        }
        judged.map_err(|violations| LineError { line, violations })
    }

    fn candidate(&mut self, record: &StringRecord, line: u64) -> Result<Candidate, Violations> {
        if record.len() != self.header.cells {
            let (found, expected) = (record.len(), self.header.cells);
            let message = format_args!("has {found} cells where the header has {expected}; {CELL_HINT}");
            return Err(Violations::one("line", message));
        }
        let links = Links { is_programme: &|_| false, programme_of: &|_| None };
        let finding = self.input(record).create(&links, self.context)?;
        let fingerprint = self.fingerprint(record);
        if let Some(first) = self.lines.insert(fingerprint, line) {
            self.lines.insert(fingerprint, first);
            return Err(Violations::one("line", format_args!("repeats the finding of line {first}")));
        }
        Ok(Candidate {
            origin: Origin { source: Source::Csv, scope: SCOPE.to_owned(), fingerprint },
            finding,
            line: Some(line),
        })
    }

    fn input(&self, record: &StringRecord) -> FindingInput {
        let cell = |column| self.header.cell(record, column);
        let text = |column| cell(column).map_or(Change::Keep, |cell| Change::Set(cell.to_owned()));
        let measures = cell("measures").map_or(Change::Keep, |cell| Change::Set(words(cell)));
        let day = |column| cell(column).map_or(Change::Keep, |cell| Change::Set(iso_day(cell)));
        // A due day that has passed was set before today: an older file is still the same file.
        let due_on = cell("due_on").and_then(|cell| iso_day(cell).parse::<Day>().ok());
        let passed = due_on.filter(|day| *day < self.context.now.day());
        let detected_at = cell("detected_at").map(moment).or(passed.map(|day| day.start().to_string()));
        FindingInput {
            title: text("title"),
            severity: cell("severity").map_or(Change::Keep, |cell| Change::Set(cell.to_ascii_lowercase())),
            description: text("description"),
            owner: text("owner"),
            affected_asset: text("affected_asset"),
            cve: text("cve"),
            cvss: cell("cvss").map_or(Change::Keep, |cell| Change::Set(number(cell))),
            remediation: text("remediation"),
            measures,
            detected_at: detected_at.map_or(Change::Keep, Change::Set),
            due_on: day("due_on"),
            ..FindingInput::default()
        }
    }

    /// The caller's own number when there is one, otherwise what the line is about.
    fn fingerprint(&self, record: &StringRecord) -> Fingerprint {
        let cell = |column| self.header.cell(record, column).unwrap_or_default();
        match cell("external_id") {
            "" => Fingerprint::of([
                "csv",
                "line",
                cell("title"),
                cell("affected_asset"),
                cell("cve"),
                cell("description"),
            ]),
            id => Fingerprint::of(["csv", "id", id]),
        }
    }
}

fn words(cell: &str) -> Vec<String> {
    let separators = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|');
    cell.split(separators).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Spreadsheets write 7,5 where their country does. What is no number is no score either, and the finding's
/// own rule says so.
fn number(cell: &str) -> f64 {
    cell.replacen(',', ".", 1).parse().unwrap_or(f64::NAN)
}

/// German spreadsheets turn 2026-11-14 into 14.11.2026, which can mean nothing else.
fn iso_day(cell: &str) -> String {
    let parts: Vec<_> = cell.split('.').collect();
    match parts.as_slice() {
        [day, month, year] if year.len() == 4 => format!("{year}-{month:0>2}-{day:0>2}"),
        _ => cell.to_owned(),
    }
}

/// A day stands for its beginning.
fn moment(cell: &str) -> String {
    match iso_day(cell).parse::<Day>() {
        Ok(day) => day.start().to_string(),
        Err(_) => cell.to_owned(),
    }
}

#[cfg(test)]
#[path = "csv_tests.rs"]
mod tests;
