//! The rows of the register: list, add, change, delete, and check as a whole.

use domain::{
    id::RegisterRowId,
    page::{Page, PageRequest},
    register::{
        Template,
        filing::{self, Check, Counts, ProblemFilter, Report, Severity},
        sheets::{Companies, SheetRow, Sheets},
    },
    right::{Resource, Right},
};
use serde_json::{Value, json};
use store::{Reader, Revision, TenantScope, Tx, issued_lei, register as rows};

use super::{derive, function};
use crate::{
    Error, Result, ThirdParties,
    author::Author,
    authz::Caller,
    idempotency::{Creation, Idempotency},
    pages::{self, Precondition, Rendered},
};

pub use store::register::RegisterRow;

/// A column and its new value.
pub type CellChange = (usize, Box<str>);

/// The state of the register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    pub rows: u64,
    pub readiness_pct: u8,
    /// Arrangements that stand in no template.
    pub waiting: u64,
    pub problems: Counts,
    pub templates: Vec<TemplateOverview>,
    pub companies: Companies,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TemplateOverview {
    pub template: Template,
    pub rows: u64,
    pub problems: Counts,
}

/// The filters of problems.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckFilter {
    pub template: Option<Template>,
    pub severity: Option<Severity>,
}

impl ThirdParties {
    pub async fn register_overview(
        &self,
        caller: &Caller,
        render: fn(&Overview) -> Vec<u8>,
    ) -> Result<Rendered> {
        let scope = *caller.scope();
        self.page(caller, "register", "", move |r| overview(r, &scope), render).await
    }

    /// The same for the workspace.
    pub async fn register_standing(&self, caller: &Caller) -> Result<Overview> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| overview(r, &scope)).await
    }

    /// The companies of the register, cached until the tenant's data change.
    pub async fn register_companies(&self, caller: &Caller) -> Result<Companies> {
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| Ok(rows::sheets(r, &scope)?.companies());
        let write = |found: &Companies| json!([found.providers, found.others]).to_string().into_bytes();
        let kept = self.page(caller, "register-companies", "", load, write).await?;
        let (providers, others) = serde_json::from_slice(&kept.body).map_err(Error::internal)?;
        Ok(Companies { providers, others })
    }

    pub async fn register_checks(
        &self,
        caller: &Caller,
        filter: CheckFilter,
        request: PageRequest,
        render: fn(&Page<Check>) -> Vec<u8>,
    ) -> Result<Rendered> {
        let scope = *caller.scope();
        let question = pages::question(&filter, request);
        let load = move |r: &mut Reader<'_>| checks(r, &scope, &filter, request);
        self.page(caller, "register_checks", &question, load, render).await
    }

    /// A page of problems, for the workspace.
    pub async fn register_problems(
        &self,
        caller: &Caller,
        filter: CheckFilter,
        request: PageRequest,
    ) -> Result<Page<Check>> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| checks(r, &scope, &filter, request)).await
    }

    pub async fn register_row_page(
        &self,
        caller: &Caller,
        template: Template,
        request: PageRequest,
        render: fn(&Page<RegisterRow>) -> Vec<u8>,
    ) -> Result<Rendered> {
        let scope = *caller.scope();
        let question = format!("{template} {}", pages::part(request));
        let load = move |r: &mut Reader<'_>| Ok(rows::list(r, &scope, template, request)?);
        self.page(caller, "register_rows", &question, load, render).await
    }

    /// A page of rows with the problems of exactly these rows.
    pub async fn register_rows(
        &self,
        caller: &Caller,
        template: Template,
        request: PageRequest,
    ) -> Result<(Page<RegisterRow>, Vec<Check>)> {
        /// The maximum number of problems shown beside the cells of one page.
        const MOST: usize = 500;
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .read(move |r| {
                let page = rows::list(r, &scope, template, request)?;
                let names = page.items.iter().map(|row| row.content.name.clone()).collect();
                let wanted = ProblemFilter {
                    template: Some(template),
                    rows: Some(names),
                    limit: MOST,
                    ..ProblemFilter::default()
                };
                let sheets = rows::sheets(r, &scope)?;
                Ok((page, cells_reported(r, &sheets, wanted)?.checks().to_vec()))
            })
            .await
    }

    pub async fn register_row(
        &self,
        caller: &Caller,
        template: Template,
        id: RegisterRowId,
    ) -> Result<(RegisterRow, Revision)> {
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| rows::get(r, &scope, template, id);
        let (row, revision) = self.db.tenant(&scope).read_at(read).await?;
        Ok((row.ok_or(Error::NotFound)?, revision))
    }

    /// Those of the rows that exist, in one snapshot.
    pub async fn register_rows_named(
        &self,
        caller: &Caller,
        wanted: Vec<(Template, RegisterRowId)>,
    ) -> Result<Vec<RegisterRow>> {
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| rows::get_many(r, &scope, &wanted).map_err(Error::from);
        self.db.tenant(&scope).read(read).await
    }

    pub async fn create_register_row(
        &self,
        caller: &Caller,
        template: Template,
        cells: Vec<CellChange>,
        idempotency: Option<Idempotency>,
        render: fn(&RegisterRow) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::Register, Right::Write)?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        let now = author.now;
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let id: RegisterRowId = author.core.ids.next(now);
                    let mut content = SheetRow::new(id.to_string(), template);
                    for (position, text) in &cells {
                        content.cells[*position] = text.clone();
                    }
                    let row =
                        RegisterRow { id, template, content, version: 1, created_at: now, updated_at: now };
                    derived(&author, tx, template, |tx| Ok(rows::insert(tx, &scope, &row)?))?;
                    let detail = described(template, &row.content);
                    author.audit(tx, "register.row_created", id, &detail)?;
                    Ok((id.to_string(), row))
                };
                author.core.once(tx, &author.caller, idempotency.as_ref(), now, create, render)
            })
            .await
    }

    pub async fn change_register_row(
        &self,
        caller: &Caller,
        template: Template,
        id: RegisterRowId,
        cells: Vec<CellChange>,
        precondition: Precondition,
    ) -> Result<(RegisterRow, Revision)> {
        caller.require_right(Resource::Register, Right::Write)?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        let changed = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::get(tx, &scope, template, id)?.ok_or(Error::NotFound)?;
                author.core.check_match(&precondition, before.version)?;
                let mut after = RegisterRow { updated_at: author.now, ..before.clone() };
                for (position, text) in &cells {
                    after.content.cells[*position] = text.clone();
                }
                if after.content == before.content {
                    return Ok::<_, Error>(None);
                }
                derived(&author, tx, template, |tx| {
                    if rows::update(tx, &scope, &after)? { Ok(()) } else { Err(Error::Stale) }
                })?;
                after.version += 1;
                let detail = difference(template, &before.content, &after.content);
                author.audit(tx, "register.row_changed", id, &detail)?;
                Ok(tx.revision().map(|revision| (after, Revision(revision))))
            })
            .await?;
        match changed {
            Some(changed) => Ok(changed),
            None => self.register_row(caller, template, id).await,
        }
    }

    pub async fn delete_register_row(
        &self,
        caller: &Caller,
        template: Template,
        id: RegisterRowId,
        precondition: Precondition,
    ) -> Result<()> {
        caller.require_right(Resource::Register, Right::Write)?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let row = rows::get(tx, &scope, template, id)?.ok_or(Error::NotFound)?;
                author.core.check_match(&precondition, row.version)?;
                derived(&author, tx, template, |tx| {
                    rows::delete(tx, &scope, template, id)?;
                    Ok(())
                })?;
                let detail = described(template, &row.content);
                author.audit(tx, "register.row_deleted", id, &detail)
            })
            .await
    }
}

