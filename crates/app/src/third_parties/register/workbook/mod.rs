//! The register as a workbook: one sheet for each template, named by its code, with the column codes in the first row
//! and the titles below. An exported workbook is read back cell by cell; a cell that a spreadsheet has changed is
//! read as the value it displays, or reported as a problem.
//!
//! The reader is our own, because files come from outside and must cost no more than their content is worth: it unpacks
//! at most so many bytes and parts (`parts`), counts rows, cells and their text while it reads (`cells`, `table`), resolves
//! no entities, and reports each odd cell with its place. `calamine`, the common reader, has no setting for any of these
//! bounds: it unpacks a part to whatever size it has, reads all shared texts into memory when a file is opened, and makes
//! a sheet with one distant cell a table of all cells before it.

mod cells;
mod csv;
mod number;
mod parts;
mod strings;
mod styles;
mod table;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    io::{Cursor, Read, Seek},
};

use domain::{
    import::FileComplaint,
    register::{
        Quoted, Template,
        filing::{Check, Severity, WorkbookFinding as Finding, WorkbookRemedy as Remedy},
        sheets::Sheets,
    },
    wording::Language,
};
use quick_xml::events::Event;
use reports::{ReportError, book::Book};

pub(crate) use self::csv::as_csv;
use self::{
    cells::Shared,
    csv::full,
    number::Epoch,
    parts::{Parts, attribute, damaged},
    strings::Strings,
    styles::Styles,
    table::Table,
};
use super::take::TemplateRows;
use crate::{
    Error, Result,
    budget::{Budget, Limits},
    costly::WorkContext,
};

/// The maximum number of sheets that are listed.
const MAX_SHEETS: usize = 500;
/// What a workbook of the register may hold. Many cells may share one long text.
const REGISTER: Limits = Limits { bytes: 64 * 1024 * 1024, cells: 2_000_000, entries: 250_000 };
/// The name of the checks of a workbook's form.
const RULE: &str = "workbook";

/// A parsed workbook.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) tables: TemplateRows,
    /// The sheets that were not read.
    pub(super) others: Vec<Check>,
}

/// The register as a workbook, with titles in one language.
pub(super) fn to_bytes(sheets: &Sheets, language: Language, context: &WorkContext) -> Result<Vec<u8>> {
    let mut book = Book::new(context.folder().map_err(full)?).map_err(Error::internal)?;
    for template in Template::ALL {
        context.check()?;
        let columns = template.columns();
        let heads = [
            columns.iter().map(|column| column.code().to_string()).collect(),
            columns.iter().map(|column| column.label().text(language).to_owned()).collect(),
        ];
        let rows = sheets.rows(template).iter().map(|row| &row.cells);
        book.sheet(template.id(), &heads, rows).map_err(|error| match error {
            ReportError::LongCell { row, most, .. } => {
                Error::invalid("register", FileComplaint::LongCell { template: template.id(), row, most })
            }
            other => Error::internal(other),
        })?;
    }
    Ok(book.finish(Cursor::new(Vec::new())).map_err(Error::internal)?.into_inner())
}

/// What an archive was read as.
#[derive(Debug)]
pub(super) enum ReadWorkbook {
    /// It is an archive of another kind.
    Other,
    /// Some sheets cannot be read, so nothing of the workbook is used.
    Refused(Vec<Check>),
    Ready(Incoming),
}

/// Reads a workbook.
pub(super) fn read(reader: impl Read + Seek, context: &WorkContext) -> Result<ReadWorkbook> {
    let Some(mut parts) = Parts::open(reader)? else { return Ok(ReadWorkbook::Other) };
    let Listed { sheets, epoch } = listed(&mut parts)?;
    let related = related(&mut parts)?;
    let mut budget = Budget::new(REGISTER, context);
    let shared = shared(&mut parts, &related, epoch, &mut budget)?;
    let (mut tables, mut others, mut problems) = (BTreeMap::new(), Vec::new(), Vec::new());
    for sheet in sheets {
        let Some(template) = Template::from_name(sheet.name.trim()) else {
            let check = other(&sheet.name);
            if check.severity == Severity::Refused {
                problems.push(check);
            } else {
                others.push(check);
            }
            continue;
        };
        let place = related.iter().find(|part| part.id == sheet.part).map(|part| part.place.as_str());
        let part = parts.part(place.unwrap_or_default())?;
        let part =
            part.ok_or_else(|| damaged(&format_args!("the sheet {} has no content", template.id())))?;
        let mut table = Table::new(template);
        let merged = cells::each(part, &shared, &mut budget, |cell| {
            table.add(cell);
            Ok(())
        })?;
        match table.finish(merged) {
            Ok(rows) => {
                if tables.insert(template, rows).is_some() {
                    let template = template.id();
                    return Err(Error::invalid("file", FileComplaint::TemplateTwice { template }));
                }
            }
            Err(checks) => problems.extend(checks),
        }
    }
    if !problems.is_empty() {
        return Ok(ReadWorkbook::Refused(problems));
    }
    if tables.is_empty() {
        return Err(Error::invalid("file", FileComplaint::NoSheet));
    }
    Ok(ReadWorkbook::Ready(Incoming { tables, others }))
}

/// A sheet as it stands, for what is exchanged besides the register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainSheet {
    pub name: String,
    pub rows: Vec<PlainRow>,
}

/// A row with its cells that are not empty, each by its column from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainRow {
    /// From 1, as a spreadsheet counts.
    pub number: u32,
    pub cells: Vec<(u32, Result<String, Finding>)>,
}

/// Which sheets of a workbook are read as they stand.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted {
    All,
    /// The sheet of this name, in any letter case, or else the first, with at most so many columns.
    One {
        name: &'static str,
        columns: usize,
    },
}

