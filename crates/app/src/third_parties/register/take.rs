//! Imports the register exactly: every cell of every template is stored unchanged, and the problems that the
//! receiving system would report are listed.

use std::{collections::BTreeMap, io::Seek as _};

use domain::{
    id::RegisterRowId,
    import::FileComplaint,
    moment::{Day, Moment},
    record_event::REGISTER_IMPORT,
    register::{
        Template,
        filing::{self, Check, Counts, IncomingPackage, ProblemFilter, Report, Severity},
        sheets::{SheetRow, Sheets},
    },
    right::Resource,
    violation::FieldComplaint,
};
use serde_json::json;
use store::{Reader, TenantScope, Tx, register as rows};
use tracing::Instrument as _;

use super::{
    ImportOptions, archive, derive, function,
    row::RegisterRow,
    sheet,
    workbook::{self, Incoming, ReadWorkbook},
};
use crate::{
    Core, Error, Result, ThirdParties,
    author::Author,
    authz::Caller,
    budget::Budget,
    costly::{Work, WorkContext},
    inbox::Imported,
    upload::{self, Upload},
};

/// The maximum number of reported problems; the others are counted.
const MOST_CHECKS: usize = 200;
/// The first bytes of workbooks of older formats, and of those with a password.
const OLD_WORKBOOK: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/// So many bytes are looked at to see whether a file is text.
const HEAD: u64 = 512;

/// The result of an import of rows, or of a dry run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterImport {
    /// The templates of the file with their rows.
    pub templates: Vec<(Template, u64)>,
    pub arrangements: derive::Derived,
    pub readiness_pct: u8,
    pub problems: Counts,
    /// The first problems; rows of the file are named by their line.
    pub checks: Vec<Check>,
    pub dry_run: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegisterImportOutcome {
    Done(RegisterImport),
    /// The tables could not be read; nothing was stored.
    Refused(Vec<Check>),
}

/// The rows of the templates in a file.
pub(super) type TemplateRows = BTreeMap<Template, Vec<SheetRow>>;

/// A parsed file.
#[derive(Default)]
struct Given {
    tables: TemplateRows,
    package: Option<IncomingPackage>,
    /// The sheets of a workbook that were not read.
    others: Vec<Check>,
}

impl ThirdParties {
    /// Replaces the rows of every template in the file.
    pub async fn import_register(
        &self,
        caller: &Caller,
        upload: Upload,
        options: ImportOptions,
    ) -> Result<RegisterImportOutcome> {
        caller.require_import(Resource::Register)?;
        let work = self.import_work(caller).await?;
        let (this, caller) = (self.clone(), caller.clone());
        // The import continues if the client disconnects, so the task itself holds the slot.
        let import = async move { this.take(&caller, &work, upload, options).await };
        tokio::spawn(import.in_current_span()).await.map_err(Error::internal)?
    }

    async fn take(
        &self,
        caller: &Caller,
        work: &Work,
        upload: Upload,
        options: ImportOptions,
    ) -> Result<RegisterImportOutcome> {
        let read = move |context: &WorkContext| read(upload, options, context);
        let given = match work.run(read).await? {
            Ok(given) => given,
            Err(checks) => return Ok(RegisterImportOutcome::Refused(checks)),
        };
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        let now = author.now;
        let db = self.db.tenant(&scope);
        let done = if options.dry_run {
            db.read(move |r| {
                let (import, _) = planned(r, &scope, &given, now.day())?;
                Ok::<_, Error>(RegisterImport { dry_run: true, ..import })
            })
            .await?
        } else {
            db.write_alone(move |tx| {
                let (mut import, kept) = planned(tx, &scope, &given, now.day())?;
                for (template, rows) in &given.tables {
                    author.core.replace(tx, &scope, *template, rows, &kept, now)?;
                }
                rows::note_change(tx, &scope, now)?;
                import.arrangements = function::follow(&author, tx, &kept)?;
                let templates: BTreeMap<_, _> =
                    import.templates.iter().map(|(template, rows)| (template.id(), *rows)).collect();
                let detail = json!({
                    "templates": templates,
                    "added": import.arrangements.added,
                    "changed": import.arrangements.changed,
                });
                author.publish_import(tx, REGISTER_IMPORT, &detail)?;
                author.audit(tx, "register.imported", scope.tenant(), &detail)?;
                let records: u64 = templates.values().sum();
                let source = Resource::Register.label().text(author.language(tx)?);
                let assigned = &BTreeMap::new();
                author.notify_of_import(tx, &Imported { kind: "register", source, records, assigned })?;
                Ok::<_, Error>(import)
            })
            .await?
        };
        Ok(RegisterImportOutcome::Done(done))
    }
}

