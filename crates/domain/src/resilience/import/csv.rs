//! Findings from a CSV file that is maintained by hand.
//!
//! Commas, semicolons or tabs; any encoding [`super::encoding`] knows; one header line with the columns below in any
//! order. Every line is validated by the usual rules of findings, and each violation names its line. Cells are text
//! and stay text: one that begins with `=` is kept as it is, never read as a formula.

mod columns;

use std::{
    collections::HashMap,
    io::{Read, Seek},
    ops::ControlFlow,
};

use ::csv::StringRecord;

use super::{
    Candidate, Fingerprint, HeaderProblem, ImportError, Imported, Known, LineComplaint, MAX_RESULTS, Origin,
    Source,
    encoding::{self, Decoder, Encoding, EncodingError},
    headings,
    records::{MAX_FIELDS, MAX_RECORD, RecordError, RecordProblem, Records},
};
use crate::{
    change::{Change, Context},
    custom_field::CustomField,
    finding::{FindingInput, Links},
    moment::{Day, iso_day},
    text::clipped,
    time_zone::TimeZone,
    violation::Violations,
    vocabulary::{Severity, Vocabulary as _},
};

pub use self::columns::{COLUMNS, Column, EXPORT_COLUMNS, TEMPLATE, UNREAD_COLUMNS};

/// A problem with one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    pub line: u64,
    pub violations: Violations,
}

/// One line: a finding, or its problem.
pub type Line = Result<Candidate, LineError>;

/// The context that the lines of a file are validated against.
#[derive(Clone, Copy)]
pub struct Against<'a> {
    pub context: Context<'a>,
    /// The tenant's own programmes and test cases.
    pub links: Links<'a>,
    /// Removes the apostrophe that an export of ours adds to a cell that looks like a formula.
    pub restore: fn(&str) -> String,
    /// The time zone of times without an offset, as a workbook has them.
    pub zone: &'a TimeZone,
    /// The id of the tenant's one programme or test case with this name.
    pub named: &'a dyn Fn(&str) -> Option<String>,
    /// Columns of our exports whose values the import leaves as they are.
    pub own_fields: &'a [CustomField],
}

impl std::fmt::Debug for Against<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Against").field("context", &self.context).finish_non_exhaustive()
    }
}

/// Passes on every line of a CSV file. Without `given`, the encoding is detected.
pub fn findings(
    file: &mut (impl Read + Seek),
    given: Option<Encoding>,
    against: &Against<'_>,
    sink: &mut dyn FnMut(Line) -> ControlFlow<()>,
) -> Result<Imported, ImportError> {
    up_to(MAX_RESULTS, file, given, against, sink)
}

fn up_to(
    limit: u64,
    file: &mut (impl Read + Seek),
    given: Option<Encoding>,
    against: &Against<'_>,
    sink: &mut dyn FnMut(Line) -> ControlFlow<()>,
) -> Result<Imported, ImportError> {
    let encoding = given.map_or_else(|| detected(file), Ok)?;
    let (delimiter, header) = header(file, encoding, against.own_fields)?;
    let mut reader = reader(file, encoding, delimiter)?;
    let mut reading = CsvImport { header, against, lines: HashMap::new(), imported: Imported::default() };
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
        if reading.header.is_export() {
            record = record.iter().map(against.restore).collect();
        }
        if sink(reading.line(&record, line)).is_break() {
            break;
        }
    }
    Ok(reading.imported)
}

fn detected(file: &mut (impl Read + Seek)) -> Result<Encoding, ImportError> {
    file.rewind().map_err(ImportError::unreadable)?;
    encoding::detect(file).map_err(ImportError::from_io)
}

/// The scope of a CSV file is everything that was ever imported from CSV.
const SCOPE: &str = "csv";

type Rows<'a, R> = Records<Decoder<&'a mut R>>;

fn reader<R: Read + Seek>(
    file: &mut R,
    encoding: Encoding,
    delimiter: u8,
) -> Result<Rows<'_, R>, ImportError> {
    file.rewind().map_err(ImportError::unreadable)?;
    Ok(Records::new(Decoder::new(file, encoding), delimiter))
}

