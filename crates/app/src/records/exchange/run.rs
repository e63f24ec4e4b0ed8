//! The lines of a table, one after the other in one transaction. If one of them is refused, or if it is only tried,
//! nothing is stored.

use std::collections::{BTreeMap, HashMap};

use data_encoding::HEXLOWER;
use domain::{
    bulk::BulkComplaint,
    custom_field::{CustomField, CustomInput, SentValue},
    exchange::ExchangeComplaint,
    import::LineComplaint,
    violation::Violations,
};
use sha2::{Digest as _, Sha256};
use store::{Reader, Tx, exchange as created};

use super::{
    Given, Importable, ImportedLine, LineOutcome,
    cells::CellReader,
    lookup::Lookup,
    mapping::Assigned,
    sheet::{Line, Sheet},
};
use crate::{
    Error, Result,
    author::Author,
    costly::Held,
    records::bulk::reason,
    report::{
        TableColumn,
        column::{Holds, divided},
        table_reader::{Names, TableReader},
    },
};

/// How many lines are compared with their records at a time.
const PART: usize = 500;

/// A table whose columns are assigned.
pub(super) struct Job {
    pub(super) sheet: Sheet,
    pub(super) assigned: Assigned,
    /// The own fields of the kind.
    pub(super) own: Vec<CustomField>,
    pub(super) people: TableReader,
    pub(super) held: Held,
    pub(super) dry_run: bool,
}

/// Gives up the transaction, so that nothing of it is stored.
pub(super) enum Stop {
    Tried(Vec<ImportedLine>),
    Failed(Error),
}

impl From<store::Error> for Stop {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// A record as it is and as an export would write it now.
struct Current<T: Importable> {
    record: T::Before,
    cells: Vec<String>,
}

/// The state of a running import.
pub(super) struct Run<'j, T: Importable> {
    pub(super) author: &'j Author,
    pub(super) job: &'j Job,
    lookup: Lookup,
    /// The line of each record.
    lines: HashMap<T::Id, u64>,
    /// How often each new line stands in the file.
    repeated: HashMap<String, u64>,
    pub(super) assigned: BTreeMap<String, u64>,
}

impl Author {
    pub(super) fn import_lines<T: Importable>(
        &self,
        tx: &mut Tx<'_>,
        job: &Job,
    ) -> Result<Vec<ImportedLine>, Stop> {
        let mut run = Run::<T> {
            author: self,
            job,
            lookup: Lookup::default(),
            lines: HashMap::new(),
            repeated: HashMap::new(),
            assigned: BTreeMap::new(),
        };
        let mut done = Vec::with_capacity(job.sheet.lines.len());
        for part in job.sheet.lines.chunks(PART) {
            run.part(tx, part, &mut done)?;
        }
        let is_refused = done.iter().any(|line| matches!(line.outcome, LineOutcome::Refused(_)));
        if job.dry_run || is_refused {
            return Err(Stop::Tried(done));
        }
        run.conclude(tx, &done)?;
        Ok(done)
    }
}

