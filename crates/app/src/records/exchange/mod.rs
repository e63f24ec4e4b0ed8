//! Imports of records of any kind from a table: CSV, or the first sheet of a workbook. All or nothing.
//!
//! What an export wrote can be imported again. A line with an id or a reference changes that record, and only in the
//! cells that differ from what an export would write now; another line creates a record. Every change is judged like one
//! that is sent alone, with its history, event and audit entry; an import decides nothing.

mod cells;
mod conclude;
mod given;
mod importable;
mod lookup;
mod mapping;
mod run;
mod sheet;

use domain::{
    custom_field::CustomField, exchange::ExchangeComplaint, key_limits::Verb, violation::Violations,
    wording::Language,
};
use store::{Reader, Tx, exchange as rows};
use tracing::Instrument as _;

pub use self::{given::Given, importable::Importable, mapping::Mapping};
use self::{
    mapping::{Assigned, Target, Targets},
    run::{Job, Stop},
    sheet::Sheet,
};
use super::RecordKind;
use crate::{
    Error, Records, Result, author::Author, authz::Caller, costly::WorkContext, report::TableColumn,
    upload::Upload,
};

/// A kind of record whose tables can be imported.
pub trait Exchanged: RecordKind<Change: From<<Self as RecordKind>::Input>> {
    /// The columns of its exports.
    const COLUMNS: &'static [TableColumn];
    /// What a line without a record creates; `None` if it creates nothing.
    const NEW: Option<fn(Self::Input) -> Self::New>;

    /// The cells of an export, as the API has the values.
    fn cells(view: &Self::View) -> Vec<String>;

    /// The fields that a line gives.
    fn input(given: &Given) -> Self::Input;

    /// The same where it takes more than the cells to tell what changes. A line without a record has none before.
    fn refined(
        author: &Author,
        reader: &mut Reader<'_>,
        before: Option<&Self>,
        input: Self::Input,
    ) -> Result<Self::Input> {
        let _ = (author, reader, before);
        Ok(input)
    }
}

/// How a table is to be imported.
#[derive(Debug, Clone, Default)]
pub struct RecordImport {
    /// Says what would happen, and stores nothing.
    pub dry_run: bool,
    /// The columns of the file; without it, those of the last file with the same headings, or those with these names.
    pub mapping: Option<Mapping>,
    /// The language of the reader.
    pub language: Language,
}

/// A file before its columns are assigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPlan {
    pub lines: usize,
    pub columns: Vec<PlannedColumn>,
    /// The own fields that columns can be assigned to.
    pub own: Vec<CustomField>,
}

/// A column of a file, and the column of the records that it was assigned to, if any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedColumn {
    pub heading: String,
    /// The first cell that is not empty.
    pub example: String,
    pub column: Option<String>,
}

/// What an import did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordImportReport {
    pub dry_run: bool,
    pub columns: Vec<PlannedColumn>,
    pub own: Vec<CustomField>,
    pub lines: Vec<ImportedLine>,
}

/// One line of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedLine {
    pub line: u64,
    /// The record; none for one that would be created.
    pub id: Option<String>,
    /// What the line calls the record.
    pub name: String,
    pub outcome: LineOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineOutcome {
    Created,
    /// The names of the columns with new values.
    Changed(Vec<String>),
    Unchanged,
    Refused(Violations),
}

impl LineOutcome {
    pub fn word(&self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed(_) => "changed",
            Self::Unchanged => "unchanged",
            Self::Refused(_) => "refused",
        }
    }
}

impl RecordImportReport {
    /// How many lines had this outcome.
    pub fn count(&self, word: &str) -> u64 {
        self.lines.iter().filter(|line| line.outcome.word() == word).count() as u64
    }

    /// Whether nothing was stored because of lines that were refused.
    pub fn is_refused(&self) -> bool {
        self.lines.iter().any(|line| matches!(line.outcome, LineOutcome::Refused(_)))
    }
}

/// Refuses a caller who may not import records of this list. The answers say what the records are, so they are read, too.
pub fn require_import<T: Importable>(caller: &Caller) -> Result<()> {
    caller.require_import(T::RESOURCE)?;
    caller.require_noun(T::CALLED, Verb::Read)
}

