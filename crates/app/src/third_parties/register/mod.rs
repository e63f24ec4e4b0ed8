//! Imports the register of information: the simple table, an official template, or a whole report package.
//!
//! All or nothing. An arrangement is recognised by its reference: a known one is changed, a new one added, and none
//! is deleted, because a missing one does not mean that the contract has ended.

mod archive;
mod correct;
mod derive;
mod difference;
mod dry_run;
mod edit;
mod export;
mod feedback;
pub(crate) mod filing;
mod function;
mod gleif;
mod row;
mod sheet;
mod table;
mod take;
mod take_over;
pub(crate) mod workbook;

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    arrangement::Arrangement,
    concentration::Cause,
    record_event::REGISTER_IMPORT,
    register::{
        Conversion, Notice, Placed, Problems, Template,
        sheets::{SheetRow, Sheets},
    },
    right::Resource,
};
use serde_json::json;
use store::{Reader, TenantScope, Tx, arrangement as rows, register as tables};
use tracing::Instrument as _;

pub use self::{
    derive::Derived,
    dry_run::{ImportLine, LineOutcome, MOST_LINES},
    edit::{MOST_EDITED, RowEdit, RowsEdited, TableChecks, TableFilter, row_mark},
    export::{ExportFormat, ExportedRegister, WORKBOOK_TYPE},
    feedback::FeedbackLine,
    filing::{
        FiledPackage, NewRegisterFiling, RegisterFilingChange, RegisterFilingFilter, RegisterFilingRow,
    },
    gleif::GleifReport,
    row::{CellChange, CheckFilter, Overview, RegisterRow, TemplateOverview},
    take::{RegisterImport, RegisterImportOutcome},
    take_over::{LeftOut, TakeOver},
};
pub(crate) use self::{derive::write_back, function::write_function, workbook::as_csv};
pub use crate::upload::{Progress, Step, Upload};
use crate::{
    Error, Result, ThirdParties, analysis,
    arrangement::{self, ArrangementRow},
    author::Author,
    authz::Caller,
    costly::{Work, WorkContext},
    inbox::Imported,
    upload::TELL_EVERY,
};

/// The options of an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// The official template of a single file; without it a CSV file is the simple table.
    pub template: Option<Template>,
    /// Check and count, store nothing.
    pub dry_run: bool,
    /// The sender calls the file a workbook.
    pub workbook: bool,
}

/// The result of an import or of a dry run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportReport {
    pub arrangements: u64,
    pub added: u64,
    pub changed: u64,
    pub unchanged: u64,
    /// Contracts of the official register that no line uses: their cost is not counted.
    pub unused_contracts: Vec<String>,
    /// Accepted, but worth knowing.
    pub notices: Vec<Notice>,
    pub dry_run: bool,
    /// In a dry run, the effect on the first arrangements.
    pub lines: Vec<ImportLine>,
}

/// The outcome of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportOutcome {
    Done(ImportReport),
    /// Nothing was stored.
    Refused(Problems),
}

/// A parsed file.
enum Content {
    Flat(Vec<Placed<Arrangement>>),
    /// Official tables as CSV.
    Official {
        tables: BTreeMap<Template, String>,
        /// Of a whole package.
        whole: bool,
    },
}

impl ThirdParties {
    pub async fn import_arrangements(
        &self,
        caller: &Caller,
        upload: Upload,
        options: ImportOptions,
        progress: Progress,
    ) -> Result<ImportOutcome> {
        caller.require_import(Resource::Arrangements)?;
        let work = self.import_work(caller).await?;
        let (this, caller) = (self.clone(), caller.clone());
        // The import continues if the client disconnects, so the task itself holds the slot.
        let import = async move { this.read_and_store(&caller, &work, upload, options, progress).await };
        tokio::spawn(import.in_current_span()).await.map_err(Error::internal)?
    }

    async fn read_and_store(
        &self,
        caller: &Caller,
        work: &Work,
        upload: Upload,
        options: ImportOptions,
        progress: Progress,
    ) -> Result<ImportOutcome> {
        let telling = Arc::clone(&progress);
        let read = move |context: &WorkContext| read(upload, options.template, &telling, context);
        let content = match work.run(read).await? {
            Ok(content) => content,
            Err(problems) => return Ok(ImportOutcome::Refused(problems)),
        };
        let gathered = match content {
            Content::Flat(imported) => {
                let notices = Notice::of_arrangements(&imported);
                Gathered { imported, notices, ..Gathered::default() }
            }
            Content::Official { tables, whole } => match self.convert(caller, work, tables, whole).await? {
                Ok(converted) => converted,
                Err(problems) => return Ok(ImportOutcome::Refused(problems)),
            },
        };
        let report = self.store_imported(caller, work, gathered, options.dry_run, progress).await?;
        Ok(ImportOutcome::Done(report))
    }

