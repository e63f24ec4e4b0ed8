//! Reads the cells of one sheet, in the order of the file and one at a time: a sheet may be larger than memory.

use std::io::Read;

use domain::register::{
    Quoted,
    filing::{WorkbookFinding as Finding, WorkbookRemedy as Remedy},
};
use quick_xml::events::{BytesStart, Event};

use super::{
    number::{self, Epoch, NoText},
    parts::{XmlPart, add_reference, add_text, attribute, damaged, typed},
    strings::{Collected, Strings},
    styles::Styles,
};
use crate::{Result, budget::Budget};

/// The maximum rows and columns of a spreadsheet.
const MAX_ROW: u32 = 1_048_576;
const MAX_COLUMN: u32 = 16_384;
/// The maximum number of reported merged ranges; one is enough to refuse a sheet.
const MOST_MERGED: usize = 50;

/// The shared data that cells refer to.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) strings: Strings,
    pub(super) styles: Styles,
    pub(super) epoch: Epoch,
    /// Whether a day may have a time.
    pub(super) has_times: bool,
}

/// Why a cell has no usable value.
pub(super) type CellProblem = (Finding, Remedy);

/// A cell that is not empty.
#[derive(Debug)]
pub(super) struct Cell {
    /// From 1, as a spreadsheet counts.
    pub(super) row: u32,
    /// From 0.
    pub(super) column: u32,
    pub(super) value: Result<String, CellProblem>,
}

/// Calls `take` for every cell that is not empty, and returns the merged ranges. Rows and cells are counted where they
/// begin, whatever they hold, and texts while they are collected.
pub(super) fn each<R: Read>(
    mut part: XmlPart<'_, R>,
    shared: &Shared,
    budget: &mut Budget,
    mut take: impl FnMut(Cell) -> Result<()>,
) -> Result<Vec<String>> {
    let (mut row, mut column, mut merged) = (0, None, Vec::new());
    let mut open: Option<Open> = None;
    while let Some(event) = part.next()? {
        match &event {
            Event::Start(element) => match element.local_name().as_ref() {
                "row" => {
                    budget.entry()?;
                    row = next_row(element, row)?;
                    column = None;
                }
                "c" => {
                    budget.cell()?;
                    let at = next_column(element, row, column)?;
                    column = Some(at);
                    open = Some(Open::new(element, at));
                }
                "mergeCell" if merged.len() < MOST_MERGED => {
                    merged.push(attribute(element, "ref").unwrap_or_default());
                }
                name => {
                    if let Some(cell) = &mut open {
                        cell.enter(name);
                    }
                }
            },
            Event::End(element) if element.local_name().as_ref() == "c" => {
                if let Some(cell) = open.take()
                    && let Some(cell) = cell.finish(row, shared, budget)?
                {
                    take(cell)?;
                }
            }
            _ => {}
        }
        if let Some(cell) = &mut open {
            cell.add(&event, budget)?;
        }
    }
    Ok(merged)
}

fn next_row(element: &BytesStart<'_>, before: u32) -> Result<u32> {
    let row = match attribute(element, "r") {
        Some(text) => text.parse().map_err(|_| damaged("a row has no number"))?,
        None => before + 1,
    };
    // Repeated rows would hide each other.
    if row <= before || row > MAX_ROW { Err(damaged("its rows are not in order")) } else { Ok(row) }
}

fn next_column(element: &BytesStart<'_>, row: u32, before: Option<u32>) -> Result<u32> {
    let next = before.map_or(0, |before| before + 1);
    let column = match attribute(element, "r") {
        Some(text) => match place(&text) {
            Some((column, of_row)) if of_row == row => column,
            _ => return Err(damaged("a cell is not where it says")),
        },
        None => next,
    };
    if column < next || column >= MAX_COLUMN || row == 0 {
        return Err(damaged("its cells are not in order"));
    }
    Ok(column)
}

/// Column from 0 and row from 1 of a place such as `AB12`.
fn place(text: &str) -> Option<(u32, u32)> {
    let digits = text.find(|character: char| character.is_ascii_digit())?;
    let (letters, row) = text.split_at(digits);
    if letters.is_empty() || letters.len() > 3 {
        return None;
    }
    let mut column = 0;
    for letter in letters.bytes() {
        if !letter.is_ascii_uppercase() {
            return None;
        }
        column = column * 26 + u32::from(letter - b'A') + 1;
    }
    Some((column - 1, row.parse().ok()?))
}

/// A place as a spreadsheet names it.
pub(super) fn name(row: u32, column: u32) -> String {
    let (mut letters, mut rest) = (Vec::new(), column + 1);
    while rest > 0 {
        let letter = u8::try_from((rest - 1) % 26).unwrap_or_default();
        letters.push(char::from(b'A' + letter));
        rest = (rest - 1) / 26;
    }
    let letters: String = letters.into_iter().rev().collect();
    format!("{letters}{row}")
}