/// The next record and its line, when there is one.
fn next<R: Read>(records: &mut Records<R>, record: &mut StringRecord) -> Result<Option<u64>, ImportError> {
    records.next_into(record).map_err(|error| match error {
        RecordError::Record(RecordProblem::TooLong { line }) => {
            ImportError::LongRecord { line, limit: MAX_RECORD }
        }
        RecordError::Record(RecordProblem::TooManyFields { line }) => {
            ImportError::WideRecord { line, limit: MAX_FIELDS }
        }
        RecordError::Record(RecordProblem::NotText { .. }) => EncodingError::Unclear.into(),
        RecordError::Read(error) => ImportError::from_io(error),
    })
}

/// The positions of the columns.
#[derive(Debug)]
struct Header {
    cells: usize,
    places: HashMap<&'static str, usize>,
}

/// The separator and the header: the separator under which the first line has the most known names, and among equals
/// the most cells.
fn header(
    file: &mut (impl Read + Seek),
    encoding: Encoding,
    own_fields: &[CustomField],
) -> Result<(u8, Header), ImportError> {
    let mut best: Option<((usize, usize), u8, StringRecord)> = None;
    for delimiter in *b",;\t" {
        let mut record = StringRecord::new();
        next(&mut reader(file, encoding, delimiter)?, &mut record)?;
        let known = record.iter().filter(|name| known(name).is_some()).count();
        let fit = (known, record.len());
        if best.as_ref().is_none_or(|(best, ..)| fit > *best) {
            best = Some((fit, delimiter, record));
        }
    }
    let (_, delimiter, record) = best.ok_or(ImportError::Header(HeaderProblem::Empty))?;
    Header::new(&record, own_fields).map(|header| (delimiter, header)).map_err(ImportError::Header)
}

/// The column of a heading, in English or in German.
fn known(heading: &str) -> Option<&'static str> {
    let name = headings::folded(heading);
    let read = COLUMNS.iter().chain(&EXPORT_COLUMNS).map(|column| column.name);
    let column = read.chain(UNREAD_COLUMNS).find(|column| **column == name);
    column.or_else(|| headings::named(headings::OF_FINDINGS, &name))
}

/// Whether our exports call the column of an own field so.
fn is_own_field(heading: &str, fields: &[CustomField]) -> bool {
    let heading = headings::folded(heading);
    fields.iter().any(|field| {
        let label = &field.label;
        let names = [Some(field.name()), Some(label.text.clone()), label.german.clone()];
        names.into_iter().flatten().any(|name| headings::folded(&name) == heading)
    })
}

impl Header {
    fn new(record: &StringRecord, own_fields: &[CustomField]) -> Result<Self, HeaderProblem> {
        let columns = || COLUMNS.map(|column| column.name).join(", ");
        let mut places = HashMap::new();
        for (place, cell) in record.iter().enumerate() {
            let Some(name) = known(cell) else {
                if is_own_field(cell, own_fields) {
                    continue;
                }
                let name = format!("{:?}", clipped(cell, 40));
                return Err(HeaderProblem::UnknownColumn { name, columns: columns() });
            };
            if places.insert(name, place).is_some() {
                return Err(HeaderProblem::Twice { name });
            }
        }
        for column in COLUMNS.iter().filter(|column| column.required) {
            if !places.contains_key(column.name) {
                return Err(HeaderProblem::Missing { name: column.name, columns: columns() });
            }
        }
        Ok(Self { cells: record.len(), places })
    }

    /// Only our own exports identify the finding of a line.
    fn is_export(&self) -> bool {
        self.places.contains_key("reference") || self.places.contains_key("id")
    }

    /// The cell of a column, without outer spaces; `None` when it is blank.
    fn cell<'a>(&self, record: &'a StringRecord, column: &str) -> Option<&'a str> {
        let place = self.places.get(column)?;
        record.get(*place).map(str::trim).filter(|cell| !cell.is_empty())
    }
}

struct CsvImport<'a, 'b> {
    header: Header,
    against: &'a Against<'b>,
    /// The line on which each fingerprint first occurred.
    lines: HashMap<Fingerprint, u64>,
    imported: Imported,
}

