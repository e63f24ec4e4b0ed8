//! The rows of all fifteen templates as entered: texts in the order of the template's columns. This is the exact form
//! of the register; records and arrangements are derived from it.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashSet},
};

use crate::{
    text::{self, TextError},
    wording::sentences,
};

use super::{
    columns::{ColumnId, lines, providers},
    release::Column,
    template::{Numbering, Template},
};

/// The maximum length of a cell.
pub const MAX_CELL: usize = 10_000;

/// A text for a cell.
pub fn cell(text: &str) -> Result<Box<str>, TextError> {
    text::prose(text, MAX_CELL).map(Into::into)
}

sentences! {
    /// Why the entries of a table cannot be stored.
    RowComplaint {
        Overtaken =
            "was changed meanwhile: compare with the row as it is now and enter the change again",
            "wurde inzwischen geändert: bitte mit dem jetzigen Stand vergleichen und die Änderung erneut eingeben";
        Gone =
            "was removed meanwhile, so its cells cannot be changed",
            "wurde inzwischen entfernt; ihre Zellen lassen sich nicht ändern";
        TooManyRows { most: usize } =
            "takes at most {most} rows at once: save in several steps or import a file",
            "nimmt höchstens {most} Zeilen auf einmal: bitte in mehreren Schritten speichern oder eine Datei importieren";
    }
}

/// One row. Its name is its identifier in the store, or its line in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetRow {
    pub name: Box<str>,
    /// One text for each column of the template; empty where nothing is reported.
    pub cells: Vec<Box<str>>,
}

impl SheetRow {
    pub fn new(name: impl Into<Box<str>>, template: Template) -> Self {
        Self { name: name.into(), cells: vec![Box::default(); template.columns().len()] }
    }

    pub fn cell(&self, position: usize) -> &str {
        self.cells.get(position).map_or("", |cell| cell)
    }

    /// The text of a column; empty for a column that its template does not have.
    pub fn at(&self, column: ColumnId) -> &str {
        column.position().map_or("", |position| self.cell(position))
    }

    pub fn put(&mut self, column: ColumnId, text: impl Into<Box<str>>) {
        if let Some(cell) = column.position().and_then(|position| self.cells.get_mut(position)) {
            *cell = text.into();
        }
    }

    pub fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }
}

/// The register, template by template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheets {
    tables: Vec<Vec<SheetRow>>,
}

impl Default for Sheets {
    fn default() -> Self {
        Self { tables: vec![Vec::new(); Template::ALL.len()] }
    }
}

impl Sheets {
    pub fn rows(&self, template: Template) -> &[SheetRow] {
        self.tables.get(template as usize).map_or(&[], Vec::as_slice)
    }

    pub fn rows_mut(&mut self, template: Template) -> &mut Vec<SheetRow> {
        &mut self.tables[template as usize]
    }

    pub fn push(&mut self, template: Template, row: SheetRow) {
        self.rows_mut(template).push(row);
    }

    pub fn replace(&mut self, template: Template, rows: Vec<SheetRow>) {
        *self.rows_mut(template) = rows;
    }

    /// How many rows all templates have together.
    pub fn len(&self) -> usize {
        self.tables.iter().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.tables.iter().all(Vec::is_empty)
    }

    /// The texts of a column, row by row.
    pub fn column(&self, column: ColumnId) -> impl Iterator<Item = &str> {
        let position = column.position().unwrap_or(usize::MAX);
        self.rows(column.template).iter().map(move |row| row.cell(position))
    }

    /// How many companies of `B_05.01` provide a service of an own contract, and how many others it has.
    pub fn companies(&self) -> Companies {
        let own: HashSet<&str> = self.column(lines::PROVIDER).collect();
        let listed: HashSet<&str> = self.column(providers::CODE).filter(|code| !code.is_empty()).collect();
        let providers = listed.iter().filter(|code| own.contains(**code)).count();
        Companies { providers: providers as u64, others: (listed.len() - providers) as u64 }
    }
}

/// The companies of template `B_05.01`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Companies {
    /// Providers of own contracts.
    pub providers: u64,
    /// Parents and subcontractors of these.
    pub others: u64,
}

/// Why the headings of a file are not those of its template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeadingProblem {
    /// The position in the file of a heading the template does not have.
    Unknown(usize),
    /// The position in the file of a repeated heading.
    Twice(usize),
}

/// The columns of the cells of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetHeader {
    template: Template,
    /// For each heading of the file the position of its column in the template.
    positions: Vec<usize>,
}

