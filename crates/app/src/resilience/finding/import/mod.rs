//! Imports findings from files: CSV, SARIF, Trivy. All or nothing.
//!
//! A file is read twice: once to find everything that is wrong with it, once inside the transaction that stores it,
//! so that no more than one result is in memory at a time. A result is recognised by its origin. It changes the
//! finding only when its content is new, so importing the same file twice changes nothing, whatever users have done
//! to the findings meanwhile.

mod dry_run;
mod file;
mod run;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use domain::{
    import::{Format, Source, SourceName, encoding::Encoding},
    right::Resource,
    violation::Complaint,
    wording::Language,
};
use store::{Reader, Tx};
use tracing::Instrument as _;

pub use self::dry_run::{FindingImportLine, FindingLineOutcome};
use self::{
    file::{Opened, OwnRecords, Survey},
    run::Run,
};
use crate::{
    Error, Resilience, Result,
    author::Author,
    authz::Caller,
    costly::{Work, WorkContext},
    upload::{Progress, Upload},
};

/// The options of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FindingImport {
    /// The format of the file; detected if `None`.
    pub format: Option<Format>,
    /// The encoding of a CSV file; detected if `None`.
    pub encoding: Option<Encoding>,
    /// The name of the source of the findings; the format of the file if `None`.
    pub source: Option<SourceName>,
    /// Close findings of the same source that the file no longer contains.
    pub close_missing: bool,
    /// Check and count, store nothing.
    pub dry_run: bool,
}

/// The result of an import or of a dry run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingImportReport {
    pub format: Source,
    pub source: SourceName,
    /// Results in the file that are findings.
    pub results: u64,
    pub added: u64,
    pub changed: u64,
    /// Findings that were closed before and are reported again.
    pub reopened: u64,
    /// Findings closed because the file no longer contains them.
    pub closed: u64,
    /// Findings that the file no longer contains, and that only a second person closes.
    pub left_open: u64,
    pub unchanged: u64,
    /// Results that are no findings: passed, suppressed or absent.
    pub skipped: u64,
    /// Repetitions of the same result.
    pub repeated: u64,
    pub dry_run: bool,
    /// In a dry run, the effect on the first lines.
    pub lines: Vec<FindingImportLine>,
    /// How many findings got a new owner, by the name of the owner.
    pub(crate) assigned: BTreeMap<String, u64>,
}

impl FindingImportReport {
    fn new(format: Source, source: SourceName, dry_run: bool) -> Self {
        Self {
            format,
            source,
            results: 0,
            added: 0,
            changed: 0,
            reopened: 0,
            closed: 0,
            left_open: 0,
            unchanged: 0,
            skipped: 0,
            repeated: 0,
            dry_run,
            lines: Vec::new(),
            assigned: BTreeMap::new(),
        }
    }
}

/// A problem with one line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineProblem {
    pub line: u64,
    pub field: String,
    pub message: Complaint,
}

impl std::fmt::Display for LineProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {} {}", self.line, self.field, self.message)
    }
}

/// The problems with the lines of a file, up to a maximum number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineProblems {
    pub first: Vec<LineProblem>,
    pub total: u64,
}

/// The outcome of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FindingImportOutcome {
    Done(FindingImportReport),
    /// Nothing was stored.
    Refused(LineProblems),
}

impl Resilience {
    pub async fn import_findings(
        &self,
        caller: &Caller,
        upload: Upload,
        options: FindingImport,
        progress: Progress,
    ) -> Result<FindingImportOutcome> {
        caller.require_import(Resource::Findings)?;
        let work = self.import_work(caller).await?;
        let (this, caller) = (self.clone(), caller.clone());
        // The import continues if the client disconnects, so the task itself holds the slot.
        let import = async move { this.survey_and_store(&caller, &work, upload, options, progress).await };
        tokio::spawn(import.in_current_span()).await.map_err(Error::internal)?
    }

    async fn survey_and_store(
        &self,
        caller: &Caller,
        work: &Work,
        upload: Upload,
        options: FindingImport,
        progress: Progress,
    ) -> Result<FindingImportOutcome> {
        let author = Author::new(self, caller).quiet();
        let (reading, telling) = (author.clone(), Arc::clone(&progress));
        let (scope, asked) = (*caller.scope(), options.clone());
        let this = self.clone();
        let zone = self.table_reader(caller, Language::default()).await?.zone;
        let read = move |reader: &mut Reader<'_>| OwnRecords::read(&this, reader, &scope, zone.clone());
        let own = self.db.tenant(&scope).read(read).await?;
        let survey = move |context: &WorkContext| {
            Opened::new(upload, &asked, own, context).and_then(|file| file.survey(&reading, &telling))
        };
        let survey = work.run(survey).await?;
        let Survey { file, digest, problems } = survey;
        if problems.total > 0 {
            return Ok(FindingImportOutcome::Refused(problems));
        }
        let file = Mutex::new(file);
        let db = self.db.tenant(caller.scope());
        let report = if options.dry_run {
            let count = move |reader: &mut Reader<'_>| {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                Run::new(&author, digest, &options, &progress).count(reader, &mut file)
            };
            db.read(count).await?
        } else {
            let write = move |tx: &mut Tx<'_>| {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                Run::new(&author, digest, &options, &progress).store(tx, &mut file)
            };
            db.write_alone(write).await?
        };
        Ok(FindingImportOutcome::Done(report))
    }
}