/// A cell whose end tag has not been read yet.
struct Open {
    column: u32,
    kind: String,
    style: Option<String>,
    value: String,
    inline: Collected,
    within_value: bool,
    has_formula: bool,
}

impl Open {
    fn new(element: &BytesStart<'_>, column: u32) -> Self {
        Self {
            column,
            kind: attribute(element, "t").unwrap_or_default(),
            style: attribute(element, "s"),
            value: String::new(),
            inline: Collected::default(),
            within_value: false,
            has_formula: false,
        }
    }

    fn enter(&mut self, name: &str) {
        match name {
            "v" => self.within_value = true,
            "f" => self.has_formula = true,
            _ => {}
        }
    }

    fn add(&mut self, event: &Event<'_>, budget: &mut Budget) -> Result<()> {
        match event {
            Event::Text(text) if self.within_value => {
                add_text(&mut self.value, &text.xml10_content(), budget)?;
            }
            Event::CData(text) if self.within_value => {
                add_text(&mut self.value, &text.xml10_content(), budget)?;
            }
            Event::GeneralRef(reference) if self.within_value => add_reference(&mut self.value, reference)?,
            Event::End(element) if element.local_name().as_ref() == "v" => self.within_value = false,
            _ => self.inline.see(event, budget)?,
        }
        Ok(())
    }

    /// The cell, unless it is empty.
    fn finish(mut self, row: u32, shared: &Shared, budget: &mut Budget) -> Result<Option<Cell>> {
        let value = match self.kind.as_str() {
            "inlineStr" => Ok(self.inline.take()),
            "s" if self.value.is_empty() => Ok(String::new()),
            "s" => {
                let text = shared.strings.referred(&self.value)?;
                budget.bytes(text.len())?;
                Ok(text.to_owned())
            }
            "str" => Ok(typed(&self.value)),
            "b" if self.value.trim() == "1" => Ok("true".to_owned()),
            "b" if self.value.trim() == "0" => Ok("false".to_owned()),
            "e" => {
                let (cell, error) = (name(row, self.column), Quoted(self.value.clone()));
                Err((Finding::ErrorValue { cell, error }, Remedy::WriteValue))
            }
            "d" => iso_day(&self.value).ok_or_else(|| self.trouble(row, NoText::NoDay)),
            _ if self.value.is_empty() => Ok(String::new()),
            _ => number::text(&self.value, shared.styles.of(self.style.as_deref()), shared.epoch)
                .or_else(|problem| match problem {
                    NoText::TimeOfDay if shared.has_times => number::local_time(&self.value, shared.epoch),
                    problem => Err(problem),
                })
                .map_err(|problem| self.trouble(row, problem)),
        };
        let value = match value {
            // A formula without a computed value would be read as empty.
            Ok(text)
                if text.is_empty() && self.has_formula && self.value.is_empty() && self.kind != "str" =>
            {
                Err((Finding::NoResult { cell: name(row, self.column) }, Remedy::WriteValue))
            }
            Ok(text) if text.is_empty() => return Ok(None),
            Ok(text) if text.chars().count() > reports::book::LONGEST => {
                let most = reports::book::LONGEST;
                Err((Finding::LongText { cell: name(row, self.column), most }, Remedy::Shorten))
            }
            value => value,
        };
        Ok(Some(Cell { row, column: self.column, value }))
    }

    fn trouble(&self, row: u32, problem: NoText) -> CellProblem {
        let (cell, value) = (name(row, self.column), Quoted(self.value.clone()));
        match problem {
            NoText::NoNumber => (Finding::NoNumber { cell, value }, Remedy::FormatText),
            NoText::ManyDigits => (Finding::ManyDigits { cell }, Remedy::FormatText),
            NoText::NoDay => (Finding::NoDay { cell, number: value }, Remedy::FormatDay),
            NoText::TimeOfDay => (Finding::TimeOfDay { cell }, Remedy::FormatDay),
        }
    }
}

/// The day of an ISO 8601 value without a time.
fn iso_day(text: &str) -> Option<String> {
    let day = text.trim();
    let day = day.strip_suffix("T00:00:00").unwrap_or(day);
    day.parse::<domain::moment::Day>().ok().map(|day| day.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_named_as_a_spreadsheet_does() {
        for (text, column, row) in
            [("A1", 0, 1), ("Z9", 25, 9), ("AA10", 26, 10), ("XFD1048576", 16_383, 1_048_576)]
        {
            assert_eq!(place(text), Some((column, row)), "{text}");
            assert_eq!(name(row, column), text);
        }
        for wrong in ["", "A", "1", "a1", "AAAA1", "A-1", "A1B"] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }
}