impl Core {
    /// Replaces the rows of a template; unchanged rows keep their ids.
    pub(super) fn replace(
        &self,
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        template: Template,
        given: &[SheetRow],
        kept: &Sheets,
        now: Moment,
    ) -> Result<()> {
        let same = |(one, other): (&SheetRow, &SheetRow)| one.cells == other.cells;
        let before = kept.rows(template);
        if before.len() == given.len() && before.iter().zip(given).all(same) {
            return Ok(());
        }
        rows::clear(tx, scope, template)?;
        for row in given {
            let id: RegisterRowId = self.ids.next(now);
            let content = SheetRow { name: id.to_string().into(), cells: row.cells.clone() };
            let row = RegisterRow { id, template, content, version: 1, created_at: now, updated_at: now };
            rows::insert(tx, scope, &row)?;
        }
        Ok(())
    }
}

/// The changes that a file would make, and the register before.
fn planned(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    given: &Given,
    today: Day,
) -> Result<(RegisterImport, Sheets)> {
    let kept = rows::sheets(reader, scope)?;
    let before = derive::entries(&kept);
    let mut sheets = kept.clone();
    for (template, rows) in &given.tables {
        sheets.replace(*template, rows.clone());
    }
    let after = derive::entries(&sheets);
    let mut report = Report::new(ProblemFilter::first(MOST_CHECKS));
    if let Some(package) = &given.package {
        package.check(today, &mut report);
    }
    for check in &given.others {
        let words = (check.message.clone(), check.remedy.clone());
        report.add_whole(check.rule, check.severity, check.template, words);
    }
    filing::check(&sheets, &mut report);
    report.wait_for(derive::waiting(reader, scope, &sheets, &after)?);
    let import = RegisterImport {
        templates: given.tables.iter().map(|(template, rows)| (*template, rows.len() as u64)).collect(),
        arrangements: derive::count(reader, scope, &before, &after)?,
        readiness_pct: report.readiness(sheets.len()),
        problems: report.counts(),
        checks: report.checks().to_vec(),
        dry_run: false,
    };
    Ok((import, kept))
}

fn read(upload: Upload, options: ImportOptions, context: &WorkContext) -> Result<Result<Given, Vec<Check>>> {
    let mut upload = upload.checked()?;
    let no_workbook = || Error::invalid("file", FileComplaint::NoWorkbook);
    if upload.is_zip()? {
        match workbook::read(&mut upload, context)? {
            ReadWorkbook::Ready(Incoming { tables, others }) => {
                return Ok(Ok(Given { tables, others, package: None }));
            }
            ReadWorkbook::Refused(problems) => return Ok(Err(problems)),
            ReadWorkbook::Other => {}
        }
        if options.workbook {
            return Err(no_workbook());
        }
        upload.rewind().map_err(|error| upload::unreadable(&error))?;
        let archive::Archive { tables, package } = archive::read(upload)?;
        return tables_of(&tables, false, context)
            .map(|read| read.map(|tables| Given { tables, package: Some(package), others: Vec::new() }));
    }
    if upload.head(8)?.starts_with(OLD_WORKBOOK) {
        return Err(Error::invalid("file", FileComplaint::OldWorkbook));
    }
    // A table is text. What is none, and is called neither a package nor a table, was meant as a workbook.
    if options.workbook || options.template.is_none() && upload.head(HEAD)?.contains(&0) {
        return Err(no_workbook());
    }
    let template = options.template.ok_or_else(|| Error::invalid("template", FieldComplaint::Required))?;
    let tables = BTreeMap::from([(template, upload.text()?)]);
    Ok(tables_of(&tables, true, context)?.map(|tables| Given { tables, ..Given::default() }))
}

/// Every table as rows, or the problems that prevent parsing them.
pub(super) fn tables_of(
    texts: &BTreeMap<Template, String>,
    marked: bool,
    context: &WorkContext,
) -> Result<Result<TemplateRows, Vec<Check>>> {
    let mut budget = Budget::new(sheet::TABLES, context);
    let (mut tables, mut problems) = (BTreeMap::new(), Vec::new());
    for (template, text) in texts {
        match sheet::rows(*template, text, marked, &mut budget)? {
            Ok(rows) => {
                tables.insert(*template, rows);
            }
            Err(checks) => problems.extend(checks),
        }
    }
    debug_assert!(problems.iter().all(|check| check.severity == Severity::Refused));
    Ok(if problems.is_empty() { Ok(tables) } else { Err(problems) })
}

/// The rows of a package that this service created.
pub(super) fn sheets_of(bytes: Vec<u8>, context: &WorkContext) -> Result<Sheets> {
    let archive = archive::read(Upload::bytes(bytes.into()))?;
    let tables = tables_of(&archive.tables, false, context)?
        .map_err(|_| Error::internal("a frozen package cannot be read"))?;
    let mut sheets = Sheets::default();
    for (template, rows) in tables {
        sheets.replace(template, rows);
    }
    Ok(sheets)
}
