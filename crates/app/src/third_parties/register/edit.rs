//! The rows of a template edited as a table: many cells at once, all or nothing.

use std::collections::HashSet;

use domain::{
    id::RegisterRowId,
    moment::Moment,
    page::{Page, PageRequest},
    register::{
        Template,
        filing::{Check, Counts, ProblemFilter},
        sheets::{RowComplaint, SheetRow, Sheets},
    },
    right::{Resource, Right},
    violation::Violations,
};
use sha2::{Digest as _, Sha256};
use store::{Reader, TenantScope, Tx, register as rows};

use super::row::{CellChange, RegisterRow, cells_reported, derived, described, difference};
use crate::{Core, Error, Result, ThirdParties, author::Author, authz::Caller};

/// The maximum number of rows in one request.
pub const MOST_EDITED: usize = 500;
/// The maximum number of problems shown beside the cells of one page.
const MOST_CHECKS: usize = 1_000;
/// The maximum number of problems whose rows are determined.
const MOST_FOUND: usize = 50_000;

/// The filters of the rows of a template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableFilter {
    /// The position of the column that contains the text; any column if `None`.
    pub column: Option<usize>,
    pub text: Option<String>,
    pub with_problems: bool,
}

/// The problems of some rows of a template, and how many there are in it and in the whole register.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableChecks {
    pub checks: Vec<Check>,
    pub of_template: Counts,
    pub of_register: Counts,
}

/// The values entered into one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowEdit {
    /// The row and the digest of its content when it was shown; `None` for a new row.
    pub row: Option<(RegisterRowId, String)>,
    pub cells: Vec<CellChange>,
}

/// The result of an edit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowsEdited {
    pub added: u64,
    pub changed: u64,
    /// Rows that were emptied.
    pub removed: u64,
}

/// A step that is executed once every row has been checked.
enum Step {
    Add(RegisterRow),
    Change(RegisterRow, RegisterRow),
    Remove(RegisterRow),
}

impl ThirdParties {
    /// A page of the matching rows, with the problems of exactly these rows and the counts of all.
    pub async fn register_table(
        &self,
        caller: &Caller,
        template: Template,
        filter: TableFilter,
        request: PageRequest,
    ) -> Result<(Page<SheetRow>, TableChecks)> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| table(r, &scope, template, &filter, request)).await
    }

    /// The result of the checks after the edit, with the problems of the edited rows. Nothing is stored.
    pub async fn check_register_edits(
        &self,
        caller: &Caller,
        template: Template,
        edits: Vec<RowEdit>,
    ) -> Result<TableChecks> {
        caller.require_right(Resource::Register, Right::Write)?;
        bounded(&edits)?;
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| {
            let mut sheets = rows::sheets(r, &scope)?;
            let names = entered(&mut sheets, template, &edits);
            checked(r, &sheets, template, Some(names), MOST_CHECKS)
        };
        self.db.tenant(&scope).read(read).await
    }

    /// Stores the values entered into many rows: all, or nothing if one row was changed meanwhile. The field of a
    /// violation is `row-` and the position of the edit. An emptied row is deleted.
    pub async fn edit_register_rows(
        &self,
        caller: &Caller,
        template: Template,
        edits: Vec<RowEdit>,
    ) -> Result<RowsEdited> {
        caller.require_right(Resource::Register, Right::Write)?;
        bounded(&edits)?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let steps = author.core.planned_edits(tx, &scope, template, &edits, author.now)?;
                let mut edited = RowsEdited::default();
                if steps.is_empty() {
                    return Ok(edited);
                }
                derived(&author, tx, template, |tx| {
                    steps.iter().try_for_each(|step| made(tx, &scope, step))
                })?;
                for step in &steps {
                    let (action, id, detail) = match step {
                        Step::Add(row) => {
                            edited.added += 1;
                            ("register.row_created", row.id, described(template, &row.content))
                        }
                        Step::Change(before, after) => {
                            edited.changed += 1;
                            let detail = difference(template, &before.content, &after.content);
                            ("register.row_changed", after.id, detail)
                        }
                        Step::Remove(row) => {
                            edited.removed += 1;
                            ("register.row_deleted", row.id, described(template, &row.content))
                        }
                    };
                    author.audit(tx, action, id, &detail)?;
                }
                Ok(edited)
            })
            .await
    }
}

impl Core {
    fn planned_edits(
        &self,
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        template: Template,
        edits: &[RowEdit],
        now: Moment,
    ) -> Result<Vec<Step>> {
        let (mut steps, mut wrong) = (Vec::new(), Violations::default());
        for (place, edit) in edits.iter().enumerate() {
            match &edit.row {
                None => {
                    let id: RegisterRowId = self.ids.next(now);
                    let content = after(&SheetRow::new(id.to_string(), template), edit);
                    if content.cells.iter().any(|cell| !cell.is_empty()) {
                        steps.push(Step::Add(RegisterRow {
                            id,
                            template,
                            content,
                            version: 1,
                            created_at: now,
                            updated_at: now,
                        }));
                    }
                }
                Some((id, mark)) => {
                    let Some(before) = rows::get(tx, scope, template, *id)? else {
                        wrong.add(format!("row-{place}"), RowComplaint::Gone);
                        continue;
                    };
                    let content = after(&before.content, edit);
                    if content == before.content {
                        continue;
                    }
                    if row_mark(&before.content) != *mark {
                        wrong.add(format!("row-{place}"), RowComplaint::Overtaken);
                    } else if content.cells.iter().all(|cell| cell.is_empty()) {
                        steps.push(Step::Remove(before));
                    } else {
                        let changed = RegisterRow { content, updated_at: now, ..before.clone() };
                        steps.push(Step::Change(before, changed));
                    }
                }
            }
        }
        wrong.or(Some(steps)).map_err(Error::Invalid)
    }
}

