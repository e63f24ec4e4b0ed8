//! The register comes in exactly: every cell of every template is kept as it is, and what the receiving system would
//! say about it is told.

use std::collections::BTreeMap;

use domain::{
    id::RegisterRowId,
    moment::{Day, Moment},
    permission::Permission,
    register::{
        Template,
        filing::{self, Check, Counts, IncomingPackage, Report, Severity, Wanted},
        sheets::{SheetRow, Sheets},
    },
    violation::FieldComplaint,
};
use serde_json::json;
use store::{Reader, TenantScope, Tx, register as rows};

use super::{ImportOptions, archive, derive, row::RegisterRow, sheet};
use crate::{App, Error, Result, audit, authz::Caller, upload::Upload};

/// How many problems an import tells; the others are counted.
const MOST_CHECKS: usize = 200;

/// What an import of rows did, or would do.
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

/// The rows of the templates a file holds.
pub(super) type TemplateRows = BTreeMap<Template, Vec<SheetRow>>;

/// A file that has been read.
struct Given {
    tables: TemplateRows,
    package: Option<IncomingPackage>,
}

impl App {
    /// Replaces the rows of every template in the file.
    pub async fn import_register(
        &self,
        caller: &Caller,
        upload: Upload,
        options: ImportOptions,
    ) -> Result<RegisterImportOutcome> {
        caller.require(Permission::Write)?;
        let slot = self.admission.importing.take(caller.tenant()).await?;
        let (app, caller) = (self.clone(), caller.clone());
        // A sender who leaves does not end the work, so the work itself holds the slot.
        let import = async move {
            let outcome = app.take(&caller, upload, options).await;
            drop(slot);
            outcome
        };
        tokio::spawn(import).await.map_err(Error::internal)?
    }

    async fn take(
        &self,
        caller: &Caller,
        upload: Upload,
        options: ImportOptions,
    ) -> Result<RegisterImportOutcome> {
        let read = tokio::task::spawn_blocking(move || read(upload, options.template));
        let given = match read.await.map_err(Error::internal)?? {
            Ok(given) => given,
            Err(checks) => return Ok(RegisterImportOutcome::Refused(checks)),
        };
        let (app, actor, scope, now) = (self.clone(), caller.actor(), *caller.scope(), self.clock.now());
        let db = self.db.tenant(&scope);
        let done = if options.dry_run {
            db.read(move |r| {
                let (import, _) = planned(r, &scope, &given, now.day())?;
                Ok::<_, Error>(RegisterImport { dry_run: true, ..import })
            })
            .await?
        } else {
            db.write_alone(move |tx| {
                let (mut import, plan) = planned(tx, &scope, &given, now.day())?;
                for (template, rows) in &given.tables {
                    app.replace(tx, &scope, *template, rows, &plan.kept, now)?;
                }
                rows::note_change(tx, &scope, now)?;
                import.arrangements = derive::store(&app, tx, &scope, &plan.before, &plan.after, now)?;
                let templates: BTreeMap<_, _> =
                    import.templates.iter().map(|(template, rows)| (template.id(), *rows)).collect();
                let detail = json!({
                    "templates": templates,
                    "added": import.arrangements.added,
                    "changed": import.arrangements.changed,
                });
                audit::record(tx, actor, now, "register.imported", scope.tenant(), &detail)?;
                Ok::<_, Error>(import)
            })
            .await?
        };
        Ok(RegisterImportOutcome::Done(done))
    }

    /// Puts these rows in the place of a template's; where nothing changes, the rows keep their ids.
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

/// What a file would change.
struct Plan {
    kept: Sheets,
    before: derive::Entries,
    after: derive::Entries,
}

fn planned(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    given: &Given,
    today: Day,
) -> Result<(RegisterImport, Plan)> {
    let kept = rows::sheets(reader, scope)?;
    let before = derive::entries(&kept);
    let mut sheets = kept.clone();
    for (template, rows) in &given.tables {
        sheets.replace(*template, rows.clone());
    }
    let after = derive::entries(&sheets);
    let mut report = Report::new(Wanted::first(MOST_CHECKS));
    if let Some(package) = &given.package {
        package.check(today, &mut report);
    }
    filing::check(&sheets, &mut report);
    let import = RegisterImport {
        templates: given.tables.iter().map(|(template, rows)| (*template, rows.len() as u64)).collect(),
        arrangements: derive::count(reader, scope, &before, &after)?,
        readiness_pct: report.readiness(sheets.len()),
        problems: report.counts(),
        checks: report.checks().to_vec(),
        dry_run: false,
    };
    Ok((import, Plan { kept, before, after }))
}

fn read(upload: Upload, template: Option<Template>) -> Result<Result<Given, Vec<Check>>> {
    let mut upload = upload.checked()?;
    if upload.is_zip()? {
        let archive::Archive { tables, package } = archive::read(upload)?;
        return tables_of(&tables, false)
            .map(|read| read.map(|tables| Given { tables, package: Some(package) }));
    }
    let template = template.ok_or_else(|| Error::invalid("template", FieldComplaint::Required))?;
    let tables = BTreeMap::from([(template, upload.text()?)]);
    Ok(tables_of(&tables, true)?.map(|tables| Given { tables, package: None }))
}

/// Every table as rows, or what keeps them from being read.
pub(super) fn tables_of(
    texts: &BTreeMap<Template, String>,
    marked: bool,
) -> Result<Result<TemplateRows, Vec<Check>>> {
    let (mut tables, mut problems) = (BTreeMap::new(), Vec::new());
    for (template, text) in texts {
        match sheet::rows(*template, text, marked)? {
            Ok(rows) => {
                tables.insert(*template, rows);
            }
            Err(checks) => problems.extend(checks),
        }
    }
    debug_assert!(problems.iter().all(|check| check.severity == Severity::Refused));
    Ok(if problems.is_empty() { Ok(tables) } else { Err(problems) })
}