/// Changes rows of a template, and the functions and arrangements that follow from them.
pub(super) fn derived(
    author: &Author,
    tx: &mut Tx<'_>,
    template: Template,
    change: impl FnOnce(&mut Tx<'_>) -> Result<()>,
) -> Result<()> {
    let scope = author.scope();
    let before = template.is_read().then(|| rows::sheets(tx, scope)).transpose()?;
    change(tx)?;
    rows::note_change(tx, scope, author.now)?;
    if let Some(before) = before {
        function::follow(author, tx, &before)?;
    }
    Ok(())
}

fn overview(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Overview> {
    let sheets = rows::sheets(reader, scope)?;
    let report = reported(reader, scope, &sheets, ProblemFilter::counts())?;
    let templates = Template::ALL.map(|template| TemplateOverview {
        template,
        rows: sheets.rows(template).len() as u64,
        problems: report.counts_of(template),
    });
    Ok(Overview {
        rows: sheets.len() as u64,
        readiness_pct: report.readiness(sheets.len()),
        waiting: report.waiting(),
        problems: report.counts(),
        templates: templates.to_vec(),
        companies: sheets.companies(),
    })
}

fn checks(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    filter: &CheckFilter,
    request: PageRequest,
) -> Result<Page<Check>> {
    let wanted = ProblemFilter {
        template: filter.template,
        severity: filter.severity,
        rows: None,
        offset: request.offset(),
        limit: request.limit() as usize,
    };
    let sheets = rows::sheets(reader, scope)?;
    let report = reported(reader, scope, &sheets, wanted)?;
    Ok(Page::new(report.checks().to_vec(), report.matching(), request))
}

/// Checks the register as a whole: the rules of the receiving system, and differences from the arrangements.
pub(super) fn reported(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    sheets: &Sheets,
    wanted: ProblemFilter,
) -> Result<Report> {
    let mut report = cells_reported(reader, sheets, wanted)?;
    // Without any template in use there are only arrangements.
    if !sheets.is_empty() {
        derive::compare(reader, scope, sheets, &mut report)?;
    }
    Ok(report)
}

/// Checks the cells: the rules of the receiving system, and LEIs against the golden copy that was loaded.
pub(super) fn cells_reported(
    reader: &mut Reader<'_>,
    sheets: &Sheets,
    wanted: ProblemFilter,
) -> Result<Report> {
    let mut report = Report::new(wanted);
    filing::check(sheets, &mut report);
    filing::issued::check_issued(sheets, &issued_lei::all(reader)?, &mut report);
    Ok(report)
}

/// The fields of a row for the audit log.
pub(super) fn described(template: Template, row: &SheetRow) -> Value {
    let cells = row.filled(template).map(|(column, cell)| (column.code().to_string(), json!(cell)));
    json!({ "template": template.id(), "cells": Value::Object(cells.collect()) })
}

/// What changed, as `column: [before, after]`.
pub(super) fn difference(template: Template, before: &SheetRow, after: &SheetRow) -> Value {
    let cells = template.columns().iter().zip(before.cells.iter().zip(&after.cells));
    let changed = cells.filter(|(_, (old, new))| old != new);
    let cells = changed.map(|(column, (old, new))| (column.code().to_string(), json!([old, new])));
    json!({ "template": template.id(), "cells": Value::Object(cells.collect()) })
}
