//! Keeps functions and the rows of template `B_06.01` the same, in the transaction of the change.
//!
//! Every row with a name is a function, and a function that is created or changed by hand has a row as soon as the
//! register has an entity that maintains it. Functions that other records merely name get their row when the
//! arrangements are taken over.

use std::collections::{HashMap, HashSet};

use domain::{
    function::Function,
    page::PageRequest,
    register::{
        Template,
        columns::functions,
        follow_identifier, new_function_row, read_function,
        sheets::{SheetRow, Sheets},
    },
    text::Name,
};
use store::{
    Tx,
    function::{self as rows, FunctionFilter, FunctionRow},
    record::{self, RecordRow},
    register as tables,
};

use super::derive::{self, Derived};
use crate::{Error, Result, author::Author, function, records::RecordKind as _};

/// More functions than these are not read at once.
const MOST: u32 = 250_000;
const ROWS: Template = Template::Functions;

/// Applies a change of rows to the functions and the arrangements.
pub(super) fn follow(author: &Author, tx: &mut Tx<'_>, before: &Sheets) -> Result<Derived> {
    let after = take(author, tx, before)?;
    derive::store(author, tx, &before.entries(), &after.entries())
}

/// Applies a change of the rows of `B_06.01` to the functions. Returns the register as it is then: what a function knew
/// and its first row does not say is added to the row.
pub(super) fn take(author: &Author, tx: &mut Tx<'_>, before: &Sheets) -> Result<Sheets> {
    let mut after = tables::sheets(tx, author.scope())?;
    if before.rows(ROWS) == after.rows(ROWS) {
        return Ok(after);
    }
    let (old, new) = (before.function_names(), after.function_names());
    let mut reading = Reading::new(author, tx, before, &old, &new)?;
    for (place, name) in new.iter().enumerate() {
        let (Some(name), Some(row)) = (name, after.rows(ROWS).get(place)) else { continue };
        if reading.is_unchanged(row, name) {
            continue;
        }
        let function = reading.read(author, tx, row, name)?;
        let mut said = row.clone();
        domain::register::write_function(&mut said, name.as_str(), &function);
        if said != *row {
            store_row(author, tx, ROWS, &said)?;
            after.rows_mut(ROWS)[place] = said;
        }
    }
    reading.move_others(author, tx, &after, &new)?;
    Ok(after)
}

/// The state of one reading of changed rows.
struct Reading<'s> {
    /// The rows before, by the names of their functions.
    by_name: HashMap<&'s str, &'s SheetRow>,
    /// The names before, by the ids of the rows.
    by_row: HashMap<&'s str, &'s Name>,
    /// The names after.
    present: HashSet<&'s str>,
    known: HashMap<String, FunctionRow>,
}

impl<'s> Reading<'s> {
    fn new(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &'s Sheets,
        old: &'s [Option<Name>],
        new: &'s [Option<Name>],
    ) -> Result<Self> {
        let named =
            || before.rows(ROWS).iter().zip(old).filter_map(|(row, name)| Some((row, name.as_ref()?)));
        let whole = PageRequest::part(MOST, 0);
        let kept =
            record::list::<Function>(tx, author.scope(), &FunctionFilter::default(), None, whole)?.items;
        Ok(Self {
            by_name: named().map(|(row, name)| (name.as_str(), row)).collect(),
            by_row: named().map(|(row, name)| (&*row.name, name)).collect(),
            present: new.iter().flatten().map(Name::as_str).collect(),
            known: kept.into_iter().map(|row| (row.record.name.to_string(), row)).collect(),
        })
    }

    fn is_unchanged(&self, row: &SheetRow, name: &Name) -> bool {
        self.known.contains_key(name.as_str())
            && self.by_name.get(name.as_str()).is_some_and(|old| old.cells == row.cells)
    }

    /// The function of a row after the change.
    fn read(&mut self, author: &Author, tx: &mut Tx<'_>, row: &SheetRow, name: &Name) -> Result<Function> {
        let first = !self.by_name.contains_key(name.as_str());
        let (kept, first) = match self.known.remove(name.as_str()) {
            Some(kept) => (Some(kept), first),
            // A row that is renamed renames its function.
            None => (self.renamed(author, tx, row)?, false),
        };
        let number = match &kept {
            Some(kept) => kept.record.number,
            None => function::next_number(tx, author.scope())?,
        };
        let known = kept.as_ref().map(|kept| &kept.record);
        let read = read_function(row, name.clone(), number, known, first);
        let read = function::numbered(tx, author.scope(), read)?;
        let stored = match kept {
            None => {
                let made = RecordRow::new(author.core.ids.next(author.now), read, author.now);
                author.index(tx, Function::WORDS, &made.id.to_string(), &made.record.texts().words())?;
                record::insert(tx, author.scope(), &made)?;
                made
            }
            Some(kept) if kept.record == read => kept,
            Some(kept) => {
                let mut changed = RecordRow { record: read, updated_at: author.now, ..kept.clone() };
                author.store(tx, &kept, &changed)?;
                changed.version += 1;
                changed
            }
        };
        let function = stored.record.clone();
        self.known.insert(name.to_string(), stored);
        Ok(function)
    }