impl<T: Importable> Run<'_, T> {
    fn part(&mut self, tx: &mut Tx<'_>, part: &[Line], done: &mut Vec<ImportedLine>) -> Result<()> {
        let mut wanted = Vec::with_capacity(part.len());
        for line in part {
            wanted.push(self.named(tx, line)?);
        }
        let ids: Vec<T::Id> = wanted.iter().filter_map(|id| id.as_ref().ok().cloned().flatten()).collect();
        let (current, names) = self.current(tx, &ids)?;
        for (line, id) in part.iter().zip(wanted) {
            self.job.held.context().check()?;
            done.push(self.line(tx, line, id, &current, &names)?);
        }
        Ok(())
    }

    pub(super) fn cell<'l>(&self, line: &'l Line, name: &str) -> &'l str {
        self.job.assigned.place(name).map(|place| line.cell(place)).unwrap_or_default()
    }

    /// The record that a line names by its id or its reference; none for a new one.
    fn named(
        &mut self,
        reader: &mut Reader<'_>,
        line: &Line,
    ) -> Result<std::result::Result<Option<T::Id>, Violations>> {
        let expected = self.job.sheet.headings.len();
        if line.width() != expected {
            let found = line.width();
            return Ok(Err(Violations::one("line", LineComplaint::Cells { found, expected })));
        }
        let (id, reference) = (self.cell(line, T::KEY), self.cell(line, "reference"));
        let id = match (id, reference) {
            ("", "") => return Ok(Ok(None)),
            ("", reference) => {
                let known = self.lookup.by_reference(self.author, reader, T::CALLED, reference)?;
                let Some(id) = known else {
                    let reference = reference.chars().take(40).collect();
                    let complaint = ExchangeComplaint::NoSuchReference { reference };
                    return Ok(Err(Violations::one("reference", complaint)));
                };
                id
            }
            (id, _) => id.to_owned(),
        };
        let Ok(id) = id.parse::<T::Id>() else {
            return Ok(Err(Violations::one(T::KEY, BulkComplaint::NoSuchRecord)));
        };
        if let Some(first) = self.lines.insert(id.clone(), line.number) {
            return Ok(Err(Violations::one("line", ExchangeComplaint::Repeated { first })));
        }
        Ok(Ok(Some(id)))
    }

    /// The records of these ids that the caller may see, and the names of those that they are linked to.
    fn current(
        &self,
        reader: &mut Reader<'_>,
        ids: &[T::Id],
    ) -> Result<(HashMap<String, Current<T>>, Names)> {
        let found = T::current(self.author, reader, ids, self.job.people.language)?;
        let linked = found.iter().flat_map(|(_, cells)| T::COLUMNS.iter().zip(cells));
        let names =
            Names::read(reader, &self.author.caller, linked.flat_map(|(column, cell)| column.ids(cell)))?;
        let current = found.into_iter().map(|(record, cells)| (T::id_of(&record), Current { record, cells }));
        Ok((current.collect(), names))
    }

    fn line(
        &mut self,
        tx: &mut Tx<'_>,
        line: &Line,
        id: std::result::Result<Option<T::Id>, Violations>,
        current: &HashMap<String, Current<T>>,
        names: &Names,
    ) -> Result<ImportedLine> {
        let id = match id {
            Ok(id) => id,
            Err(violations) => return Ok(self.imported_line(line, None, LineOutcome::Refused(violations))),
        };
        let known = id.map(|id| id.to_string());
        let before = known.as_ref().and_then(|id| current.get(id));
        if known.is_some() && before.is_none() {
            let violations = Violations::one(T::KEY, BulkComplaint::NoSuchRecord);
            return Ok(self.imported_line(line, None, LineOutcome::Refused(violations)));
        }
        let given = match self.given(tx, line, before, names)? {
            Ok(given) => given,
            Err(violations) => return Ok(self.imported_line(line, known, LineOutcome::Refused(violations))),
        };
        let own = self.own_fields(line, before);
        let (known, outcome) = match before {
            Some(before) => (known, self.change(tx, before, (&given, &own))),
            None => match self.create(tx, (&given, &own)) {
                Ok((id, outcome)) => (id, Ok(outcome)),
                Err(error) => (None, Err(error)),
            },
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => LineOutcome::Refused(reason(error)?),
        };
        if matches!(outcome, LineOutcome::Created | LineOutcome::Changed(_)) {
            self.note_owner(&given);
        }
        Ok(self.imported_line(line, known, outcome))
    }

    /// What the line is to change: the cells that differ from what an export would write now.
    fn given(
        &mut self,
        reader: &mut Reader<'_>,
        line: &Line,
        before: Option<&Current<T>>,
        names: &Names,
    ) -> Result<std::result::Result<Given, Violations>> {
        let mut given = Given::new(T::COLUMNS, before.map(|before| before.cells.as_slice()));
        let mut violations = Violations::default();
        for (number, column) in T::COLUMNS.iter().enumerate() {
            let place = self.job.assigned.place(column.name).filter(|_| column.is_read);
            let Some(place) = place.filter(|_| !matches!(column.holds, Holds::Id)) else { continue };
            let cell = self.restored(line.cell(place));
            let now = before.and_then(|before| before.cells.get(number)).map_or("", |cell| cell.trim());
            if cell.is_empty() {
                if !now.is_empty() {
                    given.set(column.name, String::new());
                }
                continue;
            }
            if self.is_same(column, &cell, now, names) {
                continue;
            }
            let cell = names.identified(column, &cell, now);
            let (zone, author) = (&self.job.people.zone, self.author);
            let mut cells = CellReader { author, zone, lookup: &mut self.lookup };
            match cells.value(reader, column, &cell)? {
                Err(complaint) => violations.add(column.name, complaint),
                Ok(value) => {
                    let same = cells.value(reader, column, now)?.is_ok_and(|now| now == value);
                    if !same || now.is_empty() {
                        given.set(column.name, value);
                    }
                }
            }
        }
        Ok(if violations.is_empty() { Ok(given) } else { Err(violations) })
    }

    /// The values of own fields that the line is to change.
    fn own_fields(&self, line: &Line, before: Option<&Current<T>>) -> CustomInput {
        let mut own = CustomInput::default();
        for field in &self.job.own {
            let Some(place) = self.job.assigned.place(&field.name()) else { continue };
            let cell = self.restored(line.cell(place));
            let now = before.and_then(|before| T::custom(&before.record)?.get(&field.key));
            let is_same = match now {
                None => cell.is_empty(),
                Some(now) => {
                    !cell.is_empty() && field.of_text(&cell, Some(now)).is_ok_and(|read| read == *now)
                }
            };
            if !is_same {
                own.set(field.key.clone(), SentValue::Typed(cell));
            }
        }
        own
    }

    /// The text of a cell. A CSV file of ours has an apostrophe before what a spreadsheet would run.
    fn restored(&self, cell: &str) -> String {
        let is_export = [T::KEY, "reference"].iter().any(|name| self.job.assigned.place(name).is_some());
        if is_export && !self.job.sheet.is_workbook {
            reports::csv::restore(cell).trim().to_owned()
        } else {
            cell.to_owned()
        }
    }

    /// Whether a cell has what an export writes now, for programs or for people.
    fn is_same(&self, column: &TableColumn, cell: &str, now: &str, names: &Names) -> bool {
        if now.is_empty() || cell == now {
            return cell == now;
        }
        let shown = self.job.people.shown(column, now, names);
        match column.holds {
            Holds::Records(_, between) => divided(cell, between) == divided(&shown, between),
            Holds::Text => cell.replace("\r\n", "\n") == now.replace("\r\n", "\n"),
            _ => cell == shown,
        }
    }

    fn change(
        &self,
        tx: &mut Tx<'_>,
        before: &Current<T>,
        (given, own): (&Given, &CustomInput),
    ) -> Result<LineOutcome> {
        let fields = given.changed();
        let own_names = self.job.own.iter().filter(|field| own.has(&field.key)).map(CustomField::name);
        let changed: Vec<String> = fields.iter().map(|name| (*name).to_owned()).chain(own_names).collect();
        if changed.is_empty() {
            return Ok(LineOutcome::Unchanged);
        }
        if !T::change(self.author, tx, &before.record, given, own)? {
            return Ok(LineOutcome::Unchanged);
        }
        Ok(LineOutcome::Changed(changed))
    }

    /// Creates the record of a line, unless the same line created one before.
    fn create(
        &mut self,
        tx: &mut Tx<'_>,
        (given, own): (&Given, &CustomInput),
    ) -> Result<(Option<String>, LineOutcome)> {
        let digest = self.digest(given, own);
        let scope = *self.author.scope();
        if let Some(id) = created::created(tx, &scope, T::LIST, &digest)?
            && T::exists(self.author, tx, &id)?
        {
            return Ok((Some(id), LineOutcome::Unchanged));
        }
        let id = T::create(self.author, tx, given, own)?;
        created::note_created(tx, &scope, (T::LIST, &digest), &id)?;
        let is_tried = self.job.dry_run;
        Ok((Some(id).filter(|_| !is_tried), LineOutcome::Created))
    }

    /// A new line is known by its values; equal lines of a file are counted.
    fn digest(&mut self, given: &Given, own: &CustomInput) -> String {
        let mut digest = Sha256::new();
        let fields = given.changed().into_iter().map(|name| (name, given.value(name).unwrap_or_default()));
        for (name, value) in fields.chain(own.typed()) {
            for text in [name, value] {
                digest.update(text.len().to_be_bytes());
                digest.update(text.as_bytes());
            }
        }
        let values = HEXLOWER.encode(&digest.finalize());
        let count = self.repeated.entry(values.clone()).or_default();
        *count += 1;
        format!("{values}-{count}")
    }
}
