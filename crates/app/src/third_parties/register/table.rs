//! Parses CSV into rows, and rows into domain types.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    io::Read,
};

use domain::{
    arrangement::{Arrangement, Party},
    import::{
        headings::separator,
        records::{MAX_FIELDS, RecordError, RecordProblem, Records},
    },
    register::{
        FlatReader, Package, Placed, Problem, Problems, Register, RegisterFinding, RegisterRemedy, Rule,
        Table, Template,
    },
};

use crate::{
    Result,
    budget::{Budget, Limits},
    costly::WorkContext,
    upload::{self, Progress, Step, TELL_EVERY},
};

/// What the simple table may hold.
const FLAT: Limits = Limits { bytes: 64 * 1024 * 1024, cells: 0, entries: 250_000 };
/// How much of a file is read to detect its separator.
const HEAD: usize = 4096;

/// The official tables, checked against each other.
pub(super) fn register(tables: &BTreeMap<Template, String>) -> Result<Register, Problems> {
    let mut package = Package::whole();
    let mut unreadable = Problems::default();
    for (template, text) in tables.iter().filter(|(template, _)| template.is_read()) {
        let mut rows = Rows::new(text.as_bytes(), delimiter(text.as_bytes()));
        let Some(headings) = rows.next_row(Table::Official(*template), &mut unreadable) else { continue };
        let headings: Vec<&str> = headings.record.iter().collect();
        let Some(mut reader) = package.table(*template, &headings) else { continue };
        while let Some(row) = rows.next_row(Table::Official(*template), &mut unreadable) {
            let fields: Vec<&str> = row.record.iter().collect();
            reader.row(row.line, &fields);
        }
    }
    if unreadable.is_empty() { package.finish() } else { Err(unreadable) }
}

/// Parses the simple table row by row.
pub(super) fn flat(
    mut reader: impl Read,
    progress: &Progress,
    context: &WorkContext,
) -> Result<Result<Vec<Placed<Arrangement>>, Problems>> {
    // The headings fit into the first bytes of any file and show the separator.
    let mut start = Vec::new();
    reader.by_ref().take(HEAD as u64).read_to_end(&mut start).map_err(|error| upload::unreadable(&error))?;
    let separator = delimiter(&start);
    let mut rows = Rows::new(std::io::Cursor::new(start).chain(reader), separator);
    let mut unreadable = Problems::default();
    let headings = rows.next_row(Table::Flat, &mut unreadable).map(|row| row.record).unwrap_or_default();
    let mut flat = FlatReader::new(&headings.iter().collect::<Vec<_>>());
    let (mut count, mut budget) = (0, Budget::new(FLAT, context));
    while let Some(row) = rows.next_row(Table::Flat, &mut unreadable) {
        budget.entry()?;
        budget.bytes(row.record.as_slice().len())?;
        // Our own export marks cells that a spreadsheet would run as a formula; the marks are removed here.
        let fields: Vec<Cow<'_, str>> = row.record.iter().map(restored).collect();
        flat.row(row.line, &fields.iter().map(AsRef::as_ref).collect::<Vec<_>>());
        count += 1;
        if count % TELL_EVERY == 0 {
            progress(Step::Read, count);
        }
    }
    if !unreadable.is_empty() {
        return Ok(Err(unreadable));
    }
    Ok(flat.finish().and_then(|imported| {
        check_parents(&imported)?;
        Ok(imported)
    }))
}

fn restored(field: &str) -> Cow<'_, str> {
    if field.contains('\'') { reports::csv::restore(field).into() } else { field.into() }
}

/// One provider has one group, so rows that name two contradict each other.
fn check_parents(imported: &[Placed<Arrangement>]) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let mut first: HashMap<Party, (&Party, Option<u32>)> = HashMap::new();
    for placed in imported {
        let (contract, facts) = (&placed.record.contract, &placed.record.facts);
        let Some(parent) = &facts.ultimate_parent else { continue };
        let provider = Party { name: contract.provider.name.clone(), lei: contract.provider.lei };
        let (known, row) = *first.entry(provider).or_insert((parent, placed.row));
        if known != parent {
            problems.add(Problem {
                table: Table::Flat,
                row: placed.row,
                column: Some("parent_name".to_owned()),
                rule: Rule::TwoParents,
                finding: RegisterFinding::ParentDiffers {
                    provider: contract.provider.name.to_string(),
                    here: parent.name.to_string(),
                    there: known.name.to_string(),
                    row: row.unwrap_or_default(),
                },
                remedy: RegisterRemedy::OneParent,
            });
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Spreadsheets in many countries separate by semicolons.
pub(super) fn delimiter(start: &[u8]) -> u8 {
    let start = &start[..start.len().min(HEAD)];
    let headings = start.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    separator(&String::from_utf8_lossy(headings))
}

/// A row and its line in the file.
struct Row {
    record: csv::StringRecord,
    line: u32,
}

struct Rows<R> {
    records: Records<R>,
    failed: bool,
}

impl<R: Read> Rows<R> {
    fn new(reader: R, delimiter: u8) -> Self {
        Self { records: Records::new(reader, delimiter), failed: false }
    }

    /// The next row; one that cannot be parsed ends the file with a problem.
    fn next_row(&mut self, table: Table, problems: &mut Problems) -> Option<Row> {
        if self.failed {
            return None;
        }
        let mut record = csv::StringRecord::new();
        match self.records.next_into(&mut record) {
            Ok(line) => line.map(|line| Row { record, line: number(line) }),
            Err(error) => {
                self.failed = true;
                problems.add(unreadable(table, &error));
                None
            }
        }
    }
}

fn number(line: u64) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

fn unreadable(table: Table, error: &RecordError) -> Problem {
    let (row, rule, finding, remedy) = match error {
        RecordError::Record(RecordProblem::TooLong { line }) => {
            (Some(number(*line)), Rule::Text, RegisterFinding::LongRow, RegisterRemedy::CheckLineEnd)
        }
        RecordError::Record(RecordProblem::TooManyFields { line }) => (
            Some(number(*line)),
            Rule::FieldCount,
            RegisterFinding::WideRow { most: MAX_FIELDS },
            RegisterRemedy::OnlyTemplateColumns,
        ),
        RecordError::Record(RecordProblem::NotText { line }) => {
            (Some(number(*line)), Rule::Text, RegisterFinding::NotText, RegisterRemedy::SaveAsUtf8)
        }
        RecordError::Read(error) => {
            let finding = RegisterFinding::Unreadable { problem: error.to_string() };
            (None, Rule::Text, finding, RegisterRemedy::SendAgain)
        }
    };
    Problem { table, row, column: None, rule, finding, remedy }
}