    /// Converts official tables to arrangements. A single template is combined with those imported before.
    async fn convert(
        &self,
        caller: &Caller,
        work: &Work,
        mut given: BTreeMap<Template, String>,
        whole: bool,
    ) -> Result<Result<Gathered, Problems>> {
        let scope = *caller.scope();
        let kept = if whole {
            Sheets::default()
        } else {
            self.db.tenant(&scope).read(move |r| tables::sheets(r, &scope)).await?
        };
        let convert = move |context: &WorkContext| {
            // The parser of records below reports what is wrong with tables that cannot be read.
            let rows = take::tables_of(&given, false, context)?.unwrap_or_default();
            for template in Template::READ {
                if !given.contains_key(&template) && !kept.rows(template).is_empty() {
                    given.insert(template, export::text(&kept, template)?);
                }
            }
            let register = match table::register(&given) {
                Ok(register) => register,
                Err(problems) => return Ok(Err(problems)),
            };
            let conversion = Conversion::of(&register);
            let unused = conversion.unused().map(ToString::to_string).collect();
            // An arrangement of the official register is composed of many lines.
            let arrangements = conversion.arrangements().map(|record| Placed { row: None, record });
            let notices = Notice::of_register(&register);
            Ok(Ok(Gathered { imported: arrangements.collect(), unused, notices, kept: rows }))
        };
        work.run(convert).await
    }

    async fn store_imported(
        &self,
        caller: &Caller,
        work: &Work,
        gathered: Gathered,
        dry_run: bool,
        progress: Progress,
    ) -> Result<ImportReport> {
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        let (now, held) = (author.now, work.held());
        let db = self.db.tenant(&scope);
        let Gathered { imported, unused: unused_contracts, notices, kept } = gathered;
        if dry_run {
            let report = db.read(move |r| dry_run::report(r, &scope, &imported)).await?;
            return Ok(ImportReport { unused_contracts, notices, ..report });
        }
        let write = move |tx: &mut Tx<'_>| {
            let fresh = !rows::any(tx, &scope)?;
            let mut report = ImportReport::default();
            for each in &imported {
                held.context().check()?;
                store_one(&author, tx, fresh, &each.record, &mut report)?;
                if report.arrangements.is_multiple_of(TELL_EVERY) {
                    progress(Step::Stored, report.arrangements);
                }
            }
            if !kept.is_empty() {
                let before = tables::sheets(tx, &scope)?;
                for (template, rows) in &kept {
                    author.core.replace(tx, &scope, *template, rows, &before, now)?;
                }
                tables::note_change(tx, &scope, now)?;
                function::take(&author, tx, &before)?;
            }
            if report.added + report.changed > 0 {
                analysis::note_change(tx, &scope, Cause::Register, now)?;
            }
            let detail = json!({
                "arrangements": report.arrangements,
                "added": report.added,
                "changed": report.changed,
                "templates": kept.keys().map(|template| template.id()).collect::<Vec<_>>(),
            });
            author.publish_import(tx, REGISTER_IMPORT, &detail)?;
            author.audit(tx, "register.imported", scope.tenant(), &detail)?;
            let (records, assigned) = (report.added + report.changed, &BTreeMap::new());
            let source = Resource::Arrangements.label().text(author.language(tx)?);
            author.notify_of_import(tx, &Imported { kind: "arrangements", source, records, assigned })?;
            Ok::<_, Error>(report)
        };
        let report = db.write_alone(write).await?;
        Ok(ImportReport { unused_contracts, notices, ..report })
    }
}

fn store_one(
    author: &Author,
    tx: &mut Tx<'_>,
    fresh: bool,
    imported: &Arrangement,
    report: &mut ImportReport,
) -> Result<()> {
    report.arrangements += 1;
    let before = if fresh { None } else { find(tx, author.scope(), imported)? };
    match before {
        None => {
            arrangement::insert(author, tx, imported.clone())?;
            report.added += 1;
        }
        Some(before) if before.record == *imported => report.unchanged += 1,
        Some(before) => {
            arrangement::update(author, tx, &before, imported.clone())?;
            report.changed += 1;
        }
    }
    Ok(())
}

/// The data read from a file.
#[derive(Default)]
struct Gathered {
    imported: Vec<Placed<Arrangement>>,
    /// Contracts no line uses.
    unused: Vec<String>,
    notices: Vec<Notice>,
    /// The official tables to store.
    kept: BTreeMap<Template, Vec<SheetRow>>,
}

fn find(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    imported: &Arrangement,
) -> Result<Option<ArrangementRow>> {
    Ok(rows::by_reference(reader, scope, imported.contract.reference.as_str())?)
}

fn read(
    upload: Upload,
    template: Option<Template>,
    progress: &Progress,
    context: &WorkContext,
) -> Result<Result<Content, Problems>> {
    let mut upload = upload.checked()?;
    if !as_csv(&mut upload, context)? && upload.is_zip()? {
        let tables = archive::read(upload)?.tables;
        return Ok(Ok(Content::Official { tables, whole: true }));
    }
    match template {
        Some(template) => {
            let tables = BTreeMap::from([(template, upload.text()?)]);
            Ok(Ok(Content::Official { tables, whole: false }))
        }
        None => Ok(table::flat(upload, progress, context)?.map(Content::Flat)),
    }
}
