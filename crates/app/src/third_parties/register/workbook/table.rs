//! Parses a sheet as the rows of its template: first the column codes, then optionally their titles, then rows.

use domain::{
    register::{
        Quoted, Template,
        filing::{
            Check, CheckMessage, CheckRemedy, PackageFinding, PackageRemedy, Severity,
            WorkbookFinding as Finding, WorkbookRemedy as Remedy,
        },
        release::{Column, ColumnCode},
        sheets::{HeadingProblem, SheetHeader, SheetRow},
    },
    wording::Language,
};

use super::{
    RULE,
    cells::{Cell, CellProblem, name},
};
use crate::Result;

/// How many problems are reported for one sheet.
const MOST: usize = 50;

/// The column codes of a sheet.
struct Heads {
    header: SheetHeader,
    /// For each heading the column of the sheet.
    places: Vec<u32>,
}

/// A sheet that is being read.
pub(super) struct Table {
    template: Template,
    /// The row that is being read.
    row: u32,
    cells: Vec<(u32, Result<String, CellProblem>)>,
    heads: Option<Heads>,
    titles_may_come: bool,
    rows: Vec<SheetRow>,
    problems: Vec<Check>,
    /// The headings could not be parsed, so the rows cannot be either.
    failed: bool,
}

impl Table {
    pub(super) fn new(template: Template) -> Self {
        Self {
            template,
            row: 0,
            cells: Vec::new(),
            heads: None,
            titles_may_come: true,
            rows: Vec::new(),
            problems: Vec::new(),
            failed: false,
        }
    }

    pub(super) fn add(&mut self, cell: Cell) {
        if cell.row != self.row {
            self.end_row();
            self.row = cell.row;
        }
        self.cells.push((cell.column, cell.value));
    }

    /// The rows, or the problems that prevent parsing them.
    pub(super) fn finish(mut self, merged: Vec<String>) -> Result<Vec<SheetRow>, Vec<Check>> {
        self.end_row();
        if self.heads.is_none() && !self.failed {
            self.complain(None, None, Finding::NoHeadings, Remedy::FirstRow);
        }
        for range in merged {
            self.complain(None, None, Finding::Merged { range: Quoted(range) }, Remedy::Unmerge);
        }
        if self.problems.is_empty() { Ok(self.rows) } else { Err(self.problems) }
    }

    fn end_row(&mut self) {
        let cells = std::mem::take(&mut self.cells);
        if cells.is_empty() || self.failed {
            return;
        }
        let Some(heads) = self.heads.take() else {
            self.begin(cells);
            return;
        };
        self.take_row(&heads, cells);
        self.heads = Some(heads);
    }

    /// The first row that is not empty contains the column codes.
    fn begin(&mut self, cells: Vec<(u32, Result<String, CellProblem>)>) {
        let (mut headings, mut places) = (Vec::new(), Vec::new());
        for (column, value) in cells {
            match value {
                Ok(text) => {
                    headings.push(text);
                    places.push(column);
                }
                Err((finding, remedy)) => self.complain(Some(self.row), None, finding, remedy),
            }
        }
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        match SheetHeader::read(self.template, &headings) {
            Ok(header) => {
                // A missing column would clear the stored cells of that column.
                for column in header.missing() {
                    let finding = Finding::MissingColumn { code: column.code() };
                    self.complain(None, Some(column.code()), finding, Remedy::AddColumn);
                }
                self.heads = Some(Heads { header, places });
            }
            Err(problems) => {
                self.failed = true;
                for problem in problems {
                    self.heading(&headings, &problem);
                }
            }
        }
    }

    fn heading(&mut self, headings: &[&str], problem: &HeadingProblem) {
        let (rule, finding) = match problem {
            HeadingProblem::Unknown(index) => {
                ("801", PackageFinding::UnknownColumn { heading: quoted(headings, *index) })
            }
            HeadingProblem::Twice(index) => {
                ("802", PackageFinding::ColumnTwice { heading: quoted(headings, *index) })
            }
        };
        self.add_check(rule, Some(self.row), None, finding.into(), PackageRemedy::OnlyColumns.into());
    }

    fn take_row(&mut self, heads: &Heads, cells: Vec<(u32, Result<String, CellProblem>)>) {
        let columns: Vec<&Column> = heads.header.columns().collect();
        let mut fields = vec![String::new(); columns.len()];
        for (place, value) in cells {
            let position = heads.places.binary_search(&place).ok();
            let code = position.and_then(|position| columns.get(position)).map(|column| column.code());
            match (position.and_then(|position| fields.get_mut(position)), value) {
                (Some(field), Ok(text)) => *field = text,
                (None, Ok(_)) => {
                    let cell = name(self.row, place);
                    self.complain(Some(self.row), None, Finding::OutsideCell { cell }, Remedy::EmptyOutside);
                }
                (_, Err((finding, remedy))) => self.complain(Some(self.row), code, finding, remedy),
            }
        }
        if std::mem::take(&mut self.titles_may_come) && are_titles(&columns, &fields) {
            return;
        }
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        self.rows.extend(heads.header.row(self.row.to_string(), &fields));
    }

    fn complain(&mut self, row: Option<u32>, column: Option<ColumnCode>, finding: Finding, remedy: Remedy) {
        self.add_check(RULE, row, column, finding.into(), remedy.into());
    }

    fn add_check(
        &mut self,
        rule: &'static str,
        row: Option<u32>,
        column: Option<ColumnCode>,
        message: CheckMessage,
        remedy: CheckRemedy,
    ) {
        if self.problems.len() >= MOST {
            return;
        }
        self.problems.push(Check {
            rule,
            severity: Severity::Refused,
            template: Some(self.template),
            row: row.map(|row| row.to_string().into()),
            column,
            message,
            remedy,
            value: None,
        });
    }
}

/// Whether the row repeats the titles of its columns, in either language.
fn are_titles(columns: &[&Column], fields: &[String]) -> bool {
    let mut any = false;
    for (column, field) in columns.iter().zip(fields).filter(|(_, field)| !field.is_empty()) {
        let label = column.label();
        if [Language::English, Language::German].iter().all(|language| label.text(*language) != field) {
            return false;
        }
        any = true;
    }
    any
}

fn quoted(headings: &[&str], index: usize) -> Quoted {
    Quoted(headings.get(index).map_or("", |text| text).to_owned())
}