fn made(tx: &mut Tx<'_>, scope: &TenantScope, step: &Step) -> Result<()> {
    match step {
        Step::Add(row) => Ok(rows::insert(tx, scope, row)?),
        Step::Change(_, after) if rows::update(tx, scope, after)? => Ok(()),
        Step::Change(..) => Err(Error::Stale),
        Step::Remove(row) => {
            rows::delete(tx, scope, row.template, row.id)?;
            Ok(())
        }
    }
}

fn bounded(edits: &[RowEdit]) -> Result<()> {
    if edits.len() > MOST_EDITED {
        return Err(Error::invalid("table", RowComplaint::TooManyRows { most: MOST_EDITED }));
    }
    Ok(())
}

/// The row after the edit.
fn after(before: &SheetRow, edit: &RowEdit) -> SheetRow {
    let mut row = before.clone();
    for (position, text) in &edit.cells {
        // A form normalises line ends; a cell that was not edited stays as it is.
        if let Some(cell) = row.cells.get_mut(*position)
            && cell.replace("\r\n", "\n") != **text
        {
            cell.clone_from(text);
        }
    }
    row
}

/// Applies the edits to the register and returns the names of the affected rows; new rows are named by the position
/// of their edit.
fn entered(sheets: &mut Sheets, template: Template, edits: &[RowEdit]) -> HashSet<Box<str>> {
    let mut names = HashSet::new();
    for (place, edit) in edits.iter().enumerate() {
        let name: Box<str> = match &edit.row {
            Some((id, _)) => id.to_string().into(),
            None => format!("row-{place}").into(),
        };
        let table = sheets.rows_mut(template);
        match table.iter_mut().find(|row| row.name == name) {
            Some(row) => *row = after(row, edit),
            None if edit.row.is_none() && edit.cells.iter().any(|(_, text)| !text.is_empty()) => {
                table.push(after(&SheetRow::new(name.clone(), template), edit));
            }
            None => {}
        }
        names.insert(name);
    }
    sheets.rows_mut(template).retain(|row| !row.is_blank());
    names
}

fn table(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    template: Template,
    filter: &TableFilter,
    request: PageRequest,
) -> Result<(Page<SheetRow>, TableChecks)> {
    let sheets = rows::sheets(reader, scope)?;
    let wrong: Option<HashSet<Box<str>>> = if filter.with_problems {
        let found = checked(reader, &sheets, template, None, MOST_FOUND)?;
        Some(found.checks.into_iter().filter_map(|check| check.row).collect())
    } else {
        None
    };
    let text = filter.text.as_deref().map(str::to_lowercase);
    let fits = |row: &&SheetRow| {
        let holds = |cell: &str| text.as_deref().is_none_or(|text| cell.to_lowercase().contains(text));
        let has_text = match filter.column {
            _ if text.is_none() => true,
            Some(column) => holds(row.cell(column)),
            None => row.cells.iter().any(|cell| holds(cell)),
        };
        has_text && wrong.as_ref().is_none_or(|wrong| wrong.contains(&row.name))
    };
    let fitting: Vec<&SheetRow> = sheets.rows(template).iter().filter(fits).collect();
    let offset = usize::try_from(request.offset()).unwrap_or(usize::MAX);
    let limit = usize::try_from(request.limit()).unwrap_or(usize::MAX);
    let shown: Vec<SheetRow> = fitting.iter().skip(offset).take(limit).map(|row| (*row).clone()).collect();
    let names = shown.iter().map(|row| row.name.clone()).collect();
    let checks = checked(reader, &sheets, template, Some(names), MOST_CHECKS)?;
    Ok((Page::new(shown, fitting.len() as u64, request), checks))
}

fn checked(
    reader: &mut Reader<'_>,
    sheets: &Sheets,
    template: Template,
    rows: Option<HashSet<Box<str>>>,
    limit: usize,
) -> Result<TableChecks> {
    let wanted = ProblemFilter { template: Some(template), rows, limit, ..ProblemFilter::default() };
    let report = cells_reported(reader, sheets, wanted)?;
    Ok(TableChecks {
        checks: report.checks().to_vec(),
        of_template: report.counts_of(template),
        of_register: report.counts(),
    })
}

/// A digest that shows whether a row has changed since it was shown.
pub fn row_mark(row: &SheetRow) -> String {
    let mut digest = Sha256::new();
    for cell in &row.cells {
        digest.update((cell.len() as u64).to_be_bytes());
        digest.update(cell.as_bytes());
    }
    digest.finalize().iter().take(8).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}