impl CsvImport<'_, '_> {
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
            return Err(Violations::one("line", LineComplaint::Cells { found, expected }));
        }
        let mut violations = Violations::default();
        let known = self.known(record, &mut violations);
        let Against { context, links, .. } = self.against;
        let judged = self.input(record).create(links, context);
        if !violations.is_empty() {
            return Err(violations.and(judged.err()));
        }
        let finding = judged?;
        let fingerprint = self.fingerprint(record);
        if let Some(first) = self.lines.insert(fingerprint, line) {
            self.lines.insert(fingerprint, first);
            return Err(Violations::one("line", LineComplaint::Repeated { first }));
        }
        Ok(Candidate {
            origin: Origin { source: Source::Csv, scope: SCOPE.to_owned(), fingerprint },
            finding,
            line: Some(line),
            known,
        })
    }

    /// The finding that the line identifies.
    fn known(&self, record: &StringRecord, violations: &mut Violations) -> Option<Known> {
        let cell = |column| self.header.cell(record, column);
        let reference = cell("reference").map(str::parse);
        let reference = reference.and_then(|parsed| violations.keep("reference", parsed));
        let id = cell("id").map(|text| text.parse().map_err(|_| LineComplaint::NotAFindingId));
        match id {
            Some(parsed) => violations.keep("id", parsed).map(Known::Id),
            None => reference.map(Known::Reference),
        }
    }

    fn input(&self, record: &StringRecord) -> FindingInput {
        let cell = |column| self.header.cell(record, column);
        let text = |column| cell(column).map_or(Change::Keep, |cell| Change::Set(cell.to_owned()));
        let named = |cell: &str| (self.against.named)(cell).unwrap_or_else(|| cell.to_owned());
        let linked = |column| cell(column).map_or(Change::Keep, |cell| Change::Set(named(cell)));
        let list = |column| cell(column).map_or(Change::Keep, |cell| Change::Set(words(cell)));
        let day = |column| cell(column).map_or(Change::Keep, |cell| Change::Set(iso_day(cell)));
        // A due day that has passed was set earlier: an older file is still the same file.
        let due_on = cell("due_on").and_then(|cell| iso_day(cell).parse::<Day>().ok());
        let passed = due_on.filter(|day| *day < self.against.context.now.day());
        let detected_at = cell("detected_at")
            .map(|cell| moment(cell, self.against.zone))
            .or(passed.map(|day| day.start().to_string()));
        FindingInput {
            programme_id: linked("programme_id"),
            test_case_id: linked("test_case_id"),
            title: text("title"),
            severity: cell("severity").map_or(Change::Keep, |cell| Change::Set(severity(cell))),
            description: text("description"),
            owner: text("owner"),
            affected_asset: text("affected_asset"),
            cve: text("cve"),
            cvss: cell("cvss").map_or(Change::Keep, |cell| Change::Set(number(cell))),
            remediation: text("remediation"),
            root_cause: text("root_cause"),
            measures: list("measures"),
            requirements: list("requirements"),
            controls: list("controls"),
            detected_at: detected_at.map_or(Change::Keep, Change::Set),
            due_on: day("due_on"),
            ..FindingInput::default()
        }
    }

    /// The caller's own number if there is one, otherwise the content of the line.
    fn fingerprint(&self, record: &StringRecord) -> Fingerprint {
        let cell = |column| self.header.cell(record, column).unwrap_or_default();
        let about = [cell("external_id"), cell("id"), cell("reference")];
        match about {
            ["", "", ""] => Fingerprint::of([
                "csv",
                "line",
                cell("title"),
                cell("affected_asset"),
                cell("cve"),
                cell("description"),
            ]),
            ["", "", reference] => Fingerprint::of(["csv", "reference", reference]),
            ["", id, _] => Fingerprint::of(["csv", "finding", id]),
            [number, ..] => Fingerprint::of(["csv", "id", number]),
        }
    }
}

/// The word of a severity given as a word or as a label; anything else is refused by the finding's own rule.
fn severity(cell: &str) -> String {
    Severity::named(cell).map_or_else(|| cell.to_ascii_lowercase(), |severity| severity.to_string())
}

fn words(cell: &str) -> Vec<String> {
    let separators = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|');
    cell.split(separators).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Spreadsheets in some countries write 7,5. Anything that is no number is refused by the finding's own rule.
fn number(cell: &str) -> f64 {
    cell.replacen(',', ".", 1).parse().unwrap_or(f64::NAN)
}

/// A day means its beginning, and a time without an offset that of the institution.
fn moment(cell: &str, zone: &TimeZone) -> String {
    match (iso_day(cell).parse::<Day>(), zone.read(cell)) {
        (Ok(day), _) => day.start().to_string(),
        (Err(_), Ok(at)) => at.to_string(),
        (Err(_), Err(_)) => cell.to_owned(),
    }
}

#[cfg(test)]
#[path = "csv_tests.rs"]
mod tests;
