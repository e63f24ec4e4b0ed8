//! Parses official tables into rows.

use std::borrow::Cow;

use domain::{
    import::records::{RecordError, RecordProblem, Records},
    register::{
        Quoted, Template,
        filing::{Check, CheckMessage, CheckRemedy, PackageFinding, PackageRemedy, Severity},
        release::ColumnCode,
        sheets::{HeadingProblem, SheetHeader, SheetRow},
    },
};

use super::table::delimiter;
use crate::{
    Result,
    budget::{Budget, Limits},
};

/// What the tables of a file may hold together.
pub(super) const TABLES: Limits = Limits { bytes: 64 * 1024 * 1024, cells: 2_000_000, entries: 250_000 };
/// How many problems of its form are reported for one table.
const MOST: usize = 50;

/// Parses a table; `marked` means that a spreadsheet may have written it, with apostrophes before formulas.
pub(super) fn rows(
    template: Template,
    text: &str,
    marked: bool,
    budget: &mut Budget,
) -> Result<Result<Vec<SheetRow>, Vec<Check>>> {
    let mut records = Records::new(text.as_bytes(), delimiter(text.as_bytes()));
    let mut record = csv::StringRecord::new();
    let header = match records.next_into(&mut record) {
        Ok(_) => {
            let headings: Vec<&str> = record.iter().collect();
            match SheetHeader::read(template, &headings) {
                Ok(header) => header,
                Err(problems) => return Ok(Err(heading_checks(template, &headings, &problems))),
            }
        }
        Err(error) => return Ok(Err(vec![unreadable(template, error)?])),
    };
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    loop {
        match records.next_into(&mut record) {
            Ok(None) => break,
            Ok(Some(line)) => {
                let cells: Vec<Cow<'_, str>> = record.iter().map(|cell| restored(cell, marked)).collect();
                let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
                // A blank line is no row; a row without any value cannot be distinguished from it.
                if cells.iter().all(|cell| cell.is_empty()) {
                    continue;
                }
                budget.entry()?;
                for cell in &cells {
                    budget.cell()?;
                    budget.bytes(cell.len())?;
                }
                match header.row(line.to_string(), &cells) {
                    Some(row) => rows.push(row),
                    None => problems.push(cell_count(template, line, cells.len(), header.width())),
                }
            }
            Err(error) => {
                problems.push(unreadable(template, error)?);
                break;
            }
        }
        if problems.len() >= MOST {
            break;
        }
    }
    Ok(if problems.is_empty() { Ok(rows) } else { Err(problems) })
}

fn restored(cell: &str, marked: bool) -> Cow<'_, str> {
    if marked && cell.contains('\'') { reports::csv::restore(cell).into() } else { cell.into() }
}

fn heading_checks(template: Template, headings: &[&str], problems: &[HeadingProblem]) -> Vec<Check> {
    let lines = problems.iter().take(MOST).map(|problem| {
        let heading = |index: &usize| Quoted(headings.get(*index).map_or("", |text| text).to_owned());
        match problem {
            HeadingProblem::Unknown(index) => {
                let finding = PackageFinding::UnknownColumn { heading: heading(index) };
                check("801", template, None, finding, PackageRemedy::OnlyColumns)
            }
            HeadingProblem::Twice(index) => {
                let finding = PackageFinding::ColumnTwice { heading: heading(index) };
                check("802", template, None, finding, PackageRemedy::OnlyColumns)
            }
        }
    });
    lines.collect()
}

fn cell_count(template: Template, line: u64, found: usize, expected: usize) -> Check {
    let finding = PackageFinding::CellCount { line, found, expected };
    check("809", template, Some(line), finding, PackageRemedy::CheckCommas)
}

fn unreadable(template: Template, error: RecordError) -> Result<Check> {
    match error {
        RecordError::Record(problem @ RecordProblem::NotText { line }) => {
            let finding = PackageFinding::Unreadable { problem };
            Ok(check("306", template, Some(line), finding, PackageRemedy::SaveAsUtf8))
        }
        RecordError::Record(
            problem @ (RecordProblem::TooLong { line } | RecordProblem::TooManyFields { line }),
        ) => {
            let finding = PackageFinding::Unreadable { problem };
            Ok(check("809", template, Some(line), finding, PackageRemedy::CheckCommas))
        }
        RecordError::Read(error) => Err(crate::upload::unreadable(&error)),
    }
}

fn check(
    rule: &'static str,
    template: Template,
    line: Option<u64>,
    finding: PackageFinding,
    remedy: PackageRemedy,
) -> Check {
    Check {
        rule,
        severity: Severity::Refused,
        template: Some(template),
        row: line.map(|line| line.to_string().into()),
        column: None::<ColumnCode>,
        message: CheckMessage::from(finding),
        remedy: CheckRemedy::from(remedy),
        value: None,
    }
}