/// The wanted sheets of a workbook, and the names of the others; an archive of another kind is none.
pub(crate) fn plain(
    reader: impl Read + Seek,
    wanted: Wanted,
    budget: &mut Budget,
) -> Result<Option<(Vec<PlainSheet>, Vec<String>)>> {
    let Some(mut parts) = Parts::open(reader)? else { return Ok(None) };
    let Listed { mut sheets, epoch } = listed(&mut parts)?;
    let related = related(&mut parts)?;
    let shared = shared(&mut parts, &related, epoch, budget)?;
    let (mut others, mut most) = (Vec::new(), usize::MAX);
    if let Wanted::One { name, columns } = wanted {
        let named = sheets.iter().position(|sheet| sheet.name.trim().eq_ignore_ascii_case(name));
        let chosen = (!sheets.is_empty()).then(|| sheets.remove(named.unwrap_or(0)));
        others = sheets.into_iter().map(|sheet| sheet.name).collect();
        (sheets, most) = (chosen.into_iter().collect(), columns);
    }
    let mut read = Vec::new();
    for sheet in sheets {
        let place = related.iter().find(|part| part.id == sheet.part).map(|part| part.place.as_str());
        let Some(part) = parts.part(place.unwrap_or_default())? else { continue };
        let mut rows: Vec<PlainRow> = Vec::new();
        cells::each(part, &shared, budget, |cell| {
            if rows.last().is_none_or(|row| row.number != cell.row) {
                rows.push(PlainRow { number: cell.row, cells: Vec::new() });
            }
            let is_head = rows.len() == 1;
            if let Some(row) = rows.last_mut() {
                row.cells.push((cell.column, cell.value.map_err(|(finding, _)| finding)));
                if is_head && row.cells.len() > most {
                    return Err(Error::invalid("file", FileComplaint::TooManyColumns { most }));
                }
            }
            Ok(())
        })?;
        read.push(PlainSheet { name: sheet.name, rows });
    }
    Ok(Some((read, others)))
}

/// A sheet that is no template. One that is named like a template was meant to be one.
fn other(name: &str) -> Check {
    let like =
        ["b_", "b0", "b9", "rt."].iter().any(|start| name.trim().to_ascii_lowercase().starts_with(start));
    let quoted = Quoted(name.to_owned());
    let (severity, finding) = if like {
        (Severity::Refused, Finding::LikeATemplate { name: quoted })
    } else {
        (Severity::Advice, Finding::OtherSheet { name: quoted })
    };
    Check {
        rule: RULE,
        severity,
        template: None,
        row: None,
        column: None,
        message: finding.into(),
        remedy: Remedy::RenameSheet.into(),
        value: None,
    }
}

/// A sheet by its name and the id of the relation to its part.
struct Sheet {
    name: String,
    part: String,
}

struct Listed {
    sheets: Vec<Sheet>,
    epoch: Epoch,
}

fn listed<R: Read + Seek>(parts: &mut Parts<R>) -> Result<Listed> {
    let mut listed = Listed { sheets: Vec::new(), epoch: Epoch::Of1900 };
    let mut part = parts.workbook()?;
    while let Some(event) = part.next()? {
        let Event::Start(element) = &event else { continue };
        match element.local_name().as_ref() {
            "sheet" => listed.sheets.push(Sheet {
                name: attribute(element, "name").unwrap_or_default(),
                part: attribute(element, "id").unwrap_or_default(),
            }),
            "workbookPr" => {
                let is_1904 =
                    attribute(element, "date1904").is_some_and(|text| text == "1" || text == "true");
                listed.epoch = if is_1904 { Epoch::Of1904 } else { Epoch::Of1900 };
            }
            _ => {}
        }
        if listed.sheets.len() > MAX_SHEETS {
            return Err(damaged("it has too many sheets"));
        }
    }
    Ok(listed)
}

/// The parts of the workbook.
struct Related {
    id: String,
    kind: String,
    place: String,
}

fn related<R: Read + Seek>(parts: &mut Parts<R>) -> Result<Vec<Related>> {
    let mut related = Vec::new();
    let Some(mut part) = parts.part("xl/_rels/workbook.xml.rels")? else {
        return Err(damaged("it does not say where its sheets are"));
    };
    while let Some(event) = part.next()? {
        let Event::Start(element) = &event else { continue };
        if element.local_name().as_ref() != "Relationship" {
            continue;
        }
        let target = attribute(element, "Target").unwrap_or_default();
        let place = match target.strip_prefix('/') {
            Some(place) => place.to_owned(),
            None => format!("xl/{target}"),
        };
        related.push(Related {
            id: attribute(element, "Id").unwrap_or_default(),
            kind: attribute(element, "Type").unwrap_or_default(),
            place,
        });
        if related.len() > 2 * MAX_SHEETS {
            return Err(damaged("it has too many parts"));
        }
    }
    Ok(related)
}

fn shared<R: Read + Seek>(
    parts: &mut Parts<R>,
    related: &[Related],
    epoch: Epoch,
    budget: &mut Budget,
) -> Result<Shared> {
    let place = |kind: &str| related.iter().find(|part| part.kind.ends_with(kind)).map(|part| &*part.place);
    let strings = match parts.part(place("/sharedStrings").unwrap_or_default())? {
        Some(part) => Strings::read(part, budget)?,
        None => Strings::default(),
    };
    let styles = match parts.part(place("/styles").unwrap_or_default())? {
        Some(part) => Styles::read(part)?,
        None => Styles::default(),
    };
    Ok(Shared { strings, styles, epoch, has_times: false })
}