    /// The function that the row was before, if no other row is it now and only arrangements refer to it, which follow
    /// the rows.
    fn renamed(&mut self, author: &Author, tx: &mut Tx<'_>, row: &SheetRow) -> Result<Option<FunctionRow>> {
        let Some(former) = self.by_row.get(&*row.name).filter(|name| !self.present.contains(name.as_str()))
        else {
            return Ok(None);
        };
        let Some(kept) = self.known.get(former.as_str()) else { return Ok(None) };
        let counts = rows::counts_of(tx, author.scope(), &[kept.id])?.first().copied().unwrap_or_default();
        if counts.referrers() > counts.arrangements {
            return Ok(None);
        }
        Ok(self.known.remove(former.as_str()))
    }

    /// A function without a row gives way where its reference is the identifier of a row.
    fn move_others(
        &mut self,
        author: &Author,
        tx: &mut Tx<'_>,
        after: &Sheets,
        names: &[Option<Name>],
    ) -> Result<()> {
        let valid = after.rows(ROWS).iter().zip(names).filter(|(_, name)| name.is_some());
        let used: HashSet<&str> = valid.map(|(row, _)| row.at(functions::IDENTIFIER).trim()).collect();
        for (name, kept) in &self.known {
            if self.present.contains(name.as_str()) || !used.contains(kept.record.reference().as_str()) {
                continue;
            }
            let mut number = function::next_number(tx, author.scope())?;
            while used.contains(format!("F{number}").as_str()) {
                number += 1;
            }
            let record = Function { number, identifier: None, ..kept.record.clone() };
            let moved = RecordRow { record, updated_at: author.now, ..kept.clone() };
            author.store(tx, kept, &moved)?;
        }
        Ok(())
    }
}

/// Applies a change of a function to its row, and to the lines that name it by its identifier.
pub(crate) fn write_function(
    author: &Author,
    tx: &mut Tx<'_>,
    before: Option<&Function>,
    after: Option<&Function>,
) -> Result<()> {
    let sheets = tables::sheets(tx, author.scope())?;
    let named = sheets.function_names();
    let Some(name) = before.or(after).map(|function| &function.name) else { return Ok(()) };
    let places: Vec<usize> =
        (0..).zip(&named).filter(|(_, own)| own.as_ref() == Some(name)).map(|(place, _)| place).collect();
    let mut written = sheets.clone();
    match after {
        Some(after) if places.is_empty() => {
            let Some(entity) = sheets.maintainer() else { return Ok(()) };
            let row = author.core.add_row(tx, author.scope(), ROWS, &new_function_row(after, entity))?;
            written.push(ROWS, row);
        }
        Some(after) => write_rows(&mut written, &places, name, after),
        None if places.is_empty() => return Ok(()),
        None => {
            for place in places.iter().rev() {
                let gone = written.rows_mut(ROWS).remove(*place);
                let id = gone.name.parse().map_err(|_| Error::internal("a row without an id"))?;
                tables::delete(tx, author.scope(), ROWS, id)?;
            }
        }
    }
    if written == sheets {
        return Ok(());
    }
    if after.is_some() && !places.is_empty() {
        for template in [ROWS, Template::ContractLines] {
            let pairs = sheets.rows(template).iter().zip(written.rows(template));
            for (_, new) in pairs.filter(|(old, new)| old != new) {
                store_row(author, tx, template, new)?;
            }
        }
    }
    tables::note_change(tx, author.scope(), author.now)?;
    derive::store(author, tx, &sheets.entries(), &written.entries())?;
    Ok(())
}

fn write_rows(sheets: &mut Sheets, places: &[usize], name: &Name, function: &Function) {
    for place in places {
        let Some(row) = sheets.rows_mut(ROWS).get_mut(*place) else { continue };
        let former = row.at(functions::IDENTIFIER).trim().to_owned();
        domain::register::write_function(row, name.as_str(), function);
        let (entity, present) =
            (row.at(functions::ENTITY).trim().to_owned(), row.at(functions::IDENTIFIER).trim().to_owned());
        if former != present && !former.is_empty() {
            follow_identifier(sheets, &entity, &former, &present);
        }
    }
}

/// Stores the cells of a row that is kept.
pub(super) fn store_row(
    author: &Author,
    tx: &mut Tx<'_>,
    template: Template,
    content: &SheetRow,
) -> Result<()> {
    let id = content.name.parse().map_err(|_| Error::internal("a row without an id"))?;
    let row = tables::get(tx, author.scope(), template, id)?.ok_or(Error::Stale)?;
    let row = tables::RegisterRow { content: content.clone(), updated_at: author.now, ..row };
    if tables::update(tx, author.scope(), &row)? { Ok(()) } else { Err(Error::Stale) }
}