impl SheetHeader {
    pub fn read(template: Template, headings: &[&str]) -> Result<Self, Vec<HeadingProblem>> {
        let numbers: Vec<_> = headings.iter().map(|heading| template.heading_number(heading)).collect();
        let known: Vec<_> = numbers.iter().copied().flatten().collect();
        let numbering = template.numbering(&known);
        let (mut positions, mut problems) = (Vec::new(), Vec::new());
        for (index, number) in numbers.into_iter().enumerate() {
            match number.and_then(|number| position(template, number, numbering)) {
                None => problems.push(HeadingProblem::Unknown(index)),
                Some(position) if positions.contains(&position) => {
                    problems.push(HeadingProblem::Twice(index));
                }
                Some(position) => positions.push(position),
            }
        }
        if problems.is_empty() { Ok(Self { template, positions }) } else { Err(problems) }
    }

    pub fn width(&self) -> usize {
        self.positions.len()
    }

    /// The columns the headings stand for, in the order of the file.
    pub fn columns(&self) -> impl Iterator<Item = &'static Column> {
        self.positions.iter().filter_map(|position| self.template.columns().get(*position))
    }

    /// The columns of the template that the file lacks.
    pub fn missing(&self) -> impl Iterator<Item = &'static Column> {
        let columns = self.template.columns().iter().enumerate();
        columns.filter(|(position, _)| !self.positions.contains(position)).map(|(_, column)| column)
    }

    /// The row, when it has as many cells as there are headings.
    pub fn row(&self, name: impl Into<Box<str>>, fields: &[&str]) -> Option<SheetRow> {
        if fields.len() != self.width() {
            return None;
        }
        let mut row = SheetRow::new(name, self.template);
        for (position, field) in self.positions.iter().zip(fields) {
            row.cells[*position] = (*field).into();
        }
        Some(row)
    }
}

fn position(template: Template, number: u16, numbering: Numbering) -> Option<usize> {
    let wanted = template.column(number, numbering)?;
    template.columns().iter().position(|column: &Column| column.number == wanted.number)
}

/// The stored cells of a row: an object of column codes and texts, empty cells left out. It does not depend on the
/// order of columns, so that a release can add some.
impl SheetRow {
    pub fn from_json(
        name: impl Into<Box<str>>,
        template: Template,
        text: &str,
    ) -> Result<Self, serde_json::Error> {
        let cells: BTreeMap<Cow<'_, str>, String> = serde_json::from_str(text)?;
        let mut row = Self::new(name, template);
        for (code, text) in cells {
            if let Some(position) = template.position(&code) {
                row.cells[position] = text.into();
            }
        }
        Ok(row)
    }

    pub fn to_json(&self, template: Template) -> String {
        let filled = self.filled(template).map(|(column, cell)| (column.code().to_string(), cell));
        serde_json::json!(filled.collect::<BTreeMap<_, _>>()).to_string()
    }

    /// The columns with a value.
    pub fn filled(&self, template: Template) -> impl Iterator<Item = (&'static Column, &str)> {
        let cells = template.columns().iter().zip(&self.cells).map(|(column, cell)| (column, &**cell));
        cells.filter(|(_, cell)| !cell.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_kept_by_their_code() {
        let template = Template::SigningMembers;
        let header = SheetHeader::read(template, &["c0031", "c0010"]).unwrap();
        let row = header.row("1", &["true", "C \"1\""]).unwrap();
        assert_eq!(row.to_json(template), r#"{"c0010":"C \"1\"","c0031":"true"}"#);
        assert_eq!(SheetRow::from_json("1", template, &row.to_json(template)).unwrap(), row);
        assert_eq!(header.row("2", &["true"]), None);
        let codes = |columns: Vec<&Column>| columns.iter().map(|column| column.number).collect::<Vec<_>>();
        assert_eq!(codes(header.columns().collect()), [31, 10]);
        assert_eq!(codes(header.missing().collect()), [20]);
        let unknown = SheetRow::from_json("1", template, r#"{"c0999":"x"}"#).unwrap();
        assert!(unknown.is_blank());
    }

    #[test]
    fn headings_are_those_of_the_template() {
        let wrong = SheetHeader::read(Template::Contracts, &["c0010", "c0015", "c0010"]).unwrap_err();
        assert_eq!(wrong, [HeadingProblem::Unknown(1), HeadingProblem::Twice(2)]);
        let old = ["B_06.01.0010", "B_06.01.0040", "B_06.01.0060", "B_06.01.0110"];
        let header = SheetHeader::read(Template::Functions, &old).unwrap();
        let row = header.row("1", &["F1", "LEI", "eba_BT:x28", "eba_ZZ:x793"]).unwrap();
        let codes: Vec<_> =
            row.filled(Template::Functions).map(|(column, _)| column.code().to_string()).collect();
        assert_eq!(codes, ["c0010", "c0040", "c0050", "c0100"]);
    }
}