impl Records {
    /// Which columns a file has, and which columns of the records they are assigned to.
    pub async fn plan_import<T: Importable>(&self, caller: &Caller, upload: Upload) -> Result<ImportPlan> {
        require_import::<T>(caller)?;
        let work = self.import_work(caller).await?;
        let sheet = work.run(move |context: &WorkContext| Sheet::read(upload, context)).await?;
        // A file without any known heading is one whose columns a person assigns.
        let targets = self.targets::<T>(caller).await?;
        let assigned = self.assigned::<T>(caller, &targets, &sheet, None).await?;
        Ok(ImportPlan { lines: sheet.lines.len(), columns: planned(&sheet, &assigned), own: targets.own })
    }

    /// Imports a table of records.
    pub async fn import_records<T: Importable>(
        &self,
        caller: &Caller,
        upload: Upload,
        options: RecordImport,
    ) -> Result<RecordImportReport> {
        require_import::<T>(caller)?;
        let (this, caller) = (self.clone(), caller.clone());
        // The import continues if the client disconnects, so the task itself holds the slot.
        let import = async move { this.import_table::<T>(&caller, upload, options).await };
        tokio::spawn(import.in_current_span()).await.map_err(Error::internal)?
    }

    async fn import_table<T: Importable>(
        &self,
        caller: &Caller,
        upload: Upload,
        options: RecordImport,
    ) -> Result<RecordImportReport> {
        let people = self.table_reader(caller, options.language).await?;
        let work = self.import_work(caller).await?;
        let remembers = options.mapping.is_some();
        let sheet = work.run(move |context| Sheet::read(upload, context)).await?;
        let targets = self.targets::<T>(caller).await?;
        let assigned = self.assigned::<T>(caller, &targets, &sheet, options.mapping).await?;
        if assigned.is_empty() {
            return Err(Error::invalid("file", ExchangeComplaint::NoKnownColumn));
        }
        let columns = planned(&sheet, &assigned);
        if remembers {
            self.remember::<T>(caller, &assigned).await?;
        }
        let author = Author::new(self, caller).quiet();
        let own = targets.own.clone();
        let job =
            Job { sheet, assigned, own: targets.own, people, held: work.held(), dry_run: options.dry_run };
        let write = move |tx: &mut Tx<'_>| tx.counting(|tx| author.import_lines::<T>(tx, &job));
        let lines = match self.db.tenant(caller.scope()).write_alone(write).await {
            Ok(lines) | Err(Stop::Tried(lines)) => lines,
            Err(Stop::Failed(error)) => return Err(error),
        };
        Ok(RecordImportReport { dry_run: options.dry_run, columns, own, lines })
    }

    async fn targets<T: Importable>(&self, caller: &Caller) -> Result<Targets> {
        Ok(Targets { columns: T::COLUMNS, own: T::own_fields(self, caller).await? })
    }

    /// The columns that the headings of a file are assigned to: as requested, as the last time, or by their names.
    async fn assigned<T: Importable>(
        &self,
        caller: &Caller,
        targets: &Targets,
        sheet: &Sheet,
        mapping: Option<Mapping>,
    ) -> Result<Assigned> {
        let assigned = if let Some(mapping) = mapping {
            Assigned::requested(targets, &sheet.headings, &mapping)?
        } else {
            let (scope, shape) = (*caller.scope(), mapping::shape(&sheet.headings));
            let read = move |reader: &mut Reader<'_>| {
                rows::mapping(reader, &scope, T::LIST, &shape).map_err(Error::from)
            };
            let known = self.db.tenant(caller.scope()).read(read).await?;
            let known = known.and_then(|known| Assigned::remembered(targets, &sheet.headings, &known));
            known.unwrap_or_else(|| Assigned::guessed(targets, &sheet.headings))
        };
        Ok(assigned)
    }

    async fn remember<T: Importable>(&self, caller: &Caller, assigned: &Assigned) -> Result<()> {
        let (scope, now) = (*caller.scope(), self.clock.now());
        let (shape, mapping) = (assigned.shape.clone(), assigned.to_json());
        let write = move |tx: &mut Tx<'_>| {
            rows::remember(tx, &scope, (T::LIST, &shape), &mapping, now).map_err(Error::from)
        };
        self.db.tenant(caller.scope()).bookkeep(write).await
    }
}

fn planned(sheet: &Sheet, assigned: &Assigned) -> Vec<PlannedColumn> {
    let column = |(place, heading): (usize, &String)| PlannedColumn {
        heading: heading.clone(),
        example: sheet.example(place),
        column: assigned.at(place).map(Target::name),
    };
    sheet.headings.iter().enumerate().map(column).collect()
}
